"""Kept runs: which a store has, their results, and putting stores together."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tlsim.api import odds_task
from tlsim.engine.events import EventTally
from tlsim.engine.games import GameWork
from tlsim.engine.given import GivenDeals
from tlsim.engine.identity import refuse_other
from tlsim.engine.kept import Keep
from tlsim.engine.policies import Policy
from tlsim.engine.store import Store, StoredRun, StoreError
from tlsim.errors import suggestion
from tlsim.games import work_task
from tlsim.payouts import FairPart, fair_task
from tlsim.results import EventOdds, Provenance
from tlsim.results.parts import Row
from tlsim.rules import Rules, load_rules
from tlsim.tasks import How, Task
from tlsim.values import declare_tasks, declared, hand_task, money_task
from tlsim.version import __version__


def list_runs(file: str | Path) -> list[Row]:
    """Return one row per run of a store: what it is, how much is done of what was wanted, why it stopped.

    Raises
    ------
    StoreError
        If there is no such store, or it cannot be read.
    """
    with Store(file, make=False) as store:
        return [_row(store, run) for run in store.runs()]


def _row(store: Store, run: StoredRun) -> Row:
    parts = store.ranges(run)
    each = run.recipe["each"]
    return {
        "label": run.label, "command": run.recipe["command"], "rules": _rules_name(run), "seed": run.recipe["seed"],
        "done": sum(part.deals for part in parts) * each, "wanted": run.wanted * each, "parts": len(parts),
        "stopped": run.stopped, "version": run.identity["version"],
    }  # fmt: skip


def _rules_name(run: StoredRun) -> str:
    return _rules(run).name if "rules" in run.recipe else str(run.recipe["predicate"])


def _rules(run: StoredRun) -> Rules:
    """Return the rules of a run, as they were when it began."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rules.toml"
        file.write_text(run.recipe["rules"], encoding="utf-8")
        return load_rules(file)


def stored_result(file: str | Path, label: str | None = None) -> Any:
    """Return the result of a kept run over all that is stored of it; nothing is computed.

    Parameters
    ----------
    file
        A store.
    label
        Label of the run; may be left out where the store has one run.

    Returns
    -------
    EstimatedOdds, GameStats, EventOdds, HandValue, DeclareWorth, MeanMoney or FairPart

    Raises
    ------
    StoreError
        If there is no such run, or it comes from another version, whose numbers are not this one's.
    """
    with Store(file, make=False) as store:
        run = _chosen(store, label)
        if run.identity["version"] != __version__:
            raise StoreError(
                f"{str(file)!r}: {run.label!r} was made by tlsim {run.identity['version']}, this is {__version__}; "
                f"its numbers can be shown and gone on with by that version alone"
            )
        if run.recipe["command"] == "event":
            return _event(store, run)
    keep = Keep(file, run.label, frozen=True)
    found = replace(_task(run), question="").run(How(store=keep, progress=_silent))
    if run.recipe["command"] == "declare":
        of = run.recipe
        policies = [Policy(**policy) for policy in of["policies"]]
        return declared(_rules(run), of["players"], policies, opening=of["opening"], seed=of["seed"], found=[found])
    if run.recipe["command"] == "fair":
        of = run.recipe
        asked = {key: of[key] for key in ("players", "policies", "skill", "seed")}
        return FairPart(_rules(run), of["question"], found, **asked)
    return found


def _chosen(store: Store, label: str | None) -> StoredRun:
    runs = store.runs()
    labels = [run.label for run in runs]
    if label is None and len(runs) == 1:
        return runs[0]
    for run in runs:
        if run.label == label:
            return run
    has = f"it has {', '.join(map(repr, labels))}" if labels else "it has none"
    asked = "needs a label" if label is None else f"has no run {label!r}"
    raise StoreError(f"{str(store.file)!r} {asked}; {has}{suggestion(label or '', labels)}")


def _event(store: Store, run: StoredRun) -> EventOdds:
    total = sum((tally for _, tally in store.tallies(run, EventTally())), start=EventTally())
    provenance = Provenance(
        version=run.identity["version"], predicate=run.recipe["predicate"], hand_size=run.recipe["hand_size"],
        deals=total.hands, seed=run.recipe["seed"],
    )  # fmt: skip
    return EventOdds(provenance, total.count, total.hands >= run.wanted, stopped=run.stopped)


def _task(run: StoredRun) -> Task[Any]:
    """Return the task of a run, as its recipe says."""
    of, rules = run.recipe, _rules(run)
    same: dict[str, Any] = {"players": of["players"], "seed": of["seed"]}
    if of["command"] == "fair":
        games = run.wanted * of["each"]
        return fair_task(of["question"], rules, games, policies=of["policies"], skill=of["skill"], **same)
    if of["command"] == "odds":
        known = {"opening": of["opening"], "holding": of["holding"] or None, "dead": of["dead"] or None}
        return odds_task(rules, run.wanted, **known, **same)
    if of["command"] == "simulate":
        return work_task(_game_work(run), run.wanted * of["match_length"])
    same["policies"] = [Policy(**policy) for policy in of["policies"]]
    if of["command"] == "money":
        games = run.wanted * of["each"]
        return money_task(rules, games, match_length=of["match_length"], rotate=of["rotate"], **same)
    same |= {"games": run.wanted, "distance": of["distance"], "opening": of["opening"]}
    if of["command"] == "hand":
        return hand_task(of["hand"], rules, dead=of["dead"] or None, **same)
    (task,) = declare_tasks(rules, pattern=of["pattern"], **same)
    return task


def _game_work(run: StoredRun) -> GameWork:
    of, rules = run.recipe, _rules(run)
    policies = tuple(Policy(**policy) for policy in of["policies"])
    given = of["given"] and GivenDeals(rules, **{key: _tuples(value) for key, value in of["given"].items()})
    return GameWork(of["seed"], rules, of["players"], policies, of["match_length"], given)


def _tuples(value: Any) -> Any:
    """Return lists, as JSON has them, as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _silent(*_: object) -> None:
    pass


def merge_stores(into: str | Path, sources: Iterable[str | Path]) -> list[Row]:
    """Put the runs of stores into one: shards of a run made on several machines become that run.

    Parameters
    ----------
    into
        The store that is to have all; made if it is not there.
    sources
        Stores, which stay as they are.

    Returns
    -------
    list of dict
        By source and run, parts that were ``new``, those already ``known``, and ``crossing`` ones: they overlap others
        in part, cannot be told apart from them, and are left out; what is missing then is done when the run goes on.

    Raises
    ------
    StoreError
        If two stores have different runs under one label; the message names the difference. Runs merged before stay.
    """
    rows = []
    with Store(into) as target:
        for source in sources:
            if Path(source).exists() and Path(source).samefile(target.file):
                raise StoreError(f"{str(source)!r} is to be merged into itself; name another file")
            with Store(source, make=False) as store:
                _refuse_strangers(target, store)
                rows += [{"source": str(source)} | _merge_run(target, store, run) for run in store.runs()]
    return rows


def _refuse_strangers(target: Store, store: Store) -> None:
    """Refuse a store before anything of it is merged."""
    for run in store.runs():
        own = target.find(run.label)
        if own is not None:
            refuse_other(run.label, str(target.file), own.identity, run.identity, StoreError)


def _merge_run(target: Store, store: Store, run: StoredRun) -> Row:
    like = _zero(run)
    parts = [store.whole_part(run, part) for part, _ in store.tallies(run, like)]
    new, known, crossing = target.merge(target.begin(run), parts, like)
    return {"label": run.label, "new": new, "known": known, "crossing": crossing}


def _zero(run: StoredRun) -> Any:
    """Return the tally of nothing of a run."""
    return EventTally() if run.recipe["command"] == "event" else _task(run).work.zero()
