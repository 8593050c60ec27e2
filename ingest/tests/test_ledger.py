"""What was sent against what landed."""

from collections import Counter

import pytest
from weir.errors import UserError
from weir.replay import ledger
from weir.replay.ledger import Balance

SENT = {"runs": 52, "jobs": 59, "dead letters": 0}


def balance(settled=59, **landed):
    return Balance(SENT, {**SENT, "Lustre stripes": 0, **landed}, settled, findings=0)


def test_what_landed_is_what_was_sent():
    assert (balance().awaited, balance().surplus) == (0, {})
    ledger.refuse_uneven(balance(), "lab", 9)


@pytest.mark.parametrize(
    ("uneven", "awaited"), [(balance(runs=50), 2), (balance(settled=58), 1), (balance(runs=51, jobs=60), 1)]
)
def test_less_than_was_sent_is_awaited(uneven, awaited):
    assert uneven.awaited == awaited
    with pytest.raises(UserError, match="not all has landed within 9 s"):
        ledger.refuse_uneven(uneven, "lab", 9)


@pytest.mark.parametrize(
    ("landed", "told"),
    [
        ({"runs": 104, "jobs": 118}, "runs 52, jobs 59"),  # all rows doubled
        ({"Lustre stripes": 7}, "Lustre stripes 7"),  # of a kind that was not sent
        ({"dead letters": 1}, "dead letters 1"),
    ],
)
def test_more_than_was_sent_is_told_and_not_waited_for(landed, told):
    uneven = balance(**landed)
    assert uneven.awaited == 0
    with pytest.raises(UserError, match=f"cluster lab has more rows than this replay sent: {told}[.]"):
        ledger.refuse_uneven(uneven, "lab", 9)


def test_a_kind_that_is_not_sent_any_more_is_written_as_none():
    class Client:
        def insert(self, table, rows, column_names):
            self.written = {row[column_names.index("kind")]: row[column_names.index("count")] for row in rows}

    ledger.write(client := Client(), "lab", Counter({"runs": 3}))
    assert client.written["runs"] == 3
    assert client.written["device samples"] == 0
