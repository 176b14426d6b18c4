"""``tlsim runs``: the runs that stores keep."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tlsim.catalogue import N_
from tlsim.cli.flags import SHOW, Given, Group, argument, command
from tlsim.cli.running import stopped_note, with_notes
from tlsim.columns import Table
from tlsim.errors import UsageError, unwritable
from tlsim.options import OPTIONS, Option
from tlsim.questions.kept import MERGED, RUNS, list_runs, merge_stores, stored_result
from tlsim.show import Page
from tlsim.version import __version__

_LABEL = click.Argument(["label"], required=False)
_FILE = argument("file", "FILE", metavar="STORE")
_INTO = Option("into", N_("Store that is to have all; made if need be."), metavar="FILE", usual=N_("the first STORE"))


runs = Group("runs", help=N_("List, show, export and merge the runs that --store keeps."))


@command("list", None, _FILE, shows=("lang", "format", "wide", "out"))
def list_command(given: Given) -> None:
    """List the runs of a store: how much is done of what was wanted, and why each stopped."""
    given.show(Page("runs list", {"version": __version__}, [Table(RUNS, list_runs(given["file"]))]))


@command("show", None, _FILE, _LABEL, shows=SHOW)
def show(given: Given) -> None:
    """Show the tables of a run over all that is stored of it; LABEL may be left out where there is one run."""
    given.show(_page(given, "runs show"))


def _page(given: Given, name: str) -> Page:
    result = stored_result(given["file"], given["label"])
    page = result.page(name, given.lang)
    page = replace(page, provenance=page.provenance | {"stopped": result.stopped})
    return with_notes(page, stopped_note(result.stopped, given.lang))


_EXPORT = replace(OPTIONS["format"], default="csv", choices=("csv", "json", "parquet"))
_OUT = replace(OPTIONS["out"], name="out", help=N_("File to write; for parquet a folder, one file for each table."))


@command("export", None, _FILE, _LABEL, shows=(), flags=(_EXPORT, _OUT))
def export(given: Given) -> None:
    """Export the tables of a run, full precision; parquet needs tlsim[parquet]."""
    if given["format"] != "parquet":
        given.show(_page(given, "runs export"))
        return
    if given["out"] is None:
        raise UsageError("--format parquet needs a folder: --out FOLDER")
    tables = {table.view.name: table.rows for table in _page(given, "runs export").tables if table.view.files}
    _write_parquet(tables, Path(str(given["out"])))


def _write_parquet(tables: dict[str, Any], folder: Path) -> None:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError("Parquet needs pyarrow: pip install 'tlsim[parquet]'") from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for view, rows in tables.items():
            if rows:
                pq.write_table(pa.Table.from_pylist(rows), folder / f"{view}.parquet")
    except OSError as error:
        raise unwritable(folder, error) from None


@command("merge", None, argument("files", "FILE", nargs=-1, required=True, metavar="STORE..."), _INTO,
         shows=("lang", "format", "out"))  # fmt: skip
def merge(given: Given) -> None:
    """Put stores together: shards of a run become that run.

    Runs of one label that are not the same run are refused. Blocks that are there twice count once.
    """
    files, into = given["files"], given["into"]
    target, sources = (into, files) if into is not None else (files[0], files[1:])
    if not sources:
        raise UsageError("there is nothing to merge: name two stores, or one and --into FILE")
    about = {"version": __version__, "into": target}
    given.show(Page("runs merge", about, [Table(MERGED, merge_stores(target, sources))]))


for each in (list_command, show, export, merge):
    runs.add_command(each)
