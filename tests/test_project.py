"""The project as a whole: public names, the README, what may be imported."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import tlsim
from tlsim.cli import COMMANDS, main
from tlsim.cli import tlsim as tlsim_command
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
    "advise",
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
    "report",
    "review",
    "settle",
    "simulate",
    "train",
    "worth_of_declaring",
    "write_games",
}


def _pages():
    return (page for page in (ROOT / "docs").rglob("*.md") if "_generated" not in page.parts)


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


READMES = ("README.md", "README.vi.md")
PAGES = [*READMES, "CONTRIBUTING.md", *sorted(page.relative_to(ROOT).as_posix() for page in _pages())]


def _read(page):
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("page", "name"), [("README.md", "odds"), ("README.vi.md", "odds"), ("docs/findings.md", "pairs")]
)
def test_tables_are_what_the_program_prints(page, name):
    """``make refresh`` puts them there."""
    words, title, shown = re.search(
        rf"<!-- {name}: tlsim ([^|]*?)(?: \| (.*?))? -->\n(.*?)<!-- end of {name} -->", _read(page), re.DOTALL
    ).groups()
    printed = _program(*words.split())
    part = next(part for part in printed.split("### ")[1:] if title is None or part.startswith(f"{title}\n"))
    assert shown.strip() == part.split("\n\n")[1].strip()


@pytest.mark.look
def test_findings_on_the_lists():
    """Each row is what the program finds for each of the rules that it names, and every list has a row."""
    shown = re.search(r"<!-- findings: .*? -->\n(.*?)<!-- end of findings -->", _read("docs/findings.md"), re.DOTALL)[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.strip().splitlines()[2:]]
    said = {(name.strip("` "), row[2]): row[3:] for row in rows for name in row[0].split(",")}
    found = {}
    for name in tlsim.list_rules():
        fairness = tlsim.payout_fairness(name, players=4, games=0, judge_from=0)
        for row in fairness.rows("summary"):
            factors = [pair["factor"] for pair in fairness.rows("pairs") if pair["list"] == row["list"]]
            found[name, row["list"]] = [
                str(row["patterns"]), f"{row['wrong_pairs']} of {row['pairs']}",
                amount(max(factors)) if factors else "",
                "" if row["tau_strength"] is None else f"{row['tau_strength']:+.3f}",
                f"{row['misplaced']:.1%}", f"{row['worst_ratio']:.2g}",
            ]  # fmt: skip
    assert said == found


def _anchors(page):
    """Return the anchors of a page: its headings, as every reader of Markdown spells them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", _read(page), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    """Links between pages; those into generated parts of the reference are checked where the documentation is built."""
    text = re.sub(r"```.*?```|`[^`]*`", "", _read(page), flags=re.DOTALL)
    for target, _, anchor in (link.partition("#") for link in re.findall(r"\]\(([^)]*)\)", text) if ":" not in link):
        there = (ROOT / page).parent / target if target else ROOT / page
        assert there.exists(), target
        if anchor and "reference" not in target:
            assert anchor in _anchors(there), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES)
def test_files_that_pages_name_are_there(page):
    named = set(re.findall(r"`([\w./]*\w\.(?:py|toml))`", _read(page))) - {"script.py", "my-rules.toml"}
    rooms = (ROOT, ROOT / "tlsim", ROOT / "tests", ROOT / "docs" / "house_rules")
    missing = {file for file in named if not any((room / file).exists() for room in rooms) and "quan-ba" not in file}
    assert not missing


def test_readmes_show_the_picture_and_every_notebook():
    linked = [set(re.findall(r"\]\(notebooks/([\w./]+)\)", _read(page))) for page in READMES]
    assert [each & {"prices.png", "prices.vi.png"} for each in linked] == [{"prices.png"}, {"prices.vi.png"}]
    books = {file.relative_to(ROOT / "notebooks").as_posix() for file in (ROOT / "notebooks").rglob("*.ipynb")}
    assert set().union(*linked) - {"prices.png", "prices.vi.png"} == {
        book for book in books if ".ipynb_checkpoints" not in book
    }


@pytest.mark.parametrize("page", READMES)
def test_readmes_are_short_and_name_every_command(page):
    text = _read(page)
    assert len(text.splitlines()) <= 150
    assert all(f"tlsim {command}" in text for command in COMMANDS)


def test_the_readmes_say_the_same():
    """The same commands, Python and links to pages; only the words differ, and the language of the notebooks."""
    one, two = (_read(page) for page in READMES)
    links = r"\]\(((?!README|notebooks)[^)]*)\)"
    for form in (r"^\$ ([^#\n]*?) *(?:#.*)?$", r"^>>> ([^#\n]*?) *(?:#.*)?$", links, r"^## "):
        assert re.findall(form, one, re.MULTILINE) == re.findall(form, two, re.MULTILINE)


def _commands(page):
    """Return the commands that a page shows."""
    blocks = re.findall(r"```console\n(.*?)```", _read(page), re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", "").splitlines()]
    return [shlex.split(line[2:].partition(" > ")[0], comments=True) for line in lines if line.startswith("$ tlsim ")]


COMMAND_LINES = [words for page in PAGES for words in _commands(page)]


@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_commands_of_the_pages_are_understood(words):
    """Words and values are read as far as the command line goes; nothing is computed."""
    name, *rest = words[1:]
    context, command = click.Context(tlsim_command), tlsim_command.get_command(None, name)
    while isinstance(command, click.Group):
        context = click.Context(command, parent=context)
        name, *rest = rest
        command = command.get_command(context, name)
    command.make_context(name, rest, parent=context)


def test_every_command_has_help(capsys):
    assert "Usage: tlsim" in _program("odds", "--help")
    for command in COMMANDS:
        assert main([command, "--help"]) == 0
        assert f"Usage: tlsim {command}" in capsys.readouterr().out
