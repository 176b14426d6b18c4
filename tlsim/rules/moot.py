"""Clauses that cannot matter under the others: no game goes otherwise for them, whatever they say.

A clause is named where what it needs is not there: a fine of a set that may not be laid, who gets what nobody pays, the
second entry of a list whose first always holds.
"""

from __future__ import annotations

from collections.abc import Iterator

from tlsim.cards import N_CARDS
from tlsim.catalogue import N_
from tlsim.errors import Sentence
from tlsim.rules.ruleset import Rules
from tlsim.rules.schema import Chop, ToiTrang

Reason = tuple[str, str]
_TWOS = ("heo_bich", "heo_chuon", "heo_ro", "heo_co")
_BOMBS = ("ba_doi_thong", "tu_quy", "bon_doi_thong")
_LONG = ("nam_doi_thong", "sau_doi_thong")


def moot(rules: Rules) -> list[Reason]:
    """Return the key paths of clauses that cannot matter, each with the reason.

    >>> from tlsim.rules import load_rules
    >>> dict(moot(load_rules("zing")))["cong.payee"]
    "cong.method is 'per_player': everybody pays for himself"
    """
    return [found for look in (_turn, _lead, _finish, _chop, _prices, _toi_trang, _thoi, _cong, _others)
            for found in look(rules)]  # fmt: skip


def moot_here(rules: Rules) -> list[Reason]:
    """Return those of `moot` that the rules' own file says, not those that it takes over."""

    def within(path: str, table: str) -> bool:
        return path == table or (path.startswith(table) and path[len(table)] in ".[")

    said = rules.stated
    return [found for found in moot(rules) if any(within(found[0], path) or within(path, found[0]) for path in said)]


def _turn(rules: Rules) -> Iterator[Reason]:
    if rules.turn.direction == "clockwise":
        yield "turn.direction", N_("seats are numbered in the order of turns, whichever way that is at the table (M18)")
    if not rules.turn.pass_locks:
        yield "turn.pass_reset_on_chop", N_("turn.pass_locks is false: who has passed plays on anyway")
    elif rules.chop is None:
        yield "turn.pass_reset_on_chop", N_("there are no chops")
    if rules.deal.hand_size != "all" or not any(N_CARDS % n for n in _sizes(rules)):
        yield "deal.uneven_deal", N_("every seat gets as many cards")


def _sizes(rules: Rules) -> range:
    return range(rules.deal.min_players, rules.deal.max_players + 1)


def _lead(rules: Rules) -> Iterator[Reason]:
    lead, size = rules.lead, rules.deal.hand_size
    if size == "all" or size * rules.deal.min_players == N_CARDS:
        yield "lead.opening_fallback", N_("all cards are dealt, the opening card too")
    for at, word in enumerate(lead.next):
        if word in lead.next[:at] or {"winner", "last_place"} & set(lead.next[:at]):
            yield f"lead.next[{at}]", Sentence("{word!r} and what follows it are there in every game with a winner",
                                               word=lead.next[0])  # fmt: skip
        elif word == "last_place" and _only_first_place(rules):
            yield (
                f"lead.next[{at}]",
                N_("the game stops at the first player out: his is the only place, and he leads"),
            )
    if lead.cong_streak is not None and "cong_streak" not in lead.next:
        yield "lead.cong_streak", N_("lead.next does not name it")
    elif lead.cong_streak is not None and rules.cong is None:
        yield "lead.cong_streak", N_("there is no cóng")


def _only_first_place(rules: Rules) -> bool:
    """Whether a game has no place but the winner's; đút and cóng for the whole table may leave one behind him."""
    table = rules.cong is not None and rules.cong.method == "whole_table"
    others = table or rules.dut_3_bich is not None or rules.finish.on_two == "counts_last"
    return rules.end_condition == "first_out" and not others


def _finish(rules: Rules) -> Iterator[Reason]:
    finish, straight = rules.finish, rules.combinations.straight
    if straight is None or not straight.low:
        yield "finish.on_two_in_straight", N_("no straight holds a 2")
    elif finish.on_two == "allow" and not finish.two_fine:
        yield "finish.on_two_in_straight", N_("a 2 may be the last card anyway (finish.on_two)")
    if finish.two_fine is not None and finish.on_two != "allow":
        yield "finish.two_fine", Sentence("finish.on_two is {on_two!r}: nobody goes out on a 2 and keeps his place",
                                          on_two=finish.on_two)  # fmt: skip
    for bomb in finish.double or ():
        if not finish.with_hang and bomb in _bombs(rules):
            yield f"finish.double.{bomb}", N_("finish.with_hang is false: no bomb may be laid last")
        elif bomb not in _sets(rules):
            yield f"finish.double.{bomb}", N_("these rules have no such run of pairs")


def _sets(rules: Rules) -> set[str]:
    """Return which of quads and runs of pairs may be laid."""
    run = rules.combinations.pair_run
    lengths = dict(zip((3, 4, 5, 6), ("ba_doi_thong", "bon_doi_thong", *_LONG), strict=True))
    return {"tu_quy"} | {name for length, name in lengths.items() if run and length >= run.min_length}


def _bombs(rules: Rules) -> set[str]:
    """Return which of them are bombs."""
    run = rules.combinations.pair_run
    return _sets(rules) - (set(_LONG) if run is None or run.long_runs == "as_ordinary" else set())


def _beats(rules: Rules) -> dict[str, set[str]]:
    """Return what every bomb can chop, of sets that may be laid; five pairs and more as they chop."""
    chop, bombs = rules.chop, _bombs(rules)
    if chop is None:
        return {}
    found = {bomb: set(getattr(chop.beats, bomb)) & {"heo", "doi_heo", *bombs} for bomb in _BOMBS if bomb in bombs}
    if set(_LONG) & bombs:  # five pairs and more are four pairs, higher ones
        four = found.get("bon_doi_thong", set(chop.beats.bon_doi_thong) & {"heo", "doi_heo", *bombs})
        found |= {bomb: four | ({"nam_doi_thong"} if "bon_doi_thong" in chop.beats.bon_doi_thong else set())
                  for bomb in _LONG}  # fmt: skip
        found = {
            bomb: targets | (set(_LONG) if "bon_doi_thong" in targets else set()) for bomb, targets in found.items()
        }
    for name in chop.triple2_beaten_by:
        longer = name == "nam_doi_thong" or (name == "bon_doi_thong" and set(_LONG) & bombs)
        for bomb in {name, *(_LONG if longer else ())} & _sets(rules):
            found.setdefault(bomb, set()).add("ba_heo")
    return found


def _chop(rules: Rules) -> Iterator[Reason]:
    chop, run, beats = rules.chop, rules.combinations.pair_run, _beats(rules)
    if run is not None and run.min_length > 3:
        yield "combinations.pair_run.three", N_("combinations.pair_run.min_length leaves no run of three pairs")
    if chop is None:
        return
    yield from _after_pass(rules, chop, beats)
    yield from _free_chops(rules, chop, beats)
    yield from _chop_table(rules, chop)
    ket = rules.ket_3_bich
    blocked = ket is not None and (ket.after_block == "continue" or (ket.window == "response" and not ket.single_only))
    if rules.end_condition == "first_out" and rules.finish.on_two != "counts_last" and not blocked:
        yield "chop.finisher_void_scope", N_("the game stops at the first player out: no chop follows (E5)")
    if not any("tu_quy" in targets for bomb, targets in beats.items() if bomb != "tu_quy"):
        yield "chop.four_twos_price", N_("nothing chops four 2s")
    if chop.four_pairs_bonus and "bon_doi_thong" not in _sets(rules):
        yield "chop.four_pairs_bonus", N_("these rules have no four pairs in a row")
    yield from _chop_prices(rules, chop, beats)


def _of_four(beats: dict[str, set[str]]) -> set[str]:
    """Return what four pairs or more can chop."""
    return set().union(*(beats.get(bomb, set()) for bomb in ("bon_doi_thong", *_LONG)))


def _after_pass(rules: Rules, chop: Chop, beats: dict[str, set[str]]) -> Iterator[Reason]:
    for bomb in chop.after_pass:
        if not rules.turn.pass_locks:
            yield f"chop.after_pass.{bomb}", N_("turn.pass_locks is false: who has passed plays on anyway")
        elif bomb == "bon_doi_thong" and chop.free_4dt_mode != "none":
            yield (f"chop.after_pass.{bomb}",Sentence("chop.free_4dt_mode = {mode!r} lets four pairs through already",
                                                      mode=chop.free_4dt_mode))  # fmt: skip
        elif not (_of_four(beats) if bomb == "bon_doi_thong" else beats.get(bomb)):
            yield f"chop.after_pass.{bomb}", N_("it chops nothing by chop.beats, or cannot be laid")


def _free_chops(rules: Rules, chop: Chop, beats: dict[str, set[str]]) -> Iterator[Reason]:
    free = set(chop.free_targets) | (set(_LONG) if "bon_doi_thong" in chop.free_targets else set())
    if not {"bon_doi_thong", *_LONG} & _bombs(rules):
        why = N_("these rules have no four pairs in a row")
        yield from ((f"chop.{key}", why) for key in ("free_4dt_mode", "free_targets"))
    elif chop.free_4dt_mode == "none" and "bon_doi_thong" not in chop.after_pass:
        yield "chop.free_targets", N_("four pairs are never played freely (chop.free_4dt_mode, chop.after_pass)")
    elif not free & _of_four(beats):
        yield "chop.free_4dt_mode", N_("chop.free_targets names nothing that four pairs chop")
    elif chop.free_4dt_mode == "after_pass_in_turn" and not rules.turn.pass_locks:
        yield "chop.free_4dt_mode", N_("turn.pass_locks is false: who has passed plays on anyway")


def _chop_table(rules: Rules, chop: Chop) -> Iterator[Reason]:
    bombs, sets = _bombs(rules), _sets(rules)
    fours = {"bon_doi_thong", *_LONG} & bombs
    for bomb, targets in {bomb: getattr(chop.beats, bomb) for bomb in _BOMBS}.items():
        if targets and not (fours if bomb == "bon_doi_thong" else bomb in bombs):
            yield f"chop.beats.{bomb}", N_("these rules have no such bomb")
        for target in targets:
            if target in _BOMBS and not (fours if target == "bon_doi_thong" else target in bombs):
                yield f"chop.beats.{bomb}.{target}", N_("these rules have no such bomb")
    for bomb in chop.triple2_beaten_by:
        if not {bomb, *(_LONG if bomb == "nam_doi_thong" else ())} & sets:
            yield f"chop.triple2_beaten_by.{bomb}", N_("these rules have no such run of pairs")


def _chop_prices(rules: Rules, chop: Chop, beats: dict[str, set[str]]) -> Iterator[Reason]:
    chopped: set[str] = set().union(*beats.values())
    for name in ("doi_heo", "ba_heo", *_BOMBS, *_LONG):
        stands_in = name == "bon_doi_thong" and {
            bomb for bomb in _LONG if bomb in chopped and getattr(chop.prices, bomb) is None
        }
        if getattr(chop.prices, name) is not None and name not in chopped and not stands_in:
            yield f"chop.prices.{name}", N_("nothing chops it")
    for name in _TWOS:
        if getattr(chop.prices, name) is not None and not _twos_cost(rules, chopped):
            yield f"chop.prices.{name}", N_("no chop is paid by the 2")
    for name in (*_BOMBS, *_LONG):
        if chop.by and getattr(chop.by, name) is not None and not beats.get(name):
            yield f"chop.by.{name}", N_("it chops nothing")


def _twos_cost(rules: Rules, chopped: set[str]) -> bool:
    """Whether the price of a single 2 is part of what some chop, or a 2 under a chopped one, costs."""
    chop = rules.chop
    if chop is None:
        return False
    quad = chop.four_twos_price == "heo_sum" and "tu_quy" in chopped
    pair, triple = ("doi_heo", chop.prices.doi_heo), ("ba_heo", chop.prices.ba_heo)
    return "heo" in chopped or quad or any(name in chopped and own is None for name, own in (pair, triple))


def _prices(rules: Rules) -> Iterator[Reason]:
    prices, chop = rules.prices, rules.chop
    if prices is None:
        return
    cong, sam, thoi = rules.cong, rules.bao_sam, rules.thoi
    heo_counted = rules.toi_trang is not None and any(
        win.count_heo for opening in (False, True) for win in rules.instant_wins(opening)
    )
    left = thoi is not None or heo_counted or (cong is not None and cong.items) or (sam is not None and sam.items)
    if rules.count_cards is None:
        yield "prices.rac", N_("cards are not counted (count_cards)")
    chopped = set().union(*_beats(rules).values()) if chop else set()
    for name in _TWOS:
        paid = chop is not None and getattr(chop.prices, name) is None and _twos_cost(rules, chopped)
        if not left and not paid:
            yield f"prices.{name}", N_("a 2 is neither chopped nor paid for where it is left")
    for name in _BOMBS:
        longer = name == "bon_doi_thong" and any(
            bomb in chopped and chop is not None and getattr(chop.prices, bomb) is None for bomb in _LONG
        )
        paid = longer or name in chopped
        rots = left and (thoi is None or thoi.hang) and name in _sets(rules)
        if not rots and not (paid and chop is not None and getattr(chop.prices, name) is None):
            yield f"prices.{name}", N_("such a bomb is neither chopped nor paid for where it is left")


def _toi_trang(rules: Rules) -> Iterator[Reason]:
    lists = rules.toi_trang
    if lists is None:
        return
    wins = {opening: rules.instant_wins(opening) for opening in (False, True)}
    entries = lists.opening + lists.regular
    if not entries:
        for key in ("declare", "after_instant_win", "instant_pay", "bars_last_winner", "opening_list_mode"):
            yield f"toi_trang.{key}", N_("there is no pattern")
        return
    if all(entry.pays is not None for entry in entries):
        yield "toi_trang.instant_pay", N_("every pattern has a price of its own")
    if lists.bars_last_winner and not wins[lists.after_instant_win == "opening_hand"]:
        yield "toi_trang.bars_last_winner", N_("the game after a tới trắng has no pattern")
    for opening, key in ((False, "priority"), (True, "opening_priority")):
        if len(wins[opening]) <= 1:
            yield f"toi_trang.{key}", N_("with less than two patterns the nearest is the strongest")
    if lists.opening_list_mode == "additional" and not lists.regular:
        yield "toi_trang.opening_list_mode", N_("there is no regular list to add to")
    yield from _count_heo(lists)


def _count_heo(lists: ToiTrang) -> Iterator[Reason]:
    if lists.count_heo and not any(entry.count_heo for entry in lists.opening + lists.regular):
        yield "toi_trang.count_heo", N_("no pattern has count_heo")
    for name, entries in (("opening", lists.opening), ("regular", lists.regular)):
        for entry in entries:
            if entry.count_heo and not lists.count_heo:
                yield f"toi_trang.{name}[{entry.id}].count_heo", N_("toi_trang.count_heo is off")


def _thoi(rules: Rules) -> Iterator[Reason]:
    thoi = rules.thoi
    if thoi is None:
        return
    yield "thoi.payer", (
        N_("the game stops at the first player out: all others are last")
        if rules.end_condition == "first_out" else N_("only the last place holds cards at the end")
    )  # fmt: skip
    if rules.count_cards is not None or rules.end_condition == "first_out":
        yield "thoi.receiver", N_("all others pay the winner")
    if not thoi.hang:
        yield "thoi.hang_partition", N_("thoi.hang is false: bombs do not rot")


def _cong(rules: Rules) -> Iterator[Reason]:
    cong, den = rules.cong, rules.den_cong
    if cong is not None and cong.method == "per_player":
        yield "cong.payee", N_("cong.method is 'per_player': everybody pays for himself")
    if cong is not None and cong.items_times is not None and not cong.items:
        yield "cong.items_times", N_("cong.items is false")
    if den is None:
        return
    if cong is None or cong.method == "whole_table":
        yield "den_cong", N_("there is no cóng that everybody pays for himself")
    elif den.min_opponents < rules.deal.min_players:
        yield "den_cong.min_opponents", N_("every table has so many opponents")
    elif den.min_opponents > rules.deal.max_players - 1:
        yield "den_cong", Sentence("den_cong.min_opponents = {number}: no table has so many opponents",
                                   number=den.min_opponents)  # fmt: skip


def _others(rules: Rules) -> Iterator[Reason]:
    ket, dut, den, president = rules.ket_3_bich, rules.dut_3_bich, rules.den_bao, rules.president
    if ket is not None and ket.window == "none":
        blocks = ("block_pays", "block_payees", "after_block")
        yield from ((f"ket_3_bich.{key}", N_("ket_3_bich.window is 'none': nobody may block")) for key in blocks)
    elif ket is not None and not ket.block_pays:
        yield "ket_3_bich.block_payees", N_("ket_3_bich.block_pays is 0")
    if dut is not None and (rules.deal.max_players < 4 or not dut.second_pays):
        yield "dut_3_bich.dut_second_payee", N_("two are never left to pay the second")
    if dut is not None and rules.end_condition == "first_out":
        yield from ((f"dut_3_bich.{key}", N_("the game stops at the first player out"))
                    for key in ("second_pays", "dut_second_payee"))  # fmt: skip
    if den is not None and den.min_active > rules.deal.max_players:
        yield "den_bao", Sentence("den_bao.min_active = {number}: no table has so many players", number=den.min_active)
    if president is not None and not any(rules.exchanges(players) for players in _sizes(rules)):
        yield "president.exchange_tie", N_("nothing is exchanged")
    if rules.bao_sam is not None and rules.bao_sam.chop_money and rules.chop is None:
        yield "bao_sam.chop_money", N_("there are no chops")
