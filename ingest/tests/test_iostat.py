"""iostat rates against the kernel's own counters of the same time (/proc/diskstats), and bad input."""

import json
import struct

import pytest
from weir.errors import Refused
from weir.formats import iostat

SECTOR = 512


def columns(sample):
    n = len(sample["device_ids"])
    values = struct.unpack(f"<{n * len(sample['columns'])}d", sample["values"])
    return {name: values[i * n : (i + 1) * n] for i, name in enumerate(sample["columns"])}


def total(samples, device, column):
    return sum(columns(s)[column][s["device_names"].index(device)] for s in samples)


def diskstats(file, device):
    """Difference of last and first (reads, sectors read, writes, sectors written) of a device."""
    rows = [line.split() for line in file.read_text().splitlines()]
    rows = [[int(v) for v in row[4:]] for row in rows if row[3] == device]
    return [rows[-1][i] - rows[0][i] for i in (0, 2, 4, 6)]


@pytest.mark.parametrize("device", ["loop0", "loop1", "vda"])
def test_totals_are_those_of_the_kernel_counters(recorded, device):
    samples = list(iostat.read(recorded / "devices/iostat_matrix.json", "c", "vm"))
    truth = diskstats(recorded / "devices/diskstats_matrix.txt", device)
    got = [
        total(samples, device, "reads"),
        total(samples, device, "bytes_read") / SECTOR,
        total(samples, device, "writes"),
        total(samples, device, "bytes_written") / SECTOR,
    ]
    # the two tools looked at slightly different moments
    assert got == pytest.approx(truth, rel=0.005, abs=200)


def test_the_report_since_boot_is_left_out(recorded):
    document = json.loads((recorded / "devices/iostat_matrix.json").read_text())
    reports = document["sysstat"]["hosts"][0]["statistics"]
    samples = list(iostat.read(recorded / "devices/iostat_matrix.json", "c", "vm"))
    assert len(samples) == len(reports) - 1
    assert samples[0]["time"] == 1795247949 * 1_000_000  # 07:59:09, the second time stamp
    assert samples[0]["device_ids"] == ["vm:loop0", "vm:loop1", "vm:vda"]
    assert {s["interval_seconds"] for s in samples} == {1.0}


def test_a_document_cut_in_the_middle_gives_what_stands_before_the_cut(recorded, tmp_path):
    whole = (recorded / "devices/iostat_matrix.json").read_bytes()
    cut = tmp_path / "cut.json"
    cut.write_bytes(whole[: len(whole) // 2])
    *samples, refused = iostat.read(cut, "c", "vm")
    finished = whole[: len(whole) // 2].count(b'"timestamp"') - 1
    assert samples == list(iostat.read(recorded / "devices/iostat_matrix.json", "c", "vm"))[: len(samples)]
    assert len(samples) >= finished - 2
    assert isinstance(refused, Refused)
    assert "not whole JSON" in refused.reason
    assert f"byte {len(whole) // 2}" in refused.position


def write(tmp_path, *reports):
    file = tmp_path / "iostat.json"
    file.write_text(json.dumps({"sysstat": {"hosts": [{"statistics": list(reports)}]}}))
    return file


def report(second, **changes):
    disk = {
        "disk_device": "sda", "r/s": 1.0, "w/s": 2.0, "rkB/s": 4.0, "wkB/s": 8.0, "util": 50.0,
        "aqu-sz": 0.5, "r_await": 10.0, "w_await": 20.0,
    }  # fmt: skip
    return {"timestamp": f"2026-11-21T08:00:{second:02}+0100", "disk": [disk | changes]}


def test_values_over_the_interval_by_hand(tmp_path):
    file = write(tmp_path, report(0), report(10), report(20))
    first, _ = iostat.read(file, "c", "s")
    assert first["time"] == 1795244410 * 1_000_000  # 07:00:10 UTC
    assert {name: value[0] for name, value in columns(first).items()} == {
        "reads": 10, "writes": 20, "bytes_read": 40960, "bytes_written": 81920, "busy_seconds": 5,
        "weighted_queue_seconds": 5, "read_wait_seconds": 0.1, "write_wait_seconds": 0.4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"timestamp": "11/21/26 08:00:10"}, "S_TIME_FORMAT=ISO"),
        ({"timestamp": "2026-11-21T08:00:10"}, "has no zone"),
        ({"disk": [{"disk_device": "sda"}]}, "r/s"),
    ],
)
def test_a_bad_report_is_refused_and_its_neighbors_are_read(tmp_path, bad, reason):
    file = write(tmp_path, report(0), report(9), report(10) | bad, report(11))
    found = list(iostat.read(file, "c", "s"))
    refused = [f for f in found if isinstance(f, Refused)]
    assert len(found) == 3
    assert [f.position for f in refused] == ["report 3"]
    assert reason in refused[0].reason


def test_what_is_no_iostat_document(tmp_path):
    file = tmp_path / "text"
    file.write_text("Linux 6.1 (vm)")
    (refused,) = iostat.read(file, "c", "s")
    assert "not whole JSON" in refused.reason
