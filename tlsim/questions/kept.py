"""Kept runs: which a store has, their results, and putting stores together."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from tlsim.catalogue import N_, told
from tlsim.columns import Row, declared
from tlsim.engine.identity import apart_in_words, some_of
from tlsim.engine.keep import Keep, no_run
from tlsim.engine.odds_work import EventTally
from tlsim.engine.run import Outcome
from tlsim.engine.store import UNFINISHED, Part, Store, StoredRun, StoreError
from tlsim.errors import RulesError, Sentence, TlsimError, shorten
from tlsim.questions.event import Event
from tlsim.questions.fair import FairGames
from tlsim.questions.games import Games, Money
from tlsim.questions.hand import Declare, Hand
from tlsim.questions.how import How, outcome_of
from tlsim.questions.odds import Odds
from tlsim.questions.question import Question
from tlsim.questions.review import Review
from tlsim.results.result import Result
from tlsim.rules import rules_of_text
from tlsim.version import __version__

log = logging.getLogger("tlsim")

KINDS: tuple[type[Question[Any]], ...] = (Odds, Event, Games, Hand, Declare, Money, FairGames, Review)
"""The questions whose runs a store can have."""
RUNS, MERGED = declared("runs.runs"), declared("runs.merged")


def list_runs(file: str | Path) -> list[Row]:
    """Return what each run of a store is, how much is done, why it stopped; or that it is ``damaged``."""
    with Store(file, make=False) as store:
        rows = []
        for label in store.labels():
            try:
                if (run := store.find(label)) is not None:  # else it was taken out meanwhile
                    with _understood(store, run):
                        rows.append(_row(store, run))
            except StoreError as error:
                log.warning(told(error))
                rows.append(dict.fromkeys(RUNS.keys) | {"label": label, "stopped": "damaged"})
        return rows


@contextmanager
def _understood(store: Store, run: StoredRun) -> Iterator[None]:
    """Refuse a run whose recipe cannot be followed, by its name."""
    try:
        yield
    except StoreError:
        raise
    except RulesError as error:
        raise store.damaged(run.label, "its rules: {fault}", fault=error.faults[0].sentence) from None
    except TlsimError as error:
        raise StoreError("the run {label!r} in {file!r} cannot be read here: {error}", label=run.label,
                         file=str(store.file), error=error) from None  # fmt: skip
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise store.damaged(run.label, "its recipe: {error}", error=f"{type(error).__name__} {error}") from None


def _row(store: Store, run: StoredRun) -> Row:
    parts = store.ranges(run)
    each = run.recipe["each"]
    if not isinstance(each, int) or each < 1:
        raise ValueError(f"each = {shorten(each)}")
    name = rules_of_text(run.recipe["rules"]).name if "rules" in run.recipe else str(run.recipe["predicate"])
    return {
        "label": run.label, "command": run.recipe["command"], "rules": name, "seed": run.recipe["seed"],
        "done": sum(part.deals for part in parts) * each, "wanted": run.wanted * each, "parts": len(parts),
        "stopped": run.stopped, "version": run.identity["version"],
    }  # fmt: skip


def stored_result(file: str | Path, label: str | None = None) -> Any:
    """Return the result of a kept run over all that is stored of it; nothing is computed.

    The label may be left out where the store has one run. A run of another version, whose numbers are not those of
    this one, is refused.
    """
    with Store(file, make=False) as store:
        labels = store.labels()
        run = store.find(labels[0] if label is None and len(labels) == 1 else label or "")
        if run is None:
            raise no_run(store, label)
        if run.identity["version"] != __version__:
            raise StoreError("{file!r}: {label!r} was made by tlsim {old}, this is {ours}; its numbers can be shown "
                             "and gone on with by that version alone: install tlsim=={old} beside this one and write "
                             "them out by: tlsim runs export {file} {label!r}", file=str(file), label=run.label,
                             old=run.identity["version"], ours=__version__)  # fmt: skip
        with _understood(store, run):
            asked = question_of(run)
            if isinstance(asked, Event):
                return _event(store, run, asked)
    with _understood(store, run):
        object.__setattr__(asked, "part", "")  # the label is whole
        how = How(store=Keep(file, run.label, frozen=True), progress=lambda *_: None)
        outcome = outcome_of(asked, how)
        if outcome.deals < run.wanted:  # it says why the run has no more; else, that the store has it all
            outcome = replace(outcome, stopped=run.stopped, complete=run.stopped not in UNFINISHED)
        return asked.result(outcome)


def question_of(run: StoredRun) -> Question[Any]:
    """Return the question of a kept run, as many deals or games being asked for as were wanted."""
    kind = {kind.command: kind for kind in KINDS}[run.recipe["command"]]
    return kind.from_json(run.recipe | {kind.size: run.wanted * run.recipe["each"]})


def _event(store: Store, run: StoredRun, asked: Event) -> Result:
    """Return what a predicate gave; the predicate itself may be out of reach."""
    if any(run.recipe[key] != run.identity[key] for key in ("seed", "hand_size")):
        raise store.damaged(run.label, "its recipe is not that of its identity")
    total = sum((tally for _, tally in store.tallies(run, EventTally(), mend=False)), start=EventTally())
    return asked.result(Outcome(total, total.hands >= run.wanted, 0.0, run.stopped))


def merge_stores(into: str | Path, sources: Iterable[str | Path]) -> list[Row]:
    """Put the runs of stores into one: shards of a run made on several machines become that run.

    Return by source and run how many parts were ``new``, already ``known``, or ``crossing``: those overlap others in
    part, cannot be told apart from them, and are left out; what is missing then is done when the run goes on. Where two
    stores have different runs under one label, or one cannot be read, nothing is written.
    """
    target, sources = Path(into), list(sources)
    with ExitStack() as opened:
        known: dict[str, tuple[str, StoredRun]] = {}
        if target.exists():
            own = opened.enter_context(Store(target, make=False))
            known = {run.label: (str(into), run) for run in own.runs()}
        stores = []
        for source in sources:
            if target.exists() and Path(source).exists() and Path(source).samefile(target):
                raise StoreError("{source!r} is to be merged into itself; name another file", source=str(source))
            store = opened.enter_context(Store(source, make=False))
            runs = store.runs()
            for run in runs:
                _refuse_other(*known.setdefault(run.label, (str(source), run)), str(source), run)
            stores.append((store, [_sound(store, run) for run in runs]))
        return _merged(target, stores)


_Sound: TypeAlias = tuple[StoredRun, Any, list[Part]]
"""A run, its tally of nothing, its parts that are not damaged."""


def _refuse_other(file: str, one: StoredRun, source: str, two: StoredRun) -> None:
    """Refuse a run of a source that is another one than that of the same label elsewhere."""
    apart = apart_in_words(one.identity, two.identity, N_("{name} is {two}, not {one}"))
    if not apart and one.unit != two.unit:
        apart = [Sentence("its unit is {two}, not {one}", two=two.unit, one=one.unit)]
    if apart:
        raise StoreError("{source!r} cannot be merged: under the label {label!r} it has another run than {file!r}: "
                         "{differences}. Nothing was merged; leave it out, or merge it into another store",
                         source=source, label=two.label, file=file, differences=some_of(apart))  # fmt: skip


def _sound(store: Store, run: StoredRun) -> _Sound:
    """Read all of a run, so that no fault of its file comes up once something is written."""
    with _understood(store, run):
        like = EventTally() if run.recipe["command"] == Event.command else question_of(run).work().zero()
        return run, like, [part for part, _ in store.tallies(run, like, mend=False)]


def _merged(into: Path, stores: list[tuple[Store, list[_Sound]]]) -> list[Row]:
    """Merge what was looked through, all or nothing."""
    made, rows = not into.exists(), []
    try:
        with Store(into) as target, target.at_once():
            for store, runs in stores:
                for run, like, parts in runs:
                    own = target.begin(run)
                    for _ in target.tallies(own, like):  # damaged parts of it give way
                        pass
                    read = ((part, store.tally(run, part, like)) for part in parts)
                    new, known, crossing = target.write(own, read, like)
                    row = {"label": run.label, "new": new, "known": known, "crossing": crossing}
                    rows.append({"source": str(store.file)} | row)
    except BaseException:
        if made:
            into.unlink(missing_ok=True)
        raise
    return rows
