"""The chapter of codes."""

from __future__ import annotations

import re

from reference.text import ROOT, cell, code, held, log, table


def codes() -> list[str]:
    """Return the codes that rule files, messages and pages cite, each with one sentence."""
    found = held("codes")
    lines: list[str] = []
    for chapter in found["chapter"]:
        lines += ["", f"## {chapter['title']}", "", chapter.get("about", "")]
        lines += table(
            ["code", "what it says"],
            [[f"<a id=\"code-{name.replace('#', '-').lower()}\"></a>{code(name)}", cell(text)]
             for name, text in chapter["codes"].items()],
        )  # fmt: skip
    explained = {name for chapter in found["chapter"] for name in chapter["codes"]}
    for name, where in cited().items():
        if name not in explained:
            log.warning("%s cites %s, which docs/_ext/reference/codes.toml does not explain", where, name)
    return lines


def cited() -> dict[str, str]:
    """Return the codes that something cites, and a file that does."""
    files = [*(ROOT / "tlsim" / "rules" / "sets").glob("*.toml"), ROOT / "README.md", *(ROOT / "docs").rglob("*.md"),
             ROOT / "tlsim" / "rules" / "schema.py", *(ROOT / "tlsim" / "records").glob("*.py")]  # fmt: skip
    found: dict[str, str] = {}
    for file in files:
        if "_generated" in file.parts:
            continue
        for name in re.findall(r"(?<![\w#`])(00[0-4]#R\d+|[A-M][1-9]\d?)(?!\w)", file.read_text(encoding="utf-8")):
            found.setdefault(name, file.relative_to(ROOT).as_posix())
    for never in ("A23",):  # a straight, no code
        found.pop(never, None)
    return found
