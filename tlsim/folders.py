"""Where tlsim keeps things between runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder of what can be computed again: ``TLSIM_CACHE_DIR``, or the user's cache folder."""
    chosen = os.environ.get("TLSIM_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("tlsim", appauthor=False))
