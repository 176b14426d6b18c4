"""The reference, written from the declarations of the program: no table of it is kept by hand.

Sphinx calls `write` before it reads the pages. What is written lies in ``docs/_generated`` and is included by the
pages of ``docs/reference``; the notebooks are copied to ``docs/tutorial``. Meanings that the program does not hold
stand in the TOML files beside this one. A name there that the program no longer knows is a warning, and so is a code
that something cites and nothing explains; warnings end the build.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from reference.api import api
from reference.codes import codes
from reference.columns import columns
from reference.commands import commands, options
from reference.glossary import glossary
from reference.rules import presets, rule_keys
from reference.text import ROOT


def notebooks() -> list[str]:
    """Return the contents of the tutorial: the notebooks that there are, each language by itself."""
    books = ROOT / "notebooks"
    names = sorted(book.relative_to(books).with_suffix("").as_posix() for book in found_notebooks())
    languages = {"English": [name for name in names if "/" not in name], "Tiếng Việt": [n for n in names if "/" in n]}
    contents = []
    for language, those in languages.items():
        contents += ["```{toctree}", f":caption: {language}", ":maxdepth: 1", "", *those, "```", ""]
    return contents


def found_notebooks() -> Iterator[Path]:
    """Yield the notebooks that are committed."""
    yield from (book for book in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in book.parts)


PAGES = {
    "commands": commands, "options": options, "columns": columns, "rule_keys": rule_keys, "presets": presets,
    "codes": codes, "api": api, "glossary": glossary, "notebooks": notebooks,
}  # fmt: skip


def write(app: Sphinx) -> None:
    """Write the generated parts of the pages, and copy the notebooks; what has not changed is left alone."""
    folder = Path(app.srcdir) / "_generated"
    folder.mkdir(exist_ok=True)
    for name, made in PAGES.items():
        text = "\n".join(made()) + "\n"
        file = folder / f"{name}.md"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for book in found_notebooks():
        copy = Path(app.srcdir) / "tutorial" / book.relative_to(ROOT / "notebooks")
        copy.parent.mkdir(exist_ok=True)
        if not copy.exists() or copy.read_bytes() != book.read_bytes():
            shutil.copyfile(book, copy)


def setup(app: Sphinx) -> dict[str, Any]:
    """Have the pages written before Sphinx looks for them."""
    app.connect("builder-inited", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
