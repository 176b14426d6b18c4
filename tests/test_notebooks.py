"""The notebooks: they run, call public names only, and are committed with what they show, each in both languages.

Cells tagged ``exact`` show exact numbers, which do not depend on the size of the run: they must be the committed ones.
The code of a Vietnamese notebook is that of the English one, and is run with it.
"""

import ast
import importlib.util
import re
import unicodedata
from pathlib import Path

import pytest

import tlsim

FOLDER = Path(__file__).parents[1] / "notebooks"
FILES = [
    FOLDER / f"{name}.ipynb"
    for name in ("01_odds", "02_fair_prices", "03_whole_games", "04_declare_or_play_on", "05_variants")
]
STANDARD = {"math", "os", "pathlib", "tempfile"}
NOTICE = "compiling kernels; this takes some fifteen seconds on two cores, once"  # where the cache is new
MACHINE_PATH = re.compile(r"/(tmp|home|root|Users|var|opt)/|\b[A-Za-z]:\\|site-packages|__pycache__")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
FIGURE = r"(?:\d+\.\d+|\d\d,\d{3})"
MOST_BYTES = 600_000
SCALE = 0.01

SISTERS = [FOLDER / "vi" / file.name for file in FILES]

every_notebook = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
in_both = pytest.mark.parametrize("file", FILES + SISTERS, ids=lambda file: "-".join(file.parts[-2:]))


def _nbformat():
    """Return the library of notebooks, which takes two seconds to import: too long where tests are only collected."""
    import nbformat

    return nbformat


def _refresh():
    """Return the command that runs notebooks, as a module."""
    spec = importlib.util.spec_from_file_location("refresh", FOLDER / "refresh.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _code(book):
    return [cell for cell in book.cells if cell.cell_type == "code"]


def _shown(cell):
    """Return the text of a cell's outputs, and whether there is a picture."""
    texts, picture = [], False
    for output in cell.outputs:
        data = output.get("data", {})
        picture |= "image/png" in data
        texts.append(output.get("text", "") or data.get("text/plain", ""))
    return "\n".join(texts), picture


def _says_something(tree):
    """Whether code prints, or ends with a value."""
    last = tree.body[-1]
    value = isinstance(last, ast.Expr) and not _is_call_of(last.value, "print")
    return value or any(_is_call_of(node, "print") for node in ast.walk(tree))


def _is_call_of(node, name):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _draws(tree):
    return any(isinstance(node, ast.Attribute) and node.attr == "plot" for node in ast.walk(tree))


def test_these_are_all():
    assert sorted(FOLDER.glob("*.ipynb")) == FILES
    assert sorted((FOLDER / "vi").glob("*.ipynb")) == SISTERS


@every_notebook
def test_both_languages_have_the_same_code(file):
    """And prose between the same cells; the same numbers, written in the way of the language."""
    english, vietnamese = (_nbformat().read(each, as_version=4).cells for each in (file, FOLDER / "vi" / file.name))
    assert [cell.cell_type for cell in english] == [cell.cell_type for cell in vietnamese]
    for one, two in zip(english, vietnamese, strict=True):
        if one.cell_type == "code":
            assert one.source == two.source
            (shown, picture), (said, drawn) = _shown(one), _shown(two)
            assert picture == drawn
            assert bool(shown) == bool(said)
        else:
            assert one.source.splitlines()[0] != two.source.splitlines()[0]


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=[pytest.mark.look] * (file is not FILES[0]), id=file.stem) for file in FILES],
)
def test_runs(file, tmp_path):
    """The first in every run of the tests, all of them by `make look`: each starts a kernel and runs for seconds."""
    for each, book in zip((file, FOLDER / "vi" / file.name), _refresh().run(file, SCALE, tmp_path), strict=True):
        committed = [_shown(cell) for cell in _code(_nbformat().read(each, as_version=4))]
        for cell, (text, picture) in zip(_code(book), committed, strict=True):
            now, drawn = _shown(cell)
            noise = [output.text for output in cell.outputs if output.get("name") == "stderr"]
            assert {line for each in noise for line in each.splitlines()} <= {NOTICE, ""}
            assert drawn == picture
            if "exact" in cell.metadata.get("tags", []):
                assert NUMBER.findall(now.replace(NOTICE, "")) == NUMBER.findall(text), cell.source


@in_both
def test_is_committed_with_what_it_shows(file):
    book = _nbformat().read(file, as_version=4)
    _nbformat().validate(book)
    cells = _code(book)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        tree = ast.parse(cell.source)
        text, picture = _shown(cell)
        assert picture == _draws(tree), cell.source
        assert picture or bool(text.strip()) == _says_something(tree), cell.source
        assert {output.output_type for output in cell.outputs} <= {"stream", "display_data", "execute_result"}
        assert all(output.get("name") != "stderr" for output in cell.outputs)
    assert any(_draws(ast.parse(cell.source)) for cell in cells)
    assert any("exact" in cell.metadata.get("tags", []) for cell in cells) or file.stem.startswith(("03", "04"))


@in_both
def test_has_nothing_of_one_machine_or_one_run(file):
    book = _nbformat().read(file, as_version=4)
    assert book.metadata == _refresh().METADATA
    assert all(set(cell.metadata) <= {"tags"} for cell in book.cells)
    text = "\n".join(cell.source + _shown(cell)[0] if cell.cell_type == "code" else cell.source for cell in book.cells)
    assert not MACHINE_PATH.search(text)
    assert not re.search(r"warning|traceback|it/s|\r", text, re.IGNORECASE)
    assert file.stat().st_size < MOST_BYTES


@in_both
def test_vietnamese_is_composed(file):
    text = file.read_text(encoding="utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert "tới trắng" in text  # and is not written as escapes, which would hide it


@every_notebook
def test_calls_public_names_only(file):
    for cell in _code(_nbformat().read(file, as_version=4)):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.ImportFrom):
                assert node.module in STANDARD
            if isinstance(node, ast.Import):
                assert {name.name for name in node.names} <= {"tlsim", *STANDARD}
                assert all(name.asname is None for name in node.names)
            if isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_")
                if isinstance(node.value, ast.Name) and node.value.id == "tlsim":
                    assert node.attr in tlsim.__all__


@every_notebook
def test_one_first_cell_sets_the_sizes(file):
    first, *others = [cell.source for cell in _code(_nbformat().read(file, as_version=4))]
    assert 'os.environ.get("TLSIM_NOTEBOOK_SCALE", "1")' in first
    assert not any("SCALE" in source or "environ" in source for source in others)


def test_the_findings_say_what_they_show():
    """Every figure that the findings give of whole games, with the error beside it, stands in some output."""
    page = (FOLDER.parent / "docs" / "findings.md").read_text(encoding="utf-8")
    findings = page.split("## Whole games\n")[1].split("The [notebooks]")[0]
    books = [_nbformat().read(file, as_version=4) for file in FILES]
    shown = "\n".join(_shown(cell)[0] for book in books for cell in _code(book))
    for form, least in ((FIGURE, 15), (rf"{FIGURE} ± {FIGURE}", 7)):
        said = re.findall(form, findings)
        assert len(said) >= least
        assert set(said) <= set(re.findall(form, shown))


def test_nothing_is_written_from_a_small_run(tmp_path, monkeypatch):
    """What is written is of full size, whatever the environment says."""
    monkeypatch.setenv("TLSIM_NOTEBOOK_SCALE", "0.01")
    source = 'import os\n\nprint(os.environ["TLSIM_NOTEBOOK_SCALE"])'
    book = _nbformat().v4.new_notebook(
        cells=[_nbformat().v4.new_code_cell(source, metadata={"tags": ["exact"], "x": 1})]
    )
    file = tmp_path / "small.ipynb"
    _nbformat().write(book, file)
    refresh = _refresh()
    refresh.main([str(file)])
    written = _nbformat().read(file, as_version=4)
    assert float(written.cells[0].outputs[0].text) == 1
    assert written.cells[0].metadata == {"tags": ["exact"]}
    assert written.metadata == refresh.METADATA
