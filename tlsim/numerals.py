"""Numbers, shares, times, prices and claims as people write them on a command line: ``10M``, ``1%``, ``1h30m``."""

import math
import re
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

from tlsim.cards import strip_marks
from tlsim.errors import UsageError, either

_NUMBER = re.compile(r"(?P<digits>[+-]?[\d_.,]+)(e(?P<power>[+-]?\d{1,2}))?(?P<unit>[kmgb]?)", re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}((,\d{3})+(\.\d+)?|(\.\d{3}){2,}|(\.\d{3})+,\d+)")
_UNITS = {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}
_TWO_WAYS = re.compile(r"[+-]?(?=\d{1,3}[.,])(?P<zero>0?)\d*(?:[.,]\d+(?P<unit>[kmgb])|\.\d{3})", re.IGNORECASE)
_CLAIMED = {"hand": "hand", "hands": "hand", "tay bai": "hand", "van bai": "game", "bai": "hand", "game": "game",
            "games": "game", "van": "game"}  # fmt: skip
_TIME = re.compile(r"(?:([\d.,]+)h)?(?:([\d.,]+)m)?(?:([\d.,]+)s?)?", re.IGNORECASE)


def number(text: str, *, whole: bool = False) -> Fraction | None:
    """Read a number as people write it, None where it is none; what can be meant in two ways is refused.

    Commas, or several points, stand between groups of three digits; any other comma is a decimal one. Only whole
    numbers may end in a unit, such as ``10M``.
    """
    text = text.strip()
    found = _NUMBER.fullmatch(text) if len(text) <= 40 else None
    if found is None:
        return None
    _refuse_two_ways(text, whole=whole)
    if found["unit"] and not whole:
        return None
    digits = found["digits"]
    if _GROUPED.fullmatch(digits):
        digits = digits.replace("." if "." in digits.partition(",")[0] else ",", "")
    with suppress(ArithmeticError):
        power = int(found["power"] or 0) + _UNITS[found["unit"].lower()]
        return Fraction(Decimal(digits.replace(",", "."))) * Fraction(10) ** power
    return None


def size(text: str) -> int:
    """Read a whole number."""
    found = number(text, whole=True)
    if found is None or found.denominator > 1:
        raise UsageError("{text!r} is not a whole number; write it as 1000000, 1_000_000, 1e6 or 1M", text=text.strip())
    return int(found)


def _refuse_two_ways(text: str, *, whole: bool) -> None:
    """Refuse ``2,5M`` and ``1.500``: a point or comma is a decimal sign to some and groups digits for others."""
    two = _TWO_WAYS.fullmatch(text)
    if two is None or (two["zero"] and not whole):
        return
    unit = two["unit"] or ""
    power, digits = 10 ** _UNITS[unit.lower()], text.removesuffix(unit)
    parted = Decimal(digits.replace(",", ".")) * power
    meanings = [f"{parted.normalize():f}", f"{int(re.sub('[.,]', '', digits)) * power}"]
    better = [meaning for meaning in meanings if not whole or "." not in meaning]
    raise UsageError("{text!r} may mean {meanings}; write {whole}", text=text, meanings=either(meanings),
                     whole=either(better))  # fmt: skip


def positive(text: str) -> int:
    """Read a whole number over 0."""
    if (number := size(text)) > 0:
        return number
    raise UsageError("{text!r}: must be a whole number over 0, such as 5000", text=text)


def share(text: str) -> float:
    """Read a share or a number: ``1%``, ``0.25``."""
    found = number(text.strip().removesuffix("%"))
    if found is None:
        raise UsageError("{text!r} is not a number; write it as 1% or 0.01", text=text)
    return float(found) / (100 if text.strip().endswith("%") else 1)


def part_of_one(text: str) -> float:
    """Read a share from 0 to 1."""
    if 0 <= (found := share(text)) <= 1:
        return found
    raise UsageError("{text!r}: must be from 0% to 100%, such as 5% or 0.05", text=text)


def cost_move(text: str) -> tuple[float, float]:
    """Read by which share a cost may fall, and rise: ``+15%``, ``-10%``, or either way ``0.05``."""
    try:
        signs, part = text.strip()[:1], part_of_one(text.strip().lstrip("+-"))
    except UsageError:
        raise UsageError("{text!r}: must be a share from -100% to +100%, such as +15%, -10% or 5%", text=text) from None
    return (0.0 if signs == "+" else part), (0.0 if signs == "-" else part)


def decimal(text: str) -> float:
    """Read a number, infinity included."""
    if text.strip().casefold() in {"inf", "infinity"}:
        return math.inf
    if (found := number(text)) is None:
        raise UsageError("{text!r} is not a number; write it as 2 or 2.5", text=text)
    return float(found)


def price(text: str) -> tuple[str, float]:
    """Read a pattern and its price: ``sanh_rong=20``."""
    name, equals, worth = text.rpartition("=")
    if not equals or not name.strip():
        raise UsageError("{given!r} is no price; write it as sanh_rong=20, or opening.sanh_rong=20", given=text)
    return name.strip(), decimal(worth)


def tolerance(text: str) -> tuple[str, float]:
    """Read a factor: of all patterns, or of one, ``sanh_rong=3``."""
    return price(text) if "=" in text else ("all", decimal(text))


def claim(text: str) -> tuple[Fraction, str]:
    """Read how often somebody says that a thing comes up, and in what: a hand (bài), or a game (ván) of the table."""
    found = re.fullmatch(rf"(.*?[\s\d%])({'|'.join(_CLAIMED)})", form := strip_marks(text).strip().casefold())
    share, unit = (form, None) if found is None else (found[1].strip(), _CLAIMED[found[2]])
    chance = _chance(share, text)
    if not 0 < chance <= 1:
        raise UsageError("{given!r}: a claim is above 0 and at most 1, such as '1/1000 ván'", given=text)
    if unit is None:
        raise UsageError(
            "{given!r} may be of a hand, or of a game of the whole table: write '{share} hand' (bài) or '{share} game' "
            "(ván)", given=text, share=share,
        )  # fmt: skip
    return chance, unit


def _chance(share: str, text: str) -> Fraction:
    parts = re.split(r"/|\bin\b|\btrong\b|\btren\b", share)
    if re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3} *%?", share):
        raise UsageError("{given!r} may mean thousands or a part of one; write it as 1/1000", given=share)
    found = number(share.rstrip("% ")) if len(parts) == 1 else None
    with suppress(ZeroDivisionError):
        found = Fraction(size(parts[0]), size(parts[1])) if len(parts) == 2 else found
    if found is None:
        raise UsageError("{given!r} is no claim; write it as '1/1000 ván' or '0.1% hand'", given=text)
    return found / 100 if share.endswith("%") else found


def duration(text: str) -> float:
    """Read a time in seconds: ``90``, ``10m``, ``1h30m``."""
    match = _TIME.fullmatch(text.strip())
    read = map(number, match.groups("0")) if match and text.strip() else ()
    parts = [part for part in read if part is not None]
    if len(parts) < 3:
        raise UsageError("{text!r} is not a time; write it as 90, 90s, 10m or 1h30m", text=text)
    return float(sum(part * unit for part, unit in zip(parts, (3600, 60, 1), strict=True)))


def shard(text: str) -> tuple[int, int]:
    """Read which part of how many parts: ``2/4``."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError("{text!r}: must be a part and the number of parts, such as 1/4 … 4/4", text=text)
    return int(found[1]), int(found[2])
