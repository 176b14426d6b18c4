"""The examples in docstrings of the installed package, of the helpers of the tests, and in the READMEs, run."""

import doctest
import io
import re
from importlib import import_module
from pathlib import Path

import pytest

import tlsim

ROOT = Path(__file__).parents[1]
PACKAGE = Path(tlsim.__file__).parent
FORM = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def _named():
    """Return the modules that have examples; they are imported only when these run."""
    files = [(PACKAGE.parent, file) for file in sorted(PACKAGE.rglob("*.py"))]
    files += [
        (ROOT / "tests", file) for file in sorted((ROOT / "tests").glob("*.py")) if file.name != Path(__file__).name
    ]
    names = [
        ".".join(part for part in file.relative_to(folder).with_suffix("").parts if part != "__init__")
        for folder, file in files
        if re.search(r"^ *>>> ", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert {"answers", "tlsim.questions.odds", "tlsim.results.result"} <= set(names)  # none is overlooked
    assert len(names) > 20
    return names


def _run(examples, runner):
    said = io.StringIO()
    for example in examples:
        runner.run(example, out=said.write)
    return runner.summarize(verbose=False), said.getvalue()


@pytest.mark.parametrize("name", _named())
def test_examples_of_a_module(name):
    found = [each for each in doctest.DocTestFinder().find(import_module(name), name) if each.examples]
    assert found
    result, said = _run(found, doctest.DocTestRunner(verbose=False, optionflags=FORM))
    assert result.failed == 0, said


@pytest.mark.parametrize("page", ["README.md", "README.vi.md"])
def test_examples_of_a_page(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, page, page, 0)
    assert example.examples
    result, said = _run([example], doctest.DocTestRunner(verbose=False, optionflags=FORM))
    assert result.failed == 0, said
