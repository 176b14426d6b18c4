"""Writing down what has been played as a record."""

from typing import Any, cast

from tlsim.engine.game_work import GameWork
from tlsim.kernels import matches as m
from tlsim.kernels import row as c
from tlsim.kernels.deal import GROUP
from tlsim.kernels.hall import Hall
from tlsim.records.model import FORMAT, Call, GameRecord, Gift
from tlsim.records.referee import referee
from tlsim.records.start import strongest_patterns
from tlsim.records.steps import entry_of
from tlsim.version import __version__


def record_of(work: GameWork, hall: Hall, match: int, game: int) -> dict[str, Any]:
    """Write down the game that has just been played; the referee checks it and adds the money."""
    row, carried = hall.game, hall.carried[match % GROUP]
    turn, players = int(carried[m.WENT]), work.players
    hands = hall.hands[:players, match % GROUP].tolist()
    titled = work.rules.president is not None and row[c.TITLES] >= 0
    log = [] if row[c.ENDING] == c.INSTANT else row[c.LOG : c.LOG + row[c.PLAYS]].tolist()
    record = GameRecord.model_construct(
        format=cast(Any, FORMAT), rules=work.rules.name, players=players,
        opening=bool(carried[m.WAS_OPENING]), direction=cast(Any, turn),
        leader=int(carried[m.LED_BY]), hands=hands, calls=_calls(work, hall, hands, turn),
        plays=[entry_of(entry, turn, players) for entry in log],
        barred=int(row[c.BARRED]) * turn % players if row[c.BARRED] >= 0 else None,
        titles=[at * turn % players for at in row[c.TITLES : c.TITLES + players].tolist()] if titled else None,
        exchange=_gifts(row, turn, players) if titled else None,
        source={
            "seed": work.seed, "match": match, "game": game, "match_length": work.match_length,
            "policies": list(map(str, work.policies)), "version": __version__,
        } | ({"given": True} if work.given else {}),
    )  # fmt: skip
    return referee(record, work.rules).record


def _calls(work: GameWork, hall: Hall, hands: list[int], turn: int) -> list[Call]:
    """Return who has called Sâm; then who has declared a tới trắng, in order of seats, and what."""
    caller = int(hall.game[c.CALLER]) - 1
    calls = [Call(seat=caller * turn % work.players, call="sam")] if caller >= 0 else []
    if hall.game[c.ENDING] != c.INSTANT:
        return calls
    opening = bool(hall.game[c.OPENING])
    wins, best = work.rules.instant_wins(opening, work.players), strongest_patterns(work.rules, hands, opening)
    barred = hall.game[c.BARRED] * turn % work.players if hall.game[c.BARRED] >= 0 else None
    return calls + [
        Call(seat=seat, call="toi_trang", pattern=wins[at].id)
        for seat, at in sorted(best.items())
        if work.policies[seat].declare and seat != barred
    ]


def _gifts(row: c.Ints, turn: int, players: int) -> list[Gift]:
    """Return what was exchanged: what was given up, then what was returned."""
    gifts = []
    for first, there in ((c.GIFTS, 0), (c.RETURNS, 1)):
        for at in range(row[c.N_EXCHANGES]):
            places = row[c.EXCHANGES + 3 * at : c.EXCHANGES + 3 * at + 2]
            seats = [int(row[c.TITLES + place]) * turn % players for place in places]
            gifts.append(Gift.model_construct(from_=seats[there], to=seats[1 - there], cards=int(row[first + at])))
    return gifts
