"""The referee: plays a record by the rules with the engine, and says what is wrong or what everybody gets."""

from collections import Counter
from collections.abc import Iterator
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
from tlsim.records.model import Entry, GameRecord, RecordError, Transfer, amount, names, placed, refuse
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
_ORDER = (
    "format", "rules", "rules_digest", "source", "barred", "titles", "exchange", "players", "opening", "direction",
    "leader", "hands", "undealt", "calls", "plays", "places", "transfers", "points", "net",
)  # fmt: skip
MARK = '"interrupt": true'
"""The mark of a free chop, as messages name it."""
_BOMBS = {"ba_doi_thong": N_("three pairs in a row"), "tu_quy": N_("four of a kind")}
FOUR = 4  # pairs
_STUCK = 7 << c.SEAT_SHIFT  # an entry that no seat can take for its own: who is stuck is not asked


@dataclass(frozen=True)
class Settlement:
    """What a game comes to, and what carries over from it to the next one."""

    record: dict[str, Any]  # all of it in canonical form, as ``json.dumps`` can write it
    net: tuple[float, ...]  # by seat: points + received − paid, in the unit of the rules
    places: tuple[int, ...]  # seats in finishing order
    unit: str  # of the amounts
    next_leader: int | None  # None where the deal decides
    next_opening: bool
    next_direction: int
    next_barred: int | None = None
    next_titles: tuple[int, ...] | None = None  # seats by place, in Tổng thống
    cong_in_a_row: tuple[int, ...] = ()  # by seat, where it matters, from the games that were told
    rules: Rules = field(repr=False, compare=False, kw_only=True)  # by which it was refereed
    notices: tuple[str, ...] = ()  # what could not be checked, or is odd but no fault; a line each, with its place

    def to_frame(self) -> Any:
        """Return the transfers as a pandas frame: ``from``, ``to``, ``amount``, ``reason``."""
        import pandas as pd

        return pd.DataFrame(self.record["transfers"], columns=["from", "to", "amount", "reason"])


@lru_cache(maxsize=64)
def preset_named(name: str) -> Rules:
    """Return the preset of a name that a record gives; a file of that name is not opened."""
    presets = list_rules()
    if name in presets:
        return load_rules(name)
    near = suggestion(name[:60], presets) or Sentence("; they are {names}", names=", ".join(presets))
    raise UsageError("{name} is no rule set of tlsim{near}; a record of other rules is refereed with their file: "
                     "--rules FILE, or settle(record, file)", name=shorten(name, 40), near=near)  # fmt: skip


def referee(
    record: GameRecord, rules: Rules, where: str = "record", in_a_row: tuple[int, ...] | None = None
) -> Settlement:
    """Play a record by the rules; in_a_row : by seat, the games of cóng one after another before this one."""
    game = begin_game(record, rules, where)
    for seat, number in enumerate(in_a_row or ()):
        game[c.CONG_IN_A_ROW + record.seat_at(seat)] = number
    _run(record, game)
    if fault := _stuck(record, rules, game, where) or _unfinished(record, rules, game, where):
        raise fault
    places = [record.seat_at(int(p)) for p in game[c.PLACES : c.PLACES + game[c.N_PLACES]]]
    transfers = _transfers(game, record)
    points = _points(game, transfers, record)
    net = [int(game[c.NET + record.seat_at(seat)]) for seat in range(record.players)]
    refuse(_otherwise(record, rules, where, places, transfers, points, net))
    logged = zip(record.plays, [] if game[c.ENDING] == c.INSTANT else _log(game), strict=True)
    plays = [_written_entry(entry, free=bool(code & c.INTERRUPT)) for entry, code in logged]
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


def _run(record: GameRecord, game: c.Ints) -> None:
    """Let the engine play the decisions of a record."""
    script = np.array([_STUCK if entry.stuck else code_of(entry, record) for entry in record.plays], np.int64)
    play_script(game, script.reshape(-1))


def _log(game: c.Ints) -> list[int]:
    log: list[int] = game[c.LOG : c.LOG + game[c.PLAYS]].tolist()
    return log


def _stuck(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> RecordError | None:
    """Compare what a record says about leaders who are stuck with what the engine found."""
    for at, entry in enumerate(_log(game)):
        said = record.plays[at] if at < len(record.plays) else None
        if entry & c.IS_STUCK and (said is None or not said.stuck or said.cards or code_of(said, record) != entry):
            seat = record.seat_at(entry >> c.SEAT_SHIFT & 7)
            legal = f'{{"seat": {seat}, "cards": [], "stuck": true}}'
            text = N_("plays[{at}]: seat {seat} is to lead and holds nothing that it may lead ({source}); legal: "
                      "{legal}")  # fmt: skip
            return _at(where, text, at=at, source=rules.cited("finish.on_two"), seat=seat, legal=legal)
    return None


def _at(where: str, text: str, /, *, at: int, source: str | None = None, **values: Any) -> RecordError:
    return RecordError([placed(where, text, at=at, source=source, **values)], at, source)


def _unfinished(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> RecordError | None:
    """Say why the decisions of a record are no whole game: one is wrong, they are too few or too many."""
    if game[c.FAULT] != c.FINE:
        return _fault(record, rules, game, where)
    played = int(game[c.PLAYS])
    more = len(record.plays) - played
    if more <= 0 or game[c.ENDING] == c.INSTANT:
        return None
    follow = Sentence("1 entry follows") if more == 1 else Sentence("{n} entries follow", n=more)
    source = rules.cited(_ENDED_BY.get(int(game[c.ENDING]), "end_condition"))
    text = N_("plays[{played}]: the game is over ({source}); {follow}")
    return _at(where, text, at=played, played=played, source=source, follow=follow)


def _fault(record: GameRecord, rules: Rules, game: c.Ints, where: str) -> RecordError:
    """Say what is wrong with a decision, by which rule, and what was legal."""
    at, position = int(game[c.PLAYS]), int(game[c.ASKED_SEAT])
    seat, leads = record.seat_at(position), game[c.ASKED] == c.LEAD
    legal = _legal(game, position)
    turn = N_("it is the turn of seat {seat}, to lead") if leads else N_("it is the turn of seat {seat}, to follow")
    if at >= len(record.plays):
        text = N_("plays ends after {at} decisions, before the game is over; {turn}: {legal}")
        return _at(where, text, at=at, turn=Sentence(turn, seat=seat), legal=legal)
    entry = record.plays[at]
    what, path = _reason(record, rules, game, entry, seat)
    if not entry.interrupt and _is_legal_with_mark(record, rules, at, where):
        what, path = N_('this is a free chop, which needs the mark "interrupt": true'), "chop.free_4dt_mode"
    shown = format_cards(entry.cards, symbols=True) or Sentence("pass")
    return _at(where, "plays[{at}]: seat {seat}, {shown}: {what} ({source}); {turn}: {legal}", at=at,
               source=rules.cited(path), seat=entry.seat, shown=shown, what=Sentence(what),
               turn=Sentence(turn, seat=seat), legal=legal)  # fmt: skip


def _is_legal_with_mark(record: GameRecord, rules: Rules, at: int, where: str) -> bool:
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
        why = N_("this does not beat the set on the table, since a quad has turned the order over")
        return why, "president.revolution"
    chop = game[c.TARGET] != c.NO_TARGET and entry.cards.bit_count() >= 4 and rules.chop is not None
    plain = "combinations.straight.longer_beats" if rules.combinations.straight else "combinations.compare"
    return N_("this does not beat the set on the table"), "chop.beats" if chop else plain


def _no_free_chop(rules: Rules) -> tuple[str, str]:
    """Return what may be played out of turn or after a pass by these rules."""
    chop, run = rules.chop, rules.combinations.pair_run
    if chop is None:
        return N_("nothing is played out of turn by these rules"), "chop"
    runs = run is not None and run.min_length <= FOUR
    freely = runs and (chop.free_4dt_mode != "none" or "bon_doi_thong" in chop.after_pass)
    four = [N_("four pairs in a row")] if freely else []
    bombs = [_BOMBS[bomb] for bomb in chop.after_pass if bomb == "tu_quy" or (bomb == "ba_doi_thong" and runs)] + four
    if not bombs:
        return N_("nothing is played out of turn or after a pass by these rules"), "chop.free_4dt_mode"
    path = "chop.free_4dt_mode" if bombs == four else "chop.after_pass"
    return Sentence(
        "a free chop takes {bombs}, and a set that they may chop then", bombs=either(map(Sentence, bombs))
    ), path


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
    question = int(game[c.ASKED])
    words = [] if question == c.LEAD else [Sentence("pass")]
    words += [_which(kind, _RANKS[rank], length) for kind, rank, length in listed(game, position, question)]
    shown = joined(words[:12], ", ")
    if len(words) > 12:
        return Sentence("legal: {choices} and {number} more", choices=shown, number=len(words) - 12)
    return Sentence("legal: {choices}", choices=shown)


def _which(kind: int, rank: str, length: int) -> Sentence:
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


def _otherwise(
    record: GameRecord, rules: Rules, where: str, places: list[int], transfers: Transfers, points: list[int] | None,
    net: list[int],
) -> Iterator[str]:  # fmt: skip
    """Yield what a record says otherwise than the rules have it."""
    for name, said, found in (("places", record.places, places), ("net", record.net, net),
                              ("points", record.points, points)):  # fmt: skip
        nothing = name == "points" and found is None and not any(said or ())
        if said is not None and said != found and not nothing:
            shown = [said, found] if name == "places" else [[amount(v) for v in x or ()] for x in (said, found)]
            yield placed(where, "{name} = {said}: by the rules of {rules} it is {found}", name=name, said=shown[0],
                         rules=rules.name, found=shown[1])  # fmt: skip
    if record.transfers is None:
        return
    told_of: Counter[tuple[int, int, str]] = Counter()
    for entry in record.transfers:
        told_of[entry.from_, entry.to, entry.reason] += entry.amount
    for payer, receiver, reason in sorted(set(told_of) | set(transfers)):
        one, two = told_of[payer, receiver, reason], transfers.get((payer, receiver, reason), 0)
        if one != two:
            yield placed(where, "transfers: {reason} from {payer} to {receiver} is {one}; by the rules of {rules} it "
                         "is {two}", reason=shorten(reason, 40), payer=payer, receiver=receiver, one=amount(one),
                         rules=rules.name, two=amount(two))  # fmt: skip


def _written(
    record: GameRecord, rules: Rules, plays: list[dict[str, Any]], places: list[int], transfers: Transfers,
    points: list[int] | None, net: list[int],
) -> dict[str, Any]:  # fmt: skip
    found = {
        "rules": rules.name, "rules_digest": rules.digest, "undealt": DECK & ~sum(record.hands), "plays": [],
        "places": places, "points": points, "net": net,
        "transfers": [
            Transfer.model_construct(from_=payer, to=receiver, amount=halves, reason=reason)
            for (payer, receiver, reason), halves in transfers.items()
        ],
    }  # fmt: skip
    written = record.model_copy(update=found).model_dump(by_alias=True, exclude_defaults=True)
    written |= {"direction": record.direction, "plays": plays}
    if rules.toi_trang is not None and rules.toi_trang.bars_last_winner:
        written["barred"] = record.barred
    if rules.president is not None:
        written = {"titles": record.titles, "exchange": []} | written
    return {key: written[key] for key in _ORDER if key in written}


def _written_entry(entry: Entry, *, free: bool) -> dict[str, Any]:
    """Return a decision as `model_dump` would, in a third of the time; a free chop in one's own turn has no mark."""
    written: dict[str, Any] = {"seat": entry.seat, "cards": names(entry.cards)}
    written |= {"interrupt": True} if entry.interrupt and free else {}
    written |= {"as": entry.as_} if entry.as_ else {}
    return written | ({"stuck": True} if entry.stuck else {})
