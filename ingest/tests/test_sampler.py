"""The live sampler against the kernel's counters, recorded and of this machine."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from weir import wire
from weir.agents.block_devices import BlockDevices
from weir.agents.device_sampler import Sampler, sample_times
from weir.errors import UserError
from weir.formats.device_record import COLUMNS

LINE = "   8       0 sda {} 0 {} {} {} 0 {} {} 0 {} {} 0 0 0 0\n"


class Machine:
    """A root directory whose diskstats a test writes."""

    def __init__(self, folder: Path, names=("sda",)):
        self.folder = folder
        self.boot_id = folder / "proc/sys/kernel/random/boot_id"
        self.boot_id.parent.mkdir(parents=True)
        self.boot_id.write_text("27e8c1b5-5cc5-4b0b-a51f-b2bf7a1ac2d1\n")
        self.events = folder / "sys/kernel/uevent_seqnum"
        self.events.parent.mkdir(parents=True)
        self.events.write_text("7\n")
        for name in names:
            self.plug(name)
        self.sampler = None

    def plug(self, name):
        (self.folder / "sys/block" / name).mkdir(parents=True)

    def sample(self, diskstats, interval=1.0):
        (self.folder / "proc/diskstats").write_text(diskstats)
        if not self.sampler:
            self.sampler = Sampler("lab", "oss1", BlockDevices(self.folder, "oss1"), self.folder)
        return self.sampler.sample(interval)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def table(sample):
    """Values by device name and column."""
    values = np.frombuffer(sample["values"], "<f8").reshape(len(COLUMNS), -1)
    return {
        name: dict(zip(sample["columns"], values[:, place].tolist(), strict=True))
        for place, name in enumerate(sample["device_names"])
    }


def test_a_line_by_hand(machine):
    sample = machine.sample(LINE.format(10, 80, 500, 20, 160, 3000, 1500, 4500), interval=10.0)
    assert table(sample)["sda"] == {
        "reads": 10, "writes": 20, "bytes_read": 80 * 512, "bytes_written": 160 * 512, "busy_seconds": 1.5,
        "weighted_queue_seconds": 4.5, "read_wait_seconds": 0.5, "write_wait_seconds": 3.0,
    }  # fmt: skip
    assert (sample["cumulative"], sample["boot_id"]) == (True, "27e8c1b5-5cc5-4b0b-a51f-b2bf7a1ac2d1")
    assert (sample["server"], sample["device_ids"], sample["interval_seconds"]) == (
        "oss1",
        ["oss1:sda"],
        10.0,
    )
    assert wire.decode(wire.encode("DeviceSample", sample))[0] == "DeviceSample"


def test_milliseconds_that_wrap_go_on(machine):
    last = 2**32 - 500
    before = table(machine.sample(LINE.format(10, 80, 500, 20, 160, 3000, 1500, last)))["sda"]
    after = table(machine.sample(LINE.format(11, 88, 600, 20, 160, 3000, 1600, 1500)))["sda"]
    third = table(machine.sample(LINE.format(12, 96, 700, 20, 160, 3000, 1700, 2500)))["sda"]
    assert before["weighted_queue_seconds"] == pytest.approx(last / 1000)
    assert after["weighted_queue_seconds"] - before["weighted_queue_seconds"] == pytest.approx(2.0)
    assert third["weighted_queue_seconds"] - after["weighted_queue_seconds"] == pytest.approx(1.0)


def test_a_device_that_began_anew_is_no_wrap(machine):
    machine.sample(LINE.format(10, 80, 500, 20, 160, 3000, 1500, 4500))
    after = table(machine.sample(LINE.format(1, 8, 5, 2, 16, 30, 15, 45)))["sda"]
    assert (after["reads"], after["weighted_queue_seconds"]) == (1, 0.045)  # the consumer sees them fall


def test_devices_come_and_go_and_keep_their_wraps(machine):
    def lines(*names):
        return "".join(LINE.replace("sda", name).format(1, 8, 5, 2, 16, 30, 15, 45) for name in names)

    machine.sample(LINE.format(1, 8, 5, 2, 16, 30, 15, 2**32 - 1))
    machine.sample(LINE.format(1, 8, 5, 2, 16, 30, 15, 45))
    machine.plug("sdb")
    both = table(machine.sample(lines("sdb", "sda")))
    assert both["sda"]["weighted_queue_seconds"] == pytest.approx(2**32 / 1000 + 0.045)
    assert both["sdb"]["weighted_queue_seconds"] == pytest.approx(0.045)
    assert list(table(machine.sample(lines("sdb")))) == ["sdb"]
    shutil.rmtree(machine.folder / "sys/block/sdb")
    machine.events.write_text("8\n")
    assert machine.sample(lines("sdb")) is None


def test_sysfs_is_read_only_when_something_changed(machine, monkeypatch):
    looks = []
    found = BlockDevices.sampled
    monkeypatch.setattr(BlockDevices, "sampled", lambda *a: looks.append(a) or found(*a))
    line = LINE.format(1, 8, 5, 2, 16, 30, 15, 45)
    for _ in range(5):
        machine.sample(line)
    assert len(looks) == 1
    machine.events.write_text("8\n")
    machine.sample(line)
    assert len(looks) == 2


def test_what_is_no_diskstats(machine):
    with pytest.raises(UserError, match="not lines of at least 14 fields"):
        machine.sample("   8 0 sda 1 2 3 4\n")


def test_recorded_counters_are_those_of_fio(extra, tmp_path):
    """fio read with direct I/O; the file system on the device added a few requests of its own."""
    folder = extra / "devices/fio_runs"
    runs = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    run = next(run for run in runs if run["run"] == "randread4k")
    blocks: dict[float, list[str]] = {}
    for line in (folder / "diskstats_1s.txt").read_text().splitlines():
        second, _, rest = line.partition(" ")
        blocks.setdefault(float(second), []).append(rest)
    machine = Machine(tmp_path, ("loop0", "loop1", "vda"))
    seen = {at: table(machine.sample("\n".join(lines) + "\n"))["loop0"] for at, lines in blocks.items()}
    before = seen[max(at for at in seen if at < run["start"])]
    after = seen[min(at for at in seen if at > run["end"])]
    fio = json.loads((folder / "fio_randread4k.json").read_text())["jobs"][0]["read"]
    assert after["reads"] - before["reads"] == pytest.approx(fio["total_ios"], abs=50)
    assert after["bytes_read"] - before["bytes_read"] == pytest.approx(fio["io_bytes"], abs=50 * 4096)


class Clock:
    """Only waiting moves it, and what a tick takes."""

    def __init__(self, ends):
        self.now, self.ends, self.times = 100.0, ends, []

    def wait(self, seconds):
        self.now += seconds
        return self.now >= self.ends


def test_ticks_do_not_drift(monkeypatch):
    clock = Clock(ends=110.0)
    told = []
    for seconds in sample_times(1.0, clock.wait, lambda: clock.now):
        told.append((clock.now, seconds))
        clock.now += 0.3  # each takes that long
    assert [now for now, _ in told] == pytest.approx([100.0 + n for n in range(10)])
    assert {round(seconds, 6) for _, seconds in told} == {1.0}


def test_ticks_that_passed_are_left_out_and_the_interval_tells(monkeypatch):
    clock = Clock(ends=106.0)
    told = []
    for seconds in sample_times(1.0, clock.wait, lambda: clock.now):
        told.append((round(clock.now, 6), round(seconds, 6)))
        clock.now += 2.5 if len(told) == 2 else 0.0
    assert told == [(100.0, 1.0), (101.0, 1.0), (104.0, 3.0), (105.0, 1.0)]
