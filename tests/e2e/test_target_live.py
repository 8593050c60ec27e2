"""What a Lustre server tells of its targets, from its message to the rates that SQL sees."""

import time

import pytest
from weir import wire
from weir.kafka import Publisher

T0 = int(time.time()) - 60  # rows are kept for 14 days


@pytest.fixture(scope="module")
def looks(stack):
    """Three looks at an OST and the MGS, ten seconds apart; before the last the OST was mounted again."""
    counted = [
        ((100.0, 7.0), [4096], [1], [2]),
        ((300.0, 7.0), [4096, 8192], [1, 5], [2, 9]),
        ((50.0, 1.0), [8192], [0], [1]),
    ]
    with Publisher(stack.kafka, "live") as publisher:
        for number, ((read, operations), sizes, reads, writes) in enumerate(counted):
            record = {
                "cluster": "lustre",
                "server": "oss1",
                "time": (T0 + 10 * number) * 1_000_000,
                "targets": ["fs-OST0000"],
                "columns": ["bytes_read", "other_operations"],
                "values": wire.packed([[read], [operations]]),
                "size_targets": ["fs-OST0000", "MGS"],
                "size_bytes": [sizes, []],
                "disk_reads": [reads, []],
                "disk_writes": [writes, []],
                "origin": "live",
            }
            publisher.send("weir.target.live", "lustre/oss1", "TargetLive", record)


def test_every_look_lands_and_a_rate_lies_between_two_of_them(looks, sql, eventually):
    counted = "SELECT bytes_read, reads FROM target_live WHERE cluster = 'lustre' ORDER BY time"
    expected = [{"bytes_read": read, "reads": None} for read in (100.0, 300.0, 50.0)]
    eventually(lambda: sql.rows(counted) == expected)
    rates = (
        "SELECT target, toUnixTimestamp(time) AS second, seconds, bytes_read_per_second AS read,"
        " other_operations_per_second AS other FROM target_live_rates WHERE cluster = 'lustre'"
    )
    (rate,) = sql.rows(rates)
    assert rate == {"target": "fs-OST0000", "second": T0 + 10, "seconds": 10.0, "read": 20.0, "other": 0.0}


def test_sizes_of_disk_io_land_as_they_were_counted(looks, sql, eventually):
    sizes = (
        "SELECT size_bytes, disk_reads, disk_writes FROM target_io_sizes"
        " WHERE cluster = 'lustre' AND target = '{}' ORDER BY time"
    )
    counted = [([4096], [1], [2]), ([4096, 8192], [1, 5], [2, 9]), ([8192], [0], [1])]
    expected = [dict(zip(("size_bytes", "disk_reads", "disk_writes"), each, strict=True)) for each in counted]
    eventually(lambda: sql.rows(sizes.format("fs-OST0000")) == expected)
    assert sql.rows(sizes.format("MGS")) == [{column: [] for column in expected[0]}] * 3


def test_the_load_of_devices_knows_nothing_of_it(looks, sql):
    for table in ("device_samples", "device_load", "server_load", "filesystem_load"):
        assert sql.one(f"SELECT count() FROM {table} WHERE cluster = 'lustre'") == 0
