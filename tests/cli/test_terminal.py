"""Commands in a real terminal, with their bars."""

from __future__ import annotations

import pytest
from terminal import run_in_terminal


@pytest.mark.parametrize("lang", ["vi", "en"])
def test_fair_with_games_ends_well_in_a_terminal(lang):
    screen = run_in_terminal("fair", "--games", "10M", "--max-time", "11s", "--lang", lang, columns=200)
    assert screen.status == 0, screen.text
    assert "Traceback" not in screen.text
