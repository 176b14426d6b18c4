"""The flags that commands share, each declared once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from tlsim.cli.output import FORMATS
from tlsim.errors import UsageError
from tlsim.rules import Rules, load_rules, parse_setting
from tlsim.terms import LANGUAGES

_NUMBER = re.compile(r"(?P<digits>-?\d[\d_,]*(\.\d+)?)(e\+?(?P<power>\d{1,2}))?(?P<unit>[kmgb]?)", re.IGNORECASE)
_THOUSANDS = re.compile(r"-?\d{1,3}(\.\d{3})+")
_UNITS = {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}


def size(text: str) -> int:
    """Read a whole number as people write it.

    >>> [size(text) for text in ("1e6", "10_000_000", "10,000,000", "10M", "2.5k", "-3")]
    [1000000, 10000000, 10000000, 10000000, 2500, -3]
    """
    match = _NUMBER.fullmatch(text.strip())
    if match and len(text) <= 40:
        if _THOUSANDS.fullmatch(text.strip()):
            raise click.BadParameter(f"{text!r} may mean a fraction or thousands; write 5000, 5_000 or 5,000")
        digits = Decimal(re.sub("[_,]", "", match["digits"]))
        number = digits.scaleb(int(match["power"] or 0) + _UNITS[match["unit"].lower()])
        if number == number.to_integral_value():
            return int(number)
    raise click.BadParameter(f"{text!r} is not a whole number; write it as 1000000, 1_000_000, 1e6 or 1M")


def positive(text: str) -> int:
    """Read a whole number over 0."""
    number = size(text)
    if number <= 0:
        raise click.BadParameter(f"{text!r}: must be a whole number over 0, such as 5000")
    return number


def share(text: str) -> float:
    """Read a share or a number: ``1%``, ``0.01``.

    >>> share("1%"), share("0.25"), share("2.5 %")
    (0.01, 0.25, 0.025)
    """
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number; write it as 1% or 0.01") from None
    return number / 100 if text.endswith("%") else number


_TIME = re.compile(r"(?:(?P<h>[\d.]+)h)?(?:(?P<m>[\d.]+)m)?(?:(?P<s>[\d.]+)s?)?", re.IGNORECASE)


def duration(text: str) -> float:
    """Read a time in seconds.

    >>> duration("90"), duration("1h30m"), duration("0.5s"), duration("10m")
    (90.0, 5400.0, 0.5, 600.0)
    """
    match = _TIME.fullmatch(text.strip())
    try:
        parts = [float(match[unit] or 0) * size for unit, size in (("h", 3600), ("m", 60), ("s", 1))] if match else []
    except ValueError:
        parts = []
    if not text.strip() or not parts:
        raise click.BadParameter(f"{text!r} is not a time; write it as 90, 90s, 10m or 1h30m")
    return sum(parts)


def shard(text: str) -> tuple[int, int]:
    """Read which part of how many parts: ``2/4``.

    >>> shard("2/4")
    (2, 4)
    """
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise click.BadParameter(f"{text!r}: must be a part and the number of parts, such as 1/4 … 4/4")
    return int(found[1]), int(found[2])


def writable(_context: click.Context, _option: click.Parameter, file: str | None) -> str | None:
    """Refuse a file that cannot be written before anything is computed."""
    if file is None:
        return None
    path = Path(file)
    folder = path.absolute().parent
    if not folder.is_dir():
        raise click.BadParameter(f"there is no folder {str(folder)!r}")
    if path.is_dir() or not os.access(path if path.exists() else folder, os.W_OK):
        raise click.BadParameter(f"cannot write {file!r}: it is a folder, or you have no permission")
    return file


def _drawable(context: click.Context, option: click.Parameter, file: str | None) -> str | None:
    if file is not None:
        from tlsim.plotting import check_name

        check_name(file)
    return writable(context, option, file)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_FLAGS: dict[str, Decorator] = {
    "rules": click.option(
        "--rules", "rules_name", default="doithuong", show_default=True, metavar="NAME|FILE",
        help="Rule set: a preset (see 'tlsim rules list') or a rule file.",
    ),
    "set": click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE",
        help="Change a clause of the rules, such as cong.fine=20; may be repeated.",
    ),
    "players": click.option(
        "--players", type=size, metavar="N", help="Number of seats. [default: 4, or as the rules allow]"
    ),
    "opening": click.option("--opening", is_flag=True, help="Ask about an opening game (ván khởi đầu)."),
    "holding": click.option("--holding", metavar="CARDS", help="Cards known to be in the hand, such as '2S 2H'."),
    "dead": click.option("--dead", metavar="CARDS", help="Cards known to be elsewhere."),
    "deals": click.option(
        "--deals", type=size, default="10_000_000", show_default=True, metavar="N",
        help="Deals to simulate; 1e6 and 10M are read.",
    ),
    "seed": click.option(
        "--seed", type=size, default="0", show_default=True, metavar="N", help="Seed of the random streams."
    ),
    "threads": click.option(
        "--threads", type=size, metavar="N", help="Threads, or processes. [default: one per processor]"
    ),
    "executor": click.option(
        "--executor", type=click.Choice(("threads", "processes")),
        help="What runs the simulation; the numbers are the same. [default: threads]",
    ),
    "dask": click.option(
        "--dask", metavar="tcp://HOST:PORT", help="Run on the workers of this Dask scheduler (needs tlsim[dask])."
    ),
    "max_time": click.option(
        "--max-time", type=duration, metavar="TIME", help="Begin no new work after this time: 90, 90s, 10m, 1h30m."
    ),
    "rel_error": click.option(
        "--rel-error", type=share, metavar="SHARE",
        help="Stop once the standard error of --of is this share of its estimate, such as 1%; 10% at most.",
    ),
    "abs_error": click.option(
        "--abs-error", type=share, metavar="NUMBER", help="Stop once the standard error of --of is this small."
    ),
    "of": click.option(
        "--of", metavar="QUANTITY",
        help="What --rel-error and --abs-error look at. odds: a pattern, counts_PATTERN, wins_PATTERN, someone, worst "
        "[default: worst]; simulate: seat_0 …, role_0 …, an event [default: seat_0]; hand: mean, win, declare, sam, "
        "distance_0 … [default: mean; of all patterns: declare].",
    ),
    "floor": click.option(
        "--floor", type=share, metavar="PROBABILITY", default="1e-5", show_default=True,
        help="Patterns rarer than this are not looked at by 'worst'.",
    ),
    "at_least": click.option(
        "--at-least", type=size, metavar="N", default="0", help="Deals or games before which no error stops the run."
    ),
    "store": click.option(
        "--store", metavar="FILE", help="Keep finished blocks in FILE; the same command goes on where it was."
    ),
    "label": click.option(
        "--label", metavar="NAME", help="Name of the run in the store. [default: the command and the rules]"
    ),
    "shard": click.option(
        "--shard", type=shard, metavar="I/N", help="Do part I of N of the run; see 'tlsim runs merge'."
    ),
    "dry_run": click.option("--dry-run", is_flag=True, help="Only say how many blocks it takes, and about how long."),
    "lang": click.option("--lang", type=click.Choice(LANGUAGES), help="Language. [default: by the locale]"),
    "format": click.option(
        "--format", "fmt", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
    ),
    "plot": click.option("--plot", metavar="FILE", callback=_drawable, help="Draw a picture to FILE (.png, .svg …)."),
    "out": click.option("--out", metavar="FILE", callback=writable, help="Write to FILE, not to standard output."),
    "games": click.option(
        "--games", type=size, default="1_000_000", show_default=True, metavar="N",
        help="Games to play, rounded up to whole matches.",
    ),
    "policies": click.option(
        "--policies", default="lowest", show_default=True, metavar="NAMES",
        help="Policy of all seats, or one for each, with commas: lowest, random, smart, smart[hold_3s=1], "
        "rollout[n=50], lowest[declare=0], smart[sam=1], package.module:function.",
    ),
    "hand": click.option(
        "--hand", "hands", multiple=True, metavar="SEAT:CARDS",
        help="Cards that a seat surely has, such as 0:'3S 3C', or a pattern, such as 0:tu_quy_2; the rest is dealt.",
    ),
    "leader": click.option("--leader", type=size, metavar="SEAT", help="Seat that leads a regular game."),
    "deal": click.option(
        "--deal", "deals", metavar="FILE", help="Given deals: JSON with 'hands', records, or games in notation."
    ),
    "match_length": click.option(
        "--match-length", type=size, metavar="N", help="Games of a match. [default: that of the rules]"
    ),
    "stake": click.option(
        "--stake", type=positive, metavar="AMOUNT", help="Show money times this amount too, such as 5000."
    ),
}  # fmt: skip


RUNNING = ("threads", "executor", "dask", "max_time", "store", "label", "shard", "dry_run")
"""What every command that simulates takes."""
TARGETS = ("rel_error", "abs_error", "of", "at_least")
"""What those take that ask one question."""


def _debug_policy(_context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tlsim.kernels.own import DEBUG

        os.environ[DEBUG] = "1"  # processes that run blocks see it too


_DEBUG_POLICY = click.option(
    "--debug-policy", is_flag=True, expose_value=False, callback=_debug_policy,
    help="Look at every index that a policy of your own uses; slower.",
)  # fmt: skip


def flags(*names: str) -> Decorator:
    """Give a command the named flags, in that order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            command = _FLAGS[name](_DEBUG_POLICY(command) if name == "policies" else command)
        return command

    return decorate


def chosen_rules(name: str, settings: tuple[str, ...]) -> Rules:
    """Load the rules of ``--rules`` with the changes of ``--set``."""
    rules = load_rules(name)
    return rules.replace(dict(map(parse_setting, settings))) if settings else rules


def chosen_hands(hands: tuple[str, ...]) -> dict[int, str] | None:
    """Read ``--hand``: what each seat is given.

    >>> chosen_hands(("0:3S 3C", "2:tu_quy_2"))
    {0: '3S 3C', 2: 'tu_quy_2'}
    """
    found: dict[int, str] = {}
    for text in hands:
        seat, colon, given = text.partition(":")
        if not colon or not seat.strip().isdecimal():
            raise UsageError(f"--hand {text!r}: must be a seat, a colon and cards or a pattern, such as 0:'3S 3C'")
        if not given.strip():
            raise UsageError(f"--hand {text!r}: names no cards; write cards or a pattern after the colon")
        if int(seat) in found:
            raise UsageError(f"--hand {text!r}: seat {int(seat)} is there twice")
        found[int(seat)] = given
    return found or None


def chosen_players(rules: Rules, players: int | None) -> int:
    """Return ``--players``: by default four, or as near to it as the rules allow."""
    return min(max(4, rules.deal.min_players), rules.deal.max_players) if players is None else players
