"""Calls of Sâm: how often they succeed by strength of the hand, and what they are worth.

The strength of a hand is what `smart` takes for the chance that a call succeeds (`tlsim.kernels.call`), in steps of
5 %: a scale to sort hands by, not the truth; how often calls at that strength do succeed is what the tables say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tlsim.columns import Row
from tlsim.kernels import matches as m
from tlsim.kernels.row import Ints
from tlsim.results import game_views as v
from tlsim.results.batches import mean, paired, share
from tlsim.rules import Rules


@dataclass(frozen=True)
class CallStakes:
    """What a call of Sâm wins and loses under rules, in their unit."""

    gain: float  # what a caller gets in all where he succeeds
    loss: float  # and pays in all where he is blocked

    @classmethod
    def of(cls, rules: Rules, players: int) -> CallStakes | None:
        """Return the stakes of a table; None where the rules have no báo Sâm."""
        sam = rules.bao_sam
        if sam is None:
            return None
        payments = players if sam.fail_multiplier == "players" else players - 1
        return cls(sam.pays * (players - 1), sam.fail_pays * payments)

    @property
    def break_even(self) -> float | None:
        """The chance of success at which a call is worth nothing on average; None where nothing is at stake.

        It is exact but for what the rules may add to a success (``bao_sam.items``), which lowers it.
        """
        return self.against(0.0)

    def against(self, silent: float | None) -> float | None:
        """Return the chance of success at which a call is worth as much as what the same hands win without calling."""
        whole = self.gain + self.loss
        return None if silent is None or not whole else (silent + self.loss) / whole


def call_rows(calls: Ints, policies: Sequence[str], stakes: CallStakes) -> list[Row]:
    """Return what came of calls, by policy of a seat and strength of the hand; see `GameStats`.

    calls : sums of `tlsim.kernels.matches.add_calls`, int64[batches, seats, strengths, sums]
    """
    rows = []
    for policy in dict.fromkeys(policies):
        seats = [seat for seat, name in enumerate(policies) if name == policy]
        for strength, sums in _by_strength(calls[:, seats].sum(axis=1)):
            asked, called, void, made = (sums[:, at] for at in (m.C_ASKED, m.C_CALLED, m.C_VOID, m.C_MADE))
            counts = {"hands": asked, "calls": called, "void": void, "made": made}
            rows.append(v.SAM_CALLS.row(
                policy=policy, **strength, **{key: int(each.sum()) for key, each in counts.items()},
                **share(made, called - void, of="success"), call_mean=mean(sums[:, m.C_MONEY], 2 * called),
                silent_mean=mean(sums[:, m.C_SILENT_MONEY], 2 * (asked - called)), break_even=stakes.break_even,
            ))  # fmt: skip
    return rows


def _by_strength(sums: Ints) -> list[tuple[Row, Ints]]:
    """Return the sums of each strength that was asked, by batch, then those of all; nothing where none was."""
    n = m.N_STRENGTHS
    found = [
        ({"strength_from": at / n, "strength_to": (at + 1) / n}, sums[:, at])
        for at in range(n)
        if sums[:, at, m.C_ASKED].any()
    ]
    whole: Row = {"strength_from": None, "strength_to": None}
    return [*found, (whole, sums.sum(axis=1))] if found else []


def call_difference_rows(
    calls: tuple[Ints, Ints], seats: Sequence[int], stakes: tuple[CallStakes, CallStakes]
) -> list[Row]:
    """Return what calling is worth against not calling, over the same deals, by strength of the hand at some seats."""
    both = [each[:, list(seats)].sum(axis=1) for each in calls]
    caller = max((0, 1), key=lambda at: int(both[at][:, :, m.C_CALLED].sum()))
    rows = []
    for strength, _ in _by_strength(both[0] + both[1]):
        at = slice(None) if strength["strength_from"] is None else round(strength["strength_from"] * m.N_STRENGTHS)
        pair = [each.sum(axis=1) if isinstance(at, slice) else each[:, at] for each in both]
        asked = [int(each[:, m.C_ASKED].sum()) for each in pair]
        one, two = ((each[:, m.C_MONEY] + each[:, m.C_SILENT_MONEY], 2 * each[:, m.C_ASKED]) for each in pair)
        found, calling = paired(one, two), pair[caller]
        success = share(calling[:, m.C_MADE], calling[:, m.C_CALLED] - calling[:, m.C_VOID], of="success")
        more = None if found[0] is None else found[0] if caller == 0 else -found[0]
        rows.append(v.CALL_GAPS.row(**strength, hands=asked[0], other_hands=asked[1], difference=found, **success,
                             break_even=_break_even(calling, success["success"], more, stakes[caller])))  # fmt: skip
    return rows


def _break_even(calling: Ints, success: float | None, more: float | None, stakes: CallStakes) -> float | None:
    """Return the chance of success at which calls would be worth no more than silence, being worth so much more.

    Hands that a tới trắng settles are worth the same either way, so they are left out: what a call that is played is
    worth more than silence is the whole difference over the calls that were played.
    """
    played = int((calling[:, m.C_CALLED] - calling[:, m.C_VOID]).sum())
    if success is None or more is None or not played:
        return None
    money = success * stakes.gain - (1 - success) * stakes.loss
    return stakes.against(money - more * int(calling[:, m.C_ASKED].sum()) / played)
