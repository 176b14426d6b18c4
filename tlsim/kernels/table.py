"""One game from the deal to the last payment: tới trắng, or the seats in turn by their policies; who leads the next."""

from __future__ import annotations

from tlsim.bits import trailing_zeros
from tlsim.jit import kernel, scalar_step
from tlsim.kernels import row as r
from tlsim.kernels.before import ask_before, lowest_return, start, take_before
from tlsim.kernels.call import call_strength
from tlsim.kernels.choices import choice_at, decide_random, draw_return, list_choices
from tlsim.kernels.combos import TWO_RANK, describe
from tlsim.kernels.detect import MOST_PATTERNS
from tlsim.kernels.draw import below
from tlsim.kernels.game import ask, begin, pass_lead_on, take
from tlsim.kernels.money import pay
from tlsim.kernels.own import Own, decide_own, own_before
from tlsim.kernels.policies import (
    LOWEST,
    OWN,
    RANDOM,
    REFUSED,
    ROLLOUT,
    SCRIPT,
    SMART,
    decide_lowest,
    decide_script,
    scripted_return,
)
from tlsim.kernels.rollout import decide_rollout, rollout_before
from tlsim.kernels.row import Ints
from tlsim.kernels.settlement import rotten, settle
from tlsim.kernels.smart import decide_smart, smart_before

NO_ONE = -1


@scalar_step
def play_game(game, script, chance, smart, rollout, own, before):
    """Play what the row starts from and settle it; a refused decision leaves the reason in the state.

    chance, smart, rollout, own : None where no seat needs them; what is None is not compiled
    before : None where nothing is asked before the first play
    """
    begin(game)
    if before is not None:
        ask_all_before(game, chance, smart, rollout, own)
        if game[r.FAULT]:
            return
    if not instant_win(game):
        pass_lead_on(game)
        play_on(game, script, chance, smart, rollout, own)
        if game[r.FAULT]:
            return
        settle(game)
    carry_over(game)


@scalar_step
def ask_all_before(game, chance, smart, rollout, own):
    """Ask for returns of the exchange and for calls of Sâm, until play begins or a decision is refused."""
    start(game)
    while True:
        seat = ask_before(game)
        if seat < 0:
            return
        answer = decide_before(game, seat, chance, smart, rollout, own)
        if answer == REFUSED:
            return
        take_before(game, seat, answer)


@scalar_step
def decide_before(game, seat, chance, smart, rollout, own):
    """Ask the policy of a seat; whether it calls Sâm may be told it, and how strong it is for that is noted."""
    policy, hand = game[r.POLICY + seat], game[r.HANDS + seat]
    if game[r.ASKED] == r.CALL:
        if smart is not None:
            if policy != LOWEST or game[r.CALLS_SAM + seat] != r.AS_IT_SEES_FIT:
                game[r.STRENGTHS + seat] = 1 + call_strength(game, hand, seat)
        if game[r.CALLS_SAM + seat] != r.AS_IT_SEES_FIT or policy == SCRIPT:
            return int(game[r.CALLS_SAM + seat] == r.ALWAYS)
    if policy == LOWEST:
        return 0 if game[r.ASKED] == r.CALL else lowest_return(game, hand)
    if chance is not None:
        if policy == RANDOM:
            return below(game, seat, 2) if game[r.ASKED] == r.CALL else draw_return(game, seat, hand)
    if smart is not None:
        if policy == SMART:
            return smart_before(game, hand, seat)
    if rollout is not None:
        if policy == ROLLOUT:
            return rollout_before(game, hand, seat, rollout)
    if own is not None:
        if policy == OWN:
            return own_before(game, hand, seat, own)
    return scripted_return(game, hand)


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
    policy, hand, question = game[r.POLICY + seat], game[r.HANDS + seat], game[r.ASKED]
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
    kind, players = game[r.OPENING], game[r.PLAYERS]
    winner, strongest = NO_ONE, 64
    for distance in range(players):
        seat = (game[r.LEADER] + distance) % players
        if seat == game[r.BARRED] or game[r.HELD + seat] == 0 or game[r.DECLINES + seat]:
            continue
        pattern = trailing_zeros(game[r.HELD + seat])
        if pattern < strongest and (winner < 0 or not game[r.INSTANT_BY_TURN + kind]):
            winner, strongest = seat, pattern
    if winner < 0:
        return False
    pays = game[r.INSTANT_PAYS + MOST_PATTERNS * kind + strongest]
    for seat in range(players):
        if seat != winner:
            pay(game, r.TOI_TRANG, seat, winner, pays)
            if (game[r.INSTANT_HEO + kind] >> strongest) & 1:
                pay(game, r.THOI, seat, winner, rotten(game, game[r.DEALT + seat]))
    game[r.ENDING], game[r.N_PLACES], game[r.PLACES] = r.INSTANT, 1, winner
    return True


@scalar_step
def find_lead(game):
    """Find who leads an opening game, and by which card, which he may have to play; return it, 0 for a lot (B2, B8)."""
    card, every = 1 << game[r.OPENING_CARD], 0
    for seat in range(game[r.PLAYERS]):
        every |= game[r.DEALT + seat]
    must = game[r.MUST_INCLUDE]
    if every & card == 0:
        if game[r.RANDOM_LEADER]:
            card = must = 0
        else:
            card = every & -every
            must = must and game[r.LOWEST_MUST]
    for seat in range(game[r.PLAYERS]):
        if game[r.DEALT + seat] & card:
            game[r.LEADER] = seat
    game[r.LEAD_CARD], game[r.REQUIRED_FIRST] = card, card if must else 0
    return card


@scalar_step
def carry_over(game):
    """Note who leads the next game, whether it is an opening game, and who is barred from tới trắng (B4-B7)."""
    game[r.NEXT_LEADER] = game[r.NEXT_BARRED] = NO_ONE
    game[r.NEXT_OPENING] = 0
    if game[r.CONG_STREAK]:
        _count_cong(game)
    if game[r.ENDING] == r.INSTANT:
        game[r.NEXT_OPENING] = game[r.THEN_OPENING]
        if game[r.BARS_WINNER]:
            game[r.NEXT_BARRED] = game[r.PLACES]
    if game[r.N_PLACES] == 0:
        game[r.NEXT_OPENING] = 1
    if game[r.NEXT_OPENING]:
        return
    game[r.NEXT_LEADER] = _entitled(game)


@scalar_step
def _count_cong(game):
    """Count for each seat the games in a row in which it was cóng (003#R17, M16).

    A tới trắng breaks all rows; a game in which Sâm was called counts for none. Who is entitled to lead by his row uses
    it up when he does lead, not where another has called, or where he is stuck.
    """
    first = game[r.CALLER] - 1 if game[r.CALLER] else game[r.LEADER]
    if game[r.CONG_IN_A_ROW + first] >= game[r.CONG_STREAK] and game[r.LOG] & r.IS_STUCK == 0:
        game[r.CONG_IN_A_ROW + first] = 0
    for seat in range(game[r.PLAYERS]):
        if game[r.ENDING] == r.INSTANT:
            game[r.CONG_IN_A_ROW + seat] = 0
        elif game[r.CALLER] == 0:
            cong = (game[r.CONG_SEATS] >> seat) & 1
            game[r.CONG_IN_A_ROW + seat] = game[r.CONG_IN_A_ROW + seat] + 1 if cong else 0


@scalar_step
def _entitled(game):
    """Return who leads the next game: the first of the list whom this game has, else the winner (K8)."""
    winner = game[r.PLACES]
    for at in range(r.N_ENTITLED):
        who = game[r.ENTITLED + at]
        if who == r.STREAK_LEADS:
            for distance in range(game[r.PLAYERS]):
                seat = (winner + distance) % game[r.PLAYERS]
                if game[r.CONG_IN_A_ROW + seat] >= game[r.CONG_STREAK]:
                    return seat
        elif who == r.CALLER_LEADS and game[r.ENDING] == r.CALL_MADE:
            return game[r.CALLER] - 1
        elif who == r.DEN_LEADS and game[r.LIABLE]:
            return game[r.LIABLE] - 1
        elif who == r.LAST_LEADS:
            return game[r.PLACES + game[r.N_PLACES] - 1]
        elif who == r.WINNER_LEADS:
            return winner
    return winner


@kernel
def play_one(
    game: Ints,
    script: Ints,
    chance: int | None = None,
    smart: int | None = None,
    rollout: Ints | None = None,
    own: Own | None = None,
    before: int | None = None,
) -> None:
    """Play one game; see `play_game`."""
    play_game(game, script, chance, smart, rollout, own, before)


@kernel
def begin_exchange(game: Ints) -> Ints:
    """Begin a game and let cards be given up; return them, by exchange."""
    begin(game)
    start(game)
    return game[r.GIFTS : r.RETURNS]


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
    number = list_choices(game, game[r.HANDS + seat], seat, question)
    for at in range(number):
        out[at, 0], out[at, 1], out[at, 2] = choice_at(game, at)
        if game[r.REVERSED]:
            out[at, 1] = TWO_RANK - out[at, 1]
    return number  # type: ignore[no-any-return]
