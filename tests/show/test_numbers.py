"""Numbers as people read them; the doctests of `tlsim.show.numbers` have the plain cases."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlsim.show import numbers

FINITE = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15)
ERRORS = st.none() | st.just(math.nan) | st.floats(min_value=1e-12, max_value=1e6)


def read(text):
    """Return the first number of a text in the C form."""
    return float(re.match(r"[+-]?[\d,.]+(e[+-]\d+)?", text)[0].replace(",", ""))


@pytest.mark.parametrize(
    ("probability", "text"),
    [(0.3, "0.3000"), (5.8125e-4, "0.0005812"), (3.2e-9, "3.200e-09"), (0.0, "0"), (1.0, "1")],
)
def test_probabilities(probability, text):
    assert numbers.probability(probability) == text


def test_rarities():
    assert [numbers.one_in(n) for n in (1.0234, 223.43, 999.96, 312_500_000.4)] == [
        "1.023", "223.4", "1000", "312,500,000",
    ]  # fmt: skip


@given(st.floats(min_value=1e-15, max_value=1))
def test_a_probability_keeps_four_digits(value):
    assert read(numbers.probability(value)) == pytest.approx(value, rel=6e-4)
    assert numbers.probability(value) != "0"


@given(FINITE, ERRORS)
def test_a_value_is_shown_to_the_second_digit_of_its_error(value, error):
    text = numbers.with_error(value, error)
    if not error or math.isnan(error):
        assert "±" not in text
        assert read(text) == pytest.approx(value, rel=5.1e-6, abs=1e-300)
        return
    shown, noise = (part.replace(",", "") for part in text.split(" ± "))
    assert float(noise) == pytest.approx(error, rel=0.06)
    assert abs(float(shown) - value) <= max(0.051 * error, 6e-4 * abs(value) if "e" in shown else 0.5 * (error >= 10))
    if "e" not in text:
        decimals = [len(part.partition(".")[2]) for part in (shown, noise)]
        assert decimals[0] == decimals[1]


@given(FINITE)
def test_a_sign_stands_before_what_is_signed(value):
    for text in (numbers.general(value, "+"), numbers.with_error(value, 0.1, "+"), numbers.percent(value, None, "+")):
        assert text[0] in "+-"


@given(st.floats(min_value=-10, max_value=10), st.floats(min_value=0, max_value=5))
def test_an_interval_is_no_narrower_than_it_is_by_a_hundredth(low, width):
    high = low + width
    one, two = numbers.between(low, high).split(" … ")
    shown = read(two) - read(one)
    assert shown == pytest.approx(high - low, rel=0.011, abs=1e-3 * max(abs(low), abs(high), 1e-9))


@pytest.mark.parametrize(("value", "text"), [(math.inf, "∞"), (-math.inf, "-∞")])
def test_what_has_no_end(value, text):
    assert numbers.general(value) == numbers.amount(value) == text
    assert numbers.one_in(math.inf) == "∞"
    assert numbers.between(-math.inf, 2.0) == "-∞ … 2"


@given(FINITE)
def test_a_language_changes_the_separators_alone(value):
    text = numbers.general(value)
    spoken = numbers.local(text, "vi")
    assert spoken.translate(str.maketrans(",.", ".,")) == text
    assert numbers.local(text, "en") == text


def test_errors_that_say_nothing():
    assert [numbers.plus_minus(error) for error in (None, 0.0, math.nan)] == ["", "", ""]
