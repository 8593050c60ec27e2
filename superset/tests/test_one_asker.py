"""How long an answer is kept that others wait for."""

import pytest
from weir_one_asker import kept_seconds


@pytest.mark.parametrize(
    ("timeout", "took", "kept"),
    [
        (9, 0.05, 9),  # as the dashboard refreshes
        (9, 0.45, 9),
        (9, 2, 40),  # twenty charts of two seconds each: by then all of them are there
        (29, 1, 29),
        (9, 3_600, 59),
        (59, 10, 59),
        (3_600, 10, 3_600),
        (0, 10, 0),  # for ever, which no time prolongs
        (-1, 10, -1),  # never
        (None, 10, None),  # as Superset has it
    ],
)
def test_an_answer_that_took_long_is_kept_longer(timeout, took, kept):
    assert kept_seconds(timeout, took) == kept
