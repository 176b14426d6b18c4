"""What the games start from that both engines play: fair deals, deals full of bombs, patterns, odd sizes, and titles.

With them is drawn what the last game of a match would have left: titles, games of cóng in a row, who is barred.
"""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

import naive_game
import naive_president
from aimed_deals import pattern_hands

from tlsim.cards import cards_in, hand_of
from tlsim.kernels import row as c

STREAKS = (0, 0, 0, 1, 1, 2, 3, 9)  # games of cóng in a row, below, at and above every limit


class Deal(NamedTuple):
    """What a game starts from; `required` are cards of which the first play must hold one."""

    hands: list[int]
    leader: int
    opening: bool
    required: int
    barred: int | None = None
    streaks: tuple[int, ...] | None = None
    titles: tuple[int, ...] | None = None
    calls: tuple[int, ...] = ()  # what seats are told about calls of Sâm
    declines: tuple[bool, ...] = ()  # whether they keep a tới trắng to themselves

    def answer(self, seat, what):
        """The answer to a question that the seat is told the answer of, or None."""
        if what == "declare":
            return naive_game.NO if self.declines and self.declines[seat] else naive_game.YES
        if what == "sam" and self.calls and self.calls[seat] != c.AS_IT_SEES_FIT:
            return naive_game.YES if self.calls[seat] == c.ALWAYS else naive_game.NO
        return None

    def before(self):
        """What the twin is told of the games before."""
        return {"barred": self.barred, "streaks": self.streaks, "titles": self.titles}


def start_of(rules, hands, rng, opening=None, *, in_match=False, **fixed):
    """Draw whether a game is an opening one (it is without ``rng``); who leads, with what, and what went before.

    ``in_match``: only as it can be in a match, which is all that a record may tell.
    """
    players = len(hands)
    if opening is None:
        opening = rng is None or rng.random() < 0.5
    dealt = sum(hands)
    card = 1 << rules.lead.opening_card
    fallback = rules.lead.opening_fallback
    leader = rng.randrange(players) if rng else 0
    if opening and (dealt & card or fallback != "random"):
        leader = naive_game.opening_leader(rules, hands)
    required = 0
    if opening and rules.lead.opening_must_include:
        required = card if dealt & card else dealt & -dealt if fallback == "lowest_must_include" else 0
    drawn = went_before(rules, hands, opening, rng, in_match) if rng else {}
    if drawn.get("titles") and (in_match or rng.random() < 0.7):
        leader = drawn["titles"][-1 if rules.lead.next[0] == "last_place" else 0]
    return Deal(hands, leader, opening, required, **(drawn | fixed))


def went_before(rules, hands, opening, rng, in_match):
    """Draw what other games left, and what seats are told; nothing where the rules have none of it."""
    players, drawn = len(hands), {}
    if rules.lead.cong_streak:
        drawn["streaks"] = tuple(rng.choice(STREAKS) if rng.random() < 0.6 else 0 for _ in hands)
    if rules.toi_trang and rules.toi_trang.bars_last_winner:
        may_be = opening or not in_match or rules.toi_trang.after_instant_win == "winner_leads"  # M27
        drawn["barred"] = rng.choice([None, *range(players)]) if may_be else None
    if rules.toi_trang and rules.toi_trang.declare == "optional":
        drawn["declines"] = tuple(rng.random() < 0.4 for _ in hands)
    if rules.bao_sam:
        drawn["calls"] = calls_of(players, rng.choice([None, None, None, *range(players), "as they see fit"]))
    if rules.president and not opening and (in_match or rng.random() < 0.9):
        titles = tuple(rng.sample(range(players), players))
        drawn["titles"] = titles if can_exchange(rules, hands, titles) else None
    return drawn


def calls_of(players, caller):
    """Nobody calls, or one seat, or who wants to."""
    if caller == "as they see fit":
        return (c.AS_IT_SEES_FIT,) * players
    return tuple(c.ALWAYS if seat == caller else c.NEVER for seat in range(players))


def can_exchange(rules, hands, titles):
    """Whether every title has the cards to give."""
    names = dict(rules.president.titles)[len(hands)]
    given = dict.fromkeys(names, 0)
    for row in naive_president.exchange_rows(rules.president, len(hands)):
        given[row.from_title] += row.cards
    return all(
        hands[seat].bit_count() >= number for seat, number in zip(titles, (given[n] for n in names), strict=True)
    )


def masks(hands):
    return [sum(1 << card for card in hand) for hand in hands]


def fair(rng, rules, players):
    """Hands as the rules deal them, the larger ones from any seat on."""
    sizes = rules.hand_sizes(players)
    first = rng.randrange(players) if len(set(sizes)) > 1 else 0
    cards = iter(rng.sample(range(52), sum(sizes)))
    return masks(list(islice(cards, size)) for size in sizes[first:] + sizes[:first])


def stacked(rng, players):
    """Deal whole bombs, twos, straights and 3♠ first, then single cards; hands of 1 to 13 cards."""
    left = set(range(52))
    most = rng.choice([3, 5, 7, 9, 13 if players < 5 else 10])
    sizes = [rng.randint(1, most) if rng.random() < 0.4 else most for _ in range(players)]
    hands = [set() for _ in range(players)]
    theme = rng.random()
    if theme < 0.1:  # what leaves residual powers in Huế
        sizes[0] = max(sizes[0], 9)
        hands[0].update(rng.choice([(0, 1, 2, 3), (0, 1, 4, 5, 8, 9, 12, 13, 14)]))
    elif theme < 0.2:  # leaders with nothing but twos
        sizes = [rng.randint(1, 3) for _ in range(players)]
        hands[rng.randrange(players)].update(rng.sample(range(48, 52), 1))
    elif theme < 0.45:  # a bomb for everybody, the stronger the later
        quads = rng.sample(range(1, 12), players)
        for seat, rank in enumerate(sorted(quads)):
            sizes[seat] = max(sizes[seat], 6)
            hands[seat].update({4 * rank, 4 * rank + 1, 4 * rank + 2, 4 * rank + 3}, {48 + seat} - {52})
    left -= set().union(*hands)
    for _ in range(rng.randint(1, 3)):
        for seat in rng.sample(range(players), players):
            piece = {card for card in _piece(rng) if card in left}
            if len(hands[seat] | piece) <= sizes[seat]:
                hands[seat] |= piece
                left -= piece
    for seat, hand in enumerate(hands):
        more = rng.sample(sorted(left), sizes[seat] - len(hand))
        hand.update(more)
        left -= set(more)
    return masks(hands)


def _piece(rng):
    """Cards that belong together, as numbers."""
    rank, suit = rng.randrange(8), rng.randrange(4)
    length = rng.choice([3, 3, 4, 4, 4, 5, 6])
    low = rng.choice([0, rng.randrange(13 - length)])
    quad = 4 * rng.randrange(12)
    pieces = {
        "quad": range(quad, quad + 4),
        "run": [4 * r + s for r in range(low, low + length) for s in rng.choice([(0, 1), (2, 3), (0, 3), (1, 2)])],
        "twos": rng.sample(range(48, 52), rng.randint(1, 4)),
        "three of spades": [0],
        "threes": range(4),
        "low straight": [4 * r + rng.randrange(4) for r in (11, 12, 0, 1, 2)],
        "one suit": [4 * r + suit for r in range(rank, rank + 4)],
        "straight": [4 * r + rng.randrange(4) for r in range(rank, rank + rng.randint(3, 5))],
    }
    return pieces[rng.choice([*pieces, "quad", "run", "run"])]


def in_quads(rng, players):
    """Deal few ranks, so that quads and revolutions abound; hands of any size, one of them perhaps of one card."""
    ranks = rng.sample(range(13), rng.randint(max(4, players), 13))
    groups = [[4 * rank + suit for suit in range(4)] for rank in ranks]
    hands = [[] for _ in range(players)]
    for group in groups:
        if rng.random() < 0.6:
            hands[rng.randrange(players)] += group
        else:
            for card in group:
                hands[rng.randrange(players)].append(card)
    spare = [card for card in range(52) if card >> 2 not in ranks]
    for hand in hands:
        if not hand:
            hand.append(spare.pop() if spare else max(hands, key=len).pop())
    if rng.random() < 0.3:
        hand = rng.choice(hands)
        del hand[1:]
    return masks(hands)


def with_patterns(rng, rules, players, opening):
    """Deal as many cards as the rules do to everybody, one to all of them holding a pattern of tới trắng."""
    ids = [win.id for win in rules.instant_wins(opening, players)]
    examples, size = pattern_hands(rules), rules.deal.hand_size
    left, hands = set(range(52)), [set() for _ in range(players)]
    for seat in rng.sample(range(players), rng.randint(1, players)):
        held = set(cards_in(hand_of(rng.choice(examples[rng.choice(ids)])))) if ids else set()
        if held <= left:
            hands[seat] = held
            left -= held
    for hand in hands:
        more = rng.sample(sorted(left), size - len(hand))
        hand.update(more)
        left -= set(more)
    return masks(hands)


def aimed_deal(rules, aimed, players):
    """A deal aimed at a clause, and who calls in it: nobody but whom it names."""
    hands, fixed = aimed.hands_of(players), {}
    if rules.bao_sam:
        fixed["calls"] = calls_of(players, aimed.caller)
    if rules.lead.cong_streak:
        fixed["streaks"] = aimed.streaks_of(players)
    if aimed.opening:
        return start_of(rules, hands, None, **fixed)
    titles = aimed.titles_of(players) if rules.president else None
    if titles and can_exchange(rules, hands, titles):
        fixed["titles"] = titles
    return Deal(hands, 0, opening=False, required=0, **fixed)
