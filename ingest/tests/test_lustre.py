"""Counters of Lustre's servers against numbers read off the recorded files by eye and by grep."""

import queue
import re
import struct
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs
from weir import wire
from weir.agents.config import Devices
from weir.agents.lustre_live import JobStats, TargetStats, looking
from weir.errors import Refused
from weir.formats import devices, lustre
from weir.formats.reading import FieldError

PATTERN = Devices().job_id_pattern


@pytest.mark.parametrize(
    ("key", "job"),
    [
        ("24", (24, None)),  # jobid_var=SLURM_JOB_ID
        ("SLURM_JOB10", (10, None)),
        ("SLURM_JOB10:0:es18kxe-co-client", (10, None)),
        ("1234.node01", (1234, None)),  # jobid_name=%j.%h
        ("1234:1000:node01", (1234, None)),  # %j:%u:%H
        ("77.pbs-server.site.org", (77, None)),  # jobid_var=PBS_JOBID
        ("77[4].pbs-server", (77, 4)),
        ("dd.1000", None),  # procname_uid, as %e.%u
        ("7z.1000", None),
        ("python3.11.1000", None),
        ("loop36", None),
        (".1000", None),
        ("", None),
        ("9" * 30, None),
    ],
)
def test_which_job_a_jobid_name_tells(key, job):
    assert lustre.job_of(key, re.compile(PATTERN)) == job


def test_a_site_may_say_how_its_names_tell_the_job():
    told = re.compile(Devices(job_id_pattern=r"\w+/(?P<id>\d+)").job_id_pattern)
    assert lustre.job_of("cluster/12", told) == (12, None)
    with pytest.raises(ValueError, match=r"no group \(\?P<id>"):
        Devices(job_id_pattern=r"\d+")


def by_job(found):
    return {each["job_key"]: each for each in found if not isinstance(each, Refused)}


def parsed(file):
    return list(devices.objects(file, devices.How(None)))


def test_job_stats_of_lctl(extra):
    found = by_job(parsed(extra / "devices/lustre_ddn/lctl_job_stats_slurm_jobids.txt"))
    assert len(found) == 16
    job = found["SLURM_JOB10:0:es18kxe-co-client"]
    assert (job["target"], job["time"]) == ("es01a-OST0001", "2024-08-08T10:57:27.887515Z")
    assert job["since"] == "2024-08-08T07:27:05.057286Z"
    assert (job["reads"], job["bytes_read"]) == (0, 0)
    assert (job["writes"], job["bytes_written"], job["other_operations"]) == (861, 11025514496, 85)


def test_job_stats_of_older_servers(extra):
    folder = extra / "devices/lustre_gsi/proc/fs/lustre"
    ost = by_job(parsed(folder / "obdfilter/lustrefs-OST0000/job_stats"))
    assert len(ost) == 36
    assert (ost["24"]["reads"], ost["24"]["bytes_read"]) == (125, 512000)
    assert (ost["24"]["writes"], ost["24"]["bytes_written"]) == (64575, 215147593728)
    assert ost["24"]["other_operations"] == 7 + 43 + 1 + 8 + 12 + 5 + 6 + 23 + 74 + 9
    mdt = by_job(parsed(folder / "mdt/lustrefs-MDT0000/job_stats"))
    others = 93 + 87 + 4 + 9 + 37 + 13 + 7 + 48 + 45 + 1 + 11 + 22 + 82 + 12 + 2 + 2
    assert (mdt["43"]["target"], mdt["43"]["other_operations"]) == ("lustrefs-MDT0000", others)
    assert parsed(folder / "obdfilter/lustrefs-OST0004/job_stats") == []


def test_stats_and_brw_stats(extra):
    folder = extra / "devices/lustre_ddn"
    found = {(each["target"], each["kind"]): each for each in parsed(folder / "valid.txt")}
    assert len(found) == 6
    assert found["ai400-OST0000", "stats"]["writes"] == 25001
    sizes = found["ai400-OST0000", "brw_stats"]["histograms"]["disk I/O size"]
    assert (sizes["2M"], sizes["32K"], len(sizes)) == ([0, 50000], [0, 1], 7)
    (bare,) = parsed(folder / "brw_stats_with_data.txt")
    assert bare["histograms"]["pages per bulk r/w"]["256"] == [1, 0]
    assert bare["histograms"]["block maps msec"] == {"1": [12689, 0]}


def test_every_recorded_file_is_understood(extra):
    files = [*(extra / "devices/lustre_ddn").iterdir(), *(extra / "devices/lustre_gsi").rglob("*stats")]
    files = [file for file in files if file.name != "llite_client.txt"]  # a client's
    refused = [each for file in files for each in parsed(file) if isinstance(each, Refused)]
    assert (len(files), refused) == (24, [])


def test_what_is_cut_is_refused_beside_what_is_whole(tmp_path):
    whole = "- job_id: 7\n  read_bytes: { samples: 1, unit: bytes, min: 4, max: 4, sum: 4 }\n"
    cut = "- job_id: 8\n  read_bytes: { samples: 12, unit: by"
    with pytest.raises(ValueError, match="no counter of job_stats"):
        list(lustre.job_stats("o", (whole + cut).splitlines()))
    with pytest.raises(FieldError, match="no sum"):
        lustre.stats("o", "stats", ["read_bytes 12 samples [bytes]"])
    file = tmp_path / "lctl.txt"
    file.write_text(f"obdfilter.a-OST0000.job_stats=\n{cut}\nobdfilter.a-OST0001.job_stats=\n{whole}")
    refused, job = parsed(file)
    assert (refused.position, job["target"], job["bytes_read"]) == ("line 1", "a-OST0001", 4)


# --- live ------------------------------------------------------------------------------------------------


def rows(record):
    """By target, and key of the job where the record has these."""
    names = record["targets"]
    values = struct.unpack(f"<{len(names) * len(record['columns'])}d", record["values"])
    if "job_keys" in record:
        names = list(zip(names, record["job_keys"], strict=True))
    return {
        name: dict(zip(record["columns"], values[at :: len(names)], strict=True))
        for at, name in enumerate(names)
    }


def disk_io(record, target):
    """Reads and writes by the upper edge of a bin."""
    at = record["size_targets"].index(target)
    ios = zip(record["disk_reads"][at], record["disk_writes"][at], strict=True)
    return dict(zip(record["size_bytes"][at], ios, strict=True))


def test_jobs_of_a_server_that_was_recorded(extra):
    job_stats = JobStats("lab", "oss1", PATTERN, extra / "devices/lustre_gsi")
    found = {record["job_id"]: record for record in job_stats.look()}
    assert found.keys() == set(range(23, 58))  # one entry has no id, loop36 is of no job
    assert rows(found[24])["lustrefs-OST0000", "24"]["bytes_written"] == 215147593728
    assert set(rows(found[43])) == {("lustrefs-OST0000", "43"), ("lustrefs-MDT0000", "43")}
    name, record = wire.decode(wire.encode("JobLive", found[43]))
    assert (name, record["cluster"], record["server"], record["origin"]) == ("JobLive", "lab", "oss1", "live")
    assert list(job_stats.look()) == []


def test_only_jobs_that_did_something_since_and_all_their_rows(tmp_path):
    def write(target, **jobs):
        file = tmp_path / f"proc/fs/lustre/obdfilter/{target}/job_stats"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [
            f'- job_id: "{key[1:]}.n1"\n'
            f"  write_bytes: {{ samples: 1, unit: bytes, min: 1, max: 1, sum: {n} }}\n"
            for key, n in jobs.items()
        ]
        file.write_text("job_stats:\n" + "".join(lines))

    job_stats = JobStats("lab", "oss1", PATTERN, tmp_path)
    write("a", _1=10, _2=20)
    write("b", _1=30)
    assert [record["job_id"] for record in job_stats.look()] == [1, 2]
    write("b", _1=31)
    (record,) = job_stats.look()
    assert {place: row["bytes_written"] for place, row in rows(record).items()} == {
        ("a", "1.n1"): 10, ("b", "1.n1"): 31,
    }  # fmt: skip


def test_a_file_that_is_not_understood_stops_no_other(tmp_path):
    for target, text in (
        ("a", "nonsense\n"),
        ("b", "job_stats:\n- job_id: 3\n  open: { samples: 1, unit: reqs }\n"),
    ):
        file = tmp_path / f"proc/fs/lustre/mdt/{target}/job_stats"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    assert [record["job_id"] for record in JobStats("lab", "mds1", PATTERN, tmp_path).look()] == [3]


def test_targets_of_a_server_that_was_recorded(extra):
    record = TargetStats("lab", "oss1", extra / "devices/lustre_gsi").look()
    name, back = wire.decode(wire.encode("TargetLive", record))
    assert (name, back["cluster"], back["server"], back["origin"]) == ("TargetLive", "lab", "oss1", "live")
    osts = [f"lustrefs-OST000{number}" for number in (0, 2, 4, 6)]
    found = rows(back)
    assert list(found) == [*osts, "lustrefs-MDT0000"]
    # punch, create and twice statfs; connections and pings are upkeep, preprw and commitrw the writes again
    assert found[osts[0]] == {
        "reads": 0, "writes": 4298711, "bytes_read": 0, "bytes_written": 16552048697344,
        "other_operations": 57 + 2 + 35359 + 124430,
    }  # fmt: skip
    assert found[osts[1]]["other_operations"] == 2 + 35354 + 124430
    assert found["lustrefs-MDT0000"]["other_operations"] == 10 + 9 + 1 + 16 + 57 + 2 + 1
    assert sorted(back["size_targets"]) == ["MGS", "lustrefs-MDT0000", *osts]
    sizes = disk_io(back, osts[0])
    assert (sizes[8], sizes[8 << 10], sizes[4 << 20]) == ((4, 0), (12, 157), (0, 4059303))
    # what the same server counted in bytes lies between the bins' edges
    largest = sum(edge * writes for edge, (_, writes) in sizes.items())
    assert largest / 2 < found[osts[0]]["bytes_written"] <= largest


def test_targets_of_a_newer_server_whose_counters_lie_in_debugfs(extra, tmp_path):
    capture = (extra / "devices/lustre_ddn/valid.txt").read_text()
    for parameter, value in re.findall(r"^(\S+stats)=\n((?:(?!\S+=).*\n)+)", capture, re.MULTILINE):
        file = tmp_path / "sys/kernel/debug/lustre" / parameter.replace(".", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value)
    record = TargetStats("lab", "oss1", tmp_path).look()
    found = rows(record)
    assert list(found) == ["ai400-OST0000", "ai400-OST0001", "ai400-MDT0000"]
    assert found["ai400-OST0000"] == {
        "reads": 0, "writes": 25001, "bytes_read": 0, "bytes_written": 104857600000,
        "other_operations": 4 + 59816 + 4,
    }  # fmt: skip
    assert found["ai400-MDT0000"]["other_operations"] == 3 + 3 + 3 + 23 + 2 + 44863
    none = dict.fromkeys((256 << 10, 512 << 10, 1 << 20), (0, 0))
    assert disk_io(record, "ai400-OST0000") == none | {
        32 << 10: (0, 1), 64 << 10: (0, 1), 128 << 10: (0, 2), 2 << 20: (0, 50000),
    }  # fmt: skip
    assert disk_io(record, "ai400-OST0001") == {}


BRW_STATS = """\
                           read      |     write
disk I/O size          ios   % cum % |  ios         % cum %
4K:		         7 100 100   |    5 100 100
"""
STATS = "snapshot_time 1 secs.nsecs\nwrite_bytes 3 samples [bytes] 1 2 6\n"


def put(root, name, text):
    file = root / "proc/fs/lustre" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_a_server_without_targets_tells_nothing(tmp_path):
    assert TargetStats("lab", "oss1", tmp_path).look() is None


def test_sizes_count_once_where_the_old_place_is_a_link_to_the_new_one(tmp_path):
    put(tmp_path, "osd-ldiskfs/a/brw_stats", BRW_STATS)
    put(tmp_path, "obdfilter/a/brw_stats", BRW_STATS.replace("7", "8"))
    put(tmp_path, "obdfilter/b/brw_stats", BRW_STATS)
    record = TargetStats("lab", "oss1", tmp_path).look()
    assert record["size_targets"] == ["a", "b"]
    assert disk_io(record, "a") == {4096: (7, 5)}


@pytest.mark.parametrize("text", [STATS[:-1], STATS[:-8], BRW_STATS[:-30], BRW_STATS[:-2], BRW_STATS[:65]])
def test_a_file_cut_in_the_middle_is_told_and_what_lies_beside_it_is_sent(tmp_path, text):
    kind = "stats" if text.startswith("snapshot") else "brw_stats"
    for target in ("a", "c"):
        put(tmp_path, f"obdfilter/{target}/stats", STATS)
        put(tmp_path, f"osd-zfs/{target}/brw_stats", BRW_STATS)
    put(tmp_path, "obdfilter/b/stats", text if kind == "stats" else STATS)
    put(tmp_path, "osd-zfs/b/brw_stats", text if kind == "brw_stats" else BRW_STATS)
    misread = REGISTRY.get_sample_value("weir_devices_lustre_misread_total")
    with capture_logs() as log:
        record = TargetStats("lab", "oss1", tmp_path).look()
    whole, cut = ("targets", "size_targets")[:: 1 if kind == "brw_stats" else -1]
    assert (record[whole], record[cut]) == (["a", "b", "c"], ["a", "c"])
    assert rows(record)["c"]["bytes_written"] == 6
    assert disk_io(record, "c") == {4096: (7, 5)}
    assert [Path(each["file"]).parent.name for each in log] == ["b"]
    assert REGISTRY.get_sample_value("weir_devices_lustre_misread_total") == misread + 1


def test_a_look_sends_all_targets_in_one_message_and_each_job_in_one(tmp_path):
    put(tmp_path, "obdfilter/a/stats", STATS)
    put(tmp_path, "obdfilter/b/stats", STATS)
    put(tmp_path, "obdfilter/a/job_stats", "job_stats:\n- job_id: 3\n  open: { samples: 1, unit: reqs }\n")
    sent = queue.Queue()
    outbox = SimpleNamespace(send=lambda message, wait_seconds: sent.put(message))
    with looking("lab", "oss1", Devices(lustre_seconds=0.01), outbox, tmp_path, threading.Event()):
        targets, job = (sent.get(timeout=30) for _ in range(2))
    assert (targets.topic, targets.key) == ("weir.target.live", "lab/oss1")
    assert wire.decode(targets.value)[1]["targets"] == ["a", "b"]
    assert (job.topic, job.key) == ("weir.job.live", "lab/3")
    assert wire.decode(job.value)[1]["job_id"] == 3


def test_an_error_nobody_foresaw_ends_the_agent(tmp_path):
    def send(message, wait_seconds):
        raise RuntimeError("unforeseen")

    put(tmp_path, "obdfilter/a/stats", STATS)
    stop = threading.Event()
    with (
        pytest.raises(RuntimeError, match="unforeseen"),
        looking("lab", "oss1", Devices(lustre_seconds=0.01), SimpleNamespace(send=send), tmp_path, stop),
    ):
        assert stop.wait(30)
