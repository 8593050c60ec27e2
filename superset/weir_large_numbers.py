"""Has charts draw numbers that a browser cannot hold exactly, such as the bytes of a month of a large center.

Superset's pages read a whole number from 2 ** 53 on that is written with more than fifteen characters as a
BigInt, with which their formats cannot count: a table or a bar chart with one such number shows nothing.
"""

import math
from decimal import Decimal
from typing import Any

EXACT = 2**53 - 1
"""The largest whole number that a browser holds as it is."""
DIGITS = 8
"""With a sign and an exponent of three digits, -1.2345678E+100, these are fifteen characters."""


def shortened(value: Any) -> Any:
    """Returns a number that is too large with fewer digits, as JSON shall have it; all else as it is."""
    if isinstance(value, int | float | Decimal) and EXACT < abs(value) < math.inf:
        return Decimal(f"{Decimal(value):.{DIGITS - 1}E}")
    return value


def install() -> None:
    """Has Superset shorten the numbers of each answer to a page; what is downloaded keeps its digits."""
    # Superset's models can only be loaded within its application.
    from superset.common.query_context_processor import QueryContextProcessor

    own = QueryContextProcessor.get_data

    def get_data(self: QueryContextProcessor, *answer: Any) -> Any:
        data = own(self, *answer)
        if not isinstance(data, list):
            return data
        return [{name: shortened(value) for name, value in row.items()} for row in data]

    QueryContextProcessor.get_data = get_data
