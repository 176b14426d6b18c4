"""The reference, written from the declarations of the program: no table of it is kept by hand.

Sphinx calls `write` before it reads the pages. What is written lies in ``docs/_generated`` and is included by the
pages of ``docs/reference``; the notebooks are copied to ``docs/tutorial``. Meanings that the program does not hold stand
in the TOML files beside this one. A name there that the program no longer knows is a warning, and so is a code that
something cites and nothing explains; warnings end the build.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import shutil
import textwrap
import tomllib
import typing
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import click
from pydantic import BaseModel
from sphinx.application import Sphinx
from sphinx.util import logging

import tlsim
from tlsim.catalogue import say
from tlsim.cli import COMMANDS
from tlsim.columns import Column, View
from tlsim.options import OPTIONS, Option
from tlsim.results.result import Result
from tlsim.rules import keypath, list_rules, load_rules
from tlsim.rules.schema import RuleSet
from tlsim.rules.toml import write_value
from tlsim.terms import known_term

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
log = logging.getLogger(__name__)
LANGUAGES = ("en", "vi")

# Which questions the views of a module belong to; other modules go by the first line of their docstring.
SECTIONS = {
    "tlsim.results.odds": "tlsim odds",
    "tlsim.results.exact": "tlsim odds",
    "tlsim.results.estimated": "tlsim odds",
    "tlsim.results.chances": "tlsim odds",
    "tlsim.results.event": "tlsim.estimate_event",
    "tlsim.results.hand": "tlsim hand",
    "tlsim.results.value": "tlsim hand --ev",
    "tlsim.results.worth": "tlsim hand toi_trang --ev",
    "tlsim.results.game_views": "tlsim simulate",
    "tlsim.results.difference": "tlsim.compare and tlsim simulate --against-…",
    "tlsim.fairness": "tlsim fair",
    "tlsim.questions.kept": "tlsim runs",
    "tlsim.cli.settle": "tlsim settle",
    "tlsim.cli.rules": "tlsim rules",
    "tlsim.cli.bench": "tlsim bench",
}
ROOMS = ("tlsim.results", "tlsim.fairness", "tlsim.questions", "tlsim.records", "tlsim.cli")
KINDS = {
    "pattern": "an id of a pattern",
    "term": "a word of the glossary",
    "event": "an event",
    "reason": "a reason to pay",
    "text": "text",
    "sentence": "a sentence",
    "cards": "cards",
    "flag": "true or false",
    "list": "a list",
    "count": "a whole number",
    "index": "a whole number that counts from 0 or names something",
    "whole": "a whole number of any size",
    "probability": "a probability, from 0 to 1",
    "rate": "a number per game or per hand",
    "one_in": "one divided by a probability",
    "share": "a share, from 0 to 1; people read a percentage",
    "money": "money (or points), in the unit of the rules",
    "price": "a price, in the unit of the rules",
    "amount": "a number",
    "number": "a number",
    "correlation": "a correlation, from -1 to 1",
    "error": "the standard error of the column that it belongs to",
    "end": "an end of a 95 % interval",
    "interval": "a 95 % interval, for people; files have its two ends",
}


def held(name: str) -> dict[str, Any]:
    """Return what a TOML file beside this one holds."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def cell(text: Any) -> str:
    """Return text as the cell of a Markdown table."""
    return str(text).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def code(text: Any) -> str:
    """Return text as code; nothing where there is none."""
    return f"`{str(text).replace('|', chr(92) + '|')}`" if str(text) else ""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a Markdown table."""
    return ["", f"| {' | '.join(heads)} |", f"|{' :--- |' * len(heads)}", *(f"| {' | '.join(row)} |" for row in rows), ""]


def load(name: str) -> ModuleType | None:
    """Import a module of the program; one that cannot be imported is a warning."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        log.warning("%s cannot be imported: %s", name, error)
        return None


# Commands and options


def usual(option: Option) -> str:
    """Return what an option is where nobody says."""
    if option.usual:
        return cell(say(option.usual, "en"))
    if option.read is None or option.default in (None, (), ""):
        return ""
    return code(f"{option.default:,}" if isinstance(option.default, int) else option.default)


def spelt(option: Option) -> str:
    """Return a flag with what stands after it."""
    return code(option.flags if option.read is None else f"{option.flags} {option.metavar}")


def commands() -> list[str]:
    """Return a chapter for each command."""
    lines: list[str] = []
    for name, (home, _) in COMMANDS.items():
        module = load(home.partition(":")[0])
        if module is not None:
            lines += a_command(f"tlsim {name}", getattr(module, home.partition(":")[2]), 2)
    return lines


def a_command(name: str, command: click.Command, depth: int) -> list[str]:
    """Return what a command is for, its arguments and its options by groups."""
    parts = say(command.help or "", "en").split("\n\n") if command.help else []
    lines = ["", f"{'#' * depth} {name}", "", *(f"{cell(textwrap.dedent(part).strip())}\n" for part in parts)]
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=name)
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None:
                lines += a_command(f"{name} {each}", below, depth + 1)
        return lines
    asked = [each.metavar or (each.name or "").upper() for each in command.params if isinstance(each, click.Argument)]
    words = [name, *asked, "[OPTIONS]"]
    lines += ["```text", " ".join(words), "```", ""]
    groups: dict[str, list[list[str]]] = {}
    for each in command.params:
        option = getattr(each, "option", None)
        if isinstance(option, Option):
            row = [spelt(option), cell(say(option.help, "en")), usual(option)]
            groups.setdefault(say(option.group, "en"), []).append(row)
        elif isinstance(each, click.Option):
            row = [code(", ".join(each.opts)), cell(say(each.help or "", "en")), ""]
            groups.setdefault("Other", []).append(row)
    rows = [[group if at == 0 else "", *row] for group, found in groups.items() for at, row in enumerate(found)]
    return lines + table(["group", "option", "what it is", "default"], rows) if rows else lines


def options() -> list[str]:
    """Return all options by groups, in both languages."""
    groups: dict[str, list[list[str]]] = {}
    for option in OPTIONS.values():
        python = code(option.name)
        row = [spelt(option), python, cell(say(option.help, "en")), cell(say(option.help, "vi")), usual(option)]
        groups.setdefault(option.group, []).append(row)
    lines: list[str] = []
    for group, rows in groups.items():
        lines += ["", f"## {say(group, 'en')} ({say(group, 'vi')})"]
        lines += table(["option", "in Python", "what it is", "nghĩa là", "default"], rows)
    return lines


# Columns


def modules() -> Iterator[ModuleType]:
    """Yield the modules that may declare views."""
    for room in ROOMS:
        package = load(room)
        if package is None:
            continue
        yield package
        for each in pkgutil.iter_modules(getattr(package, "__path__", []), f"{room}."):
            module = load(each.name)
            if module is not None:
                yield module


def views_in(value: Any) -> list[View]:
    """Return a view, or the views in a tuple of them or a dict."""
    if isinstance(value, View):
        return [value]
    if isinstance(value, tuple | list):
        return [view for each in value for view in views_in(each)]
    return [view for each in value.values() for view in views_in(each)] if isinstance(value, dict) else []


def views() -> dict[str, list[View]]:
    """Return the views that the program declares, by the question that they belong to."""
    found: dict[str, list[View]] = {}
    seen: list[View] = []
    for module in modules():
        room = next((key for key in (module.__name__, module.__name__.rpartition(".")[0]) if key in SECTIONS), "")
        title = SECTIONS.get(room) or (module.__doc__ or module.__name__).strip().split("\n")[0].rstrip(".")
        for value in vars(module).values():
            for view in views_in(value):
                if view not in seen and view.columns:
                    seen.append(view)
                    found.setdefault(title, []).append(view)
    order = list(SECTIONS.values())
    return dict(sorted(found.items(), key=lambda each: order.index(each[0]) if each[0] in order else len(order)))


def columns() -> list[str]:
    """Return the views of every question with their columns: both headings, kind and meaning."""
    meanings = held("columns")
    known: set[str] = set()
    lines: list[str] = []
    for title, found in views().items():
        lines += ["", f"## {title}"]
        for view in found:
            heading = [known_term(view.heading, lang) or view.name for lang in LANGUAGES]
            lines += ["", f"### {view.name}: {heading[0]} / {heading[1]}", "", *seen_by(view)]
            places = [f"{title}: {view.name}", view.name]
            about = next((meanings["views"][place] for place in places if place in meanings["views"]), "")
            lines += [about, ""] if about else []
            rows = []
            for column in view.columns:
                keys = [*(f"{place}.{column.key}" for place in places), column.key]
                known |= {*places, *keys}
                said = next((meanings["columns"][key] for key in keys if key in meanings["columns"]), "")
                said = cell(said) or follows(view, column)
                rows.append([code(column.key), *headings(column), KINDS.get(column.kind, column.kind), said])
            lines += table(["column", "heading", "tiêu đề", "kind", "what it means"], rows)
    for name in [*meanings["columns"], *meanings["views"]]:
        if name not in known:
            log.warning("docs/_ext/columns.toml explains %s, which no view has", name)
    return lines


def seen_by(view: View) -> list[str]:
    """Return who sees a view, where not everybody does."""
    if not view.files:
        return ["People see this view; files have the views that it is made of.", ""]
    if not view.people:
        return ["Files have this view; people see a view that is made of it.", ""]
    return [] if view.first else [f"People see this view by `--view {view.name}` or `--view all`.", ""]


def headings(column: Column) -> list[str]:
    """Return the heading of a column in both languages."""
    if column.kind in {"error", "end"} and not column.shown:
        return ["", ""]
    return [cell(known_term(column.heading, lang) or column.heading) for lang in LANGUAGES]


def follows(view: View, column: Column) -> str:
    """Return what follows of a column from how it is declared."""
    if column.kind == "error":
        of = next((each.key for each in view.columns if each.error == column.key), "")
        return f"Standard error of `{of}`." if of else "Standard error."
    if column.kind == "end":
        side = "lower" if "low" in column.key or "from" in column.key else "upper"
        return f"The {side} end of the 95 % interval."
    return f"Made of `{column.ends[0]}` and `{column.ends[1]}`." if column.ends and not column.filed else ""


# Rule keys


def comments(model: type[BaseModel]) -> dict[str, str]:
    """Return the comment behind each field of a table of the schema."""
    found = re.findall(r"^    (\w+): .*?#\s*(.+)$", inspect.getsource(model), re.MULTILINE)
    return {name: text for name, text in found}


def allowed(annotation: Any, metadata: Sequence[Any] = ()) -> str:
    """Return in words which values a key of the schema takes."""
    origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return ", ".join(code(write_value(value)) for value in inside)
    if origin is typing.Annotated:
        return allowed(inside[0], [*inside[1:], *metadata])
    if annotation is bool:
        return "`true` or `false`"
    bounds = {name: getattr(each, name) for each in expanded(metadata) for name in ("ge", "le") if hasattr(each, name)}
    between = f" from {bounds['ge']:,} to {bounds['le']:,}" if len(bounds) == 2 else ""
    if annotation is int:
        return "a card, such as `\"3S\"`" if any("read_card" in str(each) for each in metadata) else f"a whole number{between}"
    if annotation is float:
        return "money, in steps of ½"
    if annotation is str:
        return "text"
    if origin is tuple:
        return f"a list of: {allowed(inside[0])}"
    if origin is dict:
        return f"by number of players: {allowed(inside[1])}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "a table"
    parts = dict.fromkeys(allowed(each) for each in inside if each is not type(None))
    return " or ".join(part for part in parts if part)


def expanded(metadata: Sequence[Any]) -> list[Any]:
    """Return marks of an annotation, those within a field included."""
    return [one for each in metadata for one in (each, *getattr(each, "metadata", ()))]


def in_presets(path: str) -> str:
    """Return which presets have which value of a key, each with its source."""
    by_value: dict[tuple[str, str], list[str]] = {}
    for name in list_rules():
        found = [clause for clause in load_rules(name).clauses() if clause[0].removeprefix(path).strip(".0123456789") == ""]
        if found:
            values = [f"{at.removeprefix(path + '.')}: {write_value(value)}" if at != path else write_value(value)
                      for at, value, _ in found]  # fmt: skip
            source = (found[0][2] or "").removeprefix("inherited: ")
            by_value.setdefault(("; ".join(values), source), []).append(name)
    shown = [f"{code(value)} {', '.join(names)}{f' ({source})' if source else ''}"
             for (value, source), names in by_value.items()]  # fmt: skip
    return "<br>".join(shown)


def rule_keys() -> list[str]:
    """Return every key of a rule file by tables: values, meaning, and what the presets have and why."""
    meanings = held("rule_keys")
    paths = keypath.known_paths()
    above_others = {path.rpartition(".")[0] for path in paths}
    tables: dict[str, list[list[str]]] = {"": []}
    about = {"": ""}
    for path in paths:
        above, _, key = path.rpartition(".")
        owner = keypath.model_at({}, keypath.read_path(above)) if above else RuleSet
        field = owner.model_fields[key]
        if path in above_others:
            tables[path], about[path] = [], (keypath.models_in(field.annotation)[0].__doc__ or "").strip()
            continue
        said = meanings.get(path) or comments(owner).get(key, "")
        if not said:
            log.warning("the rule key %s is explained neither in docs/_ext/rule_keys.toml nor in the schema", path)
        names = "" if path in {"name", "label", "toi_trang.regular", "toi_trang.opening"} else in_presets(path)
        tables[above].append([code(path), allowed(field.annotation, field.metadata), cell(said), names])
    for name in meanings:
        if name not in paths:
            log.warning("docs/_ext/rule_keys.toml explains %s, which the schema does not have", name)
    lines: list[str] = []
    for name, rows in tables.items():
        if rows:
            lines += ["", f"## {code(f'[{name}]') if name else 'Above the tables'}", "", about[name]]
            lines += table(["key", "values", "what it means", "in the presets, with sources"], rows)
    return lines


def presets() -> list[str]:
    """Return the presets, and the tới trắng lists of each with prices and sources."""
    rows = []
    lines: list[str] = []
    for name in list_rules():
        rules = load_rules(name)
        seats = f"{rules.deal.min_players}–{rules.deal.max_players}"
        rows.append([code(name), cell(rules.label), rules.unit, seats, code(rules.digest[:12])])
        wins = [(which, win) for which, opening in (("regular", False), ("opening", True))
                for win in rules.instant_wins(opening)]  # fmt: skip
        if wins:
            lines += ["", f"### {name}"]
            lines += table(
                ["list", "pattern", "name", "pattern in English", "each loser pays", "source"],
                [[which, code(win.id), cell(win.label), cell(known_term(win.id, "en") or ""), f"{win.pays_half / 2:g}",
                  cell(win.source)] for which, win in wins],
            )  # fmt: skip
    head = table(["name", "label", "unit", "players", "digest begins with"], rows)
    return [*head, "", "## The tới trắng lists, strongest first", *lines]


# Codes


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
            log.warning("%s cites %s, which docs/_ext/codes.toml does not explain", where, name)
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


# The API


CHAPTERS = {
    "Odds": ("exact_odds", "estimate_odds", "estimate_event", "draw_hands", "classify_hand"),
    "Whole games": ("simulate", "compare", "mean_money", "write_games"),
    "What a hand is worth": ("hand_value", "worth_of_declaring"),
    "Prices": ("payout_fairness",),
    "Games to read, and records": ("play", "replay", "settle"),
    "Rules": ("load_rules", "list_rules", "Rules"),
    "How a run is run": ("Until", "Keep"),
    "Errors": ("TlsimError", "UsageError", "CardError", "RulesError", "RunError", "RecordError"),
}


def api() -> list[str]:
    """Return all public names by chapters, and what they return."""
    placed = {name for names in CHAPTERS.values() for name in names}
    chapters = {**CHAPTERS, "More": tuple(name for name in tlsim.__all__ if name not in placed)}
    lines: list[str] = []
    for title, names in chapters.items():
        there = [name for name in names if name in tlsim.__all__]
        if there:
            lines += ["", f"## {title}", ""]
        for name in there:
            if load(tlsim._HOMES[name]) is None:  # noqa: SLF001 (our own package)
                continue
            value = getattr(tlsim, name)
            lines += documented("autoclass" if inspect.isclass(value) else "autofunction", f"tlsim.{name}", name,
                                ("replace", "to_toml", "source_of", "describe_difference", "instant_wins")
                                if name == "Rules" else ())  # fmt: skip
    lines += ["", "## What the functions return", "",
              "Every result has `to_frame(view)`, `rows(view)`, `views`, and most have `plot(ax)`. Results of one question over other deals add by `+`.",
              ""]  # fmt: skip
    for result in sorted(results(), key=lambda each: each.__name__):
        lines += documented("autoclass", f"{result.__module__}.{result.__name__}", result.__name__, public(result))
    lines += ["", "## A policy of one's own", ""]
    if load("tlsim.policy") is not None:
        lines += ["```{eval-rst}", ".. automodule:: tlsim.policy", "```", ""]
    return lines


def public(result: type[Any]) -> tuple[str, ...]:
    """Return the methods of a result that are its own."""
    return tuple(
        name for name, value in vars(result).items()
        if not name.startswith("_") and callable(value) and getattr(value, "__doc__", None)
        and name not in {"applies", "view", "page", "tables", "table", "said", "notes", "quantities", "about"}
    )  # fmt: skip


def results() -> list[type[Any]]:
    """Return the kinds of result that there are."""
    list(modules())
    found: list[type[Any]] = []
    waiting: list[type[Any]] = [Result]
    while waiting:
        for each in waiting.pop().__subclasses__():
            waiting.append(each)
            if each.__doc__ and not each.__name__.startswith("_") and each.__module__.startswith("tlsim."):
                found.append(each)
    return found


def documented(directive: str, name: str, title: str, members: Sequence[str] = ()) -> list[str]:
    """Return what has autodoc write something."""
    options = [f"   :members: {', '.join(members)}"] if members else []
    return [f"### {title}", "", "```{eval-rst}", f".. {directive}:: {name}", *options, "```", ""]


# The tutorial


def notebooks() -> list[str]:
    """Return the contents of the tutorial: the notebooks that there are, each language by itself."""
    books = ROOT / "notebooks"
    names = sorted(book.relative_to(books).with_suffix("").as_posix() for book in found_notebooks())
    return ["```{toctree}", ":maxdepth: 1", "", *names, "```"]


def found_notebooks() -> Iterator[Path]:
    """Yield the notebooks that are committed."""
    yield from (book for book in (ROOT / "notebooks").rglob("*.ipynb") if ".ipynb_checkpoints" not in book.parts)


# Writing


PAGES = {
    "commands": commands, "options": options, "columns": columns, "rule_keys": rule_keys, "presets": presets,
    "codes": codes, "api": api, "notebooks": notebooks,
}  # fmt: skip


def write(app: Sphinx) -> None:
    """Write the generated parts of the pages, and copy the notebooks; what has not changed is left alone."""
    folder = Path(app.srcdir) / "_generated"
    folder.mkdir(exist_ok=True)
    for name, made in PAGES.items():
        text = "\n".join(made()) + "\n"
        file = folder / f"{name}.md"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for book in found_notebooks():
        copy = Path(app.srcdir) / "tutorial" / book.relative_to(ROOT / "notebooks")
        copy.parent.mkdir(exist_ok=True)
        if not copy.exists() or copy.read_bytes() != book.read_bytes():
            shutil.copyfile(book, copy)


def setup(app: Sphinx) -> dict[str, Any]:
    """Have the pages written before Sphinx looks for them."""
    app.connect("builder-inited", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
