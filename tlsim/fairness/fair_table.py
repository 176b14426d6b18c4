"""`FairTable`: the lists of a rule set with fairer prices, and the rule file that it becomes."""

import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from tlsim.catalogue import N_, language, say
from tlsim.columns import Row
from tlsim.errors import UsageError, unwritable, wrong
from tlsim.fairness.notion import UNITS, Notion
from tlsim.fairness.price_list import Prices
from tlsim.fairness.repricing import REORDERED, Aim, Ask, Repriced, reprice
from tlsim.fairness.views import TABLE, TABLE_SUMMARY
from tlsim.options import METHODS, is_number, one_of
from tlsim.results.provenance import Provenance
from tlsim.results.result import Result
from tlsim.rules import Rules, list_rules, load_rules
from tlsim.rules.keypath import write_value
from tlsim.rules.load import SUFFIX
from tlsim.terms import term

CAP = 10  # times the dearest price of today, where no cap is given
MOST_PRICE = 1_000_000  # that a rule file may hold
_LONGEST = 120  # text in a rule file


@dataclass(frozen=True)
class FairTable(Result):
    """The lists of a rule set with fairer prices."""

    method: str  # how prices were made, as cap, units and cost say too; see `Fairness.fair_table`
    rules: Rules  # with the new prices
    lists: tuple[Repriced, ...]  # each list before and after
    origin: str | None = None  # preset or file that the rules came from
    cap: float | None = None
    units: str = "half"
    cost: tuple[float, float] = (0.0, 0.0)

    VIEWS = (TABLE, TABLE_SUMMARY)

    @property
    def changed(self) -> bool:
        """Whether any list has other prices or another order."""
        return any(each.changed for each in self.lists)

    def about(self) -> dict[str, Any]:
        """Return what it rests on, as files have it."""
        return self.provenance.as_dict() | self.asked

    @property
    def asked(self) -> dict[str, Any]:
        """What was asked for."""
        new = {} if self.method == REORDERED else {"cap": self.cap, "units": self.units}
        return {"method": self.method} | new | ({"cost": self.cost} if any(self.cost) else {})

    def said(self, lang: str) -> list[str]:
        """Return what a new list costs and misplaces, beside the one in force."""
        several, kept = len(self.lists) > 1, Notion.of(self.rules)
        lists = ((term(each.before.which, lang), each.said(lang, kept)) for each in self.lists if each.changed)
        return [f"– {which}: {text}" if several else f"– {text}" for which, text in lists]

    def notes(self, lang: str) -> list[str]:
        """Return what is special about each list."""
        return [f"{term(each.before.which, lang)}: {term(key, lang)}" for each in self.lists for key in each.notes]

    def _table(self) -> list[Row]:
        return [row for each in self.lists for row in each.rows()]

    def _table_summary(self) -> list[Row]:
        return [each.summary() for each in self.lists]

    def write(self, file: str | Path, extends: str | None = None) -> Rules:
        """Write a rule file that extends the original, and return its rules as they load.

        Parameters
        ----------
        file
            File to write, ending in ``.toml``.
        extends
            Preset or file to extend; default `origin`. Where a short file would not say the same, it holds all rules.

        Raises
        ------
        UsageError
            If nothing changes, or the file cannot be written.
        """
        file, base = Path(file), extends or self.origin
        if not self.changed:
            raise UsageError("nothing to write: {method} changes no price and no order of {rules}", method=self.method,
                             rules=self.rules.name)  # fmt: skip
        if file.suffix != SUFFIX:
            raise UsageError("cannot write rules to {file!r}: the name of a rule file ends in {suffix}", file=str(file),
                             suffix=SUFFIX)  # fmt: skip
        if base is not None and file.exists() and Path(base).exists() and file.samefile(base):
            raise UsageError("cannot write {file!r}: it is the file that is to be extended; choose another name",
                             file=str(file))  # fmt: skip
        wanted, heading, extended = _named(self), _heading(self), _extends(base, file)
        if extended is not None and base is not None:
            _write(file, heading + _short(self, wanted, extended, load_rules(base)))
            written = load_rules(file)
            if written.digest == wanted.digest:
                return written
        _write(file, heading + wanted.to_toml())
        return load_rules(file)


def make_table(
    lists: tuple[Prices, ...], rules: Rules, ask: Ask, method: str, cap: float | None, units: str,
    origin: str | None = None, provenance: Provenance | None = None, cost: tuple[float, float] = (0.0, 0.0),
) -> FairTable:  # fmt: skip
    """Return a fair table of all lists, judged by the same method; ``ask`` gives a list of other rules."""
    check_method(method, cap, units)
    done, step, changed = [], float(UNITS[units]), rules
    aim = Aim(method, max(default_cap(lists) if cap is None else cap, step), step, cost)
    for prices in lists:
        if not prices.known:
            raise UsageError("the {which} list of {rules} is too long for exact odds at {players} seats, and their "
                             "bounds are too wide to make prices of; ask for fewer players, or take patterns out",
                             which=prices.which, rules=rules.name, players=prices.players)  # fmt: skip
        judged = replace(prices, notion=replace(prices.notion, method=method))
        repriced, changed = reprice(judged, changed, ask, aim)
        done.append(repriced)
    about, found = provenance or lists[0].odds.provenance, tuple(done)
    table = FairTable(about, method, changed, found, origin, cap, units, cost)
    return replace(table, rules=changed.replace({"fair": _made_with(table)})) if table.changed else table


def default_cap(lists: Sequence[Prices]) -> float:
    """Return the highest new price where nobody says: ten times the dearest of today."""
    return min(float(max((entry.pays for each in lists for entry in each.listed), default=0)) * CAP or CAP, MOST_PRICE)


def check_method(method: str, cap: float | None, units: str) -> None:
    """Refuse a method, cap or unit that cannot be."""
    one_of(*METHODS)("method", method)
    one_of(*UNITS)("units", units)
    step = UNITS[units]
    if cap is not None and (not is_number(cap) or not step <= cap <= MOST_PRICE or Fraction(cap) % step):
        raise wrong("cap", cap, "must be a price from {least:g} to {most:,}, in {units} units", least=float(step),
                    most=MOST_PRICE, units=units)  # fmt: skip
    if method == REORDERED and (cap is not None or units != "half"):
        raise UsageError(
            "cap and units are about new prices; reordered hands out those that there are: leave them out, or choose "
            "proportional or logarithmic"
        )


# --- the rule file ---


def _named(table: FairTable) -> Rules:
    """Return the rules of a table under a name of their own."""
    rules, label = table.rules, f"{table.rules.label} ({term(f'method_{table.method}', 'vi')})"
    name = f"{rules.name}-{table.method}"
    return rules.replace({"name": name[-_LONGEST:], "label": label[-_LONGEST:]})


def _made_with(table: FairTable) -> dict[str, Any]:
    """Return what the prices were made with, as a rule file keeps it."""
    before = [each.before for each in table.lists]
    made: dict[str, Any] = {"method": table.method, "judge_from": before[0].notion.judge_from}
    if table.method != REORDERED:
        made |= {"cap": default_cap(before) if table.cap is None else float(table.cap), "units": table.units}
    return made


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
    """Return comments that say where the prices come from, and what is told of them."""
    about = table.lists[0].before.odds.provenance
    text = N_("Prices by rarity, method {method}: tlsim {version} fair, {players} players.")
    lines = [say(text, method=table.method, version=about.version, players=about.players), *table.said(language())]
    return "".join(f"# {line}\n" for line in lines)


def _short(table: FairTable, wanted: Rules, extends: str, base: Rules) -> str:
    """Return a file that says only what differs from the rules that it extends."""
    said = {"extends": extends, "name": wanted.name, "label": wanted.label}
    lines = [f"{key} = {write_value(value)}" for key, value in said.items()]
    ours = ("toi_trang.regular", "toi_trang.opening", "fair")
    changed = [(k, v) for k, _, v in base.describe_difference(wanted) if not k.startswith(ours) and v is not None]
    lines += [f"set.{write_value(key)} = {write_value(value)}" for key, value in changed]
    lines += ["\n[fair]", *(f"{key} = {write_value(value)}" for key, value in _made_with(table).items())]
    written = tomllib.loads(wanted.to_toml())["toi_trang"]
    one = written["opening_list_mode"] == "one_list"
    for which in ("regular" if one else each.before.which for each in table.lists if each.changed):
        for entry in written[which]:
            source = f"tlsim fair, {table.method}; {entry.get('source', '')}".rstrip("; ")[:_LONGEST]
            whole = entry | {"source": source}
            lines += [f"\n[[toi_trang.{which}]]", *(f"{key} = {write_value(value)}" for key, value in whole.items())]
    return "\n".join(lines) + "\n"


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise unwritable(file, error) from None
