"""Exact and simulated odds of Vietnamese climbing card games: Tiến Lên, Sâm lốc, Tổng thống."""

import importlib
import re
from pathlib import Path
from typing import Any

from tlsim.version import __version__ as __version__

# The public names, and where they come from: imported when first used, so that ``import tlsim`` is quick.
_IMPORTS = re.compile(r"^from (\S+) import ([\w, ]+)$", re.MULTILINE)
_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOMES = {name: home for home, names in _IMPORTS.findall(_STUB) for name in names.split(", ") if " as " not in name}
__all__ = sorted(_HOMES)  # noqa: PLE0605 (type checkers read the stub)


def __getattr__(name: str) -> Any:
    if name == "policy":  # what a policy of one's own is shown; imports the compiler
        return importlib.import_module("tlsim.policy")
    if name not in _HOMES:
        raise AttributeError(f"module 'tlsim' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
