"""Commands made of questions: their flags are the options of the question, how it is run, and how it is shown."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from tlsim.catalogue import N_, Language, language, say, told
from tlsim.cli.spoken import HELP, SAID, Spoken, SpokenGroup
from tlsim.columns import Table
from tlsim.engine.keep import Keep
from tlsim.engine.policies import POLICIES
from tlsim.engine.run import Until
from tlsim.errors import TlsimError, UsageError, unwritable
from tlsim.options import OPTIONS, Option
from tlsim.questions.how import How
from tlsim.questions.question import Question
from tlsim.rules import Rules, list_rules, load_rules, parse_setting
from tlsim.rules.keypath import LISTS, known_paths
from tlsim.rules.load import SUFFIX
from tlsim.show import Asked, Page, show
from tlsim.terms import find_pattern
from tlsim.version import __version__

Q = TypeVar("Q", bound=Question[Any])
RUN = ("threads", "executor", "dask", "max_time", "store", "label", "shard", "dry_run")
"""What every command that simulates takes."""
TARGETS = ("rel_error", "abs_error", "of", "at_least")
"""What those take that ask one question."""
_FILES = ("out", "write", "weights")  # options that name a file to be written
SHOW = ("view", "wide", "stake", "lang", "format", "out")


class _Read(click.ParamType[Any]):
    """A value that an option reads from text."""

    def __init__(self, option: Option) -> None:
        self.option, self.name = option, option.metavar

    def shell_complete(self, ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return what may stand here: names of the rules, patterns, policies, keys; or any file."""
        return completed(self.option.metavar, ctx, incomplete)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str) or self.option.read is None:
            return value
        try:
            return self.option.read(value)
        except UsageError as error:
            self.fail(told(error), param, ctx)


def completed(metavar: str, context: click.Context, begun: str) -> list[CompletionItem]:
    """Return words that complete what was begun, by what stands for them in the help."""
    before, names = "", list[str]()
    if metavar == "NAME|FILE":
        names = list_rules()
    elif metavar in {"PATTERN", "CARDS"}:
        with suppress(TlsimError):
            names = [*chosen_rules(context.params.get("rules") or OPTIONS["rules"].default).patterns()]
    elif metavar in {"NAMES", "BETTER,OTHERS"}:
        before, names = begun[: begun.rfind(",") + 1], list(POLICIES)
    elif metavar == "KEY=VALUE":
        names = [f"{key}=" for key in known_paths()]
    files = [CompletionItem(begun, type="file")] if "FILE" in metavar else []
    return [CompletionItem(before + name) for name in names if (before + name).startswith(begun)] or files


def argument(name: str, words: str, **more: Any) -> click.Argument:
    """Return an argument that is completed as an option with such a metavar is."""
    return click.Argument([name], shell_complete=lambda context, _, begun: completed(words, context, begun), **more)


class Flag(click.Option):
    """A flag made of an option; its help is in the language that is asked for when it is shown."""

    def __init__(self, option: Option, **more: Any) -> None:
        self.option = option
        kind: Any = click.Choice(option.choices) if option.choices else _Read(option)
        default = None if option.many or (option.read is None and option.default is None) else option.default
        shape = {"is_flag": True} if option.read is None else {"type": kind, "metavar": option.metavar}
        super().__init__(
            [option.flags, option.name], default=default, multiple=option.many, help=option.help, hidden=option.hidden,
            **shape, **more,
        )  # fmt: skip

    def make_metavar(self, ctx: click.Context) -> str:
        """Return the word that stands for its value."""
        return say(super().make_metavar(ctx))

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return flag and help in words."""
        asked = self.option
        usual = say(asked.usual) if asked.usual else ""
        if not usual and asked.read is not None and asked.default not in (None, (), "") and not self.required:
            text = "{default:,}" if isinstance(asked.default, int) else "{default}"
            usual = say(text, default=asked.default)
        self.help = say(asked.help) + (f" [{say('default')}: {usual}]" if usual else "")
        return super().get_help_record(ctx)


class Group(SpokenGroup):
    """A command of several."""

    def __init__(self, name: str) -> None:
        super().__init__(name, help=SAID["commands"][name]["help"], context_settings=HELP)

    def of(self, name: str, *asked: Any, **more: Any) -> "Callable[[Callable[[Given], Any]], Spoken]":
        """Return what makes one of its commands of ``f(given)``; see `command`."""

        def decorate(function: "Callable[[Given], Any]") -> Spoken:
            made = command(f"{self.name} {name}", *asked, **more)(function)
            self.add_command(made)
            return made

        return decorate


def command(
    name: str,
    question: type[Question[Any]] | None = None,
    *more: str | Option | click.Parameter,
    shows: Sequence[str | Option] = SHOW,
    without: Iterable[str] = (),
) -> "Callable[[Callable[[Given], Any]], Spoken]":
    """Return what makes a command of ``f(given)``.

    The fields of the question are flags, but for those that it is ``without``; ``--rules`` comes with ``--set`` and
    ``--price``. ``more`` are other options, by their names in `OPTIONS` or as they are, and arguments; ``shows`` are
    those of showing, which come last.
    """
    asked = [] if question is None else [each for key, each in question.options().items() if key not in set(without)]
    named = [OPTIONS[each] if isinstance(each, str) else each for each in (*more, *shows)]
    params: list[click.Parameter] = []
    for each in [*asked, *named]:
        params += [each] if isinstance(each, click.Parameter) else _flags(each)

    def decorate(function: "Callable[[Given], Any]") -> Spoken:
        @click.pass_context
        def call(context: click.Context, /, **values: Any) -> Any:
            if values.get("excel") and values["format"] != "csv":
                raise UsageError("--excel is about --format csv; give both")
            for each in _FILES:
                if values.get(each) and not values["force"] and not (each == "weights" and values["store"]):
                    check_free(values[each])
            try:
                return function(Given(context, values))
            except UsageError as error:  # which names what Python names
                error.sentence = error.sentence.changed(partial(_in_flags, context))
                raise

        own, said = name.rpartition(" ")[2], SAID["commands"][name]["help"]
        return Spoken(own, callback=call, params=params, help=said, context_settings=HELP)

    return decorate


def _in_flags(context: click.Context, text: str) -> str:
    """Return an error with fields as they are typed: ``--games -5`` for ``games = -5``."""
    asked = {str(each.name): each for each in context.command.params}

    def typed(found: re.Match[str]) -> str:
        each = asked[found[1] or found[3]]
        word = each.opts[0] if isinstance(each, click.Option) else say(each.make_metavar(context).strip("[].…"))
        return word + (" " if found[2] else "")

    inside = "|".join(name for name in asked if "_" in name) or "(?!)"
    return re.sub(rf"^({'|'.join(asked)})(?:( = )|(?=:))|(?<![\w.'-])({inside})(?![\w.'])", typed, text)


def _flags(option: Option) -> list[Flag]:
    """Return the flag of an option, and those that come with it."""
    checks = {"out": writable, "plot": drawable, "write": writable}
    found = [Flag(option, callback=checks.get(option.name))]
    if option.name == "rules":
        found += [Flag(OPTIONS["set"]), Flag(OPTIONS["price"])]
    if option.flags == "--out":
        found.append(Flag(OPTIONS["force"]))
    if option.name == "format" and "csv" in option.choices:
        found.append(Flag(OPTIONS["excel"]))
    if option.name == "policies":
        found.append(Flag(OPTIONS["debug_policy"], expose_value=False, callback=_debug_policy))
    return found


def _debug_policy(_context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tlsim.kernels.own import DEBUG

        os.environ[DEBUG] = "1"  # processes that run blocks see it too


def writable(_context: click.Context, _option: click.Parameter, file: str | None) -> str | None:
    """Refuse a file that cannot be written before anything is computed."""
    if file is None:
        return None
    try:
        path = Path(file).absolute()
        there, folder = path.parent.is_dir(), path.is_dir()
        allowed = os.access(path if path.exists() else path.parent, os.W_OK)
    except (OSError, ValueError) as error:  # a name too long, a zero byte, a working folder that is gone
        raise click.BadParameter(told(unwritable(file[:80], error))) from None
    if not there:
        raise click.BadParameter(say("there is no folder {folder!r}", folder=str(path.parent)))
    if folder or not allowed:
        raise click.BadParameter(say("cannot write {file!r}: it is a folder, or you have no permission", file=file))
    return file


def check_free(file: str) -> None:
    """Refuse to write over what may be somebody's work: rules, games that were typed, whatever is no text."""
    from tlsim.records.words import is_notation

    path, begun = Path(file), b""
    if path.is_file():
        with path.open("rb") as stream:
            begun = stream.read(4096)
    if begun and (path.suffix == SUFFIX or b"\0" in begun or is_notation(begun.decode(errors="replace"))):
        raise UsageError("{file!r} is there already, and may be somebody's work; name another file, or add --force",
                         file=file)  # fmt: skip


def drawable(context: click.Context, option: click.Parameter, file: str | None) -> str | None:
    """Refuse a picture that cannot be drawn or written."""
    if file is not None:
        from tlsim.plotting.axes import check_name

        check_name(file)
    return writable(context, option, file)


def chosen_rules(name: Any, settings: Sequence[str] = (), prices: Sequence[tuple[str, float]] = ()) -> Rules:
    """Load the rules of ``--rules`` with the changes of ``--set`` and ``--price``."""
    rules, changes = load_rules(name), dict[str, Any]()
    for path, value in map(parse_setting, settings):
        if path in changes:
            raise UsageError("--set {path} is there twice; say it once", path=path)
        changes[path] = value
    rules = rules.replace(changes) if changes else rules
    priced, given = dict[str, float](), {key: f"--set {key}" for key in changes}
    for text, pays in prices:
        key, said = _price_key(rules, text), f"--price {text}={pays:.12g}"
        if key in given:
            raise UsageError(
                "{price}: {other} says this price, too; leave one of them out", price=said, other=given[key]
            )
        priced[key], given[key] = pays, said
    try:
        return rules.replace(priced) if priced else rules
    except UsageError as error:  # which names keys
        keys = re.compile(rf"({'|'.join(map(re.escape, priced))})( = [^:]*)?")
        raise UsageError(error.sentence.changed(partial(keys.sub, lambda at: given[at[1]]))) from None


def _price_key(rules: Rules, text: str) -> str:
    """Return the key of the price that ``--price`` names: of a pattern, in one list or in both."""
    head, _, tail = text.partition(".")
    which = (head,) if head in LISTS and tail else ()
    ident = find_pattern(tail if which else text, rules.patterns(*which))
    return ".".join(["toi_trang", *which, ident, "pays"])


def chosen_hands(hands: Sequence[str]) -> dict[int, str] | None:
    """Read ``--hand``: what each seat is given."""
    found: dict[int, str] = {}
    for text in hands:
        seat, colon, given = text.partition(":")
        if not colon or not seat.strip().isdecimal():
            must = N_("--hand {text!r}: must be a seat, a colon and cards or a pattern, such as 0:'3S 3C'")
            raise UsageError(must, text=text)
        if not given.strip():
            raise UsageError("--hand {text!r}: names no cards; write cards or a pattern after the colon", text=text)
        if int(seat) in found:
            raise UsageError("--hand {text!r}: seat {seat} is there twice", text=text, seat=int(seat))
        found[int(seat)] = given
    return found or None


class Given:
    """What was given on the command line."""

    def __init__(self, context: click.Context, values: dict[str, Any]) -> None:
        self.context, self.values = context, values

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    def told(self, name: str) -> bool:
        """Whether somebody said so, and it is not the default."""
        return self.context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT

    def refuse(self, names: Iterable[str], text: str, **values: Any) -> None:
        """Refuse the first of some flags that was given, since it would mean nothing here."""
        for name in filter(self.told, names):
            raise UsageError(text, flag=name.replace("_", "-"), **values)

    @cached_property
    def rules(self) -> Rules:
        """The rules of ``--rules`` with the changes of ``--set`` and ``--price``."""
        return self.chosen(self["rules"])

    def chosen(self, name: Any, *settings: str) -> Rules:
        """Return rules with the changes of ``--set`` and ``--price``, and further ones."""
        return chosen_rules(name, [*(self["set"] or ()), *settings], self["price"] or ())

    @property
    def lang(self) -> Language:
        """The language."""
        return language(self["lang"])

    def question(self, kind: type[Q], **changed: Any) -> Q:
        """Return the question that is asked."""
        names = {f.name for f in fields(kind)}  # type: ignore[arg-type]
        asked = {name: self.values[name] for name in names if name in self.values}
        if "rules" in names and "rules" not in changed:
            asked["rules"] = self.rules
        if isinstance(asked.get("hands"), tuple):
            asked["hands"] = chosen_hands(asked["hands"])
        return kind(**asked | changed)

    @cached_property
    def how(self) -> How:
        """How it is run."""
        if self["store"] is None and (self["label"] is not None or self["shard"]):
            raise UsageError("--label and --shard say how a run is kept; give --store FILE with them")
        if self["dask"] and self["executor"]:
            raise UsageError("--dask and --executor both say what runs the simulation; leave one of them out")
        store = None if self["store"] is None else Keep(self["store"], self["label"], self["shard"] or (1, 1))
        asked = {key: self[key] for key in ("max_time", *TARGETS) if self[key] is not None}
        if not asked.get("at_least"):  # its default is 0
            asked.pop("at_least", None)
        until = Until(**asked, floor=self["floor"] or 0.0) if asked else None
        return How(self["dask"] or self["executor"], self["threads"], until=until, store=store)

    @property
    def rule_names(self) -> tuple[str, ...]:
        """The names after ``--rules`` of a command that takes several."""
        return self["rules"] or (OPTIONS["rules"].default,)

    @property
    def command(self) -> str:
        """What files call the command, such as ``runs show``."""
        return self.context.command_path.removeprefix("tlsim ")

    def show_tables(self, *tables: Table, notes: Sequence[str] = (), **about: Any) -> None:
        """Print tables of which nothing but the version, and what they are ``about``, is to be said."""
        self.show(Page(self.command, {"version": __version__} | about, tables, notes=notes))

    def show(self, page: Page) -> None:
        """Print a page as the flags say."""
        asked = {key: self[key] for key in ("format", "lang", "stake", "out")}
        show(page, Asked(**asked, view=self["view"] or (), wide=bool(self["wide"]), excel=bool(self["excel"])))
