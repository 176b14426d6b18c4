"""Writing a fair table as a rule file that extends the original."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from tlsim.errors import UsageError
from tlsim.fairness.table import FairTable
from tlsim.rules import Rules, list_rules, load_rules
from tlsim.rules.files import SUFFIX
from tlsim.rules.toml import write_value
from tlsim.terms import term

_LISTS = ("regular", "opening")
_LONGEST = 120  # text in a rule file


def write_table(table: FairTable, file: Path, base: str | None) -> Rules:
    """Write a table as a rule file; see `FairTable.write`."""
    if not table.changed:
        raise UsageError(f"nothing to write: {table.method} changes no price and no order of {table.rules.name}")
    if file.suffix != SUFFIX:
        raise UsageError(f"cannot write rules to {str(file)!r}: the name of a rule file ends in {SUFFIX}")
    if base is not None and file.exists() and Path(base).exists() and file.samefile(base):
        raise UsageError(f"cannot write {str(file)!r}: it is the file that is to be extended; choose another name")
    wanted = _named(table)
    extends = _extends(base, file)
    if extends is not None and base is not None:
        _write(file, _short(table, wanted, extends, load_rules(base)))
        written = load_rules(file)
        if written.digest == wanted.digest:
            return written
    _write(file, _heading(table) + wanted.to_toml())
    return load_rules(file)


def _named(table: FairTable) -> Rules:
    """Return the rules of a table under a name of their own."""
    rules = table.rules
    name = f"{rules.name}-{table.method}"
    label = f"{rules.label} ({term(f'method_{table.method}', 'vi')})"
    return rules.replace({"name": name[-_LONGEST:], "label": label[-_LONGEST:]})


def _extends(base: str | None, file: Path) -> str | None:
    """Return how the file names what it extends, or None where it cannot."""
    if base is None or base in list_rules():
        return base
    if not base.endswith(SUFFIX):
        return None
    try:
        return Path(os.path.relpath(base, file.absolute().parent)).as_posix()
    except ValueError:  # another drive
        return Path(base).absolute().as_posix()


def _heading(table: FairTable) -> str:
    """Return comments that say where the prices come from."""
    about = table.lists[0].before.odds.provenance
    lines = [f"Prices by rarity, method {table.method}: tlsim {about.version} fair, {about.players} players."]
    for row in table.summary():
        change = "" if row["cost_change"] is None else f" ({row['cost_change']:+.2%})"
        left = "" if row["misplaced"] is None else f"; misplaced {row['misplaced']:.1%} of it"
        lines.append(f"{row['list']}: {row['cost_per_1000']:.6g} per player and 1,000 deals{change}{left}.")
    return "".join(f"# {line}\n" for line in lines)


def _short(table: FairTable, wanted: Rules, extends: str, base: Rules) -> str:
    """Return a file that says only what differs from the rules that it extends."""
    lines = [f"extends = {write_value(extends)}", f"name = {write_value(wanted.name)}"]
    lines.append(f"label = {write_value(wanted.label)}")
    lines += [f"set.{write_value(key)} = {write_value(value)}" for key, value in _settings(base, wanted)]
    for each in table.lists:
        if each.changed:
            which = each.before.which
            lines += _patterns(which, tomllib.loads(wanted.to_toml())["toi_trang"][which], table.method)
    return _heading(table) + "\n".join(lines) + "\n"


def _settings(base: Rules, wanted: Rules) -> list[tuple[str, Any]]:
    """Return the clauses that differ, but those of the lists."""
    listed = tuple(f"toi_trang.{which}" for which in _LISTS)
    found = base.describe_difference(wanted)
    return [(key, value) for key, _, value in found if not key.startswith(listed) and value is not None]


def _patterns(which: str, entries: list[dict[str, Any]], method: str) -> list[str]:
    lines = []
    for entry in entries:
        source = f"tlsim fair, {method}; {entry.get('source', '')}".rstrip("; ")
        whole = entry | {"source": source[:_LONGEST]}
        lines += [f"\n[[toi_trang.{which}]]", *(f"{key} = {write_value(value)}" for key, value in whole.items())]
    return lines


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {str(file)!r}: {error.strerror or error}") from None
