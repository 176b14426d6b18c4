"""Collects every sentence that people read, and brings the catalogues up to date: ``make words``.

Sentences are marked in the code by ``N_`` where they are declared and by ``say`` where they are said; what commands are
for stands in their docstrings. A new sentence comes into ``tlsim/locale/vi/LC_MESSAGES/tlsim.po`` without a translation;
write it there, and run ``make words`` once more, which compiles the catalogue. The tests fail while one is missing.
"""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import tlsim

SOURCE = Path(tlsim.__file__).parent
PO = SOURCE / "locale" / "vi" / "LC_MESSAGES" / "tlsim.po"
KEYWORDS = {"N_": None, "say": None}


def collected() -> Catalog:
    """Return all sentences of the code."""
    found = Catalog(domain="tlsim", locale="en", project="tlsim", charset="utf-8")
    options = {"**.py": {}}
    for file, line, message, comments, context in extract_from_dir(
        SOURCE, [("**.py", "python")], options, KEYWORDS, ("note:",), strip_comment_tags=True
    ):
        found.add(message, None, [(str(Path("tlsim") / file), line)], auto_comments=comments, context=context)
    for name, text in sorted(helps()):
        found.add(text, None, [(name, 0)])
    return found


def helps() -> set[tuple[str, str]]:
    """Return what each command is for, by its place."""
    from tlsim.cli import COMMANDS

    found = set()
    for place, _ in COMMANDS.values():
        module, _, name = place.partition(":")
        command = getattr(importlib.import_module(module), name)
        for each in [command, *getattr(command, "commands", {}).values()]:
            if isinstance(each, click.Command) and each.help:
                found.add((module.replace(".", "/") + ".py", inspect.cleandoc(each.help)))
    return found


def translated() -> Catalog:
    """Return the Vietnamese catalogue as it is."""
    with PO.open("rb") as file:
        return read_po(file, locale="vi", domain="tlsim")


def update() -> list[str]:
    """Bring the Vietnamese catalogue up to date and compile it; return the sentences without a translation."""
    template = collected()
    catalogue = translated() if PO.is_file() else Catalog(domain="tlsim", locale="vi", charset="utf-8")
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    PO.parent.mkdir(parents=True, exist_ok=True)
    with PO.open("wb") as file:
        write_po(file, catalogue, width=120, sort_output=True, omit_header=False, include_lineno=False)
    with PO.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)
    return [str(message.id) for message in catalogue if message.id and not message.string]


if __name__ == "__main__":
    missing = update()
    print(f"{len(missing)} sentences without a translation", *missing, sep="\n  ")  # noqa: T201 (it is a program)
