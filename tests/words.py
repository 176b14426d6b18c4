"""Collects every sentence that people read, and brings the catalogues up to date: ``make words``.

Sentences are marked in the code by ``N_`` where they are declared, by ``say`` where they are said (in templates, too),
and by the names of errors and faults; what commands are for stands in ``tlsim/cli/commands.toml``, options in
``tlsim/options.toml``. A new sentence comes into
``tlsim/locale/vi/LC_MESSAGES/tlsim.po`` without a translation; write it there, and run ``make words`` once more, which
compiles the catalogue. The tests fail while one is missing.
"""

from __future__ import annotations

import ast
import errno
import importlib
import inspect
import itertools
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import tlsim
from tlsim.options import OPTIONS
from tlsim.rules.checks import SAID, TOGETHER

SOURCE = Path(tlsim.__file__).parent
PO = SOURCE / "locale" / "vi" / "LC_MESSAGES" / "tlsim.po"
KEYWORDS = {
    "N_": 0, "say": 0, "Sentence": 0, "TlsimError": 0, "UsageError": 0, "CardError": 0, "RunError": 0, "StoreError": 0,
    "BadParameter": 0, "ValueError": 0, "wrong": 2, "Fault": 2, "_found": 2, "placed": 1, "broken": 1, "fault": 0,
    "refused": 0, "_wrong": 1, "_broken": 1, "damaged": 1,
}  # fmt: skip
"""Which argument is a sentence, by the name of what is called."""
DECLARED = ("metavar", "group")
"""Words of the help, by the name of the argument."""
OTHERS = (
    # what Python says of TOML and JSON; a version may have others, which stay English
    "Cannot overwrite a value", "Cannot declare {name} twice", "Expected '=' after a key in a key/value pair",
    "Expected ']' at the end of a table declaration", "Expected ']]' at the end of an array declaration",
    "Expected newline or end of document after a statement", "Illegal character",
    "Invalid initial character for a key part",
    "Invalid statement", "Invalid value", "Unclosed array", "Unclosed inline table", "Unterminated string",
    "Unescaped '\\\\' in a string", "Invalid date or datetime", "Invalid hex value", "Expecting value",
    "Expecting property name enclosed in double quotes", "Expecting ':' delimiter", "Expecting ',' delimiter",
    "Extra data", "Unterminated string starting at", "Invalid control character at", "embedded null byte",
    "database is locked", "disk I/O error", "database or disk is full", "unable to open database file",
    "file is not a database", "database disk image is malformed", "attempt to write a readonly database",
)  # fmt: skip
SYSTEM = (
    "ENOENT",
    "EACCES",
    "EPERM",
    "EISDIR",
    "ENOTDIR",
    "ENOSPC",
    "ENAMETOOLONG",
    "EEXIST",
    "EROFS",
    "EIO",
    "EBADF",
    "EFBIG",
)
"""Errors of the system that people meet, by their names."""
CLICK = (
    "Aborted!", "Argument {name!r} takes {nargs} values.",
    "Choose from:\n\t{choices}", "Commands", "Error: {message}",
    "Invalid value for {param_hint}: {message}", "Invalid value: {message}", "Missing argument", "Missing command.",
    "Missing option", "Missing parameter", "No such command {name!r}.", "No such option {name!r}.",
    "Option {name!r} does not take a value.", "Options",
    "Show the version and exit.", "Show this message and exit.", "Try '{command} {option}' for help.", "Usage:",
    "default: {default}",
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)  # fmt: skip
"""Sentences of click that a person can meet; one and many where it counts."""
NOT_MET = re.compile(
    "prog|dynamic|declaration|Deprecation|deprecated|Choice|Confirm|continue|Could not|start character|defined twice|"
    "Boolean|No options defined|Positional|Takes|iterable|directory|env var|file|path|unknown error|are required|"
    "format|UUID|boolean|valid|range|param_name|param_type|takes"
)
"""Those of files, prompts, kinds of values and faults of programs that tlsim does not use."""


def sentences(fileobj, keywords, comment_tags, options):  # noqa: ARG001 (as Babel calls it)
    """Yield the sentences of a file: line, no function whose arguments Babel should pick, sentence, comments."""
    for node in ast.walk(ast.parse(fileobj.read())):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        found = [node.args[KEYWORDS[name]]] if name in keywords and len(node.args) > KEYWORDS[name] else []
        found += [each.value for each in node.keywords if each.arg in DECLARED]
        for text in found:
            for each in _texts(text):
                yield text.lineno, None, each, []


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))


def of_click() -> set[str]:
    """Return the sentences of click, as it has them now, that a person can meet."""
    folder, found = Path(click.__file__).parent, set()
    for name in ("core", "decorators", "exceptions", "formatting", "parser", "types"):
        marks = {"_": None, "gettext": None, "ngettext": (1, 2)}
        for _, message, *_ in extract_from_file("python", folder / f"{name}.py", marks):
            found |= {message} if isinstance(message, str) else set(message)
    return {text for text in found if text and not NOT_MET.search(text)}


def of_tables() -> Iterator[tuple[str, str]]:
    """Yield the sentences of what is declared in TOML, each with its file."""
    for each in OPTIONS.values():
        yield from (("options.toml", text) for text in (each.help, each.usual, each.metavar, each.group) if text)
    for each in itertools.chain.from_iterable(TOGETHER.values()):
        yield "rules/together.toml", each["why"]
    for each in SAID.values():
        yield from (("rules/faults.toml", each[key]) for key in ("says", "one") if key in each)


def collected() -> Catalog:
    """Return all sentences of the code."""
    found = Catalog(domain="tlsim", locale="en", project="tlsim", charset="utf-8")
    taken = extract_from_dir(SOURCE, [("**.py", sentences)], keywords=dict.fromkeys(KEYWORDS))
    for file, _, message, comments, context in taken:
        found.add(message, None, [(str(Path("tlsim") / file), 0)], auto_comments=comments, context=context)
    for file in sorted(SOURCE.rglob("templates/*.html")):
        for text in re.findall(r'say\("([^"]*)"', file.read_text(encoding="utf-8")):
            found.add(text, None, [(str(Path("tlsim") / file.relative_to(SOURCE)), 0)])
    for file, text in of_tables():
        found.add(text, None, [(f"tlsim/{file}", 0)])
    for name, text in sorted(helps()):
        found.add(text, None, [(name, 0)])
    for text in OTHERS:
        found.add(text, None, [("Python", 0)])
    for name in SYSTEM:
        found.add(os.strerror(getattr(errno, name)), None, [("the system", 0)])
    for text in CLICK:
        found.add(text, None, [("click", 0)])
    return found


def helps() -> set[tuple[str, str]]:
    """Return what each command is for, by its place."""
    from tlsim.cli import COMMANDS, EXAMPLES

    found = {("tlsim/cli/commands.toml", text) for _, text in EXAMPLES}
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


def places(text: str) -> list[str]:
    """Return what is to be filled in to a sentence, in order of names."""
    return sorted(re.findall(r"(?<!\{)\{\w+(?:!\w)?(?::[^}]*)?\}(?!\})", text))


def update() -> list[str]:
    """Bring the Vietnamese catalogue up to date and compile it; return the sentences without a translation."""
    template = collected()
    catalogue = translated() if PO.is_file() else Catalog(domain="tlsim", locale="vi", charset="utf-8")
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.fuzzy, catalogue.header_comment = False, "# What tlsim says in Vietnamese; made up to date by: make words"
    catalogue.project, catalogue.version = "tlsim", tlsim.__version__
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 12, 1, tzinfo=UTC)  # no change without a change
    catalogue.last_translator = catalogue.language_team = catalogue.msgid_bugs_address = "tlsim"
    PO.parent.mkdir(parents=True, exist_ok=True)
    with PO.open("wb") as file:
        write_po(file, catalogue, width=120, sort_output=True, include_lineno=False)
    with PO.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)
    return [str(message.id) for message in catalogue if message.id and not message.string]


if __name__ == "__main__":
    missing = update()
    print(f"{len(missing)} sentences without a translation", *missing, sep="\n  ")  # noqa: T201 (it is a program)
