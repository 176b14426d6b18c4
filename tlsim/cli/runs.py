"""``tlsim runs``: the runs that stores keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tlsim.cli.options import flags
from tlsim.cli.output import emit
from tlsim.errors import UsageError
from tlsim.terms import language
from tlsim.version import __version__

_label = click.argument("label", required=False)
_file = click.argument("file", metavar="STORE")


@click.group()
def runs() -> None:
    """List, show, export and merge the runs that --store keeps."""


@runs.command("list")
@_file
@flags("lang", "format", "out")
def list_command(*, file: str, lang: str | None, fmt: str, out: str | None) -> None:
    """List the runs of a store: how much is done of what was wanted, and why each stopped."""
    from tlsim.runs import list_runs

    emit("runs list", {"version": __version__}, {"runs": list_runs(file)}, fmt=fmt, lang=lang, out=out)


@runs.command()
@_file
@_label
@flags("stake", "lang", "format", "out")
def show(*, file: str, label: str | None, stake: int | None, lang: str | None, fmt: str, out: str | None) -> None:
    """Show the tables of a run over all that is stored of it; LABEL may be left out where there is one run."""
    from tlsim.results.games import GameStats
    from tlsim.runs import stored_result

    result = stored_result(file, label)
    if isinstance(result, GameStats):
        from tlsim.cli.simulate import show as show_games

        show_games(
            result, "runs show", stake=stake, fmt=fmt, lang=language(lang), out=out, complete=result.complete
        )  # fmt: skip
    else:
        emit("runs show", _provenance(result), _tables(result), fmt=fmt, complete=result.complete, lang=lang, out=out)


@runs.command()
@_file
@_label
@click.option("--format", "fmt", type=click.Choice(("csv", "json", "parquet")), default="csv", show_default=True)
@click.option("--out", metavar="FILE", help="File to write; for parquet a folder, one file for each table.")
def export(*, file: str, label: str | None, fmt: str, out: str | None) -> None:
    """Export the tables of a run, full precision; parquet needs tlsim[parquet]."""
    from tlsim.runs import stored_result

    if fmt == "parquet" and out is None:
        raise UsageError("--format parquet needs a folder: --out FOLDER")
    result = stored_result(file, label)
    if fmt == "parquet":
        _write_parquet(_tables(result), Path(str(out)))
        return
    emit("runs export", _provenance(result), _tables(result), fmt=fmt, complete=result.complete, out=out)


def _provenance(result: Any) -> dict[str, Any]:
    known: dict[str, Any] = result.provenance.as_dict()
    return known | {"stopped": result.stopped}


def _tables(result: Any) -> dict[str, Any]:
    """Return all tables of a result as programs read them."""
    from tlsim.results import EstimatedOdds, EventOdds

    if isinstance(result, EstimatedOdds):
        return {"simulated": result.rows(), "simulated_table": result.table_rows()}
    if isinstance(result, EventOdds):
        return {"event": result.rows()}
    return {view: result.rows(view) for view in result.views}


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
        raise UsageError(f"cannot write {str(folder)!r}: {error.strerror or error}") from None


@runs.command()
@click.argument("files", nargs=-1, required=True, metavar="STORE...")
@click.option("--into", metavar="FILE", help="Store that is to have all; made if need be. [default: the first STORE]")
@flags("lang", "format", "out")
def merge(*, files: tuple[str, ...], into: str | None, lang: str | None, fmt: str, out: str | None) -> None:
    """Put stores together: shards of a run become that run.

    Runs of one label that are not the same run are refused. Blocks that are there twice count once.
    """
    from tlsim.runs import merge_stores

    target, sources = (into, files) if into is not None else (files[0], files[1:])
    if not sources:
        raise UsageError("there is nothing to merge: name two stores, or one and --into FILE")
    emit("runs merge", {"version": __version__, "into": target}, {"merged": merge_stores(target, sources)}, fmt=fmt,
         lang=lang, out=out)  # fmt: skip
