"""``tlsim runs``: the runs that stores keep."""

from dataclasses import replace
from pathlib import Path

import click

from tlsim.catalogue import N_
from tlsim.cli.flags import SHOW, Given, Group, argument
from tlsim.cli.running import stopped_note
from tlsim.columns import Table
from tlsim.errors import UsageError, unwritable
from tlsim.questions.kept import MERGED, RUNS, list_runs, merge_stores, stored_result
from tlsim.show import Page

_LABEL = click.Argument(["label"], required=False)
_FILE = argument("file", "FILE", metavar="STORE")

runs = Group("runs", help=N_("List, show, export and merge the runs that --store keeps."))


@runs.of("list", None, _FILE, shows=("lang", "format", "wide", "out"))
def list_command(given: Given) -> None:
    """List the runs of a store: how much is done of what was wanted, and why each stopped."""
    given.show_tables(Table(RUNS, list_runs(given["file"])))


@runs.of("show", None, _FILE, _LABEL, shows=SHOW)
def show(given: Given) -> None:
    """Show the tables of a run over all that is stored of it; LABEL may be left out where there is one run."""
    given.show(_page(given))


def _page(given: Given) -> Page:
    result = stored_result(given["file"], given["label"])
    page: Page = result.page(given.command, given.lang).noted(stopped_note(result.stopped, given.lang))
    return replace(page, provenance={**page.provenance, "stopped": result.stopped})


@runs.of("export", None, _FILE, _LABEL, shows=("runs.format", "runs.out"))
def export(given: Given) -> None:
    """Export the tables of a run, full precision; parquet needs tlsim[parquet]."""
    if given["format"] != "parquet":
        given.show(_page(given))
        return
    if given["out"] is None:
        raise UsageError("--format parquet needs a folder: --out FOLDER")
    page, folder = _page(given), Path(given["out"])
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError("Parquet needs pyarrow: pip install 'tlsim[parquet]'") from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in page.tables:
            if table.view.files and table.rows:
                pq.write_table(pa.Table.from_pylist(table.rows), folder / f"{table.view.name}.parquet")
    except OSError as error:
        raise unwritable(folder, error) from None


@runs.of("merge", None, argument("files", "FILE", nargs=-1, required=True, metavar="STORE..."), "runs.into",
         shows=("lang", "format", "out"))  # fmt: skip
def merge(given: Given) -> None:
    """Put stores together: shards of a run become that run.

    Runs of one label that are not the same run are refused. Blocks that are there twice count once.
    """
    files, into = given["files"], given["into"]
    target, sources = (into, files) if into is not None else (files[0], files[1:])
    if not sources:
        raise UsageError("there is nothing to merge: name two stores, or one and --into FILE")
    given.show_tables(Table(MERGED, merge_stores(target, sources)), into=target)
