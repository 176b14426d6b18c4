"""A question is a value: what somebody asks, its work, its result, its JSON form; `tlsim.questions.how` runs one."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, cast

from tlsim.cards import hand_of
from tlsim.engine.identity import Identity
from tlsim.engine.keep import Keep, as_keep
from tlsim.engine.policies import Policy
from tlsim.engine.run import Outcome
from tlsim.errors import CardError, Sentence, shorten, suggestion, wrong
from tlsim.options import Option, is_whole
from tlsim.results.provenance import Provenance
from tlsim.rules import InstantWin, Rules, load_rules, rules_of_text
from tlsim.terms import known_pattern

AnyRules: TypeAlias = str | Path | Rules
AnyCards: TypeAlias = str | int | Iterable[int] | None
R = TypeVar("R")


class Question(Generic[R]):
    """What somebody asks; a subclass is a frozen dataclass whose fields are options (`tlsim.options`).

    A subclass says what is done with a block (`work`), how many deals or matches are wanted, and what is made of the
    sums (`result`). A question that is several gives them as `parts`, and puts their results `together`.
    """

    command: ClassVar[str]
    size: ClassVar[str] = "deals"
    """What is counted."""
    usual: ClassVar[str] = ""
    """The quantity whose error ends a run, where none is named."""
    headline: ClassVar[str] = ""
    """The quantity that a bar shows."""
    part: str = ""
    """Which of several runs of one question it is: a second part of the label."""

    def __post_init__(self) -> None:
        for each in fields(cast(Any, self)):
            if (asked := each.metadata.get("option")) is not None:
                value = getattr(self, each.name)
                if value is not None or asked.default is not None:  # None is what it is where nobody says
                    self._set(**{each.name: asked.check(asked.name, value)})
        self._settle()

    def _set(self, **values: Any) -> None:
        """Put values in their final form; only while the question is made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _settle(self) -> None:
        """Check what options say of each other, and find what follows from them."""

    @classmethod
    def options(cls) -> dict[str, Option]:
        """Return its options by the names of its fields."""
        return {f.name: f.metadata["option"] for f in fields(cast(Any, cls)) if "option" in f.metadata}

    @cached_property
    def own_work(self) -> Any:
        """Its work, made once."""
        return self.work()

    def work(self) -> Any:
        """Return what is done with a block: it returns a tally, which adds."""
        raise TypeError(f"{type(self).__name__} is several questions: run its parts")

    def result(self, outcome: Outcome[Any]) -> R:  # noqa: ARG002 (for those that are one run)
        """Return what is made of the sums."""
        raise TypeError(f"{type(self).__name__} is several questions: run its parts")

    @property
    def each(self) -> int:
        """How many of what is counted one deal (or match) of the work is."""
        return 1

    @property
    def wanted(self) -> int:
        """How many deals (or matches) are wanted."""
        asked = cast(Any, self)
        return int(asked.deals) if self.size == "deals" else -(-asked.games // self.each)

    def parts(self) -> "Sequence[Question[Any]]":
        """Return the runs that it takes; a simple question is its own one part."""
        return (self,)

    def together(self, found: Sequence[Any]) -> R:
        """Return the result of the results of the parts."""
        return cast(R, found[0])

    @property
    def label(self) -> str:
        """Return what its run is called in a store, by default."""
        rules = cast(Any, self).rules
        return f"{self.command} {', '.join(each.name for each in (rules if isinstance(rules, tuple) else [rules]))}"

    @property
    def name(self) -> str:
        """Its label and its part."""
        return ", ".join(filter(None, [self.label, self.part]))

    def kept_in(self, store: Keep | str | Path | None) -> Keep | None:
        """Return where its run is kept: a part under a label of its own."""
        keep = None if store is None else as_keep(store)
        return keep.beside(self.part) if keep is not None and self.part else keep

    def identity(self) -> Identity:
        """Return what changes the answer and nothing else."""
        return cast(Identity, self.own_work.identity())

    def provenance(self) -> Provenance:
        """Return what its numbers rest on."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return what it takes to ask again, as JSON has it."""
        values = {f.name: _packed(getattr(self, f.name)) for f in fields(cast(Any, self))}
        return {"command": self.command, **values, "each": self.each}

    @classmethod
    def from_json(cls, asked: dict[str, Any]) -> Self:
        """Return the question again."""
        names = {f.name for f in fields(cast(Any, cls))}
        return cls(**{key: _unpacked(key, value) for key, value in asked.items() if key in names})


class OfRules(Question[R]):
    """A question about the table of a rule set; a subclass has these fields, and perhaps ``opening`` and ``seed``."""

    rules: Any
    players: int | None

    def _settle(self) -> None:
        rules = load_rules(self.rules)
        if self.players is None:
            self._set(players=min(max(4, rules.deal.min_players), rules.deal.max_players))
        rules.check_players(self.seats)
        self._set(rules=rules)

    @property
    def own_rules(self) -> Rules:
        """Its rules: whatever was given, it is rules once the question is made."""
        return cast(Rules, self.rules)

    @property
    def seats(self) -> int:
        """How many there are."""
        return cast(int, self.players)

    def provenance(self, **more: Any) -> Provenance:
        """Return what its numbers rest on."""
        asked = {name: getattr(self, name) for name in ("players", "opening", "seed") if name in self.options()}
        return Provenance.of(self.rules, **asked | more)


class OfAList(OfRules[R]):
    """A question about a tới trắng list; a subclass has these fields."""

    opening: bool

    @cached_property
    def wins(self) -> tuple[InstantWin, ...]:
        """The patterns of the list, the strongest first."""
        return self.own_rules.instant_wins(self.opening, self.players)

    def index(self, pattern: Any) -> int:
        """Return the index of a pattern of the list; refuse one that it does not have."""
        ids = [win.id for win in self.wins]
        found = known_pattern(str(pattern), {win.id: win.label for win in self.wins})
        if found in ids:
            return ids.index(found)
        which, has = Sentence("opening") if self.opening else Sentence("regular"), ", ".join(ids) or Sentence("none")
        raise wrong("pattern", pattern, "the {which} list of {rules} has {has}{near}", which=which,
                    rules=self.rules.name, has=has, near=suggestion(str(pattern), ids))  # fmt: skip


def _packed(value: Any) -> Any:
    if isinstance(value, Rules):
        return value.to_toml()
    if isinstance(value, Policy):
        return asdict(replace(value, function=None))
    if isinstance(value, Fraction):
        return str(value)
    return [_packed(item) for item in value] if isinstance(value, tuple) else value


def _unpacked(key: str, value: Any) -> Any:
    if key == "rules":
        return rules_of_text(value)
    if key == "policies" and isinstance(value, list):
        return tuple(Policy(**policy) for policy in value)
    return Fraction(value) if key == "rake" and value is not None else tuples(value)


def tuples(value: Any) -> Any:
    """Return lists, as JSON has them, as tuples."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def read_hand(name: str, cards: Any) -> int:
    """Return cards as 52 bits, or say which argument cannot be read."""
    import numpy as np

    several = np.iterable(cards) and not isinstance(cards, str | bytes)
    cards = tuple(cards) if several else cards  # what can be read once only
    if not isinstance(cards, str) and not all(map(is_whole, cards if several else (cards,))):
        raise CardError("{name} = {cards}: must be text such as '2S 2H', card numbers 0 … 51, or 52 bits", name=name,
                        cards=shorten(cards))  # fmt: skip
    try:
        return hand_of(cards)
    except CardError as error:
        raise CardError("{name}: {error}", name=name, error=error) from None
