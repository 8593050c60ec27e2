"""The recording as events: what it holds, that the shift is chosen once, and that pace changes no time."""

from collections import Counter
from pathlib import Path

import pytest
import yaml
from weir import clickhouse, wire
from weir.errors import UserError
from weir.logs.darshan_log import Source
from weir.replay import center, replay
from weir.settings import Settings


class Collector:
    """Stands where the Kafka publisher stands and keeps the encoded messages."""

    origin = "replay"

    def __init__(self):
        self.messages = []

    def send(self, topic, key, name, record):
        self.put(topic, key, wire.encode(name, record))

    def put(self, topic, key, message):
        self.messages.append((topic, key, message))

    def refuse(self, cluster, source, file, refused):
        self.messages.append(("weir.dead-letter", source, refused.reason))

    def flush(self):
        pass


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture(scope="session")
def recording(recorded):
    return center.load(recorded)


def run(recording, speed=8.0, shift=1000):
    collector, clock = Collector(), Clock()
    sent = replay.replay(recording, collector, shift, speed, lambda *_: None, clock, clock.sleep)
    return collector.messages, sent, clock.now


def test_what_the_recording_holds(recording):
    _, sent, _ = run(recording)
    # 52 logs, 59 jobs; every job was submitted, started and ended; reports less the first of each file
    reports = (271 - 1) + (53 - 1) + (19 - 1)
    assert sent == Counter(
        {
            "runs": 52,
            "jobs": 59,
            "manifests": 59,
            "device samples": 3 * reports,
            "file records": 17_784 + 44 + 7 + 2 + 2,  # POSIX, STDIO, MPI-IO, H5F, H5D; read by pydarshan
            "heatmap bins": 2_300,  # that hold bytes, by pydarshan
        }
    )


def test_every_log_is_in_the_manifest_of_its_job(recording):
    messages, _, _ = run(recording)
    manifests = [wire.decode(m)[1] for topic, _, m in messages if topic == "weir.job.manifest"]
    by_job = {m["job_id"]: len(m["log_ids"]) for m in manifests}
    assert by_job[32] == 6  # six python processes
    assert by_job[33] == 2  # two steps
    assert by_job[35] == by_job[37] == 0  # crashed, timed out
    assert sum(by_job.values()) == 52


def test_pace_changes_the_duration_and_nothing_else(recording):
    slow, _, slow_took = run(recording, speed=8)
    fast, _, fast_took = run(recording, speed=400)
    assert slow == fast
    whole = recording.events[-1].second - recording.events[0].second
    assert slow_took == pytest.approx(whole / 8)
    assert fast_took == pytest.approx(whole / 400)
    assert 120 <= whole / 8 <= 180


def test_all_times_move_by_the_shift_and_submits_get_new_identities(recording):
    def jobs(shift):
        messages, _, _ = run(recording, shift=shift)
        found = (wire.decode(m)[1] for topic, _, m in messages if topic == "weir.scheduler.job")
        return [(j["job_id"], j["submit_time"], j["version"], j["job_uid"]) for j in found]

    for before, after in zip(jobs(0), jobs(500), strict=True):
        assert after[0] == before[0]
        assert (after[1] - before[1]).total_seconds() == 500
        assert after[2] - before[2] == 500
        assert after[3] != before[3]


def test_the_shift_is_chosen_once(recording, tmp_path):
    file = tmp_path / "state/shift.json"
    now = recording.last_second + 12_345.6
    assert replay.shift_seconds(file, recording, now) == 12_345
    assert replay.shift_seconds(file, recording, now + 99) == 12_345


def test_a_kill_while_the_shift_is_written_leaves_no_file(recording, tmp_path, monkeypatch):
    def killed(file, text):
        file.open("w").close()
        raise KeyboardInterrupt

    file = tmp_path / "shift.json"
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Path, "write_text", killed)
        replay.shift_seconds(file, recording, recording.last_second + 7)
    assert not file.exists()
    assert replay.shift_seconds(file, recording, recording.last_second + 8) == 8


@pytest.mark.parametrize("text", ["", "{", "7", "{}", '{"shift_seconds": null}'])
def test_a_shift_that_is_broken(recording, tmp_path, text):
    (tmp_path / "shift.json").write_text(text)
    with pytest.raises(UserError, match=r"shift\.json: does not tell .* --fresh"):
        replay.shift_seconds(tmp_path / "shift.json", recording, recording.last_second)


def test_a_speed_that_leads_nowhere(recording):
    with pytest.raises(UserError, match="must be above 0"):
        run(recording, speed=0)


def test_a_folder_that_is_no_recording(tmp_path):
    with pytest.raises(UserError, match=r"center.yaml: not there"):
        center.load(tmp_path)


def test_bad_parts_are_refused_beside_the_good_ones(recorded, tmp_path):
    (tmp_path / "darshan").mkdir()
    good = next(recorded.glob("darshan/generated/rank0_writer/*.darshan"))
    (tmp_path / "darshan/good.darshan").write_bytes(good.read_bytes())
    (tmp_path / "darshan/bad.darshan").write_bytes(b"nonsense")
    lines = (recorded / "sacct.psv").read_text().splitlines()
    (tmp_path / "sacct.psv").write_text("\n".join([lines[0], lines[1], "half a line", lines[2], ""]))
    (tmp_path / "iostat.json").write_bytes((recorded / "devices/iostat_dxt347.json").read_bytes()[:9000])
    (tmp_path / "site.yaml").write_text((recorded / "site.yaml").read_text())
    (tmp_path / "center.yaml").write_text(
        "site: site.yaml\nsacct: [sacct.psv]\ndarshan: ['darshan/*.darshan']\niostat: {vm: [iostat.json]}\n"
    )
    found = center.load(tmp_path)
    assert [(source, file) for source, file, _ in found.refused] == [
        ("sacct", "sacct.psv"), ("iostat", "iostat.json"), ("darshan", "darshan/bad.darshan"),
    ]  # fmt: skip
    assert Counter(event.kind for event in found.events)["log"] == 1
    assert Counter(event.kind for event in found.events)["job"] == 6
    assert Counter(event.kind for event in found.events)["sample"] > 5


@pytest.fixture
def small(recorded, tmp_path):
    """(folder, make): `make(**files)` lists a good sacct and iostat file and those that are given."""
    for name in ("site.yaml", "sacct.psv"):
        (tmp_path / name).write_bytes((recorded / name).read_bytes())
    (tmp_path / "iostat.json").write_bytes((recorded / "devices/iostat_dxt347.json").read_bytes())

    def make(sacct=(), iostat=()):
        listed = {"site": "site.yaml", "darshan": [], "sacct": ["sacct.psv", *sacct]}
        listed["iostat"] = {"vm": ["iostat.json", *iostat]}
        (tmp_path / "center.yaml").write_text(yaml.safe_dump(listed))
        return center.load(tmp_path)

    return tmp_path, make


# b'{"syssta' are the first 8 bytes of an iostat document; the last of sacct is a line without a header
UNREADABLE = {
    "iostat": [b"", b'{"syssta', b"\x00\xff\xfe nonsense \x80\n" * 9],
    "sacct": [b"", b"nonsense\n", b"8|labcluster|COMPLETED|1795248728\n"],
}


@pytest.mark.parametrize(
    ("source", "content"), [(source, content) for source in UNREADABLE for content in UNREADABLE[source]]
)
def test_a_file_of_no_known_format_is_one_dead_letter_beside_the_good_ones(small, source, content):
    folder, make = small
    (folder / "bad").write_bytes(content)
    found = make(**{source: ["bad"]})
    ((of, file, why),) = found.refused
    assert (of, file, why.position, why.data) == (source, "bad", "byte 0", content)
    assert why.reason and str(folder) not in why.reason
    messages, sent, _ = run(found)
    assert messages[0] == ("weir.dead-letter", source, why.reason)
    assert (sent["dead letters"], sent["jobs"], sent["device samples"]) == (1, 59, 3 * (19 - 1))


def test_a_header_that_lacks_what_a_job_needs_is_one_dead_letter(small):
    folder, make = small
    (folder / "short.psv").write_text("JobID|State\n8|COMPLETED\n")
    ((_, file, why),) = make(sacct=["short.psv"]).refused
    assert file == "short.psv"
    assert "JobIDRaw, Cluster, Submit" in why.reason


@pytest.mark.parametrize("source", ["sacct", "iostat"])
def test_a_listed_file_that_is_not_there_is_told_by_name(small, source):
    _, make = small
    with pytest.raises(UserError, match=r"away\.txt: No such file.*center\.yaml lists it"):
        make(**{source: ["away.txt"]})


def test_a_recording_of_which_nothing_is_readable_tells_why(small):
    folder, make = small
    for name in ("sacct.psv", "iostat.json"):
        (folder / name).write_bytes(b"")
    with pytest.raises(UserError, match=r"no event\.\nsacct\.psv: no sacct .*\niostat\.json: neither "):
        make()


def test_a_clickhouse_that_is_away_is_told_in_one_line(tmp_path, monkeypatch):
    (tmp_path / "password").write_text("x")
    monkeypatch.setattr(clickhouse, "PATIENCE_SECONDS", 0)
    config = Settings(
        kafka={"bootstrap.servers": "127.0.0.1:1"},
        clickhouse_url="http://127.0.0.1:1",
        clickhouse_password_file=tmp_path / "password",
        migrator_password_file=tmp_path / "password",
        state_dir=tmp_path,
    )
    with pytest.raises(UserError, match=r"127.0.0.1:1 does not answer.*make up"):
        clickhouse.connect(config)


def test_a_damaged_log_lands_and_leaves_a_dead_letter_for_each_damaged_module(recorded, tmp_path):
    cut = next(recorded.glob("darshan/generated/hdf5_independent/*.darshan")).read_bytes()[:-200]
    (tmp_path / "cut.darshan").write_bytes(cut)
    refused = []
    (log,) = center.decode_logs(tmp_path, ["*.darshan"], Source("lab", "trusted_archive"), refused)
    damaged = [module["name"] for module in log.end["modules"] if module["state"] == "damaged"]
    assert damaged
    assert [why.position.split()[-1] for _, _, why in refused] == damaged
    assert all(source == "darshan" and file == "cut.darshan" for source, file, _ in refused)
