"""A question is a value: what somebody asks, its work, its result, its JSON form; and the one way to run one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar, cast

from tlsim.cards import format_cards, hand_of
from tlsim.engine.blocks import CHUNK
from tlsim.engine.identity import Identity
from tlsim.engine.kept import Keep, as_keep, kept_in
from tlsim.engine.policies import Policy
from tlsim.engine.run import Outcome
from tlsim.engine.run import run as run_work
from tlsim.engine.until import Measure, Until
from tlsim.errors import CardError, RunError, Sentence, UsageError, shorten, suggestion, unknown, wrong
from tlsim.options import Option, is_whole
from tlsim.questions.bar import Progress, told
from tlsim.results.provenance import Provenance
from tlsim.rules import InstantWin, Rules, load_rules

AnyRules: TypeAlias = str | Path | Rules
AnyCards: TypeAlias = str | int | Iterable[int] | None
R = TypeVar("R")
USUAL_PLAYERS = 4


@dataclass(frozen=True)
class How:
    """How a question is run: what does it, who is told, when it stops, where it is kept; see `tlsim.estimate_odds`."""

    executor: Executor | str | None = None
    threads: int | None = None
    progress: Progress | None = None
    until: Until | None = None
    store: Keep | str | Path | None = None

    def __post_init__(self) -> None:
        if self.progress is not None and not callable(self.progress):
            raise wrong("progress", self.progress, "must be a function f(done, total, partial_result)")
        if self.until is not None and not isinstance(self.until, Until):
            raise wrong("until", self.until, "must be a tlsim.Until, such as tlsim.Until(max_time=60)")
        keep = self.store
        if self.until and self.until.looks and isinstance(keep, Keep) and keep.shard != (1, 1):
            raise UsageError("shard = {part}/{parts}: errors are looked at from the beginning of a run on, which a "
                             "shard does not have: do the shards without rel_error and abs_error, merge them, then "
                             "ask for it", part=keep.shard[0], parts=keep.shard[1])  # fmt: skip


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
    def _work(self) -> Any:
        return self.work()

    def work(self) -> Any:
        """Return what is done with a block: it returns a tally, which adds."""
        raise TypeError(f"{type(self).__name__} is several questions: run its parts")

    def result(self, outcome: Outcome[Any]) -> R:  # noqa: ARG002 (for those that are one run)
        """Return what is made of the sums."""
        raise TypeError(f"{type(self).__name__} is several questions: run its parts")

    def shown(self, outcome: Outcome[Any]) -> Any:
        """Return what is shown of its kept run."""
        return self.result(outcome)

    @property
    def each(self) -> int:
        """How many of what is counted one deal (or match) of the work is."""
        return 1

    @property
    def wanted(self) -> int:
        """How many deals (or matches) are wanted."""
        asked = cast(Any, self)
        return int(asked.deals) if self.size == "deals" else -(-asked.games // self.each)

    def parts(self) -> Sequence[Question[Any]]:
        """Return the runs that it takes; a simple question is its own one part."""
        return (self,)

    def together(self, found: Sequence[Any]) -> R:
        """Return the result of the results of the parts."""
        return cast(R, found[0])

    @property
    def label(self) -> str:
        """Return what its run is called in a store, by default."""
        return f"{self.command} {cast(Any, self).rules.name}"

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
        return cast(Identity, self._work.identity())

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


def _packed(value: Any) -> Any:
    """Return a value of an option as JSON has it."""
    if isinstance(value, Rules):
        return value.to_toml()
    if isinstance(value, Policy):
        return asdict(replace(value, function=None))
    if isinstance(value, Fraction):
        return str(value)
    return [_packed(item) for item in value] if isinstance(value, tuple) else value


def _unpacked(key: str, value: Any) -> Any:
    """Return a value of an option from JSON."""
    if key == "rules":
        return rules_of(value)
    if key == "policies" and isinstance(value, list):
        return tuple(Policy(**policy) for policy in value)
    return Fraction(value) if key == "rake" and value is not None else tuples(value)


def tuples(value: Any) -> Any:
    """Return lists, as JSON has them, as tuples."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def rules_of(text: str) -> Rules:
    """Return rules from the text of a rule file."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rules.toml"
        file.write_text(text, encoding="utf-8")
        return load_rules(file)


def seats_of(rules: Rules, players: int | None) -> int:
    """Return the number of seats: by default four, or as near to it as the rules allow; refuse another number."""
    if players is None:
        return min(max(USUAL_PLAYERS, rules.deal.min_players), rules.deal.max_players)
    rules.check_players(players)
    return players


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


def cards_text(cards: int) -> str | None:
    """Return cards as text; None for none."""
    return format_cards(cards) or None


def index_of(pattern: Any, wins: Sequence[InstantWin], rules: str, *, opening: bool) -> int:
    """Return the index of a pattern of a list; refuse one that it does not have."""
    ids = [win.id for win in wins]
    if pattern in ids:
        return ids.index(pattern)
    which, has = Sentence("opening") if opening else Sentence("regular"), ", ".join(ids) or Sentence("none")
    raise wrong("pattern", pattern, "the {which} list of {rules} has {has}{near}", which=which, rules=rules, has=has,
                near=suggestion(str(pattern), ids))  # fmt: skip


def quantity(result: Any, name: str, floor: float = 0.0) -> tuple[float, float]:
    """Return the estimate of a quantity of a result, and its standard error (NaN where it is not known).

    Raises
    ------
    UsageError
        If the result has no such quantity.
    """
    known = result.quantities(floor)
    if name not in known:
        raise unknown("of", name, known)
    estimate, error = known[name]
    return (math.nan if estimate is None else estimate), (math.nan if error is None else error)


def run(question: Question[R], how: How | None = None) -> R:
    """Run a question and return its result: the one way to run one.

    An interrupt gives the result of what was computed, with ``complete`` False.

    Raises
    ------
    RunError
        If the run could not go on; its ``result`` is the result of what there is.
    """
    asked = how or How()
    parts = question.parts()
    if len(parts) == 1 and parts[0] is question:
        return _run_one(question, asked)
    shares = Shares(asked.until, len(parts))
    found: list[Any] = []
    for part in parts:
        try:
            each = _run_one(part, replace(asked, until=shares.next()))
        except RunError as error:
            if error.result is not None:
                error.result = question.together([*found, error.result])
            raise
        shares.took(each.seconds)
        found.append(each)
        if not each.complete:
            break
    return question.together(found)


def _run_one(question: Question[R], how: How) -> R:
    outcome = outcome_of(question, how)
    found = question.result(outcome)
    if outcome.error is not None:
        outcome.error.result = found
        raise outcome.error
    return found


def outcome_of(question: Question[Any], how: How) -> Outcome[Any]:
    """Return the sums of a simple question, as far as they go."""
    work = question._work  # noqa: SLF001 (made once for a question)
    until = how.until and replace(how.until, at_least=-(-how.until.at_least // question.each))
    store = question.kept_in(how.store)
    recipe = question.to_json() if store is not None else {}
    with (
        kept_in(store, question.label, work, recipe, question.wanted) as kept,
        told(how.progress, question) as tell,
    ):
        return run_work(
            work, question.wanted, work.zero(), executor=how.executor, threads=how.threads, progress=tell,
            unit=unit_of(question), kept=kept, until=until, measure=_measure(question, how.until),
        )  # fmt: skip


def unit_of(question: Question[Any]) -> int:
    """Return the deals (or matches) of a unit of work."""
    return int(getattr(question._work, "unit", CHUNK))  # noqa: SLF001


def _measure(question: Question[Any], until: Until | None) -> Measure | None:
    """Return what tells the quantity that ends the run, from a tally; None where none does."""
    if until is None or not until.looks:
        return None

    def measure(tally: Any) -> tuple[float, float]:
        return quantity(question.result(Outcome(tally, True, 0.0)), until.of or question.usual, until.floor)

    measure(question._work.zero())  # noqa: SLF001 (an unknown quantity is refused before anything is run)
    return measure


class Shares:
    """A time that several runs share: each may take an equal part of what the runs before it have left.

    Examples
    --------
    >>> shares = Shares(Until(max_time=60.0), runs=3)
    >>> shares.next().max_time
    20.0
    >>> shares.took(10.0)  # it was done sooner
    >>> shares.next().max_time
    25.0
    """

    def __init__(self, until: Until | None, runs: int) -> None:
        self._until, self._runs = until, runs
        self._left = None if until is None else until.max_time

    def next(self) -> Until | None:
        """Return when the next run stops."""
        runs, self._runs = max(1, self._runs), self._runs - 1
        if self._until is None or self._left is None:
            return self._until
        return replace(self._until, max_time=max(self._left / runs, 1e-3))

    def took(self, seconds: float) -> None:
        """Take notice of the time that a run took."""
        if self._left is not None:
            self._left = max(0.0, self._left - seconds)
