"""Captures of /proc/diskstats by hand, and all recorded device samples against what fio says it did."""

import json
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from weir.errors import Refused
from weir.formats import devices, diskstats

UTC = ZoneInfo("UTC")
MIB = 1 << 20


def line(name="sda", reads=0, sectors_read=0, writes=0, sectors_written=0, busy_ms=0, fields=17):
    counters = [reads, 0, sectors_read, 0, writes, 0, sectors_written, 0, 0, busy_ms, 0, *[0] * 6]
    return f"   8       0 {name} {' '.join(map(str, counters[:fields]))}"


def parsed(tmp_path, *lines):
    file = tmp_path / "diskstats.txt"
    file.write_text("\n".join(lines) + "\n")
    return list(devices.objects(file, devices.How(UTC, server="oss1")))


@pytest.mark.parametrize("fields", [11, 15, 17])
def test_differences_by_hand(tmp_path, fields):
    first = line(reads=100, sectors_read=1000, writes=7, sectors_written=70, busy_ms=500, fields=fields)
    second = line(reads=130, sectors_read=1080, writes=7, sectors_written=70, busy_ms=1500, fields=fields)
    (sda,) = parsed(tmp_path, f"1795248776.000 {first}", f"1795248778.500 {second}")
    assert (sda["server"], sda["device"], sda["time"]) == ("oss1", "sda", "2026-11-21T08:12:58.500000Z")
    assert (sda["interval_seconds"], sda["util"]) == (2.5, 0.4)
    assert (sda["reads"], sda["read_bytes"], sda["writes"], sda["written_bytes"]) == (30, 80 * 512, 0, 0)


@pytest.mark.parametrize(
    "times", [("1795248776", "1795248778"), ("2026-11-21T08:12:56+0000", "2026-11-21T08:12:58")]
)
def test_a_line_with_the_time_before_each_block(tmp_path, times):
    blocks = [times[0], line(reads=1), line("sdb"), "", times[1], line(reads=5), line("sdb", writes=2)]
    sda, sdb = parsed(tmp_path, *blocks)
    assert (sda["reads"], sdb["writes"], sda["interval_seconds"]) == (4, 2, 2.0)
    assert sda["time"] == "2026-11-21T08:12:58Z"


def test_milliseconds_wrap_and_counts_begin_anew(tmp_path):
    a, b, c = "1795248776", "1795248777", "1795248778"
    wraps = (f"{a} {line(busy_ms=2**32 - 6)}", f"{b} {line(busy_ms=10)}")
    assert parsed(tmp_path, *wraps)[0]["util"] == 0.016
    told, after = parsed(tmp_path, f"{a} {line(reads=9)}", f"{b} {line(reads=1)}", f"{c} {line(reads=4)}")
    assert isinstance(told, Refused)
    assert "the counters of sda began anew" in told.reason
    assert (after["reads"], after["interval_seconds"]) == (3, 1.0)


def test_a_device_that_was_away_has_a_longer_interval(tmp_path):
    a, b, c = "1795248776", "1795248777", "1795248778"
    lines = [
        f"{a} {line()}",
        f"{a} {line('sdb')}",
        f"{b} {line()}",
        f"{c} {line(reads=1)}",
        f"{c} {line('sdb', reads=6)}",
    ]
    found = {(each["device"], each["interval_seconds"]): each["reads"] for each in parsed(tmp_path, *lines)}
    assert found == {("sda", 1.0): 0 + 1, ("sdb", 2.0): 6}


def test_partitions_before_linux_2_6_25(tmp_path):
    (part,) = parsed(tmp_path, "1795248776 8 1 sda1 10 100 5 50", "1795248777 8 1 sda1 12 116 5 50")
    assert (part["reads"], part["read_bytes"], part["util"]) == (2, 16 * 512, None)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (f"1795248777 {line('sdb')[:-10]}", "12 counters, expected 4, 11, 15 or 17: cut"),
        (f"1795248777 {line('sdb', reads='x')}", "counter 1: 'x' is no whole number"),
        (f"1795248775 {line('sdb')}", "time: before that of the line above it"),
    ],
)
def test_a_bad_line_is_refused_and_its_neighbors_are_read(tmp_path, bad, reason):
    found = parsed(
        tmp_path, f"1795248776 {line()}", f"1795248777 {line(reads=3)}", bad, f"1795248778 {line(reads=4)}"
    )
    refused = [each for each in found if isinstance(each, Refused)]
    assert [(each.position, reason in each.reason) for each in refused] == [("line 3", True)]
    assert [each["reads"] for each in found if not isinstance(each, Refused)] == [3, 1]


def test_counters_without_a_time(tmp_path):
    (bad,) = parsed(tmp_path, line())
    assert bad.reason == "time: none before the counters; begin each line with date +%s.%N"


def test_samples_of_the_wire_are_those_of_iostat(recorded):
    """Two tools looked at the same device at slightly different moments."""
    samples = list(diskstats.read(recorded / "devices/diskstats_matrix.txt", "lab", "vm", UTC))
    assert samples[0]["device_ids"] == ["vm:loop0", "vm:loop1", "vm:vda"]
    assert (samples[0]["cumulative"], samples[0]["columns"][0]) == (False, "reads")


# --- against fio -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rounding"),
    [("diskstats_1s.txt", 0), ("iostat_1s.json", 0.0015), ("iostat_xdkt_1s.txt", 0.0015)],
)
def test_totals_are_those_of_fio(extra, name, rounding):
    """fio did direct I/O to a file system on the device. Beside its own requests the device saw
    - requests of 1 MiB as two of 512 KiB, the most that it takes at once;
    - 256 MiB that fio wrote before it read from a file (randread, randrw);
    - for each fsync six blocks of 4 KiB in two requests, the journal's;
    - less than 1 MiB, in at most 400 requests, of the file system's own.
    iostat prints two decimals of rates over an interval of about a second.
    """
    folder = extra / "devices/fio_runs"
    objects = list(devices.objects(folder / name, devices.How(UTC)))
    assert not any(isinstance(each, Refused) for each in objects)
    runs = [json.loads(each) for each in (folder / "runs.jsonl").read_text().splitlines()]
    assert len(runs) == 5
    for run in runs:
        fio = json.loads((folder / f"fio_{run['run']}.json").read_text())["jobs"][0]
        seen = dict.fromkeys(("reads", "writes", "read_bytes", "written_bytes"), 0.0)
        for each in objects:
            time = datetime.fromisoformat(each["time"]).timestamp()
            # runs are three seconds apart
            if each["device"] == run["device"] and run["start"] - 0.6 < time < run["end"] + 2.2:
                seen = {key: value + each[key] for key, value in seen.items()}
        fsyncs = fio["write"]["total_ios"] if run["run"] == "syncwrite4k" else 0
        laid_out = 256 * MIB if fio["read"]["total_ios"] else 0
        split = 2 if run["bs"] == "1m" else 1
        expected = {
            "reads": fio["read"]["total_ios"],
            "read_bytes": fio["read"]["io_bytes"],
            "writes": fio["write"]["total_ios"] * split + 2 * fsyncs,
            "written_bytes": fio["write"]["io_bytes"] + laid_out + fsyncs * 6 * 4096,
        }
        for key, value in expected.items():
            own = MIB if key.endswith("bytes") else 400
            assert value * (1 - rounding) - 1 <= seen[key] <= value * (1 + rounding) + own, (run["run"], key)
