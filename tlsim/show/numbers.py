"""Numbers as people read them: as many digits as mean something, in the way of their language.

All functions write the C form (``1,720.5``) first, in Python's rounding; `local` then puts the separators of the
language in, as Babel knows them.
"""

import math

from tlsim.catalogue import local as local  # noqa: PLC0414 (others take it from here)


def probability(value: float) -> str:
    """Return a probability with four significant digits, never as a bare zero where it is not."""
    if value in (0, 1):
        return f"{value:.0f}"
    return f"{value:#.4g}" if abs(value) >= 1e-4 else f"{value:.3e}"


def plus_minus(error: float | None, digits: int = 2) -> str:
    """Return a standard error with its sign; nothing where it is not known."""
    if not error or math.isnan(error):
        return ""
    if error < 1e-3:
        return f" ± {error:.{digits - 1}e}"
    return f" ± {error:,.{max(0, digits - 1 - math.floor(math.log10(error)))}f}"


def one_in(value: float) -> str:
    """Return the N of "1 in N" with separators of thousands: four digits, or whole."""
    if math.isinf(value):
        return "∞"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def amount(value: float, error: float | None = None, sign: str = "") -> str:
    """Return an amount with three digits, whole from 100 on; of an estimate as many as stand before its error.

    >>> amount(0.01234, 0.4, "+"), amount(18.0, 0.58), amount(1234.5, 20.0), amount(15.26), amount(float("inf"))
    ('+0.01', '18.00', '1,234', '15.3', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if error and math.isfinite(error):
        return with_error(value, error, sign).partition(" ±")[0]
    return f"{value:{sign},.0f}" if abs(value) >= 100 else f"{value:{sign}.3g}"


def with_error(value: float, error: float | None, sign: str = "") -> str:
    """Return a value with its error, both to the second digit of the error."""
    if not error or math.isnan(error):
        return general(value, sign)
    digits = max(0, 1 - math.floor(math.log10(error)))
    if digits > 8:
        return f"{value:{sign}.3e} ± {error:.1e}"
    return f"{value:{sign},.{digits}f} ± {error:,.{digits}f}"


def general(value: float, sign: str = "", digits: int = 6) -> str:
    """Return a number with so many digits at most, large ones whole."""
    if math.isinf(value):
        return "-∞" if value < 0 else "∞"
    return f"{value:{sign},.{digits}g}" if abs(value) < 10**digits else f"{value:{sign},.0f}"


def percent(value: float, error: float | None = None, sign: str = "") -> str:
    """Return a share in percent, with its error where it is known."""
    of_100, error = 100 * value, None if error is None else 100 * error
    if error and not math.isnan(error):
        return f"{with_error(of_100, error, sign)}%"
    tiny = 0 < abs(of_100) < 0.1
    return f"{of_100:{sign}.2g}%" if tiny else f"{of_100:{sign}.2f}%"


def percents(low: float, high: float) -> str:
    """Return an interval of shares, its ends to as many digits as its width is worth."""
    digits = 0 if high - low > 0.1 else 1 if high - low > 0.01 else 2
    return f"{100 * low:.{digits}f} … {100 * high:.{digits}f}%"


def between(low: float, high: float, sign: str = "") -> str:
    """Return an interval, its ends to as many digits as its width is worth."""
    if math.isinf(low) or math.isinf(high) or high <= low:
        return f"{general(low, sign)} … {general(high, sign)}"
    digits = max(0, 2 - math.floor(math.log10(high - low)))
    if digits > 8:
        return f"{low:{sign}.3e} … {high:{sign}.3e}"
    return f"{low:{sign},.{digits}f} … {high:{sign},.{digits}f}"
