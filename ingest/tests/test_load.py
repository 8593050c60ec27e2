"""Device samples in files as the load of a file system, by hand."""

import struct
from pathlib import Path

import pytest
from weir.analyze import storage_load
from weir.formats import device_record, iostat

COLUMNS = device_record.COLUMNS
SECOND = 1_000_000


def sample(time, devices, interval=2.0, server="oss1"):
    """`devices` are name -> (reads, writes, bytes read, bytes written, busy seconds)."""
    rows = [[values[i] if i < 5 else 0.0 for values in devices.values()] for i in range(len(COLUMNS))]
    values = struct.pack(f"<{len(devices) * len(COLUMNS)}d", *(value for row in rows for value in row))
    return {"time": time * SECOND, "interval_seconds": interval, "server": server, "columns": COLUMNS,
            "device_ids": list(devices), "values": values}  # fmt: skip


@pytest.fixture
def site():
    return {
        "cluster": "c",
        "load_bucket_seconds": 10,
        "file_systems": [
            {"id": "scratch", "devices": {"oss1": ["a", "b"], "oss2": ["c"]}},
            {"id": "home", "devices": {"oss1": ["h"]}},
            {"id": "archive"},
        ],
    }


def test_a_bucket_sums_the_samples_whose_middle_it_holds(site):
    samples = {
        "oss1": [
            sample(102, {"a": (1, 2, 30, 40, 1.0), "b": (0, 1, 0, 5, 0.5), "h": (9, 9, 9, 9, 2.0)}),
            sample(110, {"a": (1, 0, 10, 0, 2.0), "b": (0, 0, 0, 0, 0.0), "h": (0, 0, 0, 0, 0.0)}),
            sample(112, {"a": (0, 1, 0, 7, 2.5), "b": (0, 0, 0, 0, 0.0), "h": (0, 0, 0, 0, 0.0)}),
        ],
        "oss2": [sample(101, {"c": (0, 3, 0, 600, 0.2)}, server="oss2")],
    }
    first, second, home, *rest = storage_load.file_systems(samples, site)
    # their middles: 101, 109 and 111 s, and of the other server 100 s
    assert (first["subject"], first["bucket_start"]) == ("scratch", 100 * SECOND)
    assert (first["reads"], first["writes"]) == (2, 6)
    assert (first["bytes_read"], first["bytes_written"]) == (40, 645)
    # busy: a 3 of 4 s, b 0.5 of 4 s, c 0.2 of 2 s
    assert first["util_mean"] == pytest.approx((0.75 + 0.125 + 0.1) / 3)
    assert first["util_max"] == first["util_p95"] == 0.75
    assert (first["servers_reported"], first["servers_expected"]) == (2, 2)
    # 2.5 busy seconds of 2 are a whole interval
    assert (second["bucket_start"], second["bytes_written"], second["util_max"]) == (110 * SECOND, 7, 1.0)
    assert second["servers_reported"] == 1
    # oss2 has sampled up to the bucket of 100 s only
    assert {first["closed_until"], second["closed_until"]} == {100 * SECOND}
    assert (home["subject"], home["bytes_written"], home["closed_until"]) == ("home", 9, 110 * SECOND)
    assert {each["subject"] for each in rest} == {"home"}


def test_samples_that_come_too_seldom_are_told_with_what_to_set(site):
    site |= {"load_bucket_seconds": 1, "servers": [{"name": "oss1", "sample_interval_seconds": 1}]}
    nothing = {"a": (0, 0, 0, 0, 0.0)}
    every = {"oss1": [sample(second, nothing, interval=2.0) for second in range(100, 120, 2)]}
    said = {
        "oss1": "samples of server oss1 come every 2 s, but site.yaml says 1 s: set its "
        "sample_interval_seconds, and load_bucket_seconds (now 1), to 2"
    }
    assert storage_load.too_seldom(every, site, Path("/etc/weir/site.yaml")) == said
    # a sampler that stalled once, and iostat's rounding
    every["oss1"] = [sample(second, nothing, interval=1.04) for second in range(100, 120)]
    every["oss1"].append(sample(160, nothing, interval=40.0))
    assert storage_load.too_seldom(every, site, Path("site.yaml")) == {}


def test_what_happened_in_several_buckets_is_of_none(site):
    samples = {
        "oss1": [
            sample(110, {"a": (0, 1, 0, 7, 1.0)}),
            sample(150, {"a": (0, 9, 0, 900, 9.0)}, interval=40.0),
            sample(165, {"a": (0, 2, 0, 5, 1.0)}, interval=15.0),
        ],
        "oss2": [sample(166, {"c": (0, 0, 0, 0, 0.0)}, server="oss2")],
    }
    written = {
        (b["subject"], b["bucket_start"] // SECOND): b["bytes_written"]
        for b in storage_load.file_systems(samples, site)
    }
    assert written == {("scratch", 100): 7, ("scratch", 150): 5, ("scratch", 160): 0}
    of_server = {
        b["bucket_start"] // SECOND: b["bytes_written"]
        for b in storage_load.servers(samples, site)
        if b["subject"] == "oss1"
    }
    assert of_server == {100: 7, 150: 5}


def test_a_server_without_samples_closes_nothing(site):
    (only,) = storage_load.file_systems({"oss1": [sample(102, {"a": (0, 1, 0, 5, 1.0)})]}, site)
    assert (only["closed_until"], only["servers_reported"], only["servers_expected"]) == (0, 1, 2)


def test_the_kernels_bytes_are_those_of_the_load(recorded):
    """Of a quarter of an hour, in sectors of 512 bytes, as /proc/diskstats has them."""
    samples = {"vm": list(iostat.read(recorded / "devices/iostat_matrix.json", "c", "vm"))}
    site = {"cluster": "c", "file_systems": [{"id": "scratch1", "devices": {"vm": ["vm:loop0"]}}]}
    rows = [line.split() for line in (recorded / "devices/diskstats_matrix.txt").read_text().splitlines()]
    written = [int(row[10]) * 512 for row in rows if row[3] == "loop0"]
    total = sum(bucket["bytes_written"] for bucket in storage_load.file_systems(samples, site))
    assert total == pytest.approx(written[-1] - written[0], rel=0.005)


def test_a_server_tells_of_each_of_its_devices(site):
    samples = {
        "oss1": [
            sample(102, {"a": (1, 2, 30, 40, 1.0), "h": (9, 9, 9, 9, 2.0)}),
            sample(104, {"a": (1, 0, 10, 0, 2.0), "h": (0, 0, 0, 0, 0.0)}),
            sample(112, {"a": (0, 1, 0, 7, 0.5), "h": (0, 0, 0, 0, 0.0)}),
        ]
    }
    first, second = storage_load.servers(samples, site)
    assert (first["kind"], first["subject"], first["bucket_start"]) == ("server", "oss1", 100 * SECOND)
    assert first["device_ids"] == ["a", "h"]
    count = len(first["device_columns"])
    values = struct.unpack(f"<{2 * count}d", first["device_values"])
    columns = dict(zip(first["device_columns"], zip(values[::2], values[1::2], strict=True), strict=True))
    assert (columns["bytes_read"], columns["bytes_written"]) == ((40, 9), (40, 9))
    assert columns["util"] == (0.75, 0.5)
    assert (first["bytes_written"], first["util_mean"]) == (49, 0.625)
    # a tick of the second bucket closes the first
    assert {first["closed_until"], second["closed_until"]} == {110 * SECOND}
