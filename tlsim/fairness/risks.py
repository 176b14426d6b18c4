"""What 2s, bombs, 3♠, being cóng and calling Sâm cost and bring, to who holds them and to the others."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any, get_args

from tlsim.columns import Row
from tlsim.exact.automaton import HandBook
from tlsim.fairness import views as v
from tlsim.fairness.price_list import DEALS
from tlsim.fairness.sample import BOMBS, CHOPPED, CHOPPED_COST, GAIN, LEFT, LEFT_COST, THINGS, USED, Sample
from tlsim.folders import brought
from tlsim.intervals import korn_graubard, ratio_mean
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.patterns import Pattern
from tlsim.results.game_stats import ITEMS, TARGETS, GameStats
from tlsim.results.provenance import one_in
from tlsim.rules import Rules
from tlsim.rules.schema import Ket3Bich

_CONDITIONS = brought("fairness/items.toml")  # what a hand holds that has a 2 or a bomb


@cache
def held(item: str, hand_size: int) -> Fraction:
    """Return the exact share of hands that hold a 2 or a bomb, whatever else they hold."""
    pattern = Pattern.model_validate({"id": item, "all_of": [_CONDITIONS[item]]})
    counts = HandBook((pattern,), hand_size).count()
    return Fraction(counts.holds[0], counts.hands)


# --- 2s and bombs, of all games ---


def item_rows(rules: Rules, games: GameStats) -> list[Row]:
    """Return one row per 2 and per bomb, rates per hand dealt; empty where nothing has a price."""
    if rules.prices is None:
        return []
    events, players, rows = {row["event"]: row for row in games.rows("events")}, games.players, list[Row]()
    for item in (item for item in ITEMS if item in _CONDITIONS):
        price, share = float(getattr(rules.prices, item)), held(item, rules.hand_sizes(players)[0])
        left, error = _per_hand([f"thoi_{item}"], events, players)
        row: Row = {"left_per_hand": (left, error), "cost_per_1000": (left * price * DEALS, error * price * DEALS)}
        if item in BOMBS:
            row["chops_per_hand"] = _per_hand([f"chop_{item}_{target}" for target in TARGETS], events, players)
            row["chopped_per_hand"] = _per_hand([f"chop_{bomb}_{item}" for bomb in BOMBS], events, players)
        rows.append(v.ITEMS.row(item=item, price=price, held=share, held_one_in=one_in(share),
                                left_if_held=left / float(share) if share else None, **row))  # fmt: skip
    return rows


def _per_hand(names: list[str], events: dict[str, Row], players: int) -> tuple[float, float]:
    """Return how often any of some things happens per hand, with its standard error (they hardly hang together)."""
    rates = [events[name]["per_game"] for name in names]
    errors = [events[name]["std_error"] or 0.0 for name in names]
    return sum(rates) / players, float(sum(error**2 for error in errors)) ** 0.5 / players


# --- everything that the rules put a price on, of a sample ---

_NUMBERS = {
    "left": ((LEFT, 1),), "chopped": ((CHOPPED, 1),), "used": ((USED, 1),), "left_cost": ((LEFT_COST, 1),),
    "chopped_cost": ((CHOPPED_COST, 1),), "gain": ((GAIN, 1),),
    "net": ((GAIN, 1), (LEFT_COST, -1), (CHOPPED_COST, -1)),
}  # fmt: skip


def risk_rows(rules: Rules, sample: Sample) -> list[Row]:
    """Return one row per thing that the rules put a price on, per 1,000 hands dealt, errors over matches.

    ``opponent``, what each other seat wins, is ``−net / (players − 1)``. Of a chain all is the cost of its last victim.
    """
    size, priced = rules.hand_sizes(sample.players)[0], dict.fromkeys(THINGS, rules.prices is not None)
    priced["ba_bich"] = rules.ket_3_bich is not None or bool(rules.thoi and rules.thoi.ba_bich)
    priced |= {"cong": rules.cong is not None, "bao_sam": rules.bao_sam is not None}
    shares = {"cong": None, "bao_sam": None, "ba_bich": Fraction(size, 52)}
    others, rows = sample.players - 1, []
    for at, thing in enumerate(THINGS):
        if not priced[thing]:
            continue
        found: Row = {"thing": thing, "held": shares[thing] if thing in shares else held(thing, size)}
        for key, facts in _NUMBERS.items():
            unit = 2 if v.RISKS[key].is_money else 1  # sums are in half units
            mean, error = (value * DEALS / unit for value in sample.per_hand(at, *facts))
            found[key] = mean, error or math.nan  # what never happened shows no error
        net, error = found["net"]
        found["opponent"] = -net / others, error / others
        if found["held"]:
            found["net_if_held"] = tuple(value / (DEALS * float(found["held"])) for value in found["net"])
        rows.append(v.RISKS.row(**found))
    return rows


# --- kết 3 bích: how often trying succeeds, and from which chance of success on it pays ---

READINGS: tuple[str, ...] = get_args(Ket3Bich.model_fields["block_payees"].annotation)


def readings(rules: Rules) -> list[Rules]:
    """Return the rules under each reading of who receives where 3♠ is blocked."""
    return [rules.replace("ket_3_bich.block_payees", reading) for reading in READINGS]


def ket_rows(rules: Rules, games: Sequence[GameStats]) -> list[Row]:
    """Return one row per reading of who receives where 3♠ is blocked, of games under each of the `readings`.

    ``gain`` is what a success brings, ``loss`` what a block costs on average: trying pays where success has a chance
    over ``break_even``. ``best`` is that chance against others who block where it pays: any card beats 3♠, so a try
    succeeds where the rules let nobody answer, or blocking pays nothing.
    """
    return [_ket(rules.ket_3_bich, each, reading) for each, reading in zip(games, READINGS, strict=True)]


def _ket(ket: Any, games: GameStats, reading: str) -> Row:
    counts = {row["event"]: row["count"] for row in games.rows("events")}
    made, blocked, tried = (counts[f"ket_3_bich_{what}"] for what in ("made", "blocked", "tried"))
    money = {row["reason"]: row["money"] for row in games.rows("reasons")}
    gain = money["ket_3_bich"] / made if made else float(ket.pays * (games.players - 1))
    loss = money["chan_3_bich"] / blocked if blocked else None
    low, high = korn_graubard(made, tried) if tried else (None, None)
    sums, others = games.tally.batches[:2].sum(axis=0), games.players - 1
    # what a try brought who tried, and the others
    won, lost = (sums[:, m.S_REASONS + 2 * reason + 1] for reason in (c.KET_3_BICH, c.CHAN_3_BICH))
    net, error = ratio_mean((won - lost) / 2, sums[:, m.S_EVENTS + c.EV_KET_TRIED])
    return v.KET_3_BICH.row(
        block_payees=reading, in_force=reading == ket.block_payees, tried_per_1000=1000 * tried / max(1, games.games),
        tried=tried, made=made, success=made / tried if tried else None, success_low=low, success_high=high, gain=gain,
        loss=loss, break_even=None if loss is None else loss / (gain + loss) if gain + loss else None,
        best=0.0 if ket.window == "response" and ket.block_pays else 1.0, net_if_tried=(net, error),
        opponent=(-net / others, error / others),
    )  # fmt: skip
