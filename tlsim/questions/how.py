"""How a question is run, the one way to run one, and public functions made of questions and of how they are run."""

from __future__ import annotations

import inspect
import math
import os
import re
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import Field, dataclass, fields, replace
from functools import wraps
from inspect import Parameter, Signature
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from tlsim.catalogue import language
from tlsim.engine.keep import Keep, kept_in
from tlsim.engine.run import Measure, Outcome, Until
from tlsim.engine.run import run as run_work
from tlsim.engine.work import CHUNK
from tlsim.errors import RunError, UsageError, unknown, wrong
from tlsim.options import option
from tlsim.questions.question import Question
from tlsim.show.numbers import local, plus_minus, probability
from tlsim.terms import known_pattern, known_term, quantity_name

R = TypeVar("R")
Progress: TypeAlias = Callable[[int, int, Any], None]
Tell: TypeAlias = Callable[[int, int, Any, float], None]
_SAY_EVERY = 1.0  # seconds between looks at the estimate, on the bar
_SHOWN = "{desc}: {percentage:.0f}%|{bar}| {elapsed}<{remaining} {speed}{postfix}"  # of a run that goes on


@dataclass(frozen=True)
class How:
    """How a question is run; every public function that runs one takes its fields."""

    executor: Executor | str | None = option("executor")
    threads: int | None = option("threads")
    progress: Progress | None = option("how.progress")
    until: Until | None = option("how.until", kw_only=True)
    store: Keep | str | Path | None = option("store", kw_only=True)

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


def run(question: Question[R], how: How | None = None) -> R:
    """Run a question and return its result: the one way to run one.

    An interrupt gives the result of what was computed, with ``complete`` False; a `RunError` has it as its ``result``.
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
    work = question.own_work
    until = how.until and replace(how.until, at_least=-(-how.until.at_least // question.each))
    store = question.kept_in(how.store)
    recipe = question.to_json() if store is not None else {}
    with kept_in(store, question.label, work, recipe, question.wanted) as kept, told(how.progress, question) as tell:
        return run_work(
            work, question.wanted, work.zero(), executor=how.executor, threads=how.threads, progress=tell,
            unit=unit_of(question), kept=kept, until=until, measure=_measure(question, how.until),
        )  # fmt: skip


def unit_of(question: Question[Any]) -> int:
    """Return the deals (or matches) of a unit of work."""
    return int(getattr(question.own_work, "unit", CHUNK))


def quantity(result: Any, name: str, floor: float = 0.0) -> tuple[float, float]:
    """Return the estimate of a quantity of a result, and its standard error; NaN where it is not known."""
    known: Mapping[str, tuple[float | None, float | None]] = result.quantities(floor)
    found = known_pattern(name, {key: result.provenance.names.get(key, quantity_name(key)) for key in known})
    if found not in known:
        raise unknown("of", name, known)
    estimate, error = known[found]
    return (math.nan if estimate is None else estimate), (math.nan if error is None else error)


def _measure(question: Question[Any], until: Until | None) -> Measure | None:
    """Return what tells the quantity that ends the run, from a tally; None where none does."""
    if until is None or not until.looks:
        return None

    def measure(tally: Any) -> tuple[float, float]:
        return quantity(question.result(Outcome(tally, True, 0.0)), until.of or question.usual, until.floor)

    measure(question.own_work.zero())  # an unknown quantity is refused before anything is run
    return measure


class Shares:
    """A time that several runs share: each may take an equal part of what the runs before it have left."""

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


def spoken_headline(question: Question[Any], result: Any, lang: str | None = None) -> str:
    """Return what a run shows of its result while it runs: one quantity with its error; nothing where there is none."""
    known = result.quantities() if question.headline else {}
    estimate, error = known.get(question.headline, (None, None))
    if estimate is None or estimate != estimate:  # noqa: PLR0124 (not a number)
        return ""
    spoken = language(lang)
    text = local(probability(estimate) + plus_minus(error), spoken)
    return f"{quantity_name(question.headline, spoken)} {text}"


@contextmanager
def told(progress: Progress | None, question: Question[Any]) -> Iterator[Tell]:
    """Give what reports progress: ``tell(done, total, tally, seconds)``."""
    if progress is not None:

        def call(done: int, total: int, tally: Any, seconds: float) -> None:
            progress(done, total, question.result(Outcome(tally, done == total, seconds)))

        yield call
        return
    parts = [known_term(f"part_{each}") or known_term(each) or each for each in question.part.split(", ") if each]
    bar = _bar(total=question.wanted, desc=", ".join([question.label, *parts]), bar_format=_SHOWN, delay=1, leave=False)
    said = 0.0

    def move(done: int, total: int, tally: Any, seconds: float) -> None:
        nonlocal said
        bar.total = total
        if seconds - said > _SAY_EVERY and not bar.disable:
            said = seconds
            headline = spoken_headline(question, question.result(Outcome(tally, False, seconds)))
            bar.set_postfix_str(headline, refresh=False)
            if headline not in str(bar):  # there is no room for all of it
                bar.set_postfix_str("", refresh=False)
        bar.update(done - bar.n)

    try:
        yield move
    finally:
        bar.close()


def _bar(**options: Any) -> Any:
    """Return a bar: of a notebook that can show one (unless ``TQDM_DISABLE=1``), else one of terminals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has no bar, which is no fault of its user
        from tqdm.auto import tqdm

    class Bar(tqdm):  # type: ignore[type-arg]
        @property
        def format_dict(self) -> dict[str, Any]:
            found = super().format_dict
            rate = found["rate"] or found["n"] / max(found["elapsed"], 1e-9)
            return {**found, "speed": local(f"{self.format_sizeof(rate)}/s", language())}

    # The output of a notebook is no terminal, so the stream cannot say whether to show a bar.
    notebook = any(kind.__module__ == "tqdm.notebook" for kind in Bar.__mro__)
    return Bar(disable=bool(os.environ.get("TQDM_DISABLE")) if notebook else None, **options)


_INTERRUPTED = "An interrupt (Ctrl-C) gives what was computed, with ``complete`` False."
_UNTIL = " The quantity is ``{}`` where it names none."
_WRONG = "If an argument is out of its allowed values; the message says which these are."
_FAULTS = "If a rule file has faults."
_BROKEN = "If the executor broke, or the store cannot be used; its ``result`` is the partial result."


def asks(kind: type[Question[Any]], *before: str, runs: bool = True) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Return what makes a public function of ``f(question, how)``, or of ``f(question)`` where nothing is run.

    What it takes of its own stands ``before``, and in its docstring. The rest of its documentation is made here: all
    parameters, what it returns and what it raises, unless the docstring says that itself; a heading of its examples.
    """
    asked = [each for each in fields(kind) if "option" in each.metadata]  # type: ignore[arg-type]
    way = [*fields(How)] if runs else []
    kinds = {True: Parameter.KEYWORD_ONLY, False: Parameter.POSITIONAL_OR_KEYWORD}
    taken = [Parameter(name, kinds[False]) for name in before]
    taken += [Parameter(f.name, kinds[f.kw_only is True], annotation=f.type, default=f.default) for f in [*asked, *way]]
    taken.sort(key=lambda each: each.kind)
    signature, names = Signature(taken), {each.name for each in way}
    about = {each.name: _about(each, kind) for each in [*asked, *way]}

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def public(*args: Any, **kwargs: Any) -> R:
            given = signature.bind(*args, **kwargs).arguments
            first = [given.pop(name) for name in before]
            how = {key: given.pop(key) for key in [*given] if key in names}
            return function(*first, kind(**given), *([How(**how)] if runs else []))

        public.__signature__ = signature  # type: ignore[attr-defined]
        if function.__doc__:  # python -OO leaves it out
            answer = (function.__annotations__["return"], _INTERRUPTED if runs else "")
            faults = [("UsageError", _WRONG), ("RulesError", _FAULTS if "rules" in about else "")]
            faults.append(("RunError", _BROKEN if runs else ""))
            listed = [(each.name, about[each.name]) for each in taken if each.name in about]
            public.__doc__ = _whole(function.__doc__, listed, [answer], filter(all, faults))
        return public

    return decorate


def _about(each: Field[Any], kind: type[Question[Any]]) -> str:
    """Return what is said of a parameter: of how a question is run, or of an option."""
    about: str = each.metadata["option"].documented
    return about + _UNTIL.format(kind.usual) if each.name == "until" and kind.usual else about


def _whole(text: str, *listed: Iterable[tuple[str, str]]) -> str:
    """Return a docstring with its sections: what it has of its own, then what is listed for each."""
    headed = re.sub(r"\n\n(?=>>> )", "\n\nExamples\n--------\n", inspect.cleandoc(text), count=1)
    said, *parts = re.split(r"\n\n(?=[A-Z]\w+\n-+\n)", headed)
    own = {part.partition("\n")[0]: part for part in parts}
    sections = [said]
    for title, entries in zip(("Parameters", "Returns", "Raises"), listed, strict=True):
        begun = own.pop(title, f"{title}\n{'-' * len(title)}")
        known = re.findall(r"^\w.*", begun, re.MULTILINE)
        wrap = textwrap.TextWrapper(110, break_long_words=False, break_on_hyphens=False).wrap
        new = ("\n    ".join([name, *wrap(about)]) for name, about in entries if name not in known)
        sections.append("\n".join([begun, *new]))
    return "\n\n".join([*sections, *own.values()]) + "\n"
