"""``tlsim runs``: the runs that stores keep."""

from dataclasses import replace
from pathlib import Path

import click

from tlsim.catalogue import say
from tlsim.cli.flags import SHOW, Given, Group, argument
from tlsim.cli.running import stopped_note
from tlsim.columns import Table
from tlsim.errors import UsageError, unwritable
from tlsim.questions.kept import MERGED, RUNS, list_runs, merge_stores, stored_result
from tlsim.show import Page

_LABEL = click.Argument(["label"], required=False, metavar="[LABEL]")
_FILE = argument("file", "FILE", metavar="STORE")

runs = Group("runs")


@runs.of("list", None, _FILE, shows=("lang", "format", "wide", "out"))
def list_command(given: Given) -> None:
    """Answer ``tlsim runs list``."""
    rows = list_runs(given["file"])
    given.show_tables(Table(RUNS, rows), notes=[] if rows else [say("{file!r} holds no run", file=given["file"])])


@runs.of("show", None, _FILE, _LABEL, shows=SHOW)
def show(given: Given) -> None:
    """Answer ``tlsim runs show``."""
    given.show(_page(given))


def _page(given: Given) -> Page:
    result = stored_result(given["file"], given["label"])
    page: Page = result.page(given.command, given.lang).noted(stopped_note(result.stopped, given.lang))
    return replace(page, provenance={**page.provenance, "stopped": result.stopped})


@runs.of("export", None, _FILE, _LABEL, shows=("runs.format", "runs.out"))
def export(given: Given) -> None:
    """Answer ``tlsim runs export``."""
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
    """Answer ``tlsim runs merge``."""
    files, into = given["files"], given["into"]
    target, sources = (into, files) if into is not None else (files[0], files[1:])
    if not sources:
        raise UsageError("there is nothing to merge: name two stores, or one and --into FILE")
    given.show_tables(Table(MERGED, merge_stores(target, sources)), into=target)
