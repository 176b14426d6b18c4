"""One game from the deal to the last payment: tới trắng, or the seats in turn by their policies; who leads the next.

Nearly all that happens in a game is an ordinary trick: whoever cannot beat the set on the table passes, who plays the
lowest lays and leads it. One loop does that, on numbers that stay in registers, and leaves the row as
`tlsim.kernels.game` would; whoever has a choice, and all else, it leaves to be asked.
"""

from tlsim.bits import highest, trailing_zeros
from tlsim.jit import Part, call_part, inner_step, scalar_step
from tlsim.kernels import combos as c
from tlsim.kernels import policies as k
from tlsim.kernels import row as r
from tlsim.kernels.before import ask_before, returned_cards, start, take_before
from tlsim.kernels.detect import MOST_PATTERNS
from tlsim.kernels.game import ask, begin, pass_lead_on, take
from tlsim.kernels.leftover import has_bombs
from tlsim.kernels.money import pay
from tlsim.kernels.moves import lowest_over
from tlsim.kernels.row import Ints
from tlsim.kernels.settlement import rotten, settle

NO_ONE, NOBODY_ANSWERS = -1, -2


@inner_step
def is_ordinary(game):
    """Whether a set lies on the table that only a higher one of its kind and length can beat, for no money."""
    kind = game[r.KIND]
    if kind == r.NOTHING or kind > _last_kind(game) or kind == r.QUAD or game[r.ENDING] != r.PLAYING:
        return False
    if game[r.SUIT_MATCH] | game[r.TRUMP] | game[r.CALLER] | game[r.REVERSED]:
        return False
    if game[r.HAS_DEN_CA_LANG] and game[r.PLAYED] & (game[r.PLAYED] - 1) == 0:
        return False
    if game[r.TRYING] & game[r.RESIDUAL_SEAT] != -1:
        return False
    return game[r.TARGET] == r.NO_TARGET or nobody_chops(game)


@inner_step
def _last_kind(game):
    return r.TRIPLE if game[r.STRAIGHT_LOW] | game[r.LONGER_BEATS] else r.STRAIGHT


@scalar_step
def nobody_chops(game):
    """Whether no hand holds a bomb, four 2s among them, and nothing has been chopped in this trick."""
    some = game[r.CHAIN_LINKS] | game[r.CHAIN_PENDING] | game[r.CHAIN_BROKEN]
    for seat in range(game[r.PLAYERS]):
        hand = game[r.HANDS + seat]
        some |= has_bombs(hand) | (hand & r.TWOS == r.TWOS)
    return some == 0


@inner_step
def go_on(game):  # noqa: PLR0915 (one loop)
    """Let seats follow, and lead, until there is no ordinary answer, and return it: the last set, a 2 that is chopped.

    Or return `NOBODY_ANSWERS`, where who is next has to be asked otherwise.
    """
    kind, length, top, owner, passed = game[r.KIND], game[r.LENGTH], game[r.TOP], game[r.OWNER], game[r.PASSED]
    active, seat, plays = game[r.ACTIVE], game[r.SEAT], game[r.PLAYS]
    by_suit, locked, last_kind = not game[r.TOP_RANK_ONLY], -game[r.PASS_LOCKS], _last_kind(game)
    while True:
        waiting = active & ~passed & ~(1 << owner)
        if waiting:
            later = waiting & (-2 << seat)
            asked = trailing_zeros(later or waiting)
            hand, policy = game[r.HANDS + asked], game[r.POLICY + asked]
            play = lowest_over(hand, kind, length, top, by_suit)
            if policy >= k.SCRIPT:
                return NOBODY_ANSWERS
            if play == 0:
                if policy == k.RANDOM:  # it draws among no choices but a pass
                    game[r.STREAMS + 3 * asked + 2] += 1
            elif policy == k.LOWEST:
                if play == hand:
                    return NOBODY_ANSWERS
            else:
                game[r.ASKED], game[r.ASKED_SEAT] = r.FOLLOW, asked
                play = call_part(game[r.PART + asked], game, r.DECIDE, play if play != hand else 0)
                if play < 0 or play > r.ALL_CARDS or play == hand:
                    return play
            if play & r.TWOS:
                if game[r.TARGET] != r.NO_TARGET or not nobody_chops(game):
                    game[r.ASKED], game[r.ASKED_SEAT] = r.FOLLOW, asked
                    return play
                game[r.TARGET], game[r.FREE_SEATS] = c.target_of(game, kind, length, highest(play)), 0
            lead, laid = 0, game[r.LAID]
        else:
            asked, hand, policy = owner, game[r.HANDS + owner], game[r.POLICY + owner]
            if hand & ~r.TWOS == 0:  # who is out leads nothing
                return NOBODY_ANSWERS
            game[r.KIND], game[r.TARGET], game[r.FREE_SEATS], game[r.PASSED] = r.NOTHING, r.NO_TARGET, 0, 0
            game[r.LAID], game[r.SEAT], game[r.ASKED], game[r.ASKED_SEAT] = 0, owner, r.LEAD, owner
            if policy == k.LOWEST:
                play, kind, length = k.lowest_lead(game, hand)
            elif policy >= k.SCRIPT:
                return NOBODY_ANSWERS
            else:
                play = call_part(game[r.PART + asked], game, r.DECIDE, 0)
                if play < 0 or play > r.ALL_CARDS or play & r.TWOS:
                    return play
                kind, length, _ = c.describe(game, play)
            if play == hand or kind == r.QUAD or kind > last_kind:
                return play
            game[r.KIND], game[r.LENGTH], passed, lead, laid = kind, length, 0, 1, 0
        bit = 1 << asked
        if play:
            owner, top, passed = asked, highest(play), passed & ~bit & locked
            game[r.HANDS + asked] = hand ^ play
            game[r.OWNER], game[r.CARDS_ON], game[r.TOP], game[r.LED], game[r.WENT_OUT] = owner, play, top, lead, 0
            game[r.LAID] = laid | bit
            game[r.PLAYED] |= bit
        else:
            passed |= bit
        seat = asked
        game[r.LOG + plays] = asked << r.SEAT_SHIFT | play
        plays += 1
        game[r.PASSED], game[r.SEAT], game[r.PLAYS] = passed, seat, plays


@scalar_step
def play(game, what, value):
    """Play a game from its beginning, or on with the answer of the seat that was asked, and settle it; see `table`.

    A refused decision leaves the reason in the state. Each step is called in one place, so that all becomes one loop.
    """
    seat, answer = -1, value
    if what == r.PLAY_ON:
        seat = game[r.ASKED_SEAT]
    elif what == r.PLAY_GAME:
        begin(game)
        if game[r.HAS_SAM] or game[r.HAS_TITLES]:
            start(game)
    begins = what == r.PLAY_GAME
    if what != r.DECIDE_LOWEST and game[r.STAGE] != r.AT_PLAY:
        begins = True
        while True:
            if seat >= 0:
                take_before(game, seat, answer)
            seat = ask_before(game)
            if seat < 0:
                break
            answer = decide(game, seat)
            if answer == k.REFUSED:
                return 0
    if what == r.PLAY_GAME and instant_win(game):
        carry_over(game)
        return 0
    if begins:
        pass_lead_on(game)
    while True:
        if seat >= 0:
            take(game, seat, answer)
        answer = NOBODY_ANSWERS
        if what == r.DECIDE_LOWEST:
            seat, policy, hand = game[r.ASKED_SEAT], k.LOWEST, value
        else:
            if is_ordinary(game):
                answer = go_on(game)
            seat = ask(game) if answer == NOBODY_ANSWERS else game[r.ASKED_SEAT]
            if seat < 0:
                break
            policy, hand = game[r.POLICY + seat], game[r.HANDS + seat]
        if answer == NOBODY_ANSWERS:
            answer = k.decide_lowest(game, hand, seat, game[r.ASKED]) if policy == k.LOWEST else decide(game, seat)
        if what == r.DECIDE_LOWEST:
            return answer
        if answer == k.REFUSED:
            return 0
    settle(game)
    if what == r.PLAY_GAME:
        carry_over(game)
    return 0


@scalar_step
def decide(game, seat):
    """Ask the policy of a seat; whether it calls Sâm may be told it, and how strong it is for that is noted."""
    policy, question, hand = game[r.POLICY + seat], game[r.ASKED], game[r.HANDS + seat]
    if policy == k.OUTSIDE:
        return k.REFUSED
    if question == r.CALL:
        told = game[r.CALLS_SAM + seat]
        as_told = told != r.AS_IT_SEES_FIT
        if game[r.SMART_PART] and (as_told or policy not in (k.LOWEST, k.SMART)):  # who is smart notes it himself
            call_part(game[r.SMART_PART], game, r.DECIDE, 0)
        if as_told or policy == k.SCRIPT:
            return int(told == r.ALWAYS)
        if policy == k.LOWEST:
            return 0
    elif question == r.RETURN and policy == k.LOWEST:
        return c.lowest_of(hand, returned_cards(game, game[r.STEP]))
    elif policy == k.SCRIPT:
        return k.scripted_return(game, hand) if question == r.RETURN else k.decide_script(game, hand, seat, question)
    return call_part(game[r.PART + seat], game, r.DECIDE, 0)


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
    if game[r.CONG_STREAK]:
        _count_cong(game)
    instant = game[r.ENDING] == r.INSTANT
    game[r.NEXT_BARRED] = game[r.PLACES] if instant and game[r.BARS_WINNER] else NO_ONE
    game[r.NEXT_OPENING] = game[r.N_PLACES] == 0 or (instant and game[r.THEN_OPENING] != 0)
    game[r.NEXT_LEADER] = NO_ONE if game[r.NEXT_OPENING] else _entitled(game)


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
        goes_on = game[r.ENDING] != r.INSTANT and (game[r.CONG_SEATS] >> seat) & 1
        if game[r.ENDING] == r.INSTANT or game[r.CALLER] == 0:
            game[r.CONG_IN_A_ROW + seat] = game[r.CONG_IN_A_ROW + seat] + 1 if goes_on else 0


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


def play_script(game: Ints, plays: Ints) -> None:
    """Play a game in which scripted seats play what is given; more than a game can last is not looked at."""
    plays = plays[: r.MOST_PLAYS]
    game[r.SCRIPT_LENGTH] = len(plays)
    game[r.SCRIPT_PLAYS : r.SCRIPT_PLAYS + len(plays)] = plays
    table(game)


@Part
def table(game, what, value):
    """Play a game, from its beginning or from where it stands; or do what is asked of one that is looked at.

    value : with `PLAY_ON` the answer of the seat that was asked, with `KIND_OF` a play; with `DECIDE_LOWEST` the hand
    of the seat that was asked: nothing is played, and the answer is what it would do if it played the lowest
    """
    if what <= r.DECIDE_LOWEST:
        return play(game, what, value)
    if what == r.BEGIN_EXCHANGE:
        begin(game)
        start(game)
    elif what == r.KIND_OF:
        return c.describe(game, value)[0]
    elif what == r.FIND_LEAD:
        return find_lead(game)
    return 0
