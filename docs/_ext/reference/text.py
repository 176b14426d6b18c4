"""Markdown, and what the TOML files beside this one hold."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.util import logging

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
log = logging.getLogger(__name__)


@cache
def held(name: str) -> dict[str, Any]:
    """Return what a TOML file beside this one holds."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def cell(text: Any) -> str:
    """Return text as the cell of a Markdown table."""
    return str(text).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def code(text: Any) -> str:
    """Return text as code; nothing where there is none."""
    return f"`{str(text).replace('|', chr(92) + '|')}`" if str(text) else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a Markdown table."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return ["", f"| {' | '.join(heads)} |", f"|{' :--- |' * len(heads)}", *lines, ""]


def load(name: str) -> ModuleType | None:
    """Import a module of the program; one that cannot be imported is a warning."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        log.warning("%s cannot be imported: %s", name, error)
        return None
