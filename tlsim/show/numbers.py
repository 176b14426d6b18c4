"""Numbers as people read them: as many digits as mean something, in the way of their language.

All functions write the C form (``1,720.5``) first, in Python's rounding; `local` then puts the separators of the
language in, as Babel knows them.
"""

from __future__ import annotations

import math

from tlsim.catalogue import local

__all__ = ["amount", "between", "general", "local", "one_in", "percent", "plus_minus", "probability", "with_error"]


def probability(value: float) -> str:
    """Return a probability with four significant digits, never as a bare zero where it is not.

    >>> probability(0.00448), probability(3.194e-9), probability(0.0)
    ('0.004480', '3.194e-09', '0')
    """
    if value in (0, 1):
        return f"{value:.0f}"
    return f"{value:#.4g}" if abs(value) >= 1e-4 else f"{value:.3e}"


def plus_minus(error: float | None, digits: int = 2) -> str:
    """Return a standard error with its sign; nothing where it is not known.

    >>> plus_minus(0.0123), plus_minus(2.1e-5), plus_minus(182.4), plus_minus(None)
    (' ± 0.012', ' ± 2.1e-05', ' ± 182', '')
    """
    if not error or math.isnan(error):
        return ""
    if error < 1e-3:
        return f" ± {error:.{digits - 1}e}"
    return f" ± {error:,.0f}" if error >= 100 else f" ± {error:.{digits}g}"


def one_in(value: float) -> str:
    """Return the N of "1 in N" with separators of thousands: four digits, or whole.

    >>> one_in(223.43), one_in(1720.44), one_in(5.5e7), one_in(float("inf"))
    ('223.4', '1,720', '55,000,000', '∞')
    """
    if math.isinf(value):
        return "∞"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def amount(value: float) -> str:
    """Return an amount with three digits, whole from 100 on, tiny ones in powers of ten.

    >>> amount(5.512), amount(1016432.4), amount(0.7234), amount(2e-5), amount(float("inf"))
    ('5.51', '1,016,432', '0.723', '2e-05', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def with_error(value: float, error: float | None, sign: str = "") -> str:
    """Return a value with its error, both to the second digit of the error.

    >>> with_error(12.345, 0.123), with_error(3.0, None), with_error(0.12345, 0.0123, "+"), with_error(-3.0, None, "+")
    ('12.35 ± 0.12', '3', '+0.123 ± 0.012', '-3')
    """
    if not error or math.isnan(error):
        return general(value, sign)
    digits = max(0, 1 - math.floor(math.log10(error)))
    if digits > 8:
        return f"{value:{sign}.3e} ± {error:.1e}"
    return f"{value:{sign},.{digits}f} ± {error:,.{digits}f}"


def general(value: float, sign: str = "", digits: int = 6) -> str:
    """Return a number with so many digits at most, large ones whole.

    >>> general(0.5), general(1234.5678), general(12345678.9), general(-0.25, "+"), general(float("-inf"))
    ('0.5', '1,234.57', '12,345,679', '-0.25', '-∞')
    """
    if math.isinf(value):
        return "-∞" if value < 0 else "∞"
    return f"{value:{sign},.{digits}g}" if abs(value) < 10**digits else f"{value:{sign},.0f}"


def percent(value: float, error: float | None = None, sign: str = "") -> str:
    """Return a share in percent, with its error where it is known.

    >>> percent(0.25315, 0.0012), percent(0.25), percent(0.00001234), percent(-0.031, None, "+")
    ('25.31 ± 0.12%', '25.00%', '0.0012%', '-3.10%')
    """
    of_100, error = 100 * value, None if error is None else 100 * error
    if error and not math.isnan(error):
        return f"{with_error(of_100, error, sign)}%"
    tiny = 0 < abs(of_100) < 0.1
    return f"{of_100:{sign}.2g}%" if tiny else f"{of_100:{sign}.2f}%"


def between(low: float, high: float, sign: str = "") -> str:
    """Return an interval, its ends to as many digits as its width is worth.

    >>> between(1.23456, 1.34567), between(-0.5, 12.0, "+"), between(0.00123, 0.00145)
    ('1.235 … 1.346', '-0.5 … +12.0', '0.001230 … 0.001450')
    """
    if math.isinf(low) or math.isinf(high) or high <= low:
        return f"{general(low, sign)} … {general(high, sign)}"
    digits = max(0, 2 - math.floor(math.log10(high - low)))
    if digits > 8:
        return f"{low:{sign}.3e} … {high:{sign}.3e}"
    return f"{low:{sign},.{digits}f} … {high:{sign},.{digits}f}"
