"""Puts into README and pages what commands print: each table between two comments.

The first comment is ``<!-- name: tlsim … -->``, the last one ``<!-- end of name -->``. The first may end in
``| Title``, which names the part of the output that is shown; otherwise it is the first part. ``make refresh`` does it;
the tests say where what stands there is no longer what the program prints.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [*sorted(ROOT.glob("README*.md")), *sorted(Path(__file__).parent.glob("*.md"))]
_BLOCK = re.compile(r"<!-- (\w+): tlsim ([^|]*?)(?: \| (.*?))? -->\n(.*?)<!-- end of \1 -->", re.DOTALL)


def tables(text: str) -> list[tuple[str, str, str]]:
    """Return the command, the title and what is shown of each table of a page."""
    return [(words, title, shown.strip()) for _, words, title, shown in _BLOCK.findall(text)]


def printed(words: str, title: str = "") -> str:
    """Return the table that a command prints under a title, by default the first."""
    program = [sys.executable, "-m", "tlsim", *shlex.split(words)]
    output = subprocess.run(program, capture_output=True, text=True, check=True).stdout  # noqa: S603 (our own command)
    parts = re.findall(r"^### (.*?)\n\n(.*?)(?=\n\n|\Z)", output, re.DOTALL | re.MULTILINE)
    return next(table.strip() for name, table in parts if not title or name == title)


def main() -> None:
    """Write what the commands print now."""
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for words, title, shown in tables(text):
            text = text.replace(shown, printed(words, title))
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
