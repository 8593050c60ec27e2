"""What a Lustre server tells of a running job, from its message to the rates that SQL sees."""

import time

import pytest
from weir import wire
from weir.kafka import Publisher

T0 = int(time.time()) - 60  # rows are kept for 14 days


@pytest.fixture(scope="module")
def looks(stack):
    """Three looks at a job, ten seconds apart; before the last the server has begun to count anew."""
    counted = [(100.0, 7.0), (300.0, 7.0), (50.0, 1.0)]
    with Publisher(stack.kafka, "live") as publisher:
        for number, (read, operations) in enumerate(counted):
            record = {
                "cluster": "lustre",
                "job_id": 7,
                "array_index": None,
                "server": "oss1",
                "time": (T0 + 10 * number) * 1_000_000,
                "targets": ["fs-OST0000"],
                "job_keys": ["7"],
                "columns": ["bytes_read", "other_operations"],
                "values": wire.packed([[read], [operations]]),
                "origin": "live",
            }
            publisher.send("weir.job.live", "lustre/7", "JobLive", record)


def test_every_look_lands_and_a_rate_lies_between_two_of_them(looks, sql, eventually):
    counted = "SELECT bytes_read, reads FROM job_live WHERE cluster = 'lustre' ORDER BY time"
    expected = [{"bytes_read": read, "reads": None} for read in (100.0, 300.0, 50.0)]
    eventually(lambda: sql.rows(counted) == expected)
    rates = (
        "SELECT toUnixTimestamp(time) AS second, seconds, bytes_read_per_second AS read,"
        " other_operations_per_second AS other FROM job_live_rates WHERE cluster = 'lustre'"
    )
    assert sql.rows(rates) == [{"second": T0 + 10, "seconds": 10.0, "read": 20.0, "other": 0.0}]
