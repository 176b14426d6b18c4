"""Run the notebooks and keep what they show: ``python notebooks/refresh.py [FILE …]``, all of them by default.

Every notebook runs in a kernel of its own, at full size and in English, and is written in place. What differs from run to
run or from machine to machine is left out: times, versions, and the notice that kernels are compiled.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path(__file__).parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FULL = 1.0
_SECONDS = 1800  # most that a cell may take


def run(file: Path, scale: float, folder: Path) -> nbformat.NotebookNode:
    """Return a notebook with the outputs of a run in a folder; raise where a cell fails."""
    book = nbformat.read(file, as_version=4)
    client = nbclient.NotebookClient(
        book, timeout=_SECONDS, kernel_name=METADATA["kernelspec"]["name"], record_timing=False, coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )  # fmt: skip
    environment = os.environ | {
        "LC_ALL": "en_US.UTF-8",  # the language of results that are shown by themselves
        "TLSIM_NOTEBOOK_SCALE": f"{scale:g}",
        "TQDM_DISABLE": "1",  # no bars
    }
    environment.pop("MPLBACKEND", None)  # pictures go into the notebook
    return client.execute(env=environment)


def clean(book: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a notebook without what only this run and this machine had."""
    book.metadata = nbformat.from_dict(METADATA)
    for cell in book.cells:
        cell.metadata = nbformat.from_dict({key: cell.metadata[key] for key in ("tags",) if key in cell.metadata})
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return book


def main(names: list[str]) -> None:
    """Run notebooks and write them in place."""
    for file in map(Path, names) if names else sorted(FOLDER.glob("*.ipynb")):
        print(file.name, flush=True)
        nbformat.write(clean(run(file, FULL, file.parent)), file)


if __name__ == "__main__":
    main(sys.argv[1:])
