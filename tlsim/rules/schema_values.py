"""The kinds of value that a rule file holds: money, cards, lists without repeats, amounts by number of players."""

from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, PlainSerializer, Tag

from tlsim.errors import Sentence
from tlsim.patterns import as_tuple

MOST_MONEY = 1_000_000
MOST_PLAYERS = 5
T = TypeVar("T")


def _halves(value: float) -> float:
    if value * 2 != int(value * 2):
        raise ValueError("must be a multiple of ½, such as 1, 1.5 or 26")
    return value + 0.0  # -0.0 becomes 0.0


Money = Annotated[float, Field(ge=0, le=MOST_MONEY, allow_inf_nan=False), AfterValidator(_halves)]
"""An amount in the unit of the rule set: 0 … 1,000,000 in steps of ½."""


def _no_repeats(values: tuple[T, ...]) -> tuple[T, ...]:
    repeated = [value for value in dict.fromkeys(values) if values.count(value) > 1]
    if repeated:
        raise ValueError(Sentence("names {name!r} twice; each may be there once", name=repeated[0]))
    return values


Ordered = (BeforeValidator(as_tuple), AfterValidator(_no_repeats))
"""Marks of a list whose order matters; nothing twice."""


def _read_players(value: Any) -> Any:
    number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 3 else 0
    if not 2 <= number <= MOST_PLAYERS:
        raise ValueError("this table is by number of players; its keys are 2, 3, 4 and 5")
    return number


Players = Annotated[int, BeforeValidator(_read_players)]
BY_PLAYERS = (
    AfterValidator(lambda table: tuple(sorted(table.items(), key=lambda item: item[0]))),
    PlainSerializer(lambda pairs: {str(players): value for players, value in pairs}),
)
"""Marks of a table keyed by number of players, held as sorted pairs so that it stays frozen."""

Amount: TypeAlias = Annotated[
    Annotated[Money, Tag("number")] | Annotated[dict[Players, Money], *BY_PLAYERS, Tag("table")],
    Discriminator(lambda value: "table" if isinstance(value, dict | tuple) else "number"),
]
"""One amount for every number of players, or a table of amounts by number of players."""


def amount_at(amount: Any, players: int) -> float:
    """Return an `Amount` for a number of players."""
    return float(dict(amount)[players] if isinstance(amount, tuple) else amount)


def half_units(value: float) -> int:
    """Return an amount as whole half units, the form in which money is counted."""
    return int(value * 2)


OFF = BeforeValidator(lambda value: None if value is False else value)
"""Marks a table that a file can switch off by ``= false``."""
Bomb = Literal["ba_doi_thong", "tu_quy", "bon_doi_thong"]
LongBomb = Literal["ba_doi_thong", "tu_quy", "bon_doi_thong", "nam_doi_thong", "sau_doi_thong"]
BOMBS, LONG_BOMBS = get_args(Bomb), get_args(LongBomb)
TWOS = ("heo_bich", "heo_chuon", "heo_ro", "heo_co")
