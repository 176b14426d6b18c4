"""What a record says of the time before the first play: deal, leader, titles, exchange, calls; held against rules."""

from collections.abc import Iterator, Sequence

import numpy as np

from tlsim.cards import DECK, card_name, cards_in, count_cards, format_cards
from tlsim.engine.rule_numbers import game_row, pattern_tests
from tlsim.errors import Sentence
from tlsim.kernels import row as c
from tlsim.kernels.detect import bench, detect_all
from tlsim.kernels.policies import SCRIPT
from tlsim.kernels.table import table
from tlsim.records.model import Call, GameRecord, Gift, broken, placed, refuse
from tlsim.rules import Rules
from tlsim.rules.schema import Exchange


def begin_game(record: GameRecord, rules: Rules, where: str) -> c.Ints:
    """Return the row of the game that a record begins with, ready for its script; raise what is wrong before a play."""
    _check_seats(record, rules, where)
    refuse(_wrong_deal(record, rules, where))
    refuse(_of_other_families(record, rules, where))
    game = _dealt(record, rules, record.opening, record.seat_at(record.leader))
    game[c.POLICY : c.POLICY + record.players] = SCRIPT
    game[c.TITLES] = -1
    leader, card = record.seat_at(int(game[c.LEADER])), int(game[c.LEAD_CARD])
    if leader != record.leader:  # where nobody has the card, it may be anybody (B2)
        source = rules.cited("lead.opening_card" if card == 1 << rules.lead.opening_card else "lead.opening_fallback")
        raise broken(where, "leader = {leader}: seat {seat} holds {card} and leads ({source})", leader=record.leader,
                     seat=leader, card=format_cards(card, symbols=True), source=source)  # fmt: skip
    if record.direction < 0 and (not game[c.ALTERNATES] or (record.source or {}).get("game") == 0):
        raise broken(where, "direction = -1: turns go the other way ({source})", source=rules.cited("turn.direction"))
    if rules.president is not None:
        _check_titles(record, rules, where)
        _check_exchange(record, rules, game, where)
    _check_calls(record, rules, game, where)
    return game


def opening_leader(record: GameRecord, rules: Rules) -> int | None:
    """Return who leads an opening game by what is dealt; None where lots are drawn (B2)."""
    game = _dealt(record, rules, True, 0)
    return record.seat_at(int(game[c.LEADER])) if game[c.LEAD_CARD] else None


def _dealt(record: GameRecord, rules: Rules, opening: bool, leader: int) -> c.Ints:
    """Return the row of a game with its cards and its leader, who follows from them in an opening game."""
    game = game_row(rules, record.players)
    for position in range(record.players):
        game[c.DEALT + position] = record.hands[record.seat_at(position)]
    game[c.OPENING], game[c.LEADER] = opening, leader
    if opening:
        table(game, c.FIND_LEAD)
    return game


def _check_seats(record: GameRecord, rules: Rules, where: str) -> None:
    players = record.players
    allowed = range(rules.deal.min_players, rules.deal.max_players + 1)
    if players not in allowed:
        raise broken(where, "players = {players}: {rules} is for {least} to {most} players", players=players,
                     rules=rules.name, least=allowed[0], most=allowed[-1])  # fmt: skip
    if len(record.hands) != players:
        raise broken(where, "hands has {number} hands; there are {players} players", number=len(record.hands),
                     players=players)  # fmt: skip


def _wrong_deal(record: GameRecord, rules: Rules, where: str) -> Iterator[str]:
    most = record.players - 1
    yield from _wrong_sizes(record, rules, where)
    yield from _wrong_cards(record, where)
    said = {"leader": record.leader, "barred": record.barred or 0}
    said |= {f"plays[{at}].seat": entry.seat for at, entry in enumerate(record.plays)}
    said |= {f"calls[{at}].seat": call.seat for at, call in enumerate(record.calls)}
    for key, seat in said.items():
        if seat > most:
            yield placed(where, "{key} = {seat}: seats are 0 to {most}", key=key, seat=seat, most=most)
    if record.rules_digest not in (None, rules.digest):
        yield placed(where, "rules_digest {digest!r}… is not that of {rules} ({ours}…); give the rule file it was "
                     "played by with --rules FILE", digest=str(record.rules_digest)[:12], rules=rules.name,
                     ours=rules.digest[:12])  # fmt: skip


def _wrong_sizes(record: GameRecord, rules: Rules, where: str) -> Iterator[str]:
    """Yield hands of a wrong size; where cards are over, any seat may have been the dealer (L1)."""
    found = tuple(hand.bit_count() for hand in record.hands)
    deals = [rules.seat_sizes(record.players, game) for game in range(record.players)]
    if found in deals:
        return
    if len(set(deals)) > 1:
        source = rules.cited("deal.uneven_deal")
        yield placed(where, "hands of {found} cards; {rules} deals {sizes}, or so with another dealer ({source})",
                    found=", ".join(map(str, found)), rules=rules.name, sizes=", ".join(map(str, deals[0])),
                    source=source)  # fmt: skip
        return
    for seat, (number, size) in enumerate(zip(found, deals[0], strict=True)):
        if number != size:
            yield placed(where, "hands[{seat}] has {cards}; {rules} deals {size}", seat=seat, cards=count_cards(number),
                        rules=rules.name, size=size)  # fmt: skip


def _wrong_cards(record: GameRecord, where: str) -> Iterator[str]:
    every = twice = 0
    for cards in (*record.hands, record.undealt or 0):
        twice |= every & cards
        every |= cards
    for card in cards_in(twice):
        yield placed(where, "{card} is in two places at once", card=card_name(card, symbols=True))
    if record.undealt is not None and every != DECK:
        lacking = format_cards(DECK & ~every, symbols=True)
        yield placed(where, "undealt and the hands lack {cards}", cards=lacking)


def _of_other_families(record: GameRecord, rules: Rules, where: str) -> Iterator[str]:
    """Yield what these rules do not know, since it would change who gets what."""
    for key in ("titles", "exchange"):
        if getattr(record, key) is not None and rules.president is None:
            yield placed(where, "{key}: belongs to Tổng thống; {rules} has no exchange", key=key, rules=rules.name)
    barred, lists = record.barred, rules.toi_trang
    if barred is not None and (lists is None or not lists.bars_last_winner):
        source = rules.cited("toi_trang.bars_last_winner")
        yield placed(where, "barred = {barred}: {rules} bars nobody from tới trắng ({source})", barred=barred,
                     rules=rules.name, source=source)  # fmt: skip
    elif barred is not None and lists and not record.opening and lists.after_instant_win == "opening_hand":
        source = rules.cited("toi_trang.after_instant_win")
        yield placed(where, "barred = {barred}: after a tới trắng comes an opening game ({source}), in a regular one "
                     "nobody is barred (M27)", barred=barred, source=source)  # fmt: skip


def _check_titles(record: GameRecord, rules: Rules, where: str) -> None:
    """Check that an opening game has no titles, and any other those of all seats; the lead may follow from them."""
    titles = record.titles
    if record.opening:
        if titles is not None:
            raise broken(where, "titles = {titles}: an opening game has none; it must be null", titles=titles)
        return
    if titles is None or sorted(titles) != list(range(record.players)):
        wanted = Sentence("must be the {n} seats by their places in the game before, best first", n=record.players)
        if titles is None:
            raise broken(where, "titles is missing: {wanted}", wanted=wanted)
        raise broken(where, "titles = {titles}: {wanted}", titles=titles, wanted=wanted)
    entitled = {"last_place": titles[-1], "winner": titles[0]}.get(rules.lead.next[0])
    if entitled is not None and record.leader != entitled:
        source = rules.cited("lead.next")
        raise broken(where, "leader = {leader}: by titles seat {entitled} leads ({source})", leader=record.leader,
                     entitled=entitled, source=source)  # fmt: skip


def _check_exchange(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> None:
    """Check the gifts and the returns of an exchange, and write the returns into the row."""
    said = record.exchange or []
    rows = () if record.opening else rules.exchanges(record.players)
    source = rules.cited("president.exchange")
    if len(said) != 2 * len(rows):
        wanted = Sentence("{n} gifts and {n} returns", n=len(rows)) if rows else Sentence("none in this game")
        raise broken(where, "exchange has {number} entries; there must be {wanted} ({source})", number=len(said),
                     wanted=wanted, source=source)  # fmt: skip
    if not rows or record.titles is None:
        return
    for place, seat in enumerate(record.titles):
        game[c.TITLES + place] = record.seat_at(seat)
    refuse(_wrong_gifts(record, rows, game, where, source))


def _wrong_gifts(record: GameRecord, rows: Sequence[Exchange], game: c.Ints, where: str, source: str) -> Iterator[str]:
    """Yield what is wrong with gifts, of equal ranks in any suit (L13), and returns; a later one sees earlier ones."""
    said, number = list(enumerate(record.exchange or ())), len(rows)
    parties = game[c.TITLES + game[c.EXCHANGES : c.EXCHANGES + 3 * number].reshape(-1, 3)[:, :2]].tolist()
    ways = [(record.seat_at(giver), record.seat_at(getter)) for giver, getter in parties]
    ways += [(getter, giver) for giver, getter in ways]

    def in_turn(each: tuple[int, Gift]) -> int:
        way = each[1].from_, each[1].to
        return ways.index(way) if way in ways else each[0]

    if [(gift.from_, gift.to) for _, gift in said] != ways:
        said = sorted(said[:number], key=in_turn) + sorted(said[number:], key=in_turn)
    ups, backs = said[:number], said[number:]
    for (n, gift), (one, two) in zip(said, ways, strict=True):
        if (gift.from_, gift.to) != (one, two):
            yield placed(where, "exchange[{at}] goes from {one} to {two}: by titles it goes from {giver} to "
                         "{getter} ({source})", at=n, one=gift.from_, two=gift.to, giver=one, getter=two,
                         source=source)  # fmt: skip
    told = 0
    for at, (row, (n, up), (giver, _)) in enumerate(zip(rows, ups, parties, strict=True)):
        table(game, c.BEGIN_EXCHANGE)
        highest, held = int(game[c.GIFTS + at]), int(game[c.DEALT + giver]) & ~told
        if up.cards & ~held or [card // 4 for card in cards_in(up.cards)] != [card // 4 for card in cards_in(highest)]:
            yield placed(where, "exchange[{at}].cards = {cards}: must be {highest}, the highest {number} ({source})",
                         at=n, cards=_shown(up.cards), highest=_shown(highest), number=count_cards(row.cards),
                         source=source)  # fmt: skip
        else:
            game[c.TOLD_GIFTS + at] = up.cards
            told |= up.cards
    table(game, c.BEGIN_EXCHANGE)
    for at, (row, (n, back), (giver, getter)) in enumerate(zip(rows, backs, parties, strict=True)):
        if back.cards.bit_count() != row.cards:
            yield placed(where, "exchange[{at}].cards = {cards}: {number} must be returned ({source})", at=n,
                         cards=_shown(back.cards), number=count_cards(row.cards), source=source)  # fmt: skip
        elif lacking := back.cards & ~int(game[c.HANDS + getter]):
            yield placed(where, "exchange[{at}].cards = {cards}: seat {getter} does not hold {lacking}", at=n,
                         cards=_shown(back.cards), getter=record.seat_at(getter), lacking=_shown(lacking))  # fmt: skip
        game[c.SCRIPTED + at] = back.cards
        game[c.HANDS + getter] &= ~back.cards
        game[c.HANDS + giver] |= back.cards


def _shown(cards: int) -> str:
    return format_cards(cards, symbols=True) or Sentence("none")


def _check_calls(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> None:
    """Check the calls, and write into the row who declares what tới trắng (F5-F9) and who has called Sâm (K1)."""
    best = strongest_patterns(rules, record.hands, record.opening)
    if record.barred is not None:
        best.pop(record.barred, None)
    declared = {call.seat: call for call in record.calls if call.call == "toi_trang"}
    refuse([*_wrong_declarations(record, rules, best, declared, where), *_wrong_sam_calls(record, rules, where)])
    for seat in declared:
        game[c.HELD + record.seat_at(seat)] = 1 << best[seat]
    for call in record.calls:
        if call.call == "sam":
            game[c.CALLS_SAM + record.seat_at(call.seat)] = c.ALWAYS


def _wrong_sam_calls(record: GameRecord, rules: Rules, where: str) -> Iterator[str]:
    """Yield what is wrong with calls of Sâm: one at most, the accepted one."""
    calls = [(at, call) for at, call in enumerate(record.calls) if call.call == "sam"]
    for at, call in calls:
        if rules.bao_sam is None:
            yield placed(where, "calls[{at}].call = 'sam': {rules} knows toi_trang alone", at=at, rules=rules.name)
        elif call.pattern is not None:
            yield placed(where, "calls[{at}].pattern = {pattern!r}: a call of Sâm names no pattern", at=at,
                        pattern=call.pattern)  # fmt: skip
    if rules.bao_sam is not None and len(calls) > 1:
        yield placed(where, "calls[{at}]: Sâm is called twice; the first who says yes is the caller and nobody else is "
                     "asked (K1)", at=calls[1][0])  # fmt: skip


def _wrong_declarations(
    record: GameRecord, rules: Rules, best: dict[int, int], declared: dict[int, Call], where: str
) -> Iterator[str]:
    ids = [win.id for win in rules.instant_wins(record.opening, record.players)]
    calls = [(at, call) for at, call in enumerate(record.calls) if call.call == "toi_trang"]
    for n, (at, call) in enumerate(calls):
        if call.seat in [other.seat for _, other in calls[:n]]:
            yield placed(where, "calls[{at}]: a seat calls twice", at=at)
        if call.seat not in best:
            barred = Sentence(" (barred: it won so the last game)") if call.seat == record.barred else ""
            yield placed(where, "calls[{at}]: seat {seat} holds no tới trắng of this game's list{barred}", at=at,
                        seat=call.seat, barred=barred)  # fmt: skip
        elif call.pattern not in (None, strongest := ids[best[call.seat]]):
            yield placed(where, "calls[{at}].pattern = {pattern!r}: seat {seat} holds {strongest}, the strongest",
                         at=at, pattern=call.pattern, seat=call.seat, strongest=strongest)  # fmt: skip
    if rules.toi_trang is not None and rules.toi_trang.declare == "automatic":
        for seat in sorted(set(best) - set(declared)):
            yield placed(where, "calls: seat {seat} holds {pattern}, which wins at once ({source}); name it in calls",
                        seat=seat, pattern=ids[best[seat]], source=rules.cited("toi_trang.declare"))  # fmt: skip
    if set(declared) & set(best) and record.plays:
        yield placed(where, "plays: nothing is played after a tới trắng")


def strongest_patterns(rules: Rules, hands: Sequence[int], opening: bool) -> dict[int, int]:
    """Return the seats that hold a pattern of the list, with the index of the strongest."""
    tests = pattern_tests(rules, opening, len(hands), hands[0].bit_count())
    if not tests.patterns:
        return {}
    room = bench(len(hands))
    detect_all(tests, np.array(hands, dtype=np.int64), room)
    return {seat: (held & -held).bit_length() - 1 for seat, held in enumerate(room.held.tolist()) if held}
