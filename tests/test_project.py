"""The project as a whole: public names, the README, what may be imported."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tlsim
from tlsim.cli import COMMANDS

ROOT = Path(__file__).parents[1]

PUBLIC = {
    "CardError",
    "Keep",
    "RecordError",
    "Rules",
    "RulesError",
    "RunError",
    "TlsimError",
    "Until",
    "UsageError",
    "classify_hand",
    "compare",
    "draw_hands",
    "estimate_event",
    "estimate_odds",
    "exact_odds",
    "hand_value",
    "list_rules",
    "load_rules",
    "mean_money",
    "payout_fairness",
    "play",
    "replay",
    "settle",
    "simulate",
    "worth_of_declaring",
}


def _program(*words):
    return subprocess.run([sys.executable, "-m", "tlsim", *words], capture_output=True, text=True, check=True).stdout


def test_public_names():
    assert set(tlsim.__all__) == PUBLIC
    assert all(getattr(tlsim, name).__doc__ for name in PUBLIC)
    with pytest.raises(AttributeError, match="no attribute 'simulte'"):
        tlsim.simulte  # noqa: B018


def test_import_is_lazy():
    code = "import tlsim, sys; print({'numba', 'pandas', 'matplotlib', 'scipy', 'pydantic'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_readme__its_odds_are_what_the_program_prints():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- odds: tlsim (.*?) -->\n(.*?)<!-- end of odds -->", readme, re.DOTALL)
    printed = _program(*shown[1].split())
    first_table = printed.split("\n\n")[1]
    assert shown[2].strip() == first_table.strip()


def test_readme__names_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"tlsim {command}" in readme for command in COMMANDS)


def test_every_command_has_help():
    for command in COMMANDS:
        assert "Usage: tlsim" in _program(command, "--help")
