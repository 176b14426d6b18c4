"""The project as a whole: public names, the README, what may be imported."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tlsim
from tlsim.cli import COMMANDS
from tlsim.fairness.verdicts import amount

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
    "write_games",
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


def _shown(name):
    """Return what the README says a command prints, and what is shown."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(rf"<!-- {name}: (.*?) -->\n(.*?)<!-- end of {name} -->", readme, re.DOTALL).groups()


def test_readme__its_wrong_pairs_are_what_the_program_prints():
    command, shown = _shown("pairs")
    printed = _program(*command.removeprefix("tlsim ").split())
    assert shown.strip() == printed.split("### ")[2].split("\n\n")[1].strip()


def test_readme__its_findings_on_the_lists():
    """Each row is what the program finds for each of the rules that it names, and every list has a row."""
    _, shown = _shown("findings")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.strip().splitlines()[2:]]
    said = {(name.strip("` "), row[2]): row[3:] for row in rows for name in row[0].split(",")}
    found = {}
    for name in tlsim.list_rules():
        fairness = tlsim.payout_fairness(name, players=4, games=0)
        for row in fairness.rows("summary"):
            factors = [pair["factor"] for pair in fairness.rows("pairs") if pair["list"] == row["list"]]
            found[name, row["list"]] = [
                str(row["patterns"]), f"{row['wrong_pairs']} of {row['pairs']}",
                amount(max(factors)) if factors else "",
                "" if row["tau_strength"] is None else f"{row['tau_strength']:+.3f}",
                f"{row['misplaced']:.1%}", f"{row['worst_ratio']:.2g}",
            ]  # fmt: skip
    assert said == found


def test_readme__its_picture_and_notebooks_are_there():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = {target for target in re.findall(r"\]\(([\w./]+)\)", readme) if target.startswith("notebooks")}
    assert {file.name for file in (ROOT / "notebooks").glob("*.ipynb")} <= {Path(target).name for target in linked}
    assert all((ROOT / target).exists() for target in linked)


def test_readme__names_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"tlsim {command}" in readme for command in COMMANDS)


def test_every_command_has_help():
    for command in COMMANDS:
        assert "Usage: tlsim" in _program(command, "--help")
