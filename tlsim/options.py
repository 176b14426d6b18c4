"""What can be asked for: every option declared once, with its check and its words; signatures and flags follow.

A question (`tlsim.questions`) is a frozen dataclass whose fields are options, as in ``players: int | None =
option("players")``. The public function, the command's flag, its help and the error for a wrong value follow from here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeGuard

import numpy as np

from tlsim.cards import strip_marks
from tlsim.catalogue import LANGUAGES, N_
from tlsim.errors import UsageError, either, shorten, unknown, wrong

MOST_DEALS = 10**12
MOST_GAMES = 10**11
MOST_LENGTH = 1000
MOST_SEED = 2**128 - 1
METHODS = ("reordered", "proportional", "logarithmic")
EQUAL_COST, TOLERANCE = METHODS[1], 2.0
FORMATS = ("table", "json", "csv", "markdown")
Check = Callable[[str, Any], Any]
_NUMBER = re.compile(r"(?P<digits>-?\d[\d_,]*(\.\d+)?)(e\+?(?P<power>\d{1,2}))?(?P<unit>[kmgb]?)", re.IGNORECASE)
_UNITS = {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}
_TWO_WAYS = re.compile(r"-?\d{1,3}(?P<sign>[.,])(?P<after>\d+)(?P<unit>[kmgb]?)", re.IGNORECASE)
_CLAIMED = {"hand": "hand", "hands": "hand", "tay bai": "hand", "van bai": "game", "bai": "hand", "game": "game",
            "games": "game", "van": "game"}  # fmt: skip
_TIME = re.compile(r"(?:(?P<h>[\d.]+)h)?(?:(?P<m>[\d.]+)m)?(?:(?P<s>[\d.]+)s?)?", re.IGNORECASE)


def size(text: str) -> int:
    """Read a whole number as people write it; what can be meant in two ways is refused.

    >>> [size(text) for text in ("1e6", "10_000_000", "10,000,000", "10.000.000", "10M", "5,000", "-3")]
    [1000000, 10000000, 10000000, 10000000, 10000000, 5000, -3]
    >>> size("2,5M")
    Traceback (most recent call last):
        ...
    tlsim.errors.UsageError: '2,5M' may mean 2500000 or 25000000; write 2500000 or 25000000
    """
    text = text.strip()
    if len(text) <= 40:
        refuse_two_ways(text, whole=True)
        plain = text.replace(".", "") if re.fullmatch(r"-?\d{1,3}(\.\d{3}){2,}", text) else text
        if match := _NUMBER.fullmatch(plain):
            digits = Decimal(re.sub("[_,]", "", match["digits"]))
            number = digits.scaleb(int(match["power"] or 0) + _UNITS[match["unit"].lower()])
            if number == number.to_integral_value():
                return int(number)
    raise UsageError("{text!r} is not a whole number; write it as 1000000, 1_000_000, 1e6 or 1M", text=text)


def refuse_two_ways(text: str, *, whole: bool = False) -> None:
    """Refuse ``2,5M`` and ``1.500``: a point or comma is a decimal sign to some and groups digits for others."""
    two = _TWO_WAYS.fullmatch(text)
    if two is None or (text.lstrip("-").startswith("0") and not whole):
        return
    unit, three = two["unit"], len(two["after"]) == 3
    if not unit and not (two["sign"] == "." and three):
        return
    power = 10 ** _UNITS[unit.lower()]
    parted = Decimal(text[: len(text) - len(unit)].replace(",", ".")) * power
    grouped = int(re.sub("[.,]", "", text[: len(text) - len(unit)])) * power
    meanings = [f"{parted.normalize():f}", f"{grouped}"]
    better = [meaning for meaning in meanings if not whole or "." not in meaning]
    raise UsageError("{text!r} may mean {meanings}; write {whole}", text=text, meanings=either(meanings),
                     whole=either(better))  # fmt: skip


def positive(text: str) -> int:
    """Read a whole number over 0."""
    number = size(text)
    if number <= 0:
        raise UsageError("{text!r}: must be a whole number over 0, such as 5000", text=text)
    return number


def share(text: str) -> float:
    """Read a share or a number: ``1%``, ``0.01``.

    >>> share("1%"), share("0.25"), share("2.5 %")
    (0.01, 0.25, 0.025)
    """
    try:
        number = float(text.strip().removesuffix("%"))
    except ValueError:
        raise UsageError("{text!r} is not a number; write it as 1% or 0.01", text=text) from None
    return number / 100 if text.strip().endswith("%") else number


def part_of_one(text: str) -> float:
    """Read a share from 0 to 1.

    >>> part_of_one("5%"), part_of_one("0.05")
    (0.05, 0.05)
    """
    try:
        number = share(text)
    except UsageError:
        number = -1.0
    if not 0 <= number <= 1:
        raise UsageError("{text!r}: must be from 0% to 100%, such as 5% or 0.05", text=text)
    return number


def decimal(text: str) -> float:
    """Read a number, infinity included.

    >>> decimal("2.5"), decimal("inf")
    (2.5, inf)
    """
    if not text.strip().startswith("0"):
        refuse_two_ways(text)
    try:
        return float(text)
    except ValueError:
        raise UsageError("{text!r} is not a number; write it as 2 or 2.5", text=text) from None


def price(text: str) -> tuple[str, float]:
    """Read a pattern and its price.

    >>> price("sanh_rong=20"), price("opening.Tứ quý 2 = 2.5")
    (('sanh_rong', 20.0), ('opening.Tứ quý 2', 2.5))
    """
    name, equals, worth = text.rpartition("=")
    if not equals or not name.strip():
        raise UsageError("{given!r} is no price; write it as sanh_rong=20, or opening.sanh_rong=20", given=text)
    return name.strip(), decimal(worth)


def claim(text: str) -> tuple[Fraction, str]:
    """Read how often somebody says that a thing comes up, and in what: a hand (bài), or a game (ván) of the table.

    >>> claim("1/1000 ván"), claim("1 trong 2.000.000 bài"), claim("0,5% game")
    ((Fraction(1, 1000), 'game'), (Fraction(1, 2000000), 'hand'), (Fraction(1, 200), 'game'))
    """
    found = re.fullmatch(rf"(.*?[\s\d%])({'|'.join(_CLAIMED)})", form := strip_marks(text).strip().casefold())
    share, unit = (form, None) if found is None else (found[1].strip(), _CLAIMED[found[2]])
    parts = re.split(r"/|\bin\b|\btrong\b|\btren\b", share)
    try:
        if len(parts) == 2:
            chance = Fraction(size(parts[0]), size(parts[1]))
        elif re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3} *%?", share):
            raise UsageError("{given!r} may mean thousands or a part of one; write it as 1/1000", given=share)
        else:
            chance = Fraction(share.rstrip("% ").replace(",", ".")) / (100 if share.endswith("%") else 1)
    except (ValueError, ZeroDivisionError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError("{given!r} is no claim; write it as '1/1000 ván' or '0.1% hand'", given=text) from None
    if not 0 < chance <= 1:
        raise UsageError("{given!r}: a claim is above 0 and at most 1, such as '1/1000 ván'", given=text)
    if unit is None:
        raise UsageError(
            "{given!r} may be of a hand, or of a game of the whole table: write '{share} hand' (bài) or '{share} game' "
            "(ván)", given=text, share=share,
        )  # fmt: skip
    return chance, unit


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
        raise UsageError("{text!r} is not a time; write it as 90, 90s, 10m or 1h30m", text=text)
    return sum(parts)


def shard(text: str) -> tuple[int, int]:
    """Read which part of how many parts: ``2/4``.

    >>> shard("2/4")
    (2, 4)
    """
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError("{text!r}: must be a part and the number of parts, such as 1/4 … 4/4", text=text)
    return int(found[1]), int(found[2])


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is a whole number, and no truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def whole(least: int, most: int) -> Check:
    """Return a check of whole numbers in a range; 0 stands for none where it is allowed."""

    def check(name: str, value: Any) -> int:
        if not is_whole(value) or not least <= value <= most:
            if least == 0:
                raise wrong(name, value, "must be a whole number from 0 (none) to {most:,}", most=most)
            raise wrong(name, value, "must be a whole number from {least} to {most:,}", least=least, most=most)
        return int(value)

    return check


def _seed(name: str, value: Any) -> int:
    if not is_whole(value) or not 0 <= value <= MOST_SEED:
        raise wrong(name, value, "must be a whole number from 0 to 2**128 - 1")
    return int(value)


def truth(name: str, value: Any) -> bool:
    """Check a truth value."""
    if not isinstance(value, bool | np.bool_):
        raise wrong(name, value, "must be True or False")
    return bool(value)


def _which_list(name: str, value: Any) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise wrong(name, value, "must be True, False, or None for both lists")
    return value


def one_of(*allowed: str) -> Check:
    """Return a check of words."""

    def check(name: str, value: Any) -> str:
        if value not in allowed:
            raise unknown(name, value, allowed)
        return str(value)

    return check


def tolerance(text: str) -> tuple[str, float]:
    """Read a factor: of all patterns, or of one.

    >>> tolerance("3"), tolerance("muoi_hai_dong_chat=1e6")
    (('all', 3.0), ('muoi_hai_dong_chat', 1000000.0))
    """
    return price(text) if "=" in text else ("all", decimal(text))


def _tolerance(name: str, value: Any) -> Any:
    if isinstance(value, Mapping | tuple | list):
        pairs = [*(value.items() if isinstance(value, Mapping) else value)]
        if len(dict(pairs)) < len(pairs):
            raise UsageError("{name} = {value}: names a pattern twice", name=name, value=shorten(value))
        factors = tuple((key, _tolerance(name, factor)) for key, factor in pairs)
        return (dict(factors)["all"] if [key for key, _ in factors] == ["all"] else factors) if factors else TOLERANCE
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 1:
        raise wrong(name, value, "must be a factor of 1 or more, such as 2 (half to twice the fair price)")
    return float(value)


def _part(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UsageError("{name} = {value}: must be from 0 to 1, such as 1e-6", name=name, value=shorten(value))
    return float(value)


def as_it_is(_name: str, value: Any) -> Any:
    """Return a value: what it means is looked into where it is known what it is about."""
    return value


@dataclass(frozen=True)
class Option:
    """Something that can be asked for.

    Parameters
    ----------
    name
        Its name in Python.
    help
        What it is, a sentence of the catalogue.
    default
        What it is where nobody says.
    read
        Makes a value of the text of the command line; None for a flag that is there or not.
    check
        Returns a value as it is used, or raises `UsageError`; takes the name and the value.
    flag
        Its flag, where that is not its name; with a slash and a second one for yes and no.
    metavar
        What stands for its value in the help.
    group
        Under which heading the help has it.
    many
        Whether the flag may be repeated.
    choices
        The words that are allowed, for the help and for completion.
    usual
        What its default is, in words, where that depends on something.
    hidden
        Whether the help leaves it out.
    """

    name: str
    help: str
    default: Any = None
    read: Callable[[str], Any] | None = str
    check: Check = as_it_is
    flag: str = ""
    metavar: str = "N"
    group: str = N_("Question")
    many: bool = False
    choices: tuple[str, ...] = ()
    usual: str = ""
    hidden: bool = False

    @property
    def flags(self) -> str:
        """Its flag on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"


RULES, CARDS, GAMES = N_("Rules"), N_("Cards that are known"), N_("Games")
RUN, STOP, KEEP, SHOW = N_("Running"), N_("When to stop"), N_("Keeping a run"), N_("Showing")
_AS_SIMULATE = N_("Policy of all seats, or one for each, as in 'tlsim simulate'.")


def _table(options: Iterable[Option | tuple[str, Option]]) -> dict[str, Option]:
    return dict(each if isinstance(each, tuple) else (each.name, each) for each in options)


OPTIONS = _table((
    Option("rules", N_("Rule set: a preset (see 'tlsim rules list') or a rule file."), "doithuong",
           metavar="NAME|FILE", group=RULES),
    Option("set", N_("Change a clause of the rules, such as cong.fine=20; may be repeated."), (), flag="--set",
           metavar="KEY=VALUE", group=RULES, many=True),
    Option("price", N_("Change the price of an instant win, such as sanh_rong=20, or opening.sanh_rong=20 for one of "
                       "two lists; may be repeated."), (), price, metavar="PATTERN=PRICE", group=RULES, many=True),
    Option("players", N_("Number of seats."), None, size, metavar="N", usual=N_("4, or as the rules allow")),
    Option("opening", N_("Ask about an opening game (ván khởi đầu)."), False, None, truth),
    ("opening_list", Option("opening", N_("Only the list of opening games, or of regular ones."), None, None,
                            _which_list, flag="--opening/--regular")),
    Option("holding", N_("Cards known to be in the hand, such as '2S 2H'."), None, metavar="CARDS", group=CARDS),
    Option("dead", N_("Cards known to be elsewhere."), None, metavar="CARDS", group=CARDS),
    ("out_of_play", Option("dead", N_("Cards that nobody holds, where not all are dealt."), None, metavar="CARDS",
                           group=CARDS)),
    Option("deals", N_("Deals to simulate; 1e6 and 10M are read."), 10_000_000, size, whole(1, MOST_DEALS)),
    Option("seed", N_("Seed of the random streams."), 0, size, _seed),
    Option("predicate", N_("A compiled function of a hand, package.module:function."), None, metavar="FUNCTION"),
    Option("hand_size", N_("Cards of a hand."), 13, size, whole(1, 51)),
    Option("games", N_("Games to play, rounded up to whole matches."), 1_000_000, size, whole(1, MOST_GAMES)),
    Option("policies", N_("Policy of all seats, or one for each, with commas: lowest, random, smart, "
                          "smart[hold_3s=1], rollout[n=50], lowest[declare=0], smart[sam=1], "
                          "package.module:function."), "smart", metavar="NAMES", group=GAMES),
    Option("debug_policy", N_("Look at every index that a policy of your own uses; slower."), False, None, group=GAMES),
    Option("match_length", N_("Games of a match."), None, size, whole(1, MOST_LENGTH), group=GAMES,
           usual=N_("that of the rules")),
    Option("hands", N_("Cards that a seat surely has, such as 0:'3S 3C', or a pattern, such as 0:tu_quy_2; the rest "
                       "is dealt."), None, flag="--hand", metavar="SEAT:CARDS", group=CARDS, many=True),
    Option("leader", N_("Seat that leads a regular game."), None, size, metavar="SEAT", group=GAMES),
    ("given_deals", Option("deals", N_("Given deals: JSON with 'hands', records, or games in notation."), None,
                           flag="--deal", metavar="FILE", group=CARDS)),
    Option("hand", N_("A hand, the id of a pattern, or toi_trang for the whole list."), metavar="CARDS"),
    Option("distance", N_("Seats from the leader to the hand; 0 leads."), None, size, group=GAMES,
           usual=N_("all in turn")),
    Option("pattern", N_("One pattern of the list."), None, metavar="PATTERN", usual=N_("all")),
    ("patterns", Option("pattern", N_("How often this pattern comes up, put in every way: in a hand, at my seat, of "
                                      "anyone, winning the table; may be repeated. Nothing is dealt without --deals."),
                        (), metavar="PATTERN", many=True)),
    Option("evening", N_("With --pattern: games of an evening."), 40, size, whole(1, 10_000)),
    Option("claim", N_("With --pattern: whether somebody is right who says so often, such as '1/1000 ván' (a game: "
                       "anyone at the table) or '0.1% hand'."), None, claim, metavar="CLAIM"),
    Option("rotate", N_("With --precise: every deal once with each player in each seat."), False, None, truth,
           group=GAMES),
    Option("match", N_("Match of the simulation, from 0."), None, size),
    Option("game", N_("Game of the match, from 0."), None, size),
    Option("tolerance", N_("How many times dearer or cheaper than fair a price may be; inf asks about the order "
                           "alone; PATTERN=FACTOR is about one pattern; may be repeated."), TOLERANCE, tolerance,
           _tolerance, metavar="FACTOR", many=True),
    Option("method", N_("What prices are held against: equal cost (proportional to 1/p), log 1/p, the order alone, or "
                        "nothing; and a fairer table is proposed so."), None, check=one_of(*METHODS, "none"),
           metavar="NAME", choices=(*METHODS, "none"), usual=N_("proportional, or as the rule file was made")),
    Option("judge_from", N_("Patterns that win more rarely than this are shown, not judged."), None, share,
           _part, metavar="PROBABILITY", usual=N_("1e-6, or as the rule file was made")),
    Option("rake", N_("What the house takes of a win, such as 5%."), None, part_of_one, metavar="SHARE"),
    Option("skill", N_("A better policy and that of all the others: what skill is worth, and which seats are good "
                       "beside it."), "smart,lowest", metavar="BETTER,OTHERS", group=GAMES),
    Option("threads", N_("Threads, or processes."), None, size, group=RUN, usual=N_("one per processor")),
    Option("executor", N_("What runs the simulation; the numbers are the same."), None, group=RUN, metavar="NAME",
           choices=("threads", "processes"), usual=N_("threads")),
    Option("dask", N_("Run on the workers of this Dask scheduler (needs tlsim[dask])."), None,
           metavar="tcp://HOST:PORT", group=RUN),
    Option("dry_run", N_("Only say how many blocks it takes, and about how long."), False, None, truth, group=RUN),
    Option("max_time", N_("Begin no new work after this time: 90, 90s, 10m, 1h30m."), None, duration, metavar="TIME",
           group=STOP),
    Option("rel_error", N_("Stop once the standard error of --of is this share of its estimate, such as 1%; 10% at "
                           "most."), None, share, metavar="SHARE", group=STOP),
    Option("abs_error", N_("Stop once the standard error of --of is this small."), None, share, metavar="NUMBER",
           group=STOP),
    Option("of", N_("What --rel-error and --abs-error look at. odds: a pattern, counts_PATTERN, wins_PATTERN, someone, "
                    "worst [default: worst]; simulate: seat_0 …, role_0 …, an event [default: seat_0]; hand: mean, "
                    "win, declare, sam, distance_0 … [default: mean; of all patterns: declare]."), None,
           metavar="QUANTITY", group=STOP),
    Option("floor", N_("Patterns rarer than this are not looked at by 'worst'."), 1e-5, share, metavar="PROBABILITY",
           group=STOP),
    Option("at_least", N_("Deals or games before which no error stops the run."), 0, size, group=STOP),
    Option("store", N_("Keep finished blocks in FILE; the same command goes on where it was."), None, metavar="FILE",
           group=KEEP),
    Option("label", N_("Name of the run in the store."), None, metavar="NAME", group=KEEP,
           usual=N_("the command and the rules")),
    Option("shard", N_("Do part I of N of the run; see 'tlsim runs merge'."), None, shard, metavar="I/N", group=KEEP),
    Option("view", N_("Which tables to show; may be repeated, 'all' shows every one."), (), metavar="NAME", group=SHOW,
           many=True),
    Option("wide", N_("Leave out no column and no row."), False, None, truth, group=SHOW),
    Option("stake", N_("Show money times this amount too, such as 5000."), None, positive, metavar="AMOUNT",
           group=SHOW),
    Option("lang", N_("Language."), None, check=one_of(*LANGUAGES), metavar="vi|en", group=SHOW, choices=LANGUAGES,
           usual=N_("TLSIM_LANG, then the locale")),
    Option("format", N_("How to print."), "table", metavar="FORMAT", group=SHOW, choices=FORMATS),
    Option("excel", N_("With --format csv: for spreadsheets that expect semicolons and decimal commas."), False, None,
           truth, group=SHOW),
    Option("plot", N_("Draw a picture to FILE (.png, .svg …)."), None, metavar="FILE", group=SHOW),
    Option("out", N_("Write to FILE, not to standard output."), None, metavar="FILE", group=SHOW),
))  # fmt: skip


def option(name: str, default: Any = ..., *, kw_only: bool = False, **changed: Any) -> Any:
    """Return the field of a question that is an option.

    Parameters
    ----------
    name
        Its name in `OPTIONS`.
    default
        Another default than the usual one.
    kw_only
        Whether the public function takes it by name alone.
    changed
        Other words, or another check, for this question.
    """
    found = replace(OPTIONS[name], **changed)
    if default is not ...:
        found = replace(found, default=default)
    return field(default=found.default, kw_only=kw_only, metadata={"option": found})
