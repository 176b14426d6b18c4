"""A game at the moment of a decision, as the seat knows it that decides; endings with nothing hidden, solved."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import comb, prod

import numpy as np

from tlsim.cards import DECK, cards_in, count_cards, format_cards
from tlsim.catalogue import N_
from tlsim.engine.parts import link_numbers
from tlsim.errors import Sentence, UsageError, wrong
from tlsim.exact.automaton import patterns_of
from tlsim.kernels import row as c
from tlsim.kernels.choices import choices
from tlsim.kernels.policies import OUTSIDE
from tlsim.kernels.table import table
from tlsim.records.model import GameRecord, RecordError, broken
from tlsim.records.notation import read_so_far
from tlsim.records.start import begin_game
from tlsim.records.steps import Steps, code_of, turned_cards
from tlsim.rules import Rules
from tlsim.warm import ready

_TURNS = {c.LEAD: N_("seat {seat} is to lead"), c.FOLLOW: N_("seat {seat} is to follow")}
_ASKED = [c.PLAYS, c.STAGE, c.STEP, c.ASKED_SEAT]  # who is asked after how many plays, at which stage of the game
_MOST_RETURNS = 120
_FILLINGS = 40  # of hidden hands that are tried, until one can be the game that is told


@dataclass(frozen=True, eq=False)
class Position:
    """A game that waits for an answer."""

    rules: Rules
    row: c.Ints = field(repr=False)  # int64[N_ROW]; what the asked seat cannot know is of no account
    direction: int = 1  # -1 where seats play in descending order
    played: int | None = None  # what a record says was answered, as the engine takes it

    @property
    def question(self) -> int:
        """What is asked: `LEAD` … `RETURN`."""
        return int(self.row[c.ASKED])

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.row[c.PLAYERS])

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.seat_at(int(self.row[c.ASKED_SEAT]))

    def seat_at(self, position: int) -> int:
        """Return the seat of a position in turn, or the position of a seat."""
        return position * self.direction % self.players

    @property
    def hand(self) -> int:
        """Its cards."""
        return self.true(int(self.row[c.HANDS + self.row[c.ASKED_SEAT]]))

    def true(self, cards: int) -> int:
        """Return the cards that an answer means."""
        return turned_cards(self.row, cards & c.ALL_CARDS)

    def answers(self) -> tuple[int, ...]:
        """Return the legal answers, a set for each suit of its highest card; and the one that was played."""
        if self.question == c.CALL:
            return (0, 1)
        own = {} if self.played is None else {self.played: None}
        if self.question == c.RETURN:
            number = int(self.row[c.EXCHANGES + 3 * self.row[c.STEP] + 2])
            cards = [1 << card for card in cards_in(self.hand)]
            while comb(len(cards), number) > _MOST_RETURNS:  # the highest are not given away
                cards.pop()
            return tuple(dict.fromkeys(map(sum, combinations(cards, number))) | own)
        game, found = self.row.copy(), dict[int, None]()
        for choice in range(choices(game, c.LIST_CHOICES)):
            found |= dict.fromkeys(choices(game, c.PLAY_OF, choice << 4 | 1 << suit) for suit in range(4))
        found.pop(0, None)
        return tuple(found | own | ({} if self.question == c.LEAD else {0: None}))


def position_at(record: GameRecord, rules: Rules, where: str, at: int) -> Position:
    """Return a settled game before a decision, by its number; see `positions_of`."""
    found = positions_of(record, rules, where, max(at, 0))
    for number, position in found:
        if number == at:
            return position
    before = sum(position.question >= c.CALL for _, position in found)
    raise broken(where, "there is no decision {at}; its plays are 0 to {most}, those of stuck leaders left out, and "
                 "before them {number} were taken (-1 is the last)", at=at, most=len(record.plays) - 1,
                 number=before)  # fmt: skip


def positions_of(
    record: GameRecord, rules: Rules, where: str = "record", last: int | None = None
) -> list[tuple[int | None, Position]]:
    """Return a settled game before every decision, or up to the last that is asked for, with its number.

    That is an index into the plays; -1, -2 … before the first; None where a chop out of turn is declined.
    """
    game, log = waiting(begin_game(record, rules, where)), [code_of(entry, record) for entry in record.plays]
    found: list[tuple[int | None, Position]] = []
    for answer, here in _questions(game, log):
        if found and found[-1][0] is None and np.array_equal(game[_ASKED], found[-1][1].row[_ASKED]):
            found.pop()  # who is next in turn anyway has declined nothing
        number = int(game[c.PLAYS]) if here else None
        found.append((number, Position(rules, game.copy(), record.direction, answer)))
        if last is not None and number == last:  # what was played later is none of its business
            break
    before = sum(position.question >= c.CALL for _, position in found)
    return [(at - before if at < before else number, each) for at, (number, each) in enumerate(found)]


def _questions(game: c.Ints, log: Sequence[int]) -> Iterator[tuple[int, bool]]:
    """Play by a log, all passing behind it; yield every answer before it is taken, and whether the log names it."""
    table(game)
    while game[c.ENDING] == c.PLAYING:
        told = game[c.PLAYS] < len(log)
        answer, here = _answer(game, log[game[c.PLAYS]]) if told else (0, False)
        yield answer, here
        if not here and game[c.ASKED] == c.LEAD:
            return
        table(game, c.PLAY_ON, answer)


def _answer(game: c.Ints, code: int) -> tuple[int, bool]:
    """Return what the asked seat answers by the next entry of the log, and whether the entry is that answer."""
    if game[c.ASKED] == c.RETURN:
        return int(game[c.SCRIPTED + game[c.STEP]]), False
    if game[c.ASKED] == c.CALL:
        return int(game[c.CALLS_SAM + game[c.ASKED_SEAT]] == c.ALWAYS), False
    own, free = code >> c.SEAT_SHIFT & 7 == game[c.ASKED_SEAT], bool(code & c.INTERRUPT)
    if not own or (game[c.ASKED] >= c.FREE and not free):
        return 0, False  # a chop that is declined
    return turned_cards(game, code & ~(7 << c.SEAT_SHIFT | c.INTERRUPT)), True


def waiting(game: c.Ints) -> c.Ints:
    """Let every seat of a game wait for its answer from outside."""
    ready("table", "choices", "smart")
    game[c.POLICY : c.POLICY + c.MOST_SEATS] = OUTSIDE
    link_numbers(game, (), strengths=False)
    return game


def told_position(
    rules: Rules, hand: int, so_far: str, players: int, seat: int, leader: int | None, *, opening: bool
) -> Position:
    """Return the game in which a seat is to answer, after what is told of it; see `tlsim.advise`."""
    where = "so_far"
    for name, value in (("seat", seat), ("leader", leader)):
        if value is not None and value not in range(players):
            raise wrong(name, value, "must be a seat, 0 to {most}", most=players - 1)
    if rules.president is not None and not opening:
        raise UsageError("in {rules} cards change hands before a regular game: give its record, or ask about an "
                         "opening game", rules=rules.name)  # fmt: skip
    lists, taken = rules.toi_trang, rules
    if lists is not None and lists.declare == "automatic":
        _check_wins_not(rules, hand, players, opening=opening)
        taken = rules.replace("toi_trang.declare", "optional")  # what is dealt to the others here may hold anything
    names = [str(at) for at in range(players)]
    record = read_so_far(so_far, rules, names, "opening" if opening else f"leader {leader or 0}", where)
    if leader is None:
        leader = record.plays[0].seat if record.plays else seat
    if both := hand & sum(laid for at, laid in enumerate(record.hands) if at != seat):
        raise broken(where, "{cards} cannot be in your hand: another seat has laid it",
                     cards=format_cards(both, symbols=True))  # fmt: skip
    hands = [laid | (hand if at == seat else 0) for at, laid in enumerate(record.hands)]
    if opening and (holders := [at for at, cards in enumerate(hands) if cards >> rules.lead.opening_card & 1]):
        leader = holders[0]
    told = record.model_copy(update={"hands": hands, "leader": leader})
    fault: RecordError | None = None
    for number in range(_FILLINGS):
        try:
            return _after_told(_filled(told, rules, where, seat, number), taken, where, seat)
        except RecordError as error:
            fault = fault or error
    raise fault or broken(where, "cannot be a game of {rules}", rules=rules.name)


def _check_wins_not(rules: Rules, hand: int, players: int, *, opening: bool) -> None:
    """Refuse a hand that wins at once: there is nothing to decide."""
    wins = rules.instant_wins(opening, players)
    held = patterns_of(hand, [win.pattern for win in wins], hand.bit_count())
    if held and hand.bit_count() in rules.seat_sizes(players):
        raise UsageError("the hand holds {pattern}, which wins at once ({source}): there is nothing to decide",
                         pattern=wins[held[0]].label, source=rules.cited("toi_trang.declare"))  # fmt: skip


def _filled(record: GameRecord, rules: Rules, where: str, owner: int, number: int) -> GameRecord:
    """Return a record in which the hidden cards are somewhere; owner : the seat whose hand is known."""
    told = [hand.bit_count() for hand in record.hands]
    deals = [rules.seat_sizes(record.players, dealer) for dealer in range(record.players)]
    fitting = [sizes for sizes in deals if sizes[owner] == told[owner]]
    if not fitting:
        raise broken(where, "a hand of {cards} with what it has laid; {rules} deals {sizes}",
                     cards=count_cards(told[owner]), rules=rules.name,
                     sizes=", ".join(map(str, deals[0])))  # fmt: skip
    sizes = fitting[0]
    for seat, laid in enumerate(told):
        if laid > sizes[seat]:
            raise broken(where, "seat {seat} has laid {cards}; {rules} deals {size}", seat=seat,
                         cards=count_cards(laid), rules=rules.name, size=sizes[seat])  # fmt: skip
    hidden = list(cards_in(DECK & ~sum(record.hands)))
    random.Random(number).shuffle(hidden)  # noqa: S311 (no secret)
    if record.opening and rules.lead.opening_card in hidden:
        hidden.remove(rules.lead.opening_card)
        hidden.insert(sum(sizes[: record.leader]) - sum(told[: record.leader]), rules.lead.opening_card)
    rest = iter(hidden)
    lacking = [size - laid for size, laid in zip(sizes, told, strict=True)]
    hands = [hand | sum(1 << next(rest) for _ in range(n)) for hand, n in zip(record.hands, lacking, strict=True)]
    return record.model_copy(update={"hands": hands})


def _after_told(record: GameRecord, rules: Rules, where: str, seat: int) -> Position:
    """Return the game after its told plays, when the seat is asked."""
    steps = Steps(record, rules, where)
    for at, entry in enumerate(record.plays):
        if not steps.take(code_of(entry, record)):
            shown = format_cards(entry.cards, symbols=True) or Sentence("pass")
            raise broken(where, "play {number}: by the rules seat {seat} cannot play {cards} there", number=at + 1,
                         seat=entry.seat, cards=shown)  # fmt: skip
    game = waiting(begin_game(record, rules, where))
    turns = list[Sentence]()
    for _ in _questions(game, steps.log):
        asked, question = record.seat_at(int(game[c.ASKED_SEAT])), int(game[c.ASKED])
        if game[c.PLAYS] >= len(steps.log) and asked == seat:
            return Position(rules, game, record.direction)
        if game[c.PLAYS] >= len(steps.log) and question in _TURNS:  # who could chop depends on what is hidden
            turns.append(Sentence(_TURNS[question], seat=asked))
    turns.append(Sentence("the game is over"))
    raise broken(where, "seat {seat} is not asked after these plays: {turn}", seat=seat, turn=turns[0])


def possible_deals(position: Position, most: int) -> c.Ints | None:
    """Return every deal of what is hidden that is possible, int64[n, seats]; None for too many, or if more is known."""
    game = position.row
    players, own = position.players, int(game[c.ASKED_SEAT])
    if game[c.HAS_TITLES] and game[c.TITLES] >= 0:
        return None
    log = int(np.bitwise_or.reduce(game[c.LOG : c.LOG + game[c.PLAYS]], initial=0))
    if log & (c.IS_STUCK | c.AS_QUAD):
        return None
    hidden = c.ALL_CARDS & ~(log | position.hand)
    if game[c.OPENING] and (int(game[c.LEAD_CARD]) & hidden or game[c.LEAD_CARD] != 1 << game[c.OPENING_CARD]):
        return None
    others = [(seat, int(game[c.HANDS + seat]).bit_count()) for seat in range(players) if seat != own]
    sizes = [size for _, size in others]
    number = prod(comb(hidden.bit_count() - sum(sizes[:at]), size) for at, size in enumerate(sizes))
    if number > most:
        return None
    found = np.zeros((number, players), np.int64)
    for at, hands in enumerate(_divided(list(cards_in(hidden)), sizes)):
        found[at, own] = position.hand
        for (seat, _), cards in zip(others, hands, strict=True):
            found[at, seat] = cards
    return found


def _divided(cards: list[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every way to give hands of these sizes of some cards."""
    if not sizes:
        yield ()
        return
    for held in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in held]
        for more in _divided(rest, sizes[1:]):
            yield (sum(1 << card for card in held), *more)


_MOST_POSITIONS = 6_000
# Places in the state of a game on which no later decision depends.
_FORGET = np.array([*range(c.EVENTS, c.EVENTS + c.N_EVENTS), c.PLAYS, c.LONGEST_CHAIN]) - c.REQUIRED


class TooMany(Exception):  # noqa: N818 (no error: it is left to chance then)
    """An ending is too long to be solved."""


def solve(position: Position) -> list[tuple[int, int, int]] | None:
    """Return what every answer brings if both seats that are left play their best: money, whether first, whether cóng.

    None where more than two seats may act, where suits matter below the highest card, or where it takes too long.
    """
    game = position.row
    if int(game[c.ACTIVE]).bit_count() != 2 or game[c.SUIT_MATCH] or game[c.REQUIRED] or game[c.STAGE] != c.AT_PLAY:
        return None
    own, seen = int(game[c.ASKED_SEAT]), dict[bytes, tuple[int, ...]]()
    try:
        ended = [_after(game, answer) for answer in position.answers()]
        values = [_value(row, own, seen) for row in ended]
    except TooMany:
        return None
    return [(value[own], int(value[c.MOST_SEATS] == own), value[c.MOST_SEATS + 1] >> own & 1) for value in values]


def _after(game: c.Ints, answer: int) -> c.Ints:
    after = game.copy()
    table(after, c.PLAY_ON, answer)
    return after


def _value(game: c.Ints, own: int, seen: dict[bytes, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the money of every seat at the end, who is first, and who is cóng."""
    if game[c.ENDING]:
        nets = game[c.NET : c.NET + c.MOST_SEATS].tolist()
        return (*nets, int(game[c.PLACES]) if game[c.N_PLACES] else -1, int(game[c.CONG_SEATS]))
    state = np.concatenate([game[c.REQUIRED : c.END_OF_STATE], game[c.FINISHERS : c.END_OF_HANDS]])
    state[_FORGET] = 0
    key = state.tobytes()
    if key not in seen:
        if len(seen) >= _MOST_POSITIONS:
            raise TooMany
        seen[key] = ()  # counted at once, so that a deep search ends too
        seat, sign = int(game[c.ASKED_SEAT]), 1 if game[c.ASKED_SEAT] == own else -1
        found = (_value(_after(game, answer), own, seen) for answer in all_answers(game))
        seen[key] = max(found, key=lambda value: (value[seat], sign * value[own]))
    return seen[key]


def all_answers(game: c.Ints) -> Iterator[int]:
    """Yield every legal answer with all its suits; suits must matter for no more than the highest card."""
    hand = int(game[c.HANDS + game[c.ASKED_SEAT]])
    if game[c.ASKED] != c.LEAD:
        yield 0
    for choice in range(choices(game, c.LIST_CHOICES)):
        for suit in range(4):
            play = choices(game, c.PLAY_OF, choice << 4 | 1 << suit)
            if play:
                yield from _like(play, hand)


def _like(play: int, hand: int) -> Iterator[int]:
    """Yield the plays of the same ranks, as many cards of each, and with the same highest card."""
    cards, marks = play & c.ALL_CARDS, play & ~c.ALL_CARDS
    if marks:  # what is left of a bomb
        yield play
        return
    highest = 1 << cards.bit_length() - 1
    parts = []
    for rank in range(13):
        number, suits = (cards >> 4 * rank & 15).bit_count(), range(4 * rank, 4 * rank + 4)
        if number:
            every = [sum(some) for some in combinations([1 << at for at in suits if hand >> at & 1], number)]
            top = highest >> 4 * rank & 15
            parts.append([some for some in every if not top or some.bit_length() == highest.bit_length()])
    for whole in product(*parts):
        yield sum(whole)
