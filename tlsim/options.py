"""What can be asked for: every option declared once, with its check and its words; signatures and flags follow.

A question (`tlsim.questions`) is a frozen dataclass whose fields are options, as in ``players: int | None =
option("players")``. The public function and its documentation, the command's flag, its help and the error for a wrong
value follow from here.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, TypeGuard

from tlsim.catalogue import LANGUAGES, N_
from tlsim.errors import UsageError, shorten, unknown, wrong
from tlsim.numerals import claim, decimal, duration, part_of_one, positive, price, shard, share, size, tolerance

MOST_DEALS, MOST_GAMES, MOST_LENGTH, MOST_SEED = 10**12, 10**11, 1000, 2**128 - 1
METHODS = ("reordered", "proportional", "logarithmic")
EQUAL_COST, TOLERANCE = METHODS[1], 2.0
FORMATS = ("table", "json", "csv", "markdown")
Check = Callable[[str, Any], Any]


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is a whole number, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole(least: int, most: int) -> Check:
    """Return a check of whole numbers in a range; 0 stands for none where it is allowed."""

    def check(name: str, value: Any) -> int:
        if is_whole(value) and least <= value <= most:
            return int(value)
        if least == 0:
            raise wrong(name, value, "must be a whole number from 0 (none) to {most:,}", most=most)
        raise wrong(name, value, "must be a whole number from {least} to {most:,}", least=least, most=most)

    return check


def _must(holds: Callable[[Any], object], text: str, kind: Callable[[Any], Any] = float) -> Check:
    """Return a check of what values must be; they are made of a kind."""

    def check(name: str, value: Any) -> Any:
        if not holds(value):
            raise wrong(name, value, text)
        return kind(value)

    return check


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}  # numpy's too


def one_of(*allowed: str) -> Check:
    """Return a check of words."""

    def check(name: str, value: Any) -> str:
        if value in allowed:
            return str(value)
        raise unknown(name, value, allowed)

    return check


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _tolerance(name: str, value: Any) -> Any:
    if isinstance(value, Mapping | tuple | list):
        pairs = [*(value.items() if isinstance(value, Mapping) else value)]
        if len(dict(pairs)) < len(pairs):
            raise UsageError("{name} = {value}: names a pattern twice", name=name, value=shorten(value))
        factors = tuple((key, _tolerance(name, factor)) for key, factor in pairs)
        return (dict(factors)["all"] if [key for key, _ in factors] == ["all"] else factors) if factors else TOLERANCE
    if _is_number(value) and value >= 1:
        return float(value)
    raise wrong(name, value, "must be a factor of 1 or more, such as 2 (half to twice the fair price)")


def as_it_is(_name: str, value: Any) -> Any:
    """Return a value: what it means is looked into where it is known what it is about."""
    return value


_seed = _must(
    lambda seed: is_whole(seed) and 0 <= seed <= MOST_SEED, N_("must be a whole number from 0 to 2**128 - 1"), int
)
truth = _must(_is_truth, N_("must be True or False"), bool)
_which_list = _must(lambda opening: opening is None or isinstance(opening, bool),
                    N_("must be True, False, or None for both lists"), lambda opening: opening)  # fmt: skip
_part = _must(lambda part: _is_number(part) and 0 <= part <= 1, N_("must be from 0 to 1, such as 1e-6"))
_over_zero = _must(lambda value: _is_number(value) and 0 < value < math.inf, N_("must be a number over 0"))
text = _must(lambda value: isinstance(value, str), N_("must be text"), str)


@dataclass(frozen=True)
class Option:
    """Something that can be asked for."""

    name: str  # in Python
    help: str  # what it is, a sentence of the catalogue
    default: Any = None
    read: Callable[[str], Any] | None = str  # makes a value of text; None for a flag that is there or not
    check: Check = as_it_is  # of the name and the value: returns the value as it is used, or raises UsageError
    flag: str = ""  # where that is not the name; with a slash and a second one for yes and no
    metavar: str = "N"  # what stands for its value in the help
    group: str = N_("Question")  # under which heading the help has it
    many: bool = False  # whether the flag may be repeated
    choices: tuple[str, ...] = ()  # the words that are allowed, for the help and for completion
    usual: str = ""  # what its default is, in words, where that depends on something
    hidden: bool = False  # whether the help leaves it out
    about: str = ""  # what the documentation of Python says, where the help does not say it

    @property
    def flags(self) -> str:
        """Its flag on the command line."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def documented(self) -> str:
        """What the documentation of Python says."""
        return self.about or self.help + (f" By default {self.usual}." if self.usual else "")


RULES, CARDS, GAMES = N_("Rules"), N_("Cards that are known"), N_("Games")
RUN, STOP, KEEP, SHOW = N_("Running"), N_("When to stop"), N_("Keeping a run"), N_("Showing")


def _table(options: Iterable[Option | tuple[str, Option]]) -> dict[str, Option]:
    return dict(each if isinstance(each, tuple) else (each.name, each) for each in options)


OPTIONS = _table((
    Option("rules", N_("Rule set: a preset (see 'tlsim rules list') or a rule file."), "doithuong",
           metavar="NAME|FILE", group=RULES,
           about="Name of a preset, path of a rule file, or rules."),
    Option("set", N_("Change a clause of the rules, such as cong.fine=20; may be repeated."), (), flag="--set",
           metavar="KEY=VALUE", group=RULES, many=True),
    Option("price", N_("Change the price of an instant win, such as sanh_rong=20, or opening.sanh_rong=20 for one of "
                       "two lists; may be repeated."), (), price, metavar="PATTERN=PRICE", group=RULES, many=True),
    Option("players", N_("Number of seats."), None, size, metavar="N", usual=N_("4, or as the rules allow")),
    Option("opening", N_("Ask about an opening game (ván khởi đầu)."), False, None, truth,
           about="Whether it is an opening game (*ván khởi đầu*), which may have a list of its own."),
    ("opening_list", Option("opening", N_("Only the list of opening games, or of regular ones."), None, None,
                            _which_list, flag="--opening/--regular",
                            about="Which list: that of opening games (True), of regular games (False); by default "
                                  "both.")),
    Option("holding", N_("Cards known to be in the hand, such as '2S 2H'."), None, metavar="CARDS", group=CARDS,
           about='Cards known to be in the hand: text such as ``"2S 2H"``, card numbers 0 … 51, or 52 bits. At the '
                 'table they are those of seat 0, for which alone hands are counted then.'),
    Option("dead", N_("Cards known to be elsewhere."), None, metavar="CARDS", group=CARDS,
           about="Cards known to be elsewhere, written in the same ways."),
    Option("out_of_play", N_("Cards that nobody holds, where not all are dealt."), None, metavar="CARDS", group=CARDS,
           about="Cards that nobody holds, where not all cards are dealt."),
    Option("deals", N_("Deals to simulate; 1e6 and 10M are read."), 10_000_000, size, whole(1, MOST_DEALS),
           about="Number of deals, 1 … 10**12."),
    Option("seed", N_("Seed of the random streams."), 0, size, _seed,
           about="Seed of the random streams, 0 or more. The same seed gives the same numbers on any number of "
                 "threads, and the same deals whatever the rules and the number of players; the deal of game g of "
                 "match m depends on nothing but the seed, g and m."),
    Option("predicate", N_("A compiled function of a hand, package.module:function."), None, metavar="FUNCTION",
           about='A function ``f(hand: int64) -> bool``, compiled by ``@numba.njit`` (a plain function is compiled '
                 'for you), or its place, ``"package.module:function"``. Bit ``rank * 4 + suit`` of the hand is a '
                 'card; ranks 3 … A, 2 are 0 … 12, suits ♠ ♣ ♦ ♥ are 0 … 3. One that is defined in a notebook runs '
                 'on threads only: other processes find it by its place.'),
    Option("hand_size", N_("Cards of a hand."), 13, size, whole(1, 51)),
    Option("games", N_("Games to play, rounded up to whole matches."), 1_000_000, size, whole(1, MOST_GAMES)),
    Option("rounds", N_("Rounds of lessons after the first."), 40, size, whole(0, 10_000)),
    Option("answers", N_("Answers that are played out in a round; in the first five times as many."), 600_000, size,
           whole(1_000, 10**8)),
    Option("policies", N_("Policy of all seats, or one for each, with commas: lowest, random, smart, "
                          "expert, smart[hold_3s=1], rollout[n=50], lowest[declare=0], smart[sam=1], "
                          "package.module:function."), "smart", metavar="NAMES", group=GAMES,
           about='One name for all seats, or one per seat (a list, or names with commas): ``"lowest"`` sheds its '
                 'lowest cards, ``"random"`` chooses uniformly, ``"smart"`` plans its hand, ``"expert"`` has learned '
                 'from games of its own (``"expert[weights=FILE]"``: see `tlsim.train`), ``"rollout[n=50]"`` '
                 'tries each play out in 50 games; or a compiled function of your own (see `tlsim.policy`), itself '
                 'or as ``"package.module:function"``. Options in brackets: ``"smart[hold_3s=1]"`` keeps 3♠ for the '
                 'end; ``"lowest[declare=0]"`` declines a tới trắng; ``"smart[sam=1]"`` calls Sâm whenever it is '
                 'asked, ``sam=0`` never does.'),
    Option("debug_policy", N_("Look at every index that a policy of your own uses; slower."), False, None, group=GAMES),
    Option("match_length", N_("Games of a match."), None, size, whole(1, MOST_LENGTH), group=GAMES,
           usual=N_("that of the rules"),
           about="Games of a match, of which the first is an opening game; default that of the rules."),
    Option("hands", N_("Cards that a seat surely has, such as 0:'3S 3C', or a pattern, such as 0:tu_quy_2; the rest "
                       "is dealt."), None, flag="--hand", metavar="SEAT:CARDS", group=CARDS, many=True,
           about="Given cards by seat: cards in any notation, part of a hand or all of it, or the id of a tới trắng "
                 "pattern that one seat is to hold. The rest is dealt. Every match is then one game."),
    Option("leader", N_("Seat that leads a regular game."), None, size, metavar="SEAT", group=GAMES,
           about="Seat that leads a regular game; by default a game with given cards is an opening game."),
    ("given_deals", Option("deals", N_("Given deals: JSON with 'hands', records, or games in notation."), None,
                           flag="--deal", metavar="FILE", group=CARDS,
                           about="Given deals instead: a file of JSON Lines with ``hands`` (records will do) or a "
                                 "list of such dicts; match m is deal m modulo their number.")),
    Option("so_far", N_("What was played, in the notation, players called by their seats: '1 3S 3C; 2 5S 5C'."), "",
           check=text, metavar="NOTATION", group=CARDS,
           about='What was played, in the notation, players being called by their seats: ``"1 3S 3C; 2 5S 5C; 3 -"``. '
                 'Who is passed over has passed.'),
    Option("seat", N_("Seat that is to play."), 0, size, whole(0, 4), metavar="SEAT", group=CARDS,
           about="The seat that is to play."),
    Option("records", N_("Games that are written down."), None, metavar="GAMES",
           about="Games that are written down: the path of a file of records or notation, a record, or several."),
    Option("player", N_("Look at the decisions of one player alone: a name, or P0 for seat 0 where there are none."),
           None, metavar="NAME", usual=N_("all"), about="Name of the player who is looked at; default all."),
    Option("hand", N_("A hand, the id of a pattern, or toi_trang for the whole list."), metavar="CARDS",
           about='A whole hand: text such as ``"3S 3C 4D …"``, card numbers or 52 bits; or the id of a tới trắng '
                 'pattern: then the hand is drawn for every deal, uniformly among those for which that pattern is '
                 'the strongest.'),
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
           group=GAMES,
           about="Play every deal once with each player in each seat, which takes out what cards and seats do, and "
                 "leaves what players do; rows are then those of the players, by the seat in which they begin."),
    Option("match", N_("Match of the simulation, from 0."), None, size),
    Option("game", N_("Game of the match, from 0."), None, size, usual="0"),
    Option("tolerance", N_("How many times dearer or cheaper than fair a price may be; inf asks about the order "
                           "alone; PATTERN=FACTOR is about one pattern; may be repeated."), TOLERANCE, tolerance,
           _tolerance, metavar="FACTOR", many=True,
           about='A price is out of line where it is more than this factor above or below its fair price, 1 or '
                 'more; infinity asks about the order alone. ``{"all": 3, "sanh_rong": 10}`` gives patterns a '
                 'factor of their own.'),
    Option("method", N_("What prices are held against: equal cost (proportional to 1/p), log 1/p, the order alone, or "
                        "nothing; and a fairer table is proposed so."), None, check=one_of(*METHODS, "none"),
           metavar="NAME", choices=(*METHODS, "none"), usual=N_("proportional, or as the rule file was made"),
           about="What prices are held against: ``proportional``: equal cost; ``logarithmic``: log 1/p; "
                 "``reordered``: the order alone; ``none``: nothing of prices. Default as the rule file was made "
                 "(``[fair]``), or equal cost."),
    Option("judge_from", N_("Patterns that win more rarely than this are shown, not judged."), None, share,
           _part, metavar="PROBABILITY", usual=N_("1e-6, or as the rule file was made")),
    Option("rake", N_("What the house takes of a win, such as 5%."), None, part_of_one, metavar="SHARE",
           about="Share that the house takes of what a winner gets, 0 … 1."),
    Option("bankroll", N_("Money that a player brings: how likely it is lost within so many games."), None, decimal,
           _over_zero, metavar="AMOUNT", group=GAMES,
           about="For the view ``bankroll``: money that a player brings, in the unit of the rules."),
    Option("games_per_hour", N_("With --rake: games that a table plays in an hour."), None, decimal, _over_zero,
           metavar="N", group=GAMES, about="For the view ``game_rake``: games that a table plays in an hour."),
    Option("skill", N_("A better policy and that of all the others: what skill is worth, and which seats are good "
                       "beside it."), "smart,lowest", metavar="BETTER,OTHERS", group=GAMES,
           about="For the views ``skill`` and ``direction``: a better policy, and that of all the others, which is "
                 "another one."),
    Option("across", N_("Say of findings on games whether they stay among other policies, such as "
                        "lowest,smart,expert."), None, metavar="NAMES", group=GAMES,
           about="Policies with commas: for the view ``across``, whether findings on games stay where these play; "
                 "``expert`` plays a tenth of the games."),
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
    Option("title", N_("What the report is called."), None, metavar="TEXT", group=SHOW,
           usual=N_("the name of the rules")),
    Option("author", N_("Who hands the report over."), None, metavar="TEXT", group=SHOW),
    Option("out", N_("Write to FILE, not to standard output."), None, metavar="FILE", group=SHOW),
))  # fmt: skip


def option(name: str, default: Any = ..., *, kw_only: bool = False, **changed: Any) -> Any:
    """Return the field of a question that is an option of `OPTIONS`, with what is ``changed`` of it."""
    found = replace(OPTIONS[name], **changed)
    if default is not ...:
        found = replace(found, default=default)
    return field(default=found.default, kw_only=kw_only, metadata={"option": found})
