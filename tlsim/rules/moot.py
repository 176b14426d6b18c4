"""Clauses that cannot matter under the others: no game goes otherwise for them, whatever they say.

A clause is named where what it needs is not there: a fine of a set that may not be laid, who gets what nobody pays, the
second entry of a list whose first always holds.
"""

from collections.abc import Iterator

from tlsim.cards import N_CARDS
from tlsim.catalogue import N_
from tlsim.errors import Sentence
from tlsim.rules.checks import together
from tlsim.rules.keypath import overlap, read_path
from tlsim.rules.ruleset import Rules
from tlsim.rules.schema import Chop
from tlsim.rules.schema_values import BOMBS, LONG_BOMBS, TWOS

Reason = tuple[str, str]
Looked = Iterator[tuple[object, str, str]]
"""Whether a clause cannot matter, its key path, and why."""
_LONG = ("nam_doi_thong", "sau_doi_thong")
_FOURS = {"bon_doi_thong", *_LONG}
_NO_BOMB = N_("these rules have no such bomb")
_NO_RUN = N_("these rules have no such run of pairs")
_NO_FOUR = N_("these rules have no four pairs in a row")
_NO_PATTERN = N_("there is no pattern")
_NO_LOCK = N_("turn.pass_locks is false: who has passed plays on anyway")
_UNPAID_BOMB = N_("such a bomb is neither chopped nor paid for where it is left")


def moot(rules: Rules) -> list[Reason]:
    """Return the key paths of clauses that cannot matter, each with the reason."""
    looks = (_deal, _lead, _finish, _chop, _prices, _toi_trang, _others)
    found = [(path, why) for look in looks for cannot, path, why in look(rules) if cannot]
    return found + [(path, why) for path, _, why in together(rules._tree, "moot")]  # noqa: SLF001 (the same package)


def moot_here(rules: Rules) -> list[Reason]:
    """Return those of `moot` that the rules' own file says, not those that it takes over."""
    said = list(map(read_path, rules.stated))
    return [found for found in moot(rules) if any(overlap(read_path(found[0]), path) for path in said)]


# Which sets there are, and what chops what


def _sets(rules: Rules) -> set[str]:
    """Return which of quads and runs of pairs may be laid."""
    run = rules.combinations.pair_run
    lengths = dict(zip((3, 4, 5, 6), ("ba_doi_thong", "bon_doi_thong", *_LONG), strict=True))
    return {"tu_quy"} | {name for length, name in lengths.items() if run and length >= run.min_length}


def _bombs(rules: Rules) -> set[str]:
    run = rules.combinations.pair_run
    return _sets(rules) - (set(_LONG) if run is None or run.long_runs == "as_ordinary" else set())


def _beats(rules: Rules) -> dict[str, set[str]]:
    """Return what every bomb can chop, of sets that may be laid; five pairs and more as they chop."""
    chop, bombs = rules.chop, _bombs(rules)
    if chop is None:
        return {}
    there = {"heo", "doi_heo", *bombs}
    found = {bomb: set(getattr(chop.beats, bomb)) & there for bomb in BOMBS if bomb in bombs}
    if set(_LONG) & bombs:  # five pairs and more are four pairs, higher ones
        four = set(chop.beats.bon_doi_thong)
        below = {"nam_doi_thong"} if "bon_doi_thong" in four else set()
        found |= dict.fromkeys(_LONG, four & there | below)
        found = {bomb: some | (set(_LONG) if "bon_doi_thong" in some else set()) for bomb, some in found.items()}
    for name in chop.triple2_beaten_by:
        longer = name == "nam_doi_thong" or (name == "bon_doi_thong" and set(_LONG) & bombs)
        for bomb in {name, *(_LONG if longer else ())} & _sets(rules):
            found.setdefault(bomb, set()).add("ba_heo")
    return found


def _chopped(rules: Rules) -> set[str]:
    return set().union(*_beats(rules).values())


def _own(chop: Chop | None, name: str) -> bool:
    """Whether what is chopped has a price of its own, beside ``[prices]``."""
    return chop is not None and getattr(chop.prices, name) is not None


def _twos_cost(rules: Rules) -> bool:
    """Whether the price of a single 2 is part of what some chop, or a 2 under a chopped one, costs."""
    chop, chopped = rules.chop, _chopped(rules)
    if chop is None:
        return False
    quad = chop.four_twos_price == "heo_sum" and "tu_quy" in chopped
    return "heo" in chopped or quad or any(name in chopped and not _own(chop, name) for name in ("doi_heo", "ba_heo"))


def _four_stand_in(rules: Rules) -> bool:
    """Whether some five or six pairs are chopped at the price of four."""
    return any(bomb in _chopped(rules) and not _own(rules.chop, bomb) for bomb in _LONG)


# Table by table


def _deal(rules: Rules) -> Looked:
    size = rules.deal.hand_size
    even = size != "all" or not any(N_CARDS % players for players in _tables(rules))
    yield even, "deal.uneven_deal", N_("every seat gets as many cards")


def _tables(rules: Rules) -> range:
    return range(rules.deal.min_players, rules.deal.max_players + 1)


def _lead(rules: Rules) -> Looked:
    lead, size = rules.lead, rules.deal.hand_size
    table = rules.cong is not None and rules.cong.method == "whole_table"  # which may leave a place behind the winner
    others = table or rules.dut_3_bich is not None or rules.finish.on_two == "counts_last"
    alone = rules.end_condition == "first_out" and not others  # a game has no place but the winner's
    whole = size == "all" or size * rules.deal.min_players == N_CARDS
    yield whole, "lead.opening_fallback", N_("all cards are dealt, the opening card too")
    for at, word in enumerate(lead.next):
        behind = word in lead.next[:at] or {"winner", "last_place"} & set(lead.next[:at])
        text = "{word!r} and what follows it are there in every game with a winner"
        yield behind, f"lead.next[{at}]", Sentence(text, word=lead.next[0])
        text = N_("the game stops at the first player out: his is the only place, and he leads")
        yield not behind and word == "last_place" and alone, f"lead.next[{at}]", text
    if lead.cong_streak is not None:
        yield "cong_streak" not in lead.next, "lead.cong_streak", N_("lead.next does not name it")
        yield "cong_streak" in lead.next and rules.cong is None, "lead.cong_streak", N_("there is no cóng")


def _finish(rules: Rules) -> Looked:
    for bomb in rules.finish.double or ():
        barred = not rules.finish.with_hang and bomb in _bombs(rules)
        yield barred, f"finish.double.{bomb}", N_("finish.with_hang is false: no bomb may be laid last")
        yield not barred and bomb not in _sets(rules), f"finish.double.{bomb}", _NO_RUN


def _chop(rules: Rules) -> Looked:
    chop, ket, beats = rules.chop, rules.ket_3_bich, _beats(rules)
    if chop is None:
        return
    of_four = set().union(*(beats.get(bomb, set()) for bomb in _FOURS))
    yield from _after_pass(rules, chop, beats | {"bon_doi_thong": of_four})
    yield from _free_chops(rules, chop, of_four)
    yield from _chop_table(rules, chop)
    blocked = ket is not None and (ket.after_block == "continue" or (ket.window == "response" and not ket.single_only))
    stops = rules.end_condition == "first_out" and rules.finish.on_two != "counts_last" and not blocked
    yield stops, "chop.finisher_void_scope", N_("the game stops at the first player out: no chop follows (E5)")
    quad = any("tu_quy" in targets for bomb, targets in beats.items() if bomb != "tu_quy")
    yield not quad, "chop.four_twos_price", N_("nothing chops four 2s")
    yield chop.four_pairs_bonus and "bon_doi_thong" not in _sets(rules), "chop.four_pairs_bonus", _NO_FOUR
    for name in ("doi_heo", "ba_heo", *LONG_BOMBS):
        costs = name in _chopped(rules) or (name == "bon_doi_thong" and _four_stand_in(rules))
        yield _own(chop, name) and not costs, f"chop.prices.{name}", N_("nothing chops it")
    for name in TWOS:
        yield _own(chop, name) and not _twos_cost(rules), f"chop.prices.{name}", N_("no chop is paid by the 2")
    for name in LONG_BOMBS:
        dearer = chop.by is not None and getattr(chop.by, name) is not None
        yield dearer and not beats.get(name), f"chop.by.{name}", N_("it chops nothing")


def _after_pass(rules: Rules, chop: Chop, beats: dict[str, set[str]]) -> Looked:
    for bomb in chop.after_pass:
        path, free = f"chop.after_pass.{bomb}", bomb == "bon_doi_thong" and chop.free_4dt_mode != "none"
        locks = rules.turn.pass_locks
        yield not locks, path, _NO_LOCK
        text = N_("chop.free_4dt_mode = {mode!r} lets four pairs through already")
        yield locks and free, path, Sentence(text, mode=chop.free_4dt_mode)
        nothing = locks and not free and not beats.get(bomb)
        yield nothing, path, N_("it chops nothing by chop.beats, or cannot be laid")


def _free_chops(rules: Rules, chop: Chop, of_four: set[str]) -> Looked:
    free = set(chop.free_targets) | (set(_LONG) if "bon_doi_thong" in chop.free_targets else set())
    if not _FOURS & _bombs(rules):
        yield from ((True, f"chop.{key}", _NO_FOUR) for key in ("free_4dt_mode", "free_targets"))
    elif chop.free_4dt_mode == "none" and "bon_doi_thong" not in chop.after_pass:
        text = N_("four pairs are never played freely (chop.free_4dt_mode, chop.after_pass)")
        yield True, "chop.free_targets", text
    elif not free & of_four:
        yield True, "chop.free_4dt_mode", N_("chop.free_targets names nothing that four pairs chop")
    elif chop.free_4dt_mode == "after_pass_in_turn":
        yield not rules.turn.pass_locks, "chop.free_4dt_mode", _NO_LOCK


def _chop_table(rules: Rules, chop: Chop) -> Looked:
    bombs = _bombs(rules) | ({"bon_doi_thong"} if _FOURS & _bombs(rules) else set())
    for bomb in BOMBS:
        targets = getattr(chop.beats, bomb)
        yield targets and bomb not in bombs, f"chop.beats.{bomb}", _NO_BOMB
        for target in targets:
            yield target in BOMBS and target not in bombs, f"chop.beats.{bomb}.{target}", _NO_BOMB
    for bomb in chop.triple2_beaten_by:
        there = {bomb, *(_LONG if bomb == "nam_doi_thong" else ())} & _sets(rules)
        yield not there, f"chop.triple2_beaten_by.{bomb}", _NO_RUN


def _prices(rules: Rules) -> Looked:
    if rules.prices is None:
        return
    chop, cong, sam, thoi = rules.chop, rules.cong, rules.bao_sam, rules.thoi
    counted = rules.toi_trang and any(win.count_heo for opening in (0, 1) for win in rules.instant_wins(bool(opening)))
    left = thoi is not None or counted or (cong is not None and cong.items) or (sam is not None and sam.items)
    for name in TWOS:
        paid = chop is not None and not _own(chop, name) and _twos_cost(rules)
        yield not left and not paid, f"prices.{name}", N_("a 2 is neither chopped nor paid for where it is left")
    for name in BOMBS:
        chopped = name in _chopped(rules) or (name == "bon_doi_thong" and _four_stand_in(rules))
        rots = left and (thoi is None or thoi.hang) and name in _sets(rules)
        yield not rots and not (chopped and not _own(chop, name)), f"prices.{name}", _UNPAID_BOMB


def _toi_trang(rules: Rules) -> Looked:
    lists = rules.toi_trang
    if lists is None:
        return
    entries = lists.opening + lists.regular
    if not entries:
        for key in ("declare", "after_instant_win", "instant_pay", "bars_last_winner", "opening_list_mode"):
            yield True, f"toi_trang.{key}", _NO_PATTERN
        return
    own = all(entry.pays is not None for entry in entries)
    yield own, "toi_trang.instant_pay", N_("every pattern has a price of its own")
    nobody = lists.bars_last_winner and not rules.instant_wins(lists.after_instant_win == "opening_hand")
    yield nobody, "toi_trang.bars_last_winner", N_("the game after a tới trắng has no pattern")
    for opening, key in ((False, "priority"), (True, "opening_priority")):
        few = len(rules.instant_wins(opening)) <= 1
        yield few, f"toi_trang.{key}", N_("with less than two patterns the nearest is the strongest")
    alone = lists.opening_list_mode == "additional" and not lists.regular
    yield alone, "toi_trang.opening_list_mode", N_("there is no regular list to add to")
    none = lists.count_heo and not any(entry.count_heo for entry in entries)
    yield none, "toi_trang.count_heo", N_("no pattern has count_heo")
    for name, some in (("opening", lists.opening), ("regular", lists.regular)):
        for entry in some:
            off = entry.count_heo and not lists.count_heo
            yield off, f"toi_trang.{name}[{entry.id}].count_heo", N_("toi_trang.count_heo is off")


def _others(rules: Rules) -> Looked:
    cong, den_cong, dut, den, president = rules.cong, rules.den_cong, rules.dut_3_bich, rules.den_bao, rules.president
    if den_cong is not None and cong is not None and cong.method == "per_player":
        always = den_cong.min_opponents < rules.deal.min_players
        yield always, "den_cong.min_opponents", N_("every table has so many opponents")
        text = "den_cong.min_opponents = {number}: no table has so many opponents"
        many = den_cong.min_opponents > rules.deal.max_players - 1
        yield many, "den_cong", Sentence(text, number=den_cong.min_opponents)
    if dut is not None:
        few = rules.deal.max_players < 4 or not dut.second_pays
        yield few, "dut_3_bich.dut_second_payee", N_("two are never left to pay the second")
    if den is not None:
        text = "den_bao.min_active = {number}: no table has so many players"
        yield den.min_active > rules.deal.max_players, "den_bao", Sentence(text, number=den.min_active)
    if president is not None:
        nothing = not any(rules.exchanges(players) for players in _tables(rules))
        yield nothing, "president.exchange_tie", N_("nothing is exchanged")
