"""Rules as the flat numbers that a game runs on."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from tlsim.engine.nets import family_of
from tlsim.folders import brought
from tlsim.kernels import row as c
from tlsim.kernels import weights as w
from tlsim.kernels.detect import MOST_PATTERNS, Tests, compile_tests
from tlsim.kernels.leftover import ItemPrices
from tlsim.kernels.row import Ints
from tlsim.patterns import Table
from tlsim.rules import Rules
from tlsim.rules.schema_values import BOMBS, LONG_BOMBS, TWOS, amount_at, half_units

REASONS = (
    "toi_trang", "chop", "cards", "thoi", "cong", "den_cong", "place", "ket_3_bich", "chan_3_bich", "thui_3_bich",
    "den_ca_lang", "sam", "sam_blocked", "den_bao", "four_pairs", "ve_heo",
)  # fmt: skip

_TARGETS = {
    "heo": c.TWO, "doi_heo": c.TWO_TWOS, "ba_doi_thong": c.ON_RUN_3, "tu_quy": c.ON_QUAD, "bon_doi_thong": c.ON_RUN_4,
}  # fmt: skip
_CLAUSES = brought("engine/clauses.toml")
_WEIGHTS = brought("engine/weights.toml")
_ENTITLED = ("", "cong_streak", "sam_caller", "den_payer", "winner", "last_place")


@lru_cache(maxsize=64)
def rules_row(rules: Rules, players: int) -> Ints:
    """Return the row of a game with the rules in it, int64[N_ROW]; computed once, so not to be changed."""
    row = np.zeros(c.N_ROW, dtype=np.int64)
    row[c.PLAYERS], row[c.BARRED] = players, -1
    for place, (path, *words) in _CLAUSES.items():
        value = reduce(lambda table, key: table and getattr(table, key), path.split("."), rules)
        row[getattr(c, place)] = _number(value, words, players)
    for fill in (_chops, _chop_prices, _endings, _titles, _instant_wins):
        for at, values in fill(rules, players):
            row[at : at + np.size(values)] = values
    row[c.ITEMS : c.ITEMS + c.N_PRICES] = leftover_prices(rules).row()
    row[c.FAMILY] = family_of(rules)
    for name, weight in (_WEIGHTS["TIEN_LEN"] | (_WEIGHTS["TITLES"] if rules.president else {})).items():
        row[c.WEIGHTS + getattr(w, name)] = np.float64(weight).view(np.int64)
    row.flags.writeable = False
    return row


def _number(value: Any, words: list[str], players: int) -> int:
    """Return the number of a clause: of a word, of money in half units, of a table that is there or not."""
    if isinstance(value, str):
        return words.index(value) + 1 if value in words else 0
    if isinstance(value, float | tuple):
        return half_units(amount_at(value, players))
    return int(isinstance(value, Table) or value or 0)


def game_row(rules: Rules, players: int) -> Ints:
    """Return a row to play games in, with the rules in it, int64[N_ROW]."""
    return rules_row(rules, players).copy()


@lru_cache(maxsize=64)
def pattern_tests(rules: Rules, opening: bool, players: int, hand_size: int) -> Tests:
    """Return the tests of a tới trắng list for hands of so many cards; computed once, so not to be changed."""
    return compile_tests([win.pattern for win in rules.instant_wins(opening, players)], hand_size)


def _chops(rules: Rules, _: int) -> Iterator[tuple[int, Any]]:
    """Yield what bombs chop, and when."""
    chop, run = rules.chop, rules.combinations.pair_run
    if chop is None:
        return
    after = {c.RUN_3 + BOMBS.index(bomb) for bomb in chop.after_pass}
    if chop.free_4dt_mode == "after_pass_in_turn":
        after.add(c.RUN_4)
    if c.RUN_4 in after:
        after |= {c.RUN_5, c.RUN_6}
    if chop.free_4dt_mode == "any_time":  # who may chop at any time needs no leave after a pass
        after -= {c.RUN_4, c.RUN_5, c.RUN_6}
    yield c.CHOP_AFTER_PASS, sum(1 << bomb for bomb in after)
    free_of_runs = "bon_doi_thong" in chop.free_targets
    long_targets = 1 << c.ON_RUN_5 | 1 << c.ON_RUN_6 if free_of_runs else 0  # 5 and 6 pairs, where they are bombs
    yield c.FREE_TARGETS, _bits(chop.free_targets) | long_targets
    rows = [0, _bits(chop.beats.ba_doi_thong), _bits(chop.beats.tu_quy), _bits(chop.beats.bon_doi_thong), 0, 0]
    for name in chop.triple2_beaten_by:
        bomb = c.RUN_3 + LONG_BOMBS.index(name)
        for beats in (bomb, c.RUN_6) if bomb == c.RUN_5 else (bomb,):
            rows[beats] |= 1 << c.THREE_TWOS
    if run and run.long_runs == "superset_of_4":  # 5 and 6 pairs are four pairs, higher ones (C6)
        rows[c.RUN_5], rows[c.RUN_6] = rows[c.RUN_4] | rows[c.RUN_5], rows[c.RUN_4] | rows[c.RUN_6]
        longer = {c.RUN_3: (5, 6), c.QUAD_BOMB: (5, 6), c.RUN_5: (5,), c.RUN_6: (5, 6)}
        for bomb, lengths in longer.items():
            if rows[bomb] >> c.ON_RUN_4 & 1:
                rows[bomb] |= sum(1 << c.ON_RUN_4 + length - 4 for length in lengths)
    yield c.CHOPS, rows


def _bits(targets: Sequence[str]) -> int:
    return sum(1 << _TARGETS[target] for target in targets)


def _chop_prices(rules: Rules, _: int) -> Iterator[tuple[int, Any]]:
    chop, prices = rules.chop, rules.prices
    if chop is None:
        return

    def own(name: str, usual: int) -> int:
        value = getattr(chop.prices, name)
        return usual if value is None else half_units(value)

    usual = {name: half_units(getattr(prices, name)) if prices else 0 for name in (*TWOS, *BOMBS)}
    four_pairs = own("bon_doi_thong", usual["bon_doi_thong"])
    yield c.TWO_PRICES, [own(name, usual[name]) for name in TWOS]
    yield c.PAIR_PRICE, [own("doi_heo", -1), own("ba_heo", -1)]
    yield c.BOMB_PRICES + c.RUN_3, [own(name, usual.get(name, four_pairs)) for name in LONG_BOMBS]
    if chop.by:
        yield c.CHOP_BY + c.RUN_3, [half_units(getattr(chop.by, name) or 0) for name in LONG_BOMBS]


def _endings(rules: Rules, players: int) -> Iterator[tuple[int, Any]]:
    """Yield double pay, transfers between places, one for each pair of them, points, cóng, who leads the next game."""
    yield c.DOUBLED_BY, sum(1 << c.RUN_3 + LONG_BOMBS.index(bomb) for bomb in rules.finish.double or ())
    sums: Counter[tuple[int, int]] = Counter()
    for transfer in dict(rules.place_transfers or ()).get(players, ()):
        sums[transfer.from_place - 1, transfer.to_place - 1] += half_units(transfer.pays)
    yield c.HAS_PLACES, [rules.place_transfers is not None, rules.place_points is not None, len(sums)]
    yield c.TRANSFERS, [number for pair, pays in sorted(sums.items()) for number in (*pair, pays)]
    yield c.POINTS, [half_units(points) for points in dict(rules.place_points or ()).get(players, ())]
    if rules.cong:
        yield c.CONG_ITEMS, rules.cong.items * (rules.cong.items_times or 1)
    yield c.ENTITLED, [_ENTITLED.index(word) for word in rules.lead.next]


def _instant_wins(rules: Rules, players: int) -> Iterator[tuple[int, Any]]:
    for opening in (False, True):
        wins = rules.instant_wins(opening, players)
        yield c.INSTANT_PATTERNS + opening, len(wins)
        yield c.INSTANT_BY_TURN + opening, rules.priority(opening) == "turn"
        yield c.INSTANT_HEO + opening, sum(1 << at for at, win in enumerate(wins) if win.count_heo)
        yield c.INSTANT_PAYS + MOST_PATTERNS * opening, [win.pays_half for win in wins]


def _titles(rules: Rules, players: int) -> Iterator[tuple[int, Any]]:
    sizes, rows = rules.hand_sizes(players), rules.exchanges(players)
    yield c.N_ODD_CARDS, sum(sizes) - min(sizes) * players
    yield c.N_EXCHANGES, len(rows)
    if rules.president:
        place = dict(rules.president.titles)[players].index
        yield c.EXCHANGES, [n for row in rows for n in (place(row.from_title), place(row.to_title), row.cards)]


def leftover_prices(rules: Rules) -> ItemPrices:
    """Return the prices of twos and bombs that are left in a hand; an unknown set is no bomb (J10)."""
    prices, thoi = rules.prices, rules.thoi
    if prices is None:
        return ItemPrices((0, 0, 0, 0), 0, 0, 0, False)
    hang = thoi is None or thoi.hang
    run = rules.combinations.pair_run
    shortest = run.min_length if run and hang else 5
    bich, chuon, ro, co = (half_units(getattr(prices, name)) for name in TWOS)
    return ItemPrices(
        (bich, chuon, ro, co),
        pair_run_3=half_units(prices.ba_doi_thong) if shortest <= 3 else 0,
        quad=half_units(prices.tu_quy) if hang else 0,
        pair_run_4=half_units(prices.bon_doi_thong) if shortest <= 4 else 0,
        greedy=thoi is not None and thoi.hang_partition == "greedy",
    )
