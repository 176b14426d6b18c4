"""A seat that plans: it takes its hand apart into few plays, and weighs what a play leaves against passing.

It sees its own hand, the rules, the public state and the public log, never another hand: what is out is what it
neither holds nor has seen.
"""

from tlsim.bits import highest, popcount, trailing_zeros
from tlsim.jit import Part, call_part, inner_step, scalar_step
from tlsim.kernels import combos as c
from tlsim.kernels import row as r
from tlsim.kernels import weights as w
from tlsim.kernels.before import returned_cards
from tlsim.kernels.call import best_plan, call_strength
from tlsim.kernels.leftover import has_bombs
from tlsim.kernels.moves import is_legal, lowest_run
from tlsim.kernels.plan import peel, peel_bomb
from tlsim.kernels.weights import weight

_TURNS = 0.5  # plays that a hand must be better by in the other order, for a quad to be led for it
_CALL = 680  # strength from which Sâm is called, in thousandths: a strong hand wins without a call too
_LOW_CARDS = (1 << 36) - 1  # 3 … J


@scalar_step
def decide_lowest(game, hand):
    """Decide as who plays the lowest would with a hand."""
    return call_part(game[r.TABLE_PART], game, r.DECIDE_LOWEST, hand)


@scalar_step
def decide_smart(game, hand, seat, question, low):
    """Choose a play, 0 to pass; low : what the lowest with the hand would be, or 0 where it is not known."""
    if game[r.CALLER]:  # who called Sâm leads his surest set, the others beat what they can
        lead = best_plan(game, hand, seat)[1] if seat == game[r.CALLER] - 1 and question == r.LEAD else 0
        return lead if lead and is_legal(game, hand, seat, question, lead) else decide_lowest(game, hand)
    if game[r.HAS_DEN_BAO]:
        single = _single_that_holds(game, hand, seat, question)
        if single:
            return single
    if game[r.HOLD_3S + seat] and hand & ~1 and game[r.REQUIRED] != 1:
        hand, low = hand & ~1, 0
    if game[r.REVOLUTION] and question == r.LEAD:
        quad = _quad_that_turns(game, hand, seat)
        if quad and is_legal(game, hand, seat, question, quad):
            return quad
    if question == r.LEAD and c.describe(game, hand)[0] == r.NOTHING:  # not the last cards
        play = _choose(game, hand, seat, question, 0)
        return play if is_legal(game, hand, seat, question, play) else decide_lowest(game, hand)
    low = low or decide_lowest(game, hand)
    if question >= r.FREE or low == 0:
        return low
    if low == hand and (game[r.ON_TWO] == 0 or low & r.TWOS == 0):
        return low  # the last cards
    if question != r.LEAD and (low > r.ALL_CARDS or (popcount(low) >= 4 and game[r.TARGET] != r.NO_TARGET)):
        return low  # a chop, by what is left of a bomb or by a whole one
    play = _chopping_bomb(game, hand) if question != r.LEAD else 0
    if play == 0:
        play = _choose(game, hand, seat, question, low)
    if play == low or (play == 0 and question != r.LEAD):
        return play
    return play if is_legal(game, hand, seat, question, play) else low


@scalar_step
def _choose_return(game, hand):
    """Choose the cards to return: the lowest that stand alone, as long as they are low, then the lowest."""
    cards = 0
    for _ in range(returned_cards(game, game[r.STEP])):
        alone = hand & (c.ranks_of(hand, 1) & ~c.ranks_of(hand, 2)) * 15 & _LOW_CARDS
        card = alone & -alone if alone else hand & -hand
        cards |= card
        hand ^= card
    return cards


@scalar_step
def _single_that_holds(game, hand, seat, question):
    """Return the highest single card where the next seat holds one card and it must be held (đền báo, K9); or 0."""
    follower = (seat + 1) % game[r.PLAYERS]
    if popcount(game[r.HANDS + follower]) != 1 or popcount(game[r.ACTIVE]) < game[r.DEN_BAO_MIN_ACTIVE]:
        return 0
    if question > r.FOLLOW or (question == r.FOLLOW and game[r.KIND] != r.SINGLE):
        return 0
    if question == r.LEAD and c.ranks_of(hand, 2):
        return 0  # more than one card of a rank is safe
    single = 1 << highest(hand)
    return single if is_legal(game, hand, seat, question, single) else 0


@scalar_step
def _quad_that_turns(game, hand, seat):
    """Return a quad after which the rest of the hand is better upside down than it is now; or 0."""
    quads = c.ranks_of(hand, 4)
    if quads == 0:
        return 0
    quad = 15 << trailing_zeros(quads)
    rest = hand & ~quad
    unseen, fewest, held = public_state(game, hand, seat)
    now, _, _ = load_of(game, rest, unseen, held, fewest)
    then, _, _ = load_of(game, c.mirrored(rest), c.mirrored(unseen), held, fewest)
    return quad if now - then > _TURNS else 0


@scalar_step
def _chopping_bomb(game, hand):
    """Return a bomb of the plan that chops the set on the table, or 0."""
    if game[r.TARGET] == r.NO_TARGET:
        return 0
    cards = peel_bomb(game, hand & ~r.TWOS)
    size = popcount(cards)
    bomb = r.QUAD_BOMB if size == 4 else r.RUN_3 if size == 6 else (size >> 1) - 1
    return cards if cards and (game[r.CHOPS + bomb] >> game[r.TARGET]) & 1 else 0


@scalar_step
def _choose(game, hand, seat, question, low):
    """Choose the lead of the plan, or of what beats the set on the table and a pass what leaves least work."""
    unseen, fewest, held = public_state(game, hand, seat)
    thin = held / max(1, popcount(unseen))
    hurry = max(0.0, 1.0 - (fewest - 1) * weight(game, w.FAR))  # how near the end is, 0 to 1
    if question == r.LEAD:
        return _plan(game, hand, unseen, thin, fewest, hurry, game[r.REQUIRED], True)[1]
    kind, length = game[r.KIND], game[r.LENGTH]
    above, tops = _more(game, hand, low)
    gained = weight(game, w.GAIN) + weight(game, w.GAIN_LATE) * hurry  # what the lead is worth
    hold = weight(game, w.HOLD) - weight(game, w.HOLD_LATE) * hurry
    best, most, base, play, loose, base_losers = 0, 0.0, 0.0, 0, 0, 0
    while True:
        s = _strength(game, kind, length, highest(play), unseen, thin) if play else 0.0
        if play & loose:  # the rest of the plan stays as it is
            twos = weight(game, w.TWO_LATE) * hurry if play & r.TWOS else 0.0
            load = base - _set_load(game, hold, s) - weight(game, w.CARD) - twos
            losers = base_losers - (s < weight(game, w.SURE))
        else:
            load, losers, singles = _load(game, hand & ~play, unseen, thin, hurry)
            if play == 0:
                base, base_losers, most, play = load, losers, _margin(game, seat, fewest, hurry), low
                loose = singles if kind == r.SINGLE and game[r.ON_TWO] == 0 and hand & (hand - 1) else 0
                continue
        score = base - load + s * (gained + (weight(game, w.READY) if losers <= 1 else 0.0))
        if score > most:
            best, most = play, score
        if above:
            play = above & -above
            above &= ~(15 << (highest(play) & ~3))
        elif tops:
            at = trailing_zeros(tops)
            tops &= tops - 1
            group = c.lowest_of((hand >> at) & 15, kind) << at
            play = lowest_run(hand, (at >> 2) + 2, length) if kind == r.STRAIGHT else group
        else:
            return best


@scalar_step
def _more(game, hand, low):
    """Return the single cards, and the ranks on top of other sets, that beat the one on the table as well."""
    kind, top = game[r.KIND], game[r.TOP]
    over = -16 << (highest(low) & ~3)
    if game[r.SUIT_MATCH] > c.NORTH:
        return 0, 0
    if kind == r.SINGLE:
        above = hand & over
        if game[r.SUIT_MATCH] == c.NORTH and top < 48:
            above &= c.ONES << (top & 3) | r.TWOS
        return above, 0
    if game[r.SUIT_MATCH] or kind > r.STRAIGHT or kind == r.QUAD:
        return 0, 0
    return 0, c.tops_of(hand, kind, game[r.LENGTH], game[r.STRAIGHT_LOW]) & over


@scalar_step
def _margin(game, seat, fewest, hurry):
    """Return how much a play must be better than a pass."""
    margin = weight(game, w.MARGIN) - weight(game, w.MARGIN_LATE) * hurry
    if game[r.HAS_CONG] and (game[r.PLAYED] >> seat) & 1 == 0:
        margin -= weight(game, w.CONG) + weight(game, w.CONG_NEAR) * max(0, 10 - fewest)
        if game[r.HAS_DEN] and game[r.PLAYED] == 1 << game[r.OWNER]:
            margin -= weight(game, w.DEN)
    return margin


@scalar_step
def public_state(game, hand, seat):
    """Return the cards neither held nor laid, the fewest cards of another seat, and the number of those of all."""
    seen, fewest, held = game[r.SEEN], 52, 0
    for at in range(game[r.SEEN_UP_TO], game[r.PLAYS]):
        seen |= game[r.LOG + at] & r.ALL_CARDS
    game[r.SEEN], game[r.SEEN_UP_TO] = seen, game[r.PLAYS]
    for other in range(game[r.PLAYERS]):
        if other != seat and (game[r.ACTIVE] >> other) & 1:
            left = popcount(game[r.HANDS + other])
            fewest = min(fewest, left)
            held += left
    return r.ALL_CARDS & ~(hand | c.true_cards(game, seen)), fewest, held


@inner_step
def _strength(game, kind, length, top, unseen, thin):
    """Return about how likely a set is not to be beaten."""
    if kind <= r.TRIPLE:
        return _strength_of_group(game, kind, top, unseen, thin)
    if kind != r.STRAIGHT:
        return 1.0
    tops = c.tops_of(unseen, kind, length, False) & (-16 << (top & ~3))
    return 1.0 / (1.0 + weight(game, w.STRAIGHT_SLOPE) * thin * popcount(tops) / length)


@inner_step
def _strength_of_group(game, size, top, unseen, thin):
    """Return the strength of a single, a pair or a triple; without a branch, since no processor foresees the size."""
    above = unseen & ((-16 if game[r.TOP_RANK_ONLY] else -2) << (top & ~3 if game[r.TOP_RANK_ONLY] else top))
    if game[r.SUIT_MATCH] == c.NORTH and size == 1 and top < 48:
        above &= c.ONES << (top & 3) | r.TWOS
    number = popcount(above if size == 1 else c.ranks_of(above, size))
    return 1.0 / (1.0 + weight(game, w.SINGLE_SLOPE + size - 1) * thin * number)


@scalar_step
def _load(game, hand, unseen, thin, hurry):
    """Return how much work a hand is, its sets that can be beaten, its single cards; see `_plan`."""
    load, _, losers, singles = _plan(game, hand, unseen, thin, 0, hurry, 0, False)
    return load, losers, singles


@scalar_step
def load_of(game, hand, unseen, held, fewest):
    """Return the work of a hand as `_load` does, by the cards of all others and the fewest of one of them."""
    hurry = max(0.0, 1.0 - (fewest - 1) * weight(game, w.FAR))
    return _load(game, hand, unseen, held / max(1, popcount(unseen)), hurry)


@inner_step
def _plan(game, hand, unseen, thin, fewest, hurry, required, leads):
    """Take a hand apart; return how much work it is, its lead, its sets that can be beaten, its single cards.

    Work is the number of plays, each less the lead that it may win back.

    leads : whether the lead is wanted
    """
    if hand == 0:
        return -weight(game, w.OUT), 0, 0, 0
    hold = weight(game, w.HOLD) - weight(game, w.HOLD_LATE) * hurry
    load = weight(game, w.CARD) * popcount(hand)
    rest, stage, losers, plays, singles = hand, 0 if has_bombs(hand) else 1, 0, 0, 0
    best, best_score, strong, strongest = 0, -1e9, 0, -1.0
    while rest:
        cards, stage = peel(game, rest, stage, True)
        rest &= ~cards
        size, top = popcount(cards), highest(cards)
        kind = r.PAIR_RUN if stage == 0 else r.STRAIGHT if stage == 1 else size
        s = _strength(game, kind, size, top, unseen, thin)
        load += _set_load(game, hold, s)
        singles |= cards if kind == r.SINGLE else 0
        if kind == r.PAIR_RUN:
            load -= weight(game, w.BOMB)
        losers += s < weight(game, w.SURE)
        plays += 1
        if not leads:
            continue
        worth = s + (0.0 if kind == r.PAIR_RUN else 1.0)
        if s >= weight(game, w.SURE) and worth > strongest:
            strong, strongest = cards, worth
        score = _lead_score(game, cards, kind, s, hold, fewest)
        if cards & required:
            score += 1e6
        if score > best_score:
            best, best_score = cards, score
    if losers <= 1 and plays > 1 and strong and required == 0:
        best = strong
    twos = popcount(hand & r.TWOS)
    load += weight(game, w.TWO_LATE) * hurry * twos
    if game[r.ON_TWO] and hand & ~r.TWOS == 0:
        load += 3.0
    if game[r.HAS_KET] and hand & 1:
        load += 5.0 if hand == 1 else weight(game, w.THREE_OF_SPADES)
    return load, best, losers, singles


@scalar_step
def _set_load(game, hold, s):
    """Return how much work a set of a strength is."""
    return 1.0 - hold * s + weight(game, w.WEAK) * (1.0 - s) * (1.0 - s)


@scalar_step
def _lead_score(game, cards, kind, s, hold, fewest):
    """Return how good a lead a set of a strength is: weak and long, and nothing that another may go out on."""
    size, top = popcount(cards), highest(cards)
    score = (weight(game, w.LEAD_STRENGTH) - hold) * s + weight(game, w.LEAD_CARD) * size
    score -= weight(game, w.LEAD_TOP) * top
    if size == fewest:
        score -= weight(game, w.DANGER) * (1.0 - s)
    if fewest == 1 and kind == r.SINGLE:
        score += 0.02 * top - 1.0
    if kind == r.PAIR_RUN:
        score -= weight(game, w.BOMB_LED)
    if game[r.HAS_KET] and cards & 1:
        score += 1.0
    return score


@Part
def smart(game, what, value):  # noqa: ARG001
    """Decide for the seat that is asked, or note how strong it is for a call; value : the lowest play, where known."""
    seat, question = game[r.ASKED_SEAT], game[r.ASKED]
    hand = game[r.HANDS + seat]
    if question == r.CALL:  # asked itself, or in another's place
        game[r.STRENGTHS + seat] = 1 + call_strength(game, hand, seat)
        return int(game[r.STRENGTHS + seat] > _CALL)
    if question == r.RETURN:
        return _choose_return(game, hand)
    return decide_smart(game, hand, seat, question, value)
