"""Numbers, shares, times, prices and claims as people write them on a command line: ``10M``, ``1%``, ``1h30m``."""

import re
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

from tlsim.cards import strip_marks
from tlsim.errors import UsageError, either

_NUMBER = re.compile(r"(?P<digits>-?\d[\d_,]*(\.\d+)?)(e\+?(?P<power>\d{1,2}))?(?P<unit>[kmgb]?)", re.IGNORECASE)
_UNITS = {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}
_TWO_WAYS = re.compile(r"-?\d{1,3}(?P<sign>[.,])(?P<after>\d+)(?P<unit>[kmgb]?)", re.IGNORECASE)
_CLAIMED = {"hand": "hand", "hands": "hand", "tay bai": "hand", "van bai": "game", "bai": "hand", "game": "game",
            "games": "game", "van": "game"}  # fmt: skip
_TIME = re.compile(r"(?:([\d.]+)h)?(?:([\d.]+)m)?(?:([\d.]+)s?)?", re.IGNORECASE)


def size(text: str) -> int:
    """Read a whole number as people write it; what can be meant in two ways is refused."""
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
    try:
        number = float(text.strip().removesuffix("%"))
    except ValueError:
        raise UsageError("{text!r} is not a number; write it as 1% or 0.01", text=text) from None
    return number / 100 if text.strip().endswith("%") else number


def part_of_one(text: str) -> float:
    """Read a share from 0 to 1."""
    with suppress(UsageError):
        if 0 <= (number := share(text)) <= 1:
            return number
    raise UsageError("{text!r}: must be from 0% to 100%, such as 5% or 0.05", text=text)


def cost_move(text: str) -> tuple[float, float]:
    """Read by which share a cost may fall, and rise: ``+15%``, ``-10%``, or either way ``0.05``."""
    try:
        signs, number = text.strip()[:1], part_of_one(text.strip().lstrip("+-"))
    except UsageError:
        raise UsageError("{text!r}: must be a share from -100% to +100%, such as +15%, -10% or 5%", text=text) from None
    return (0.0 if signs == "+" else number), (0.0 if signs == "-" else number)


def decimal(text: str) -> float:
    """Read a number, infinity included."""
    if not text.strip().startswith("0"):
        refuse_two_ways(text)
    try:
        return float(text)
    except ValueError:
        raise UsageError("{text!r} is not a number; write it as 2 or 2.5", text=text) from None


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
    try:
        if len(parts) == 2:
            return Fraction(size(parts[0]), size(parts[1]))
        return Fraction(share.rstrip("% ").replace(",", ".")) / (100 if share.endswith("%") else 1)
    except UsageError:
        raise
    except (ValueError, ZeroDivisionError):
        raise UsageError("{given!r} is no claim; write it as '1/1000 ván' or '0.1% hand'", given=text) from None


def duration(text: str) -> float:
    """Read a time in seconds: ``90``, ``10m``, ``1h30m``."""
    match = _TIME.fullmatch(text.strip())
    with suppress(ValueError):
        if match and text.strip():
            return sum(float(part or 0) * size for part, size in zip(match.groups(), (3600, 60, 1), strict=True))
    raise UsageError("{text!r} is not a time; write it as 90, 90s, 10m or 1h30m", text=text)


def shard(text: str) -> tuple[int, int]:
    """Read which part of how many parts: ``2/4``."""
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError("{text!r}: must be a part and the number of parts, such as 1/4 … 4/4", text=text)
    return int(found[1]), int(found[2])
