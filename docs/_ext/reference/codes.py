"""The chapter of codes."""

from __future__ import annotations

import re

from reference.text import ROOT, cell, code, held, log, table

CITED = re.compile(r"(?<![\w#`-])(00[0-4]#R\d+|DESIGN 2|[A-M][1-9]\d?)(?!\w)")
NO_CODES = {"A23"}  # a straight


def codes() -> list[str]:
    """Return the codes that rule files, messages and pages cite, each with one sentence."""
    found = held("codes")
    lines: list[str] = []
    for chapter in found["chapter"]:
        lines += ["", f"## {chapter['title']}", "", chapter.get("about", "")]
        lines += table(
            ["code", "what it says"],
            [[f"{code(name)}{{#{anchor(name)}}}", cell(text)] for name, text in chapter["codes"].items()],
        )  # fmt: skip
    explained = {name for chapter in found["chapter"] for name in chapter["codes"]}
    for name, where in cited().items():
        if name not in explained:
            log.warning("%s cites %s, which docs/_ext/reference/codes.toml does not explain", where, name)
    return lines


def anchor(name: str) -> str:
    """Return the name of the place where a code is explained."""
    return f"code-{re.sub(r'[^0-9A-Za-z]', '-', name).lower()}"


def linked(text: str) -> str:
    """Return text whose codes lead to where they are explained."""
    known = {name for chapter in held("codes")["chapter"] for name in chapter["codes"]}
    return CITED.sub(lambda found: f"[{found[0]}](#{anchor(found[0])})" if found[0] in known else found[0], text)


def cited() -> dict[str, str]:
    """Return the codes that something cites, and a file that does."""
    files = [*(ROOT / "tlsim" / "rules" / "sets").glob("*.toml"), ROOT / "README.md", *(ROOT / "docs").rglob("*.md"),
             ROOT / "tlsim" / "rules" / "schema.py", *(ROOT / "tlsim" / "records").glob("*.py")]  # fmt: skip
    found: dict[str, str] = {}
    for file in files:
        if "_generated" in file.parts:
            continue
        for name in CITED.findall(file.read_text(encoding="utf-8")):
            if name not in NO_CODES:
                found.setdefault(name, file.relative_to(ROOT).as_posix())
    return found
