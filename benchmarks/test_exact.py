"""Exact odds: one hand, automaton included; the law of a table."""

import time

import tlsim
from tlsim.exact.automaton import HandBook
from tlsim.exact.table_law import Table, count_table


def _patterns(name, players, opening=False):
    return tuple(win.pattern for win in tlsim.load_rules(name).instant_wins(opening, players))


def test_one_hand(bench):
    patterns = _patterns("doithuong", 4)

    def work():
        return HandBook(patterns, 13).count()

    bench.paired("exact odds of one hand, doithuong, automaton included", "list", work, 1, floor="floor 1 s")
    counts = work()  # figures from outside
    assert counts.hands == 635_013_559_600
    assert counts.holds[6] == 1_677_106_640
    assert counts.holds[7] == 2_856_863_152


def test_four_hands(bench):
    table = Table(_patterns("doithuong", 4), 13, 4, "strength")
    count_table(Table(_patterns("luckywin", 2, opening=True), 13, 2, "turn"))  # compiles
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        counts = count_table(table)
        seconds.append(time.perf_counter() - begin)
    bench.single("exact law of four hands, doithuong, nothing cached", "law", seconds, floor="floor 10 s")
    assert counts.deals == 53_644_737_765_488_792_839_237_440_000
    assert counts.exact
    assert sum(low for low, _ in counts.wins) == counts.someone[0]
    hand = HandBook(table.patterns, 13).count()
    mean = sum(k * low for k, (low, _) in enumerate(counts.seats))
    assert mean * hand.hands == 4 * hand.any * counts.deals
