"""Run the notebooks and keep what they show: ``python notebooks/refresh.py [FILE …]``, all of them by default.

Every notebook runs once, in a kernel of its own and at full size, and is written in place. A notebook of the same name in
the folder ``vi`` has its prose in Vietnamese: its code is that of the English one, and each cell that shows something is run
once more in Vietnamese, so cells that show take no time. What differs from run to run or from machine to machine is left
out: times, versions, and the notice that kernels are compiled.
"""

from __future__ import annotations

import copy
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
_SECONDS = 7200  # most that a cell may take


def sister(file: Path) -> Path:
    """Return where the Vietnamese notebook stands."""
    return file.parent / "vi" / file.name


def run(file: Path, scale: float, folder: Path) -> list[nbformat.NotebookNode]:
    """Return a notebook with the outputs of a run in a folder, and its sister if it has one; raise where a cell fails."""
    books = [nbformat.read(each, as_version=4) for each in (file, sister(file)) if each.exists()]
    client = nbclient.NotebookClient(
        books[0], timeout=_SECONDS, kernel_name=METADATA["kernelspec"]["name"], record_timing=False, coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )  # fmt: skip
    environment = os.environ | {
        "TLSIM_LANG": "en",
        "TLSIM_NOTEBOOK_SCALE": f"{scale:g}",
        "TQDM_DISABLE": "1",  # no bars
    }
    environment.pop("MPLBACKEND", None)  # pictures go into the notebook
    with client.setup_kernel(env=environment):
        code = [at for at, cell in enumerate(books[0].cells) if cell.cell_type == "code"]
        for number, at in enumerate(code, start=1):
            shown = [_shown(client, books[0].cells[at], at)]
            for book in books[1:]:
                shown.append(_again(client, books[0].cells[at], at) if shown[0] else [])
                book.cells[at].source = books[0].cells[at].source
            for book, outputs in zip(books, shown, strict=True):
                book.cells[at].outputs, book.cells[at].execution_count = outputs, number
                for output in outputs:
                    if "execution_count" in output:
                        output.execution_count = number
    return books


def _shown(client: nbclient.NotebookClient, cell: nbformat.NotebookNode, at: int) -> list[nbformat.NotebookNode]:
    """Run a cell and return what it shows."""
    before = client.nb.cells[at]
    client.execute_cell(run := copy.deepcopy(cell), at)
    client.nb.cells[at] = before
    return run.outputs


def _again(client: nbclient.NotebookClient, cell: nbformat.NotebookNode, at: int) -> list[nbformat.NotebookNode]:
    """Run a cell once more in Vietnamese and return what it shows."""
    _speak(client, "vi", at)
    outputs = _shown(client, cell, at)
    _speak(client, "en", at)
    return outputs


def _speak(client: nbclient.NotebookClient, lang: str, at: int) -> None:
    _shown(client, nbformat.v4.new_code_cell(f'import os\n\nos.environ["TLSIM_LANG"] = "{lang}"'), at)


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
        for to, book in zip((file, sister(file)), run(file, FULL, file.parent), strict=False):
            nbformat.write(clean(book), to)


if __name__ == "__main__":
    main(sys.argv[1:])
