"""Numbers of an answer reach a page so that it can count with them."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir_large_numbers import shortened

LONGEST = 15
"""Characters of a number that the pages' parser (json-bigint) takes for JavaScript's, however large it is."""
LARGEST = 2**53 - 1
"""JavaScript's Number.MAX_SAFE_INTEGER: what is no larger the parser takes for one, however long it is."""
numbers = st.one_of(
    st.integers(-(2**256), 2**256),
    st.floats(),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**76), max_value=10**76),
)


@given(numbers)
def test_a_page_can_count_with_each_number(value):
    short = shortened(value)
    if not math.isfinite(value):
        assert short is value  # which Superset writes as null
        return
    assert len(str(short)) <= LONGEST or abs(short) <= LARGEST
    assert float(short) == pytest.approx(float(value), rel=1e-7)


@pytest.mark.parametrize("value", [0, -1, 2.5, LARGEST, -LARGEST, Decimal("0.1"), "9" * 20, None, True])
def test_what_is_not_too_large_stays_as_it_is(value):
    assert shortened(value) is value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**53, "9.0071993E+15"),
        (20_123_456_789_012_345, "2.0123457E+16"),
        (-1.23456789e100, "-1.2345679E+100"),
    ],
)
def test_a_large_number_has_eight_digits(value, text):
    assert str(shortened(value)) == text
