"""All legal choices of a seat: a choice is a kind, a top rank and a length; its suits are another matter.

Where suits only break ties the tops of a kind are a mask that costs a few instructions; the rarer rules (suits to
follow, a card that must be played, a last play that is barred) filter that mask, one rank at a time.
"""

from tlsim.bits import deposit, highest, popcount, trailing_zeros
from tlsim.jit import Part, inner_step, scalar_step
from tlsim.kernels import combos as c
from tlsim.kernels import row as r
from tlsim.kernels.before import returned_cards
from tlsim.kernels.draw import below, draw_cards
from tlsim.kernels.moves import ANY_SUIT, is_legal, some_play
from tlsim.kernels.row import Ints

REST_OF_QUAD, REST_OF_RUN = 7, 8  # kinds of choice: what is left of a bomb (M11)
_TRIES = 1000


@scalar_step
def list_choices(game, hand, seat, question):
    """Write the legal choices into the row, a pass not among them, and return their number; `choice_at` reads them.

    A line for each kind and length: both, and the nibble mask of the ranks on top.
    """
    game[r.CHOICE_LINES] = 0
    n = 0
    if question == r.LEAD:
        for kind in range(r.SINGLE, r.QUAD + 1):
            n = _add(game, n, kind, 1, tops(game, hand, seat, question, kind, 1))
        n = _list_runs(game, hand, seat, n, r.STRAIGHT, game[r.STRAIGHT_MIN])
        n = _list_runs(game, hand, seat, n, r.PAIR_RUN, game[r.RUN_MIN])
    else:
        kind, length = game[r.KIND], game[r.LENGTH]
        if question < r.FREE:
            n = _add(game, n, kind, length, tops(game, hand, seat, question, kind, length))
            if kind == r.STRAIGHT and game[r.LONGER_BEATS]:
                for longer in range(length + 1, 14):
                    n = _add(game, n, r.STRAIGHT, longer, tops(game, hand, seat, question, r.STRAIGHT, longer))
        if game[r.TARGET] != r.NO_TARGET or game[r.TRUMP]:
            n = _list_bombs(game, hand, seat, question, n)
    if seat == game[r.RESIDUAL_SEAT] and game[r.RESIDUAL_POWERS]:
        if rest_of(game, hand, seat, question, REST_OF_QUAD):
            n = _add(game, n, REST_OF_QUAD, 1, 1)
        if rest_of(game, hand, seat, question, REST_OF_RUN):
            n = _add(game, n, REST_OF_RUN, 4, 1 << 12)
    return n


@scalar_step
def _list_runs(game, hand, seat, n, kind, least):
    """Write the straights or pair runs of all lengths that may be led; 0 for the least where there are none."""
    for length in range(least or 14, 14):
        ranks = c.tops_of(hand, kind, length, game[r.STRAIGHT_LOW])
        if ranks == 0:
            break
        n = _add(game, n, kind, length, _allowed(game, hand, seat, r.LEAD, kind, length, ranks))
    return n


@scalar_step
def _list_bombs(game, hand, seat, question, n):
    long_runs = game[r.SUPERSET] or game[r.TARGET] == r.THREE_TWOS
    for bomb in range(r.RUN_3, (r.RUN_6 if long_runs else r.RUN_4) + 1):
        kind, length = c.set_of(bomb)
        if question < r.FREE and kind == game[r.KIND] and length == game[r.LENGTH]:
            continue  # listed as a set of the same kind
        n = _add(game, n, kind, length, tops(game, hand, seat, question, kind, length))
    return n


@scalar_step
def _add(game, n, kind, length, ranks):
    """Add a line, where there is something in it; return the number of choices so far."""
    if ranks:
        at = r.CHOICES + 3 * game[r.CHOICE_LINES]
        game[at], game[at + 1], game[at + 2] = kind, length, ranks
        game[r.CHOICE_LINES] += 1
    return n + popcount(ranks)


@scalar_step
def choice_at(game, n):
    """Return kind, top rank and length of the n-th legal choice, as they were listed last."""
    at, size = r.CHOICES, popcount(game[r.CHOICES + 2])
    while n >= size:
        n -= size
        at += 3
        size = popcount(game[at + 2])
    return game[at], _nth_rank(game[at + 2], n), game[at + 1]


@inner_step
def _nth_rank(ranks, n):
    return trailing_zeros(deposit(1 << n, ranks)) >> 2


@scalar_step
def tops(game, hand, seat, question, kind, length):
    """Return the nibble mask of the ranks that can be on top of a legal play of a kind and length."""
    if kind == r.PAIR_RUN and (game[r.RUN_MIN] == 0 or length < game[r.RUN_MIN]):
        return 0
    ranks = c.tops_of(hand, kind, length, game[r.STRAIGHT_LOW])
    return _allowed(game, hand, seat, question, kind, length, ranks)


@scalar_step
def _is_plain(game, hand, kind, size, question):
    """Whether a set of so many cards is under no rarer rule: suits to follow, a required card, a barred last play."""
    suited = game[r.SUIT_MATCH] == c.NORTH and kind != r.SINGLE and kind != r.TRIPLE and kind != r.QUAD
    if game[r.REQUIRED] or (game[r.SUIT_MATCH] and (question != r.LEAD or suited)):  # a lead is free but for these (J7)
        return False
    return size != popcount(hand) or (game[r.ON_TWO] != c.FORBID and bool(game[r.WITH_HANG]))


@scalar_step
def _size(kind, length):
    """Return the number of cards of a choice."""
    return kind if kind <= r.QUAD else length if kind == r.STRAIGHT else 2 * length


@inner_step
def _allowed(game, hand, seat, question, kind, length, ranks):
    """Return those of the top ranks that a hand has which are legal."""
    if ranks == 0:
        return 0
    size = _size(kind, length)
    rare = game[r.REQUIRED] | game[r.SUIT_MATCH] or size == popcount(hand)
    if rare and not _is_plain(game, hand, kind, size, question):
        return _filtered(game, hand, seat, question, kind, length, ranks)
    if question == r.LEAD:
        return ranks
    same = kind == game[r.KIND] and length == game[r.LENGTH]
    if same:
        ranks = _above(game, hand, kind, ranks)
    freely = question < r.FREE and (same or kind == r.STRAIGHT)
    return ranks if freely else _filtered(game, hand, seat, question, kind, length, ranks)


@scalar_step
def _above(game, hand, kind, ranks):
    """Return those of some ranks that are above the set on the table, suits counted."""
    rank = game[r.TOP] & ~3
    above = ranks & (-16 << rank)
    if (ranks >> rank) & 1 and not game[r.TOP_RANK_ONLY] and kind != r.TRIPLE and kind != r.QUAD:
        if highest((hand >> rank) & 15) > game[r.TOP] & 3:
            above |= 1 << rank
    return above


@scalar_step
def _filtered(game, hand, seat, question, kind, length, ranks):
    kept, left = 0, ranks
    if kind == r.SINGLE and question == r.FOLLOW and game[r.SUIT_MATCH] == c.NORTH and hand & (hand - 1):
        over = -16 << (game[r.TOP] & ~3)  # follow suit, or by a 2, which beats all others (J7)
        suited = hand & (c.ONES << (game[r.TOP] & 3) & over | r.TWOS)
        return c.ranks_of(hand & (-2 << game[r.TOP]) if game[r.TOP] >= c.TWO_AT else suited, 1)
    while left:
        bit = left & -left
        left ^= bit
        if some_play(game, hand, seat, question, kind, trailing_zeros(bit), length, ANY_SUIT):
            kept |= bit
    return kept


@scalar_step
def rest_of(game, hand, seat, question, kind):
    """Return a legal play of what is left of a bomb, or 0."""
    if kind == REST_OF_RUN:
        nibble = (hand >> 12) & 15
        play = c.lowest_of(nibble, 2) << 12 | r.AS_RUN_4
        return play if popcount(nibble) >= 2 and is_legal(game, hand, seat, question, play) else 0
    for play in (1, hand & 15):
        if play and is_legal(game, hand, seat, question, play | r.AS_QUAD):
            return play | r.AS_QUAD
    return 0


@scalar_step
def draw_play(game, hand, seat, question, kind, rank, length):
    """Return a play of a choice, its suits uniform among the legal ones.

    Cards are drawn rank by rank and drawn again until they are legal, so what is kept is uniform.
    """
    if kind >= REST_OF_QUAD:
        play = rest_of(game, hand, seat, question, kind)
        if kind == REST_OF_RUN:
            play = _part_of(game, hand, 12, 2, seat) | r.AS_RUN_4
        return play
    size = kind if kind <= r.QUAD else 1 if kind == r.STRAIGHT else 2
    above = question == r.LEAD or rank > game[r.TOP] >> 2
    surely = above and _is_plain(game, hand, kind, _size(kind, length), question)
    for _ in range(_TRIES):
        own = hand
        if kind == r.STRAIGHT and game[r.SUIT_MATCH] == c.NORTH:
            own = hand & (c.ONES << below(game, seat, 4))
        play = _part_of(game, own, 4 * rank, size, seat)
        if kind > r.QUAD:
            for slot in range(rank + 2 - (length - 1), rank + 2):
                play |= _part_of(game, own, 4 * ((slot + 11) % 13), size, seat)
        if surely or is_legal(game, hand, seat, question, play):
            return play
    return some_play(game, hand, seat, question, kind, 4 * rank, length, ANY_SUIT)


@scalar_step
def _part_of(game, hand, at, size, seat):
    """Return so many cards of a rank, all choices equally likely."""
    nibble = (hand >> at) & 15
    n = popcount(nibble)
    if n <= size:
        return nibble << at
    if size == 1:
        return deposit(1 << below(game, seat, n), nibble) << at
    if size == n - 1:
        return (nibble & ~deposit(1 << below(game, seat, n), nibble)) << at
    pair = below(game, seat, 6)  # two of four
    return (0x3569AC >> (4 * pair) & 15) << at


@scalar_step
def decide_random(game, hand, seat, question, ordinary):
    """Choose uniformly among the legal choices and a pass, then the suits; ordinary : only a set of the kind beats."""
    kind, length, ranks = game[r.KIND], game[r.LENGTH], 0
    if ordinary:
        ranks = tops(game, hand, seat, question, kind, length)
        n = popcount(ranks)
    else:
        n = list_choices(game, hand, seat, question)
    pick = below(game, seat, n if question == r.LEAD else n + 1)
    if pick == n:
        return 0
    rank = _nth_rank(ranks, pick)
    if not ordinary:
        kind, rank, length = choice_at(game, pick)
    return draw_play(game, hand, seat, question, kind, rank, length)


def listed(game: Ints, seat: int, question: int) -> list[tuple[int, int, int]]:
    """Return the legal choices of a seat: kind, top rank as the cards are, length; a pass is not among them."""
    game[r.ASKED_SEAT], game[r.ASKED] = seat, question
    choices(game, r.LIST_CHOICES)
    lines = game[r.CHOICES : r.CHOICES + 3 * game[r.CHOICE_LINES]].reshape(-1, 3).tolist()
    return [
        (kind, c.TWO_RANK - rank if game[r.REVERSED] else rank, length)
        for kind, length, ranks in lines
        for rank in range(13)
        if ranks >> 4 * rank & 1
    ]


@Part
def choices(game, what, value):
    """Decide for the seat that is asked by chance; list its choices and return their number; or return a play of one.

    value : of a play the number of the choice, its low four bits the suits that the highest card may have; for a
    decision the lowest play in an ordinary trick, or 0 elsewhere
    """
    seat, question = game[r.ASKED_SEAT], game[r.ASKED]
    hand = game[r.HANDS + seat]
    if what == r.LIST_CHOICES:
        return list_choices(game, hand, seat, question)
    if what == r.PLAY_OF:
        kind, rank, length = choice_at(game, value >> 4)
        if kind >= REST_OF_QUAD:
            return rest_of(game, hand, seat, question, kind)
        return some_play(game, hand, seat, question, kind, 4 * rank, length, value & 15)
    if question == r.CALL:
        return below(game, seat, 2)
    if question == r.RETURN:
        return draw_cards(game, seat, hand, returned_cards(game, game[r.STEP]))
    return decide_random(game, hand, seat, question, value != 0)
