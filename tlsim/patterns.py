"""The kinds of pattern that a rule file can declare, and the six elementary tests they come down to.

A pattern is a list of *conditions* (``groups``, ``straight``, ``flush``, ``holds``, ``lacks``) that one hand must meet
together. Each condition comes down to a few elementary tests: `Run`, `Count`, `Flush`, `Holds`, `Lacks`; where the
conditions must share no card, all of them to one `Ways`. The simulation compiles the tests
into bit operations (`tlsim.kernels.detect`), the exact side into automata (`tlsim.exact.automaton`); neither knows
the other.

Positions of a run. So that ``A 2 3 …`` and ``… K A 2`` can both be told, the ranks lie on a line of fifteen
positions: ``A 2 3 4 5 6 7 8 9 T J Q K A 2`` are 0 … 14.
"""

import functools
import re
import unicodedata
from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from tlsim.cards import N_RANKS, RANK_2, RANKS, card_name, hand_of, parse_cards, rank_of
from tlsim.errors import CardError, Sentence, reason, visible

N_POSITIONS = 15
LOW_POSITIONS = 2  # A and 2 below the 3


class Run(NamedTuple):
    """``length`` consecutive ranks with ``level`` cards each, from one of ``starts`` (positions).

    ``level`` 0 asks for one card of each rank, all in one suit.
    """

    level: int
    length: int
    starts: tuple[int, ...]


class Count(NamedTuple):
    """At least ``needed`` groups of ``size`` cards of a rank among ``ranks``; a quad gives ``quad_as`` groups."""

    size: int
    needed: int
    ranks: tuple[int, ...]
    quad_as: int


class Flush(NamedTuple):
    """All but ``others`` cards in one of ``parts`` (sets of cards as 52 bits)."""

    others: int
    parts: tuple[int, ...]


class Holds(NamedTuple):
    """All cards of ``cards`` (52 bits)."""

    cards: int


class Lacks(NamedTuple):
    """Of ``cards`` (52 bits) just ``number``, which is 0: so that as a tuple it equals no `Holds`."""

    cards: int
    number: int = 0


class Ways(NamedTuple):
    """As many cards of each rank as one of ``demands`` asks for: a nibble a rank, 0 … 4."""

    demands: tuple[int, ...]


Test: TypeAlias = Run | Count | Flush | Holds | Lacks | Ways
_MOST_CHOICES = 30_000
MOST_WAYS = 4000  # of conditions that share no card

_EVERY_RANK = 0x1111111111111
SUIT_CARDS = tuple(_EVERY_RANK << suit for suit in range(4))
COLOUR_CARDS = (SUIT_CARDS[0] | SUIT_CARDS[1], SUIT_CARDS[2] | SUIT_CARDS[3])


def position_rank(position: int) -> int:
    """Rank 0 … 12 that stands at a position 0 … 14 of the line A 2 3 … K A 2."""
    return (position - LOW_POSITIONS) % N_RANKS


def as_tuple(value: Any) -> Any:
    """Take a TOML list as the tuple that a frozen value needs."""
    return tuple(value) if isinstance(value, list) else value


def _parsed(text: str) -> tuple[int, ...]:
    try:
        return tuple(parse_cards(text))
    except CardError as error:
        raise ValueError(reason(error)) from None


def read_card(value: Any) -> int:
    """Return the number of one card that a file names."""
    cards = _parsed(value) if isinstance(value, str) else ()
    if len(cards) != 1:
        raise ValueError("must be one card in quotes, such as '3S'")
    return cards[0]


def _read_cards(value: Any) -> tuple[int, ...]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        raise ValueError("must be cards in quotes, such as '3S 3C' or ['3S', '3C']")
    if not (cards := _parsed(" ".join(words))):
        raise ValueError("must name at least one card")
    return tuple(sorted(cards))


def _read_ranks(value: Any) -> tuple[int, ...]:
    try:
        if isinstance(value, str) and "-" in value:
            low, high = (rank_of(word) for word in value.split("-", 1))
            if low > high:
                raise ValueError(Sentence("{value!r} runs backwards; ranks go 3 4 … K A 2", value=value))
            return tuple(range(low, high + 1))
        words = [value] if isinstance(value, str | int) and not isinstance(value, bool) else value
        if not isinstance(words, list | tuple) or not words:
            raise ValueError("must be a list of ranks such as ['3', '4'], or a range such as '3-A'")
        return tuple(sorted({rank_of(word) for word in words}))
    except CardError as error:
        raise ValueError(reason(error)) from None


Ranks = Annotated[tuple[int, ...], BeforeValidator(_read_ranks)]


class Table(BaseModel):
    """Base of every table of a rule file: frozen, strict, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Groups(Table):
    """So many groups of a size: pairs, triples, quads; consecutive or not.

    A triple or quad supplies its pair. ``quad_as = 2`` lets a quad count as two pairs (001#R40).
    """

    kind: Literal["groups"]
    size: Annotated[int, Field(ge=1, le=4)]
    count: Annotated[int, Field(ge=1, le=13)]
    consecutive: bool = False
    ranks: Ranks | None = None  # default: 3 … A where consecutive (002#R12: no 2 in a run), else every rank
    quad_as: Literal[1, 2] = 1
    containing: Annotated[int | None, BeforeValidator(lambda v: None if v is None else read_card(v))] = None

    @model_validator(mode="after")
    def _check(self) -> "Groups":
        if self.quad_as == 2 and (self.size != 2 or self.consecutive):
            raise ValueError("quad_as = 2 is for pairs (size = 2) that need not be consecutive")
        if self.containing is not None and self.containing // 4 not in self.allowed_ranks:
            raise ValueError(Sentence("containing = {card!r} is outside ranks; widen ranks or name another card",
                                      card=card_name(self.containing)))  # fmt: skip
        groups = self.quad_as if self.size == 2 else 1
        if self.count > groups * len(self.allowed_ranks):
            raise ValueError(Sentence("{count} groups cannot come from {ranks} ranks", count=self.count,
                                      ranks=len(self.allowed_ranks)))  # fmt: skip
        if self.consecutive and not self.starts_of_runs:
            raise ValueError(Sentence("no {count} consecutive ranks lie within ranks; a run goes up from 3 to 2, no "
                                      "wrap", count=self.count))  # fmt: skip
        return self

    @property
    def allowed_ranks(self) -> tuple[int, ...]:
        """Ranks 0 … 12 that count."""
        if self.ranks is not None:
            return self.ranks
        return tuple(range(RANK_2)) if self.consecutive else tuple(range(N_RANKS))

    @property
    def starts_of_runs(self) -> list[int]:
        """Ranks from which so many consecutive ones count."""
        ranks, need = set(self.allowed_ranks), self.containing
        windows = [range(start, start + self.count) for start in range(N_RANKS - self.count + 1)]
        return [w[0] for w in windows if ranks.issuperset(w) and (need is None or need // 4 in w)]


class Straight(Table):
    """A straight: so many consecutive ranks from one of ``starts``, in one suit or not.

    ``A`` and ``2`` as starts are low ends (A-2-3 …, 2-3-4 …; 003#R23); without ``starts`` a straight lies within 3 … A.
    """

    kind: Literal["straight"]
    length: Annotated[int, Field(ge=2, le=13)]
    starts: Ranks | None = None
    same_suit: bool = False

    @model_validator(mode="after")
    def _check(self) -> "Straight":
        last = LOW_POSITIONS + RANK_2 - 1  # the high ace
        bad = [p for p in self.start_positions if p + self.length - 1 > last]
        if bad or not self.start_positions:
            names = ", ".join(RANKS[position_rank(p)] for p in bad) or "3"
            raise ValueError(Sentence("a straight of {length} cannot start at {names}: it may not run past the ace; A "
                                      "and 2 are low ends (A-2-3 …)", length=self.length, names=names))  # fmt: skip
        return self

    @property
    def start_positions(self) -> tuple[int, ...]:
        """Positions 0 … 14 at which the straight may start."""
        if self.starts is None:
            return tuple(range(LOW_POSITIONS, LOW_POSITIONS + RANK_2 - self.length + 1))
        return tuple(sorted((rank + LOW_POSITIONS) % N_RANKS for rank in self.starts))


class SameKind(Table):
    """So many cards of one suit, or of one colour (♠♣ black, ♦♥ red)."""

    kind: Literal["flush"]
    count: Annotated[int, Field(ge=1, le=13)]
    of: Literal["suit", "colour"]


class HoldsCards(Table):
    """All of the named cards."""

    kind: Literal["holds"]
    cards: Annotated[tuple[int, ...], BeforeValidator(_read_cards)]


class LacksCards(Table):
    """None of the named cards, or of the named ranks."""

    kind: Literal["lacks"]
    cards: Annotated[tuple[int, ...], BeforeValidator(_read_cards)] | None = None
    ranks: Ranks | None = None

    @model_validator(mode="after")
    def _check(self) -> "LacksCards":
        if (self.cards is None) == (self.ranks is None):
            raise ValueError("names cards or ranks, one of the two")
        return self


AnyCondition: TypeAlias = Groups | Straight | SameKind | HoldsCards | LacksCards
Condition = Annotated[AnyCondition, Field(discriminator="kind")]


def least_cards(condition: AnyCondition) -> int:
    """Return the fewest cards that can meet a condition."""
    match condition:
        case Groups():
            return condition.size * condition.count
        case Straight():
            return condition.length
        case SameKind():
            return condition.count
    return len(condition.cards or ()) if isinstance(condition, HoldsCards) else 0


def tests_of(condition: AnyCondition, hand_size: int) -> Iterator[Test]:
    """Yield the elementary tests that a condition comes down to."""
    match condition:
        case Groups(size=4, count=1, allowed_ranks=(rank,)):  # one given quad: just its cards
            yield Holds(0b1111 << 4 * rank)
        case Groups(size=size, count=count, consecutive=True):
            yield Run(size, count, tuple(start + LOW_POSITIONS for start in condition.starts_of_runs))
        case Groups(size=size, count=count, quad_as=quad_as):
            yield Count(size, count, condition.allowed_ranks, quad_as)
        case Straight(same_suit=same_suit, length=length):
            yield Run(0 if same_suit else 1, length, condition.start_positions)
        case SameKind(count=count):
            yield Flush(hand_size - count, SUIT_CARDS if condition.of == "suit" else COLOUR_CARDS)
        case HoldsCards(cards=cards):
            yield Holds(hand_of(cards))
        case LacksCards():
            ranks = sum(0b1111 << 4 * rank for rank in condition.ranks or ())
            yield Lacks(hand_of(condition.cards or ()) | ranks)
    if isinstance(condition, Groups) and condition.containing is not None:
        yield Holds(1 << condition.containing)
        if not condition.consecutive and condition.size > 1:
            yield Count(condition.size, 1, (condition.containing // 4,), 1)


def _check_id(value: str) -> str:
    if not value.isascii() or not value.replace("_", "a").isalnum() or not value[0].isalpha() or value != value.lower():
        raise ValueError("an id is made of a-z, 0-9 and _, and starts with a letter, such as 'nam_doi_mot_sam'")
    return value


def is_pattern_word(text: str) -> bool:
    """Whether a text looks like the id of a pattern, and not like cards."""
    return re.fullmatch("[a-z]+(_[a-z0-9]+)+", text.strip()) is not None


def _one_line(value: str) -> str:
    if visible(value) != value or set(value) & {"\n", "\t"}:
        raise ValueError("must be one line of text, without control characters")
    return unicodedata.normalize("NFC", value)


PatternId = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(_check_id)]
Text = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(_one_line)]


class Pattern(Table):
    """A named pattern: all of its conditions hold in one hand."""

    id: PatternId
    label: Text | None = None
    all_of: Annotated[tuple[Condition, ...], Field(min_length=1, max_length=16), BeforeValidator(as_tuple)]
    disjoint: Annotated[Literal[True] | None, BeforeValidator(lambda v: None if v is False else v)] = None

    @model_validator(mode="after")
    def _check(self) -> "Pattern":
        if self.disjoint:
            self.ways()
        return self

    def ways(self) -> tuple[int, ...]:
        """Return in how many ways conditions that share no card can be met: the cards of each rank, a nibble each."""
        parts = [_demands(condition) for condition in self.all_of if not isinstance(condition, LacksCards)]
        found = {0}
        for demands in parts:
            both = {one + two for one, two in product(found, demands)}  # a nibble holds up to eight
            found = {demand for demand in both if all((demand >> 4 * rank & 15) <= 4 for rank in range(N_RANKS))}
            if len(found) > MOST_WAYS:
                raise ValueError(Sentence("can be met in more than {most:,} ways without a card in common; ask "
                                          "for less", most=MOST_WAYS))  # fmt: skip
        if not found or found == {0}:
            raise ValueError("cannot be met without a card in common" if parts else "disjoint = true needs conditions")
        return tuple(sorted(found))

    def tests(self, hand_size: int) -> list[Test]:
        """Return the elementary tests of the pattern for hands of ``hand_size`` cards, each once."""
        if self.disjoint:
            lacks = [condition for condition in self.all_of if isinstance(condition, LacksCards)]
            return [Ways(self.ways()), *(test for condition in lacks for test in tests_of(condition, hand_size))]
        return list(dict.fromkeys(test for condition in self.all_of for test in tests_of(condition, hand_size)))


@functools.lru_cache(maxsize=256)
def _demands(condition: AnyCondition) -> tuple[int, ...]:
    """Return the cards of each rank by which a condition is met, in every way that takes no card too many."""
    match condition:
        case Straight(same_suit=False):
            windows = [range(start, start + condition.length) for start in condition.start_positions]
            return tuple(sum(1 << 4 * position_rank(at) for at in window) for window in windows)
        case Groups(containing=None, consecutive=True):
            windows = [range(start, start + condition.count) for start in condition.starts_of_runs]
            return tuple(sum(condition.size << 4 * rank for rank in window) for window in windows)
        case Groups(containing=None, size=size):
            ranks = condition.allowed_ranks * condition.quad_as
            if comb(len(ranks), condition.count) > _MOST_CHOICES:
                raise ValueError(Sentence("{count} groups of {ranks} can be chosen in too many ways; ask for less",
                                          count=condition.count, ranks=len(ranks)))  # fmt: skip
            taken = {sum(size << 4 * rank for rank in chosen) for chosen in combinations(ranks, condition.count)}
            return tuple(sorted(taken))
    raise ValueError("disjoint = true is for groups and straights alone, without containing and same_suit, and lacks")
