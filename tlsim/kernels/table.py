"""One game from the deal to the last payment: tới trắng, or the seats in turn by their policies; who leads the next."""

from __future__ import annotations

from tlsim.bits import trailing_zeros
from tlsim.jit import kernel, scalar_step
from tlsim.kernels.choices import choice_at, decide_random, list_choices
from tlsim.kernels.combos import describe
from tlsim.kernels.detect import MOST_PATTERNS
from tlsim.kernels.game import ask, begin, pass_lead_on, take
from tlsim.kernels.money import pay
from tlsim.kernels.own import Own, decide_own
from tlsim.kernels.policies import LOWEST, OWN, RANDOM, REFUSED, ROLLOUT, SMART, decide_lowest, decide_script
from tlsim.kernels.rollout import decide_rollout
from tlsim.kernels.row import (
    ASKED,
    BARRED,
    BARS_WINNER,
    DEALT,
    DECLINES,
    DEN_LEADS,
    ENDING,
    FAULT,
    HANDS,
    HELD,
    INSTANT,
    INSTANT_BY_TURN,
    INSTANT_HEO,
    INSTANT_PAYS,
    LAST_LEADS,
    LEAD_CARD,
    LEADER,
    LIABLE,
    LOWEST_MUST,
    MUST_INCLUDE,
    N_PLACES,
    NEXT_BARRED,
    NEXT_LEADER,
    NEXT_OPENING,
    OPENING,
    OPENING_CARD,
    PLACES,
    PLAYERS,
    POLICY,
    RANDOM_LEADER,
    REQUIRED_FIRST,
    THEN_OPENING,
    THOI,
    TOI_TRANG,
    Ints,
)  # fmt: skip
from tlsim.kernels.settlement import rotten, settle
from tlsim.kernels.smart import decide_smart

NO_ONE = -1


@scalar_step
def play_game(game, script, chance, smart, rollout, own):
    """Play what the row starts from and settle it; a refused decision leaves the reason in the state.

    The last four are None where no seat needs them, so none is compiled.
    """
    begin(game)
    if not instant_win(game):
        pass_lead_on(game)
        play_on(game, script, chance, smart, rollout, own)
        if game[FAULT]:
            return
        settle(game)
    carry_over(game)


@scalar_step
def play_on(game, script, chance, smart, rollout, own):
    """Ask seat after seat until the game is over or a decision is refused."""
    while True:
        seat = ask(game)
        if seat < 0:
            return
        play = decide(game, seat, script, chance, smart, rollout, own)
        if play == REFUSED:
            return
        take(game, seat, play)


@scalar_step
def decide(game, seat, script, chance, smart, rollout, own):
    """Ask the policy of a seat."""
    policy, hand, question = game[POLICY + seat], game[HANDS + seat], game[ASKED]
    if policy == LOWEST:
        return decide_lowest(game, hand, seat, question)
    if chance is not None:
        if policy == RANDOM:
            return decide_random(game, hand, seat, question)
    if smart is not None:
        if policy == SMART:
            return decide_smart(game, hand, seat, question)
    if rollout is not None:
        if policy == ROLLOUT:
            return decide_rollout(game, hand, seat, question, rollout)
    if own is not None:
        if policy == OWN:
            return decide_own(game, hand, seat, question, own)
    return decide_script(game, hand, seat, question, script)


@scalar_step
def instant_win(game):
    """Settle a tới trắng, if somebody declares one; return whether (F5-F9)."""
    kind, players = game[OPENING], game[PLAYERS]
    winner, strongest = NO_ONE, 64
    for distance in range(players):
        seat = (game[LEADER] + distance) % players
        if seat == game[BARRED] or game[HELD + seat] == 0 or game[DECLINES + seat]:
            continue
        pattern = trailing_zeros(game[HELD + seat])
        if pattern < strongest and (winner < 0 or not game[INSTANT_BY_TURN + kind]):
            winner, strongest = seat, pattern
    if winner < 0:
        return False
    pays = game[INSTANT_PAYS + MOST_PATTERNS * kind + strongest]
    for seat in range(players):
        if seat != winner:
            pay(game, TOI_TRANG, seat, winner, pays)
            if (game[INSTANT_HEO + kind] >> strongest) & 1:
                pay(game, THOI, seat, winner, rotten(game, game[DEALT + seat]))
    game[ENDING], game[N_PLACES], game[PLACES] = INSTANT, 1, winner
    return True


@scalar_step
def find_lead(game):
    """Find who leads an opening game, and by which card, which he may have to play; return it, 0 for a lot (B2, B8)."""
    card, every = 1 << game[OPENING_CARD], 0
    for seat in range(game[PLAYERS]):
        every |= game[DEALT + seat]
    must = game[MUST_INCLUDE]
    if every & card == 0:
        if game[RANDOM_LEADER]:
            card = must = 0
        else:
            card = every & -every
            must = must and game[LOWEST_MUST]
    for seat in range(game[PLAYERS]):
        if game[DEALT + seat] & card:
            game[LEADER] = seat
    game[LEAD_CARD], game[REQUIRED_FIRST] = card, card if must else 0
    return card


@scalar_step
def carry_over(game):
    """Note who leads the next game, whether it is an opening game, and who is barred from tới trắng (B4-B7)."""
    game[NEXT_LEADER] = game[NEXT_BARRED] = NO_ONE
    game[NEXT_OPENING] = 0
    if game[ENDING] == INSTANT:
        game[NEXT_OPENING] = game[THEN_OPENING]
        if game[BARS_WINNER]:
            game[NEXT_BARRED] = game[PLACES]
    if game[N_PLACES] == 0:
        game[NEXT_OPENING] = 1
    if game[NEXT_OPENING]:
        return
    game[NEXT_LEADER] = game[PLACES + (game[N_PLACES] - 1 if game[LAST_LEADS] else 0)]
    if game[LIABLE] and game[DEN_LEADS]:
        game[NEXT_LEADER] = game[LIABLE] - 1


@kernel
def play_one(
    game: Ints,
    script: Ints,
    chance: int | None = None,
    smart: int | None = None,
    rollout: Ints | None = None,
    own: Own | None = None,
) -> None:
    """Play one game; see `play_game`."""
    play_game(game, script, chance, smart, rollout, own)


@kernel
def kind_of(game: Ints, play: int) -> int:
    """Return the kind of combination of a play, 0 where it is none; see `describe`."""
    return describe(game, play)[0]  # type: ignore[no-any-return]


@kernel
def find_opening(game: Ints) -> None:
    """Find who leads an opening game; see `find_lead`."""
    find_lead(game)


@kernel
def choices_of(game: Ints, seat: int, question: int, out: Ints) -> int:
    """Write the legal choices of a seat and return their number; out : int64[MOST_CHOICES, 3], kind, rank, length."""
    number = list_choices(game, game[HANDS + seat], seat, question)
    for at in range(number):
        out[at, 0], out[at, 1], out[at, 2] = choice_at(game, at)
    return number  # type: ignore[no-any-return]
