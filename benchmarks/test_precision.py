"""How much precision exact knowledge buys: variance ratios at equal cost, measured.

It prints the table of docs/explanation/precision.md.

Cost is processor time of one thread, the median of the ratios within rounds. A ratio of 3 means that plain simulation
needs three times the time for the same error. Every estimate is asserted to agree with the plain one.
"""

import math
import statistics
import time

import pytest

import tlsim

GAMES = 49_152
ROUNDS = 5
_rows = []


def _timed(work):
    """Result and processor seconds of a piece of work, kernels being loaded before."""
    begin = time.process_time()
    found = work()
    return found, time.process_time() - begin


def _both(plain, own):
    """Results of two pieces of work, and how many times as long as the first the second takes."""
    own()
    rounds = [(_timed(plain), _timed(own)) for _ in range(ROUNDS)]
    (one, _), (two, _) = rounds[0]
    return one, two, statistics.median(mine / other for (_, other), (_, mine) in rounds)


def _note(name, what, ratio, cost=1.0):
    _rows.append((name, what, ratio, cost, ratio / cost))


def _agree(one, two):
    """Five standard errors."""
    return abs(one[0] - two[0]) < 5 * math.hypot(one[1], two[1])


def _seat(stats):
    row = stats.rows("seats")[0]
    return row["mean"], row["std_error"]


@pytest.mark.parametrize("rotate", [False, True], ids=["controls", "rotated"])
@pytest.mark.parametrize("policies", ["smart", "smart,lowest,lowest,lowest"])
@pytest.mark.parametrize("preset", ["doithuong", "luckywin", "sam_loc"])
def test_mean_money_of_a_seat(preset, policies, rotate):
    """Controls alone; or every deal with each player in each seat, and controls on what is left."""
    if rotate and "," not in policies:
        pytest.skip("all players are the same")
    ask = {"policies": policies, "threads": 1, "games": GAMES}
    plain, found, cost = _both(
        lambda: tlsim.simulate(preset, seed=1, **ask), lambda: tlsim.mean_money(preset, seed=2, rotate=rotate, **ask)
    )
    row = found.rows()[0]
    assert _agree(_seat(plain), (row["mean"], row["std_error"]))
    what = "seats rotated, controls" if rotate else "controls"
    ratio = (_seat(plain)[1] / row["std_error"]) ** 2
    _note(f"mean money of a seat, `{preset}`, {policies}", what, ratio, cost)


@pytest.mark.parametrize("policies", ["lowest", "smart"])
def test_declaring_against_playing_on(policies):
    """The whole list: exact draws given each pattern, against free deals played both ways from every distance."""
    ways = [[first] + [policies] * 3 for first in (policies, f"{policies}[declare=0]")]

    def free():
        gap = noise = 0.0
        for leader in range(4):
            ask = {"games": GAMES, "leader": leader, "seed": 3 + leader, "threads": 1}
            row = tlsim.compare(*(tlsim.simulate("doithuong", policies=way, **ask) for way in ways)).rows()[0]
            gap, noise = gap + 250 * row["difference"], noise + (250 * row["std_error"]) ** 2
        return gap, math.sqrt(noise)

    plain, worth, cost = _both(
        free, lambda: tlsim.worth_of_declaring("doithuong", policies=policies, games=4096, threads=1)
    )
    total = worth.total()
    assert _agree(plain, (total["difference"], total["std_error"]))
    ratio = (plain[1] / total["std_error"]) ** 2
    _note(f"tới trắng: declare or play on, `doithuong`, {policies}", "exact draws, exact weights", ratio, cost)


def test_the_same_deals():
    """Two ways to play on the same deals, against different deals for each."""
    value = tlsim.hand_value("tu_quy_2", "doithuong", games=8192)
    row = value.rows("declare")[-1]
    apart = math.hypot(row["declare_std_error"], row["play_on_std_error"])
    ratio = (apart / row["std_error"]) ** 2
    _note("declare or play on with four 2s, `doithuong`, smart", "same deals", ratio)
    two = [
        tlsim.simulate("doithuong", games=GAMES, policies=[first] + ["lowest"] * 3, seed=4)
        for first in ("smart", "smart[hold_3s=1]")
    ]
    gap = tlsim.compare(*two).rows()[0]
    ratio = (gap["std_error_unpaired"] / gap["std_error"]) ** 2
    _note("smart against smart[hold_3s=1], `doithuong`", "same deals", ratio)
    assert ratio > 1


def test_table(capsys):
    with capsys.disabled():
        print("\n\n| what is estimated | by | variance ratio | time | at equal cost |")
        print("| :--- | :--- | ---: | ---: | ---: |")
        for name, what, ratio, share, both in _rows:
            print(f"| {name} | {what} | {ratio:.3g} | × {share:.2g} | {both:.3g} |")
