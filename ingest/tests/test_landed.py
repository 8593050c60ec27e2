"""Reports of runs that have landed: of the log that has the run's id, wherever it lies, and of no other."""

import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import killed_run
import pytest
import written_log
import yaml
from engine_client import EngineClient
from weir import documents, identity
from weir.errors import UserError
from weir.logs import mapped_logs
from weir.logs.darshan_log import Place, Source
from weir.shipping import landed
from weir.shipping.directories import LogDirectory
from weir.shipping.landed import Landed, Verdict
from written_log import File

START = 1_700_000_000
NAME = "u_app_id77-1_11-14-80000-1_100.darshan"
BOTH = Verdict("both", "others moved 2 GiB beside it")
needs_java = pytest.mark.usefixtures("analysis_jar")


class Center:
    """A site file and its directory of logs."""

    def __init__(self, root: Path):
        self.logs, self.site = root / "logs", root / "site.yaml"
        self.logs.mkdir()
        self.describe()

    def describe(self, layout: str = "year/month/day", **more: object) -> None:
        listed = [{"path": "logs", "layout": layout, "owner_check": "trusted_archive"}]
        scratch = {"id": "scratch", "kind": "lustre", "mount_prefixes": ["/lus", "/scratch"]}
        content = {"cluster": "lab", "time_zone": "UTC", "file_systems": [scratch], "log_directories": listed}
        self.site.write_text(yaml.safe_dump(content | {"cores_per_node": {"default": 4}} | more))

    def folder(self, at: float = START) -> Path:
        day = time.gmtime(at)
        folder = self.logs / f"{day.tm_year}/{day.tm_mon}/{day.tm_mday}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def page(self, *runs: Landed) -> str:
        return landed.page(list(runs), documents.site_of_agents(self.site, "ship"), self.site)


@pytest.fixture
def center(tmp_path):
    return Center(tmp_path)


def write(
    folder: Path, file: bytes = b"/lus/me/out", exe: bytes = b"./app --token secret", name: str = NAME
) -> bytes:
    return written_log.write(folder / name, [File(file, 64_000, 47_008, 50.0)], exe).read_bytes()


def run_of(log: bytes, **more: object) -> Landed:
    known: dict[str, object] = {
        "log_id": identity.log_id(log), "name": NAME.encode(), "start": float(START), "job_id": 77,
        "nodes": 16, "verdict": BOTH, "load_state": "closed", "of_job": None,
    }  # fmt: skip
    return Landed(**known | more)  # type: ignore[arg-type]


@needs_java
def test_a_report_has_the_verdict_of_the_tables_and_what_the_log_shows(center):
    page = center.page(run_of(write(center.folder())))
    assert "Verdict: Both" in re.sub(r"<[^>]+>", "", page)
    assert "Others moved 2 GiB beside it" in page
    assert "/lus/me/out" in page
    assert "64 on 16 nodes" in page
    assert "samples" not in page, "it has the load that the tables have"
    assert "device_contention" not in page, "Weir decided it"
    assert "The verdict is that of Weir" in page
    assert NAME in page
    assert "weir-report" not in page, "nobody looks for the log where it was copied to"


@needs_java
def test_each_has_its_own_where_another_day_has_a_log_of_that_name(center):
    """Who may write logs could give one the name of another's; both days are looked into about midnight."""
    midnight = START // 86_400 * 86_400
    logs = [
        write(center.folder(midnight + seconds), b"/lus/of%d" % number)
        for number, seconds in enumerate((-60, 60))
    ]
    for mine in range(2):
        page = center.page(run_of(logs[mine], start=float(midnight)))
        assert [f"/lus/of{number}" in page for number in range(2)] == [number == mine for number in range(2)]


@pytest.mark.parametrize("way", ["gone", "changed", "link", "linked folder", "folder"])
def test_a_log_that_is_not_there_any_more_is_named(center, tmp_path, way):
    log = write(tmp_path)
    place = center.folder() / NAME
    if way == "changed":
        place.write_bytes(log[:-1] + b"\0")
    elif way == "link":
        place.symlink_to(tmp_path / NAME)
    elif way == "linked folder":
        center.folder().rmdir()
        place.parent.symlink_to(tmp_path)
    elif way == "folder":
        place.mkdir()
    with pytest.raises(UserError, match=f"{NAME}: the log is not in .*/logs any more, or was changed"):
        center.page(run_of(log))


@pytest.mark.parametrize(
    "name", [b"../../../../site.yaml", b"/etc/passwd", b"", b".", b"a\0b.darshan", b"\xff.darshan"]
)
def test_a_name_leads_nowhere_else(center, name):
    with pytest.raises(UserError, match="is not in"):
        center.page(run_of(center.site.read_bytes(), name=name))


@needs_java
@pytest.mark.parametrize("layout", ["flat", "job"])
def test_other_layouts(center, layout):
    center.describe(layout)
    folder = center.logs if layout == "flat" else center.logs / "77_3"
    folder.mkdir(exist_ok=True)
    assert "/lus/me/out" in center.page(run_of(write(folder)))


@needs_java
def test_a_program_may_have_the_name_of_a_killed_one_s_logs(center):
    name = "u_x_mmap-log-y_id77-1_11-14-80000-1_100.darshan"
    assert "/lus/me/out" in center.page(run_of(write(center.folder(), name=name), name=name.encode()))


@needs_java
def test_a_directory_that_cannot_be_listed_hides_no_other(center, monkeypatch):
    folders = LogDirectory.folders

    def refused(directory, span):
        if directory.root.endswith(b"closed"):
            raise PermissionError
        return folders(directory, span)

    monkeypatch.setattr(LogDirectory, "folders", refused)
    listed = [
        {"path": path, "layout": "year/month/day", "owner_check": "trusted_archive"}
        for path in ("closed", "logs")
    ]
    center.describe(log_directories=listed)
    assert "/lus/me/out" in center.page(run_of(write(center.folder())))


@needs_java
def test_names_and_commands_are_shown_as_the_site_lets_them_leave(center, recorded):
    log = write(center.folder())
    page = center.page(run_of(log))
    assert "secret" not in page, "of a command line only the base name leaves by default"
    center.describe(privacy={"paths": "directory_and_hash", "command_lines": "full"})
    page = center.page(run_of(log))
    assert "--token secret" in page
    assert "/lus/me/out" not in page
    assert "/lus/me/" in page
    center.describe(privacy={"paths": "directory_and_hash"})
    (traced,) = recorded.glob("darshan/generated_overlap/ovl_small_unaligned/*.darshan")
    (center.folder() / traced.name).write_bytes(traced.read_bytes())
    page = center.page(run_of(traced.read_bytes(), name=traced.name.encode(), job_id=91, nodes=1))
    assert "Traced requests" in page
    assert "hard.dat" not in page


@needs_java
def test_the_logs_of_a_killed_run_are_one_report(center, monkeypatch):
    files = killed_run.leave(center.folder(killed_run.START))
    (found,) = mapped_logs.grouped(map(Place.of, files))[1]
    log_id = mapped_logs.stream(found, Source("lab", "trusted_archive")).log_id
    run = run_of(
        b"", log_id=log_id, name=found.place.name, start=float(killed_run.START), job_id=5023, nodes=None
    )
    assert "All 4 processes were killed" in center.page(run)
    (files[0].parent / files[0].name.replace("-0.darshan", "-99.darshan")).write_bytes(b"x" * 100_000)
    monkeypatch.setattr(landed, "_MOST_BYTES", sum(file.stat().st_size for file in files))
    assert "All 4 processes were killed" in center.page(run), "what is none of its logs is not copied"
    monkeypatch.setattr(landed, "_MOST_BYTES", files[0].stat().st_size)
    with pytest.raises(UserError, match="the logs have more than 0 GiB together"):
        center.page(run)
    files[2].unlink()
    with pytest.raises(UserError, match="is not in"):
        center.page(run)


@needs_java
def test_logs_of_a_job_are_one_report_with_the_job_s_verdict(center):
    names = ["u_a_id77-1_1-1-1-1_1.darshan", "u_b_id77-2_1-1-1-1_1.darshan"]
    slow = Verdict("storage", "the devices were busy")
    runs = [
        run_of(
            write(center.folder(), b"/lus/%s" % name[2:3].encode(), name=name),
            name=name.encode(),
            of_job=slow,
        )
        for name in names
    ]
    page = center.page(*runs)
    assert page.count("I/O report</") == 1
    assert "Job 77" in page
    assert "The devices were busy" in page
    page = center.page(*(replace(run, of_job=None) for run in runs))
    assert "Weir has not judged the job as a whole" in page


def test_what_has_landed_is_known_and_what_has_not_is_named(tmp_path):
    client = EngineClient(tmp_path / "engine")
    a, b = "a" * 32, "b" * 32
    client.command(
        "INSERT INTO runs_versions (cluster, log_id, start_time, job_id, job_uid, file_name, run_nodes, "
        "verdict, verdict_reason, load_state, version) VALUES "
        f"('lab', '{a}', '2026-01-01 00:00:00.5', 7, 'j', 'x\\\\xff', 3, 'both', 'why', 'closed', 1), "
        f"('lab', '{b}', '2026-01-02 00:00:00', 8, NULL, 'y', NULL, 'unknown', '', 'waiting', 1),"
        f"('other', '{a}', '2026-01-01 00:00:00', 7, 'j', 'z', 3, 'both', 'why', 'closed', 1)"
    )
    client.command(
        "INSERT INTO job_results_versions (cluster, job_uid, submit_time, verdict, verdict_reason, version) "
        "VALUES ('lab', 'j', '2026-01-01 00:00:00', 'storage', 'busy', 1), "
        "('other', 'j', '2026-01-01 00:00:00', 'unknown', '', 1)"
    )
    first, second = landed.known(client, [b, a], "lab")
    assert (first.log_id, first.name, first.start, first.job_id, first.nodes) == (
        a,
        b"x\xff",
        1_767_225_600.5,
        7,
        3,
    )
    assert (first.verdict, first.load_state) == (Verdict("both", "why"), "closed")
    assert first.of_job == Verdict("storage", "busy")
    assert (second.nodes, second.of_job) == (None, None)
    with pytest.raises(UserError, match=f"No run of lab has landed of the log {'c' * 32}"):
        landed.known(client, [a, "c" * 32], "lab")
    client.close()


def weir(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "weir", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, text=True, env=os.environ | environment)


def test_what_is_no_id_is_wrong_usage(center):
    done = weir("log", "report", "--site", center.site, "'; DROP TABLE runs")
    assert done.returncode == 2
    assert "32 hexadecimal digits" in done.stderr


def test_it_gives_up_in_time(center, tmp_path):
    """A ClickHouse that accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        (tmp_path / "password").write_text("x")
        done = weir(
            "log", "report", "--site", center.site, "--within", 1, "0" * 32,
            WEIR_CLICKHOUSE_URL=f"http://127.0.0.1:{mute.getsockname()[1]}",
            WEIR_READER_PASSWORD_FILE=str(tmp_path / "password"),
        )  # fmt: skip
    assert done.returncode == 1
    assert "takes longer than 1 s" in done.stderr
