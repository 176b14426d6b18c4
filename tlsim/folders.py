"""Where tlsim keeps things between runs, and what it brings with it."""

import os
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any
from unicodedata import normalize


def cache_folder() -> Path:
    """Return the folder of what can be computed again: ``TLSIM_CACHE_DIR``, or the user's cache folder."""
    chosen = os.environ.get("TLSIM_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("tlsim", appauthor=False))


def brought(file: str) -> dict[str, Any]:
    """Return what a TOML file of the package declares; its path is that within the package."""
    return tomllib.loads((Path(__file__).parent / file).read_text(encoding="utf-8"))


def existing(name: str | Path) -> Path:
    """Return the path of a file that is there, also where its marks are written in another way (NFC, NFD)."""
    path = Path(name)
    with suppress(OSError, ValueError):  # a name too long, a zero byte
        forms = [path, *(Path(normalize(form, str(path))) for form in ("NFC", "NFD"))]
        return next((each for each in forms if each.exists()), path)
    return path
