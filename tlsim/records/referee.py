"""The referee: plays a record by the rules with the engine, and says what is wrong or what everybody gets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from tlsim.cards import DECK, cards_in, format_cards
from tlsim.catalogue import N_
from tlsim.engine.rule_numbers import REASONS
from tlsim.errors import Sentence, UsageError, either, joined, shorten, suggestion
from tlsim.kernels import row as c
from tlsim.kernels.choices import REST_OF_QUAD, REST_OF_RUN, listed
from tlsim.kernels.table import play_script, table
from tlsim.records.model import FORMAT, Entry, GameRecord, Gift, RecordError, amount, broken, names, placed
from tlsim.records.start import begin_game
from tlsim.records.steps import code_of, turned_cards
from tlsim.rules import Rules, list_rules, load_rules

Transfers = dict[tuple[int, int, str], int]
_KINDS = {
    c.SINGLE: N_("single"), c.PAIR: N_("pair"), c.TRIPLE: N_("triple"), c.QUAD: N_("quad"),
    REST_OF_QUAD: N_("3♠ as the quad"), REST_OF_RUN: N_("6s as the four pairs"),
}  # fmt: skip
_RANKS = "3456789TJQKA2"
_ENDED_BY = {
    c.THREE_SPADES: "ket_3_bich", c.BLOCKED: "ket_3_bich.after_block", c.WHOLE_TABLE_CONG: "cong.method",
    c.DUT: "dut_3_bich", c.BEATEN_LAST: "den_ca_lang.hand_ends", c.ALL_STUCK: "finish.on_two",
    c.CALL_BLOCKED: "bao_sam.fail_pays", c.CALL_STUCK: "bao_sam.fail_pays",
}  # fmt: skip
MARK = '"interrupt": true'
"""The mark of a free chop, as messages name it."""
_BOMBS = {"ba_doi_thong": N_("three pairs in a row"), "tu_quy": N_("four of a kind")}
FOUR = 4  # pairs
_STUCK = 7 << c.SEAT_SHIFT  # an entry that no seat can take for its own: who is stuck is not asked


@dataclass(frozen=True)
class Settlement:
    """What a game comes to.

    Parameters
    ----------
    record
        The whole record in canonical form, as ``json.dumps`` can write it.
    net
        By seat: points + received − paid, in the unit of the rules.
    places
        Seats in finishing order.
    unit
        Unit of the amounts.
    next_leader, next_opening, next_direction, next_barred, next_titles, cong_in_a_row
        What carries over to the next game; the leader is None where the deal decides. Titles are the seats by place, in
        Tổng thống; the last is by seat, where it matters, from the games that were told.
    rules
        The rules by which it was refereed.
    notices
        What could not be checked, or is odd but no fault; a line each, with its place.
    """

    record: dict[str, Any]
    net: tuple[float, ...]
    places: tuple[int, ...]
    unit: str
    next_leader: int | None
    next_opening: bool
    next_direction: int
    next_barred: int | None = None
    next_titles: tuple[int, ...] | None = None
    cong_in_a_row: tuple[int, ...] = ()
    rules: Rules = field(repr=False, compare=False, kw_only=True)
    notices: tuple[str, ...] = ()

    def to_frame(self) -> Any:
        """Return the transfers as a pandas frame: ``from``, ``to``, ``amount``, ``reason``."""
        import pandas as pd

        return pd.DataFrame(self.record["transfers"], columns=["from", "to", "amount", "reason"])


@lru_cache(maxsize=1)
def _presets() -> list[str]:
    return list_rules()


@lru_cache(maxsize=64)
def preset_named(name: str) -> Rules:
    """Return the preset of a name that a record gives; a file of that name is not opened."""
    if name in _presets():
        return load_rules(name)
    near = suggestion(name[:60], _presets()) or Sentence("; they are {names}", names=", ".join(_presets()))
    raise UsageError("{name} is no rule set of tlsim{near}; a record of other rules is refereed with their file: "
                     "--rules FILE, or settle(record, file)", name=shorten(name, 40), near=near)  # fmt: skip


def named_rules(record: GameRecord, where: str = "record") -> Rules:
    """Return the preset that a record names."""
    try:
        return preset_named(record.rules)
    except UsageError as error:
        raise broken(where, "rules = {error}", error=error) from None


def referee(
    record: GameRecord, rules: Rules, where: str = "record", in_a_row: tuple[int, ...] | None = None
) -> Settlement:
    """Play a record by the rules; in_a_row : by seat, the games of cóng one after another before this one."""
    game = begin_game(record, rules, where)
    for seat, number in enumerate(in_a_row or ()):
        game[c.CONG_IN_A_ROW + record.seat_at(seat)] = number
    _play(record, rules, game, where)
    places = [record.seat_at(int(p)) for p in game[c.PLACES : c.PLACES + game[c.N_PLACES]]]
    transfers = _transfers(game, record)
    points = _points(game, transfers, record)
    net = [int(game[c.NET + record.seat_at(seat)]) for seat in range(record.players)]
    _compare(record, rules, where, places, transfers, points, net)
    plays = [] if game[c.ENDING] == c.INSTANT else _as_logged(record, game)
    written = _written(record, rules, plays, places, transfers, points, net)
    leader, rows = int(game[c.NEXT_LEADER]), game[c.CONG_IN_A_ROW : c.CONG_IN_A_ROW + record.players].tolist()
    return Settlement(
        written,
        tuple(value / 2 for value in net),
        tuple(places),
        rules.unit,
        record.seat_at(leader) if leader >= 0 else None,
        bool(game[c.NEXT_OPENING]),
        -record.direction if game[c.ALTERNATES] else record.direction,
        record.seat_at(int(game[c.NEXT_BARRED])) if game[c.NEXT_BARRED] >= 0 else None,
        tuple(places) if rules.president is not None else None,
        tuple(rows[record.seat_at(seat)] for seat in range(record.players)) if game[c.CONG_STREAK] else (),
        rules=rules,
    )


def _play(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> None:
    """Let the engine play the decisions of a record."""
    _run(record, game)
    _check_stuck(record, rules, game, where)
    if game[c.FAULT] != c.FINE:
        raise _fault(record, rules, game, where)
    played = int(game[c.PLAYS])
    if played < len(record.plays) and game[c.ENDING] != c.INSTANT:
        more = len(record.plays) - played
        follow = Sentence("1 entry follows") if more == 1 else Sentence("{n} entries follow", n=more)
        path = _ENDED_BY.get(int(game[c.ENDING]), "end_condition")
        source = rules.cited(path)
        raise RecordError([placed(where, "plays[{played}]: the game is over ({source}); {follow}", played=played,
                          source=source, follow=follow)], played, source)  # fmt: skip


def _run(record: GameRecord, game: c.Ints) -> None:
    script = np.array([_STUCK if entry.stuck else code_of(entry, record) for entry in record.plays], np.int64)
    play_script(game, script.reshape(-1))


def _check_stuck(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> None:
    """Compare what a record says about leaders who are stuck with what the engine found."""
    log = game[c.LOG : c.LOG + game[c.PLAYS]].tolist()
    for at, entry in enumerate(log):
        said = record.plays[at] if at < len(record.plays) else None
        if entry & c.IS_STUCK and (said is None or not said.stuck or said.cards or code_of(said, record) != entry):
            seat = record.seat_at(entry >> c.SEAT_SHIFT & 7)
            source = rules.cited("finish.on_two")
            legal = f'{{"seat": {seat}, "cards": [], "stuck": true}}'
            raise RecordError([placed(where, "plays[{at}]: seat {seat} is to lead and holds nothing that it may lead "
                              "({source}); legal: {legal}", at=at, seat=seat, source=source,
                              legal=legal)], at, source)  # fmt: skip


def _as_logged(record: GameRecord, game: c.Ints) -> list[Entry]:
    """Return the decisions as the engine writes them: a free chop in one's own turn has no mark."""
    log = game[c.LOG : c.LOG + game[c.PLAYS]].tolist()
    plays = []
    for entry, logged in zip(record.plays, log, strict=True):
        same = entry.interrupt == bool(logged & c.INTERRUPT)
        plays.append(entry if same else entry.model_copy(update={"interrupt": not entry.interrupt}))
    return plays


def _fault(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> RecordError:
    """Say what is wrong with a decision, by which rule, and what was legal."""
    at, position = int(game[c.PLAYS]), int(game[c.ASKED_SEAT])
    seat, leads = record.seat_at(position), game[c.ASKED] == c.LEAD
    legal = _legal(game, position)
    turn = N_("it is the turn of seat {seat}, to lead") if leads else N_("it is the turn of seat {seat}, to follow")
    if at >= len(record.plays):
        return RecordError([placed(where, "plays ends after {at} decisions, before the game is over; {turn}: {legal}",
                           at=at, turn=Sentence(turn, seat=seat), legal=legal)], at)  # fmt: skip
    entry = record.plays[at]
    what, path = _reason(record, rules, game, entry, seat)
    if not entry.interrupt and _is_legal_with_mark(record, rules, at, where):
        what, path = N_('this is a free chop, which needs the mark "interrupt": true'), "chop.free_4dt_mode"
    source = rules.cited(path)
    shown = format_cards(entry.cards, symbols=True) or Sentence("pass")
    turn, what = Sentence(turn, seat=seat), Sentence(what)
    said = placed(where, "plays[{at}]: seat {seat}, {shown}: {what} ({source}); {turn}: {legal}", at=at,
                  seat=entry.seat, shown=shown, what=what, source=source, turn=turn, legal=legal)  # fmt: skip
    return RecordError([said], at, source)


def _is_legal_with_mark(record: GameRecord, rules: Rules, at: int, where: str) -> bool:
    """Whether a decision would be legal with the mark of a free chop."""
    plays = [*record.plays[:at], record.plays[at].model_copy(update={"interrupt": True})]
    game = begin_game(record, rules, where)
    _run(record.model_copy(update={"plays": plays}), game)
    return bool(game[c.PLAYS] > at)


def _reason(  # noqa: C901, PLR0911, PLR0912 (one reason after another)
    record: GameRecord, rules: Rules, game: c.Ints, entry: Entry, seat: int
) -> tuple[str, str]:
    """Return what is wrong with a decision, and the key path of the clause that says so."""
    leads = game[c.ASKED] == c.LEAD
    if entry.stuck:
        return N_("this seat is not stuck"), "finish.on_two"
    if entry.interrupt:
        return _no_free_chop(rules)
    if entry.seat != seat:
        position = record.seat_at(entry.seat)
        if not game[c.ACTIVE] >> position & 1:
            return N_("this seat holds no cards any more or is out of the game"), "turn.direction"
        if rules.turn.pass_locks and game[c.PASSED] >> position & 1:
            return N_("this seat has passed and is locked out until the trick closes"), "turn.pass_locks"
        if leads and game[c.CALLER]:
            return Sentence("seat {seat} has called Sâm and leads", seat=seat), "bao_sam"
        return N_("out of turn"), "turn.direction"
    hand = turned_cards(game, int(game[c.HANDS + record.seat_at(seat)]))
    if missing := entry.cards & ~hand:
        return Sentence("the seat does not hold {cards}", cards=format_cards(missing, symbols=True)), "deal.hand_size"
    if leads and not entry.cards:
        first = record.opening and game[c.PLAYS] == 0 and not game[c.CALLER]
        return N_("a leader may not pass"), "lead.opening_must_include" if first else "lead.next"
    if leads and game[c.REQUIRED] and not entry.cards & int(game[c.REQUIRED]):
        must = format_cards(int(game[c.REQUIRED]), symbols=True)
        return Sentence("the first play must contain {cards}", cards=must), "lead.opening_must_include"
    if entry.as_:
        return N_("what is left of four 3s or of four pairs has no power here, or these cards are not it"), "residual"
    if entry.cards == hand and (barred := _barred_last(rules, hand)):
        return barred
    if table(game, c.KIND_OF, entry.cards) == c.NOTHING:
        return N_("these cards make no combination"), _broken_clause(rules, entry.cards)
    if game[c.REVERSED]:
        return N_(
            "this does not beat the set on the table, since a quad has turned the order over"
        ), "president.revolution"
    chop = game[c.TARGET] != c.NO_TARGET and entry.cards.bit_count() >= 4 and rules.chop is not None
    plain = "combinations.straight.longer_beats" if rules.combinations.straight else "combinations.compare"
    return N_("this does not beat the set on the table"), "chop.beats" if chop else plain


def _no_free_chop(rules: Rules) -> tuple[str, str]:
    """Return what may be played out of turn or after a pass by these rules."""
    chop, run = rules.chop, rules.combinations.pair_run
    if chop is None:
        return N_("nothing is played out of turn by these rules"), "chop"
    runs = run is not None and run.min_length <= FOUR
    four = (
        [N_("four pairs in a row")]
        if runs and (chop.free_4dt_mode != "none" or "bon_doi_thong" in chop.after_pass)
        else []
    )
    bombs = [_BOMBS[bomb] for bomb in chop.after_pass if bomb == "tu_quy" or (bomb == "ba_doi_thong" and runs)] + four
    if not bombs:
        return N_("nothing is played out of turn or after a pass by these rules"), "chop.free_4dt_mode"
    path = "chop.free_4dt_mode" if bombs == four else "chop.after_pass"
    return Sentence("a free chop takes {bombs}, and a set that they may chop then", bombs=either(bombs)), path


def _broken_clause(rules: Rules, cards: int) -> str:
    """Return the clause by which cards are no combination: of suits, of straights, of runs of pairs."""
    ranks = Counter(card // 4 for card in cards_in(cards))
    if rules.combinations.suit_match == "north" and (len(ranks) == 1 or max(ranks.values()) == 1):
        return "combinations.suit_match"
    paired = set(ranks.values()) == {2} and len(ranks) > 1
    return "combinations.pair_run" if paired else "combinations.straight" if len(ranks) > 1 else "combinations.compare"


def _barred_last(rules: Rules, cards: int) -> tuple[str, str] | None:
    """Return why cards may not be the last that a seat lays, and the clause that says so."""
    if rules.finish.on_two == "forbid" and cards & c.TWOS:
        return N_("the last play may not hold a 2"), "finish.on_two"
    ranks = Counter(card // 4 for card in cards_in(cards))
    if not rules.finish.with_hang and cards.bit_count() >= 4 and min(ranks.values()) >= 2:
        return N_("the last play may not be four of a kind or a run of pairs"), "finish.with_hang"
    return None


def _legal(game: c.Ints, position: int) -> Sentence:
    """Return the legal choices in words."""
    question = int(game[c.ASKED])
    words = [] if question == c.LEAD else [Sentence("pass")]
    for kind, rank, length in listed(game, position, question):
        words.append(_which(kind, _RANKS[rank], length))
    shown = joined(words[:12], ", ")
    if len(words) > 12:
        return Sentence("legal: {choices} and {number} more", choices=shown, number=len(words) - 12)
    return Sentence("legal: {choices}", choices=shown)


def _which(kind: int, rank: str, length: int) -> Sentence:
    """Return a choice in words."""
    if kind == c.STRAIGHT:
        return Sentence("straight of {length} cards up to {rank}", length=length, rank=rank)
    if kind == c.PAIR_RUN:
        return Sentence("run of {length} pairs up to {rank}", length=length, rank=rank)
    name = Sentence(_KINDS[kind])
    return Sentence("{kind} {rank}", kind=name, rank=rank) if kind <= c.QUAD else name


def _transfers(game: c.Ints, record: GameRecord) -> Transfers:
    """Return payments in canonical form: one entry per payer, receiver and reason (M23)."""
    found: Counter[tuple[int, int, str]] = Counter()
    flows = game[c.FLOWS : c.FLOWS + 4 * game[c.N_FLOWS]].reshape(-1, 4)
    for reason, payer, receiver, halves in flows.tolist():
        found[record.seat_at(payer), record.seat_at(receiver), REASONS[reason]] += halves
    return {key: value for key, value in sorted(found.items()) if value}


def _points(game: c.Ints, transfers: Transfers, record: GameRecord) -> list[int] | None:
    """Return points by seat, what a seat has beside its payments; None where the rules give none."""
    if not game[c.HAS_POINTS]:
        return None
    points = [int(game[c.NET + record.seat_at(seat)]) for seat in range(record.players)]
    for (payer, receiver, _), halves in transfers.items():
        points[payer] += halves
        points[receiver] -= halves
    return points


def _compare(
    record: GameRecord, rules: Rules, where: str, places: list[int], transfers: Transfers, points: list[int] | None,
    net: list[int],
) -> None:  # fmt: skip
    """Compare what a record says with what the rules give."""
    faults = []
    for name, said, found in (
        ("places", record.places, places),
        ("net", record.net, net),
        ("points", record.points, points),
    ):
        nothing = name == "points" and found is None and not any(said or ())
        if said is not None and said != found and not nothing:
            shown = [said, found] if name == "places" else [[amount(v) for v in x or ()] for x in (said, found)]
            faults.append(placed(where, "{name} = {said}: by the rules of {rules} it is {found}", name=name,
                          said=shown[0], rules=rules.name, found=shown[1]))  # fmt: skip
    if record.transfers is not None:
        told_of: Counter[tuple[int, int, str]] = Counter()
        for entry in record.transfers:
            told_of[entry.from_, entry.to, entry.reason] += entry.amount
        for payer, receiver, reason in sorted(set(told_of) | set(transfers)):
            one, two = told_of[payer, receiver, reason], transfers.get((payer, receiver, reason), 0)
            if one != two:
                faults.append(placed(where, "transfers: {reason} from {payer} to {receiver} is {one}; by the rules of "
                              "{rules} it is {two}", reason=shorten(reason, 40), payer=payer, receiver=receiver,
                              one=amount(one), rules=rules.name, two=amount(two)))  # fmt: skip
    if faults:
        raise RecordError(faults)


def _written(
    record: GameRecord, rules: Rules, plays: list[Entry], places: list[int], transfers: Transfers,
    points: list[int] | None, net: list[int],
) -> dict[str, Any]:  # fmt: skip
    """Return a record with everything in it, in canonical form."""
    every = 0
    for hand in record.hands:
        every |= hand
    written: dict[str, Any] = {"format": FORMAT, "rules": rules.name, "rules_digest": rules.digest}
    if record.source is not None:
        written["source"] = record.source
    if rules.toi_trang is not None and rules.toi_trang.bars_last_winner:
        written["barred"] = record.barred
    if rules.president is not None:
        written["titles"] = record.titles
        written["exchange"] = [_written_gift(gift) for gift in record.exchange or ()]
    written |= {
        "players": record.players, "opening": record.opening, "direction": record.direction, "leader": record.leader,
        "hands": [names(hand) for hand in record.hands], "undealt": names(DECK & ~every),
        "calls": [call.model_dump(exclude_none=True) for call in record.calls],
        "plays": [_written_entry(entry) for entry in plays], "places": places,
        "transfers": [
            {"from": payer, "to": receiver, "amount": amount(halves), "reason": reason}
            for (payer, receiver, reason), halves in sorted(transfers.items())
        ],
    }  # fmt: skip
    if points is not None:
        written["points"] = [amount(value) for value in points]
    return written | {"net": [amount(value) for value in net]}


def _written_gift(gift: Gift) -> dict[str, Any]:
    return {"from": gift.from_, "to": gift.to, "cards": names(gift.cards)}


def _written_entry(entry: Entry) -> dict[str, Any]:
    written: dict[str, Any] = {"seat": entry.seat, "cards": names(entry.cards)}
    written |= {"interrupt": True} if entry.interrupt else {}
    written |= {"as": entry.as_} if entry.as_ else {}
    return written | ({"stuck": True} if entry.stuck else {})
