"""What a report must not get wrong, on logs made to order: judged as `weir analyze` does, once for all."""

import re
from collections.abc import Callable
from pathlib import Path

import libdarshan
import pytest
from darshan_mutations import Anatomy
from darshan_writer import LogWriter, file_of_rank, many_files, shared_file
from weir.analyze.offline import Analysis, Inputs, analyze
from weir.logs import log_facts
from weir.report import render, view
from weir.views import log_view

MIB = 1 << 20
pytestmark = pytest.mark.usefixtures("analysis_jar")


def log_of(job_id: int = 1, **modules: list[dict]) -> LogWriter:
    """A run of 60 s on 4 processes, with a Lustre and a root file system."""
    log = LogWriter(nprocs=4, jobid=job_id, mounts=[(b"lustre", b"/lus"), (b"ext4", b"/")])
    for name, records in modules.items():
        log.add(name, {"POSIX": 4, "STDIO": 2}[name], records)
    return log


def stream(name: bytes, rank: int = 0, written: int = 0, seconds: float = 0.0) -> dict:
    return {
        "name": name, "rank": rank, "STDIO_OPENS": 1, "STDIO_WRITES": max(1, written // 4096),
        "STDIO_BYTES_WRITTEN": written, "STDIO_F_WRITE_TIME": seconds,
    }  # fmt: skip


def written(number: int = 8, ranks: int = 4) -> list[dict]:
    return shared_file(b"/lus/out", [[4 * MIB] * number] * ranks)


def with_names(job_id: int, changed: Callable[[bytes], bytes]) -> bytes:
    """A log of two files whose region of names is another."""
    log = Anatomy(log_of(job_id, POSIX=[*written(), *shared_file(b"/lus/two", [[MIB] * 4] * 4)]).to_bytes())
    return log.with_region("names", changed(log.inflated(dict(log.regions())["names"])))


@pytest.fixture(scope="module")
def logs(tmp_path_factory) -> dict[str, Path]:
    bad_time = stream(b"<STDERR>", written=400, seconds=-1924.0)
    shared_bad_time = bad_time | {"rank": -1, "STDIO_F_SLOWEST_RANK_TIME": -1924.0}
    many = log_of(3)
    many_files(many, 6_000)
    big = stream(b"<STDOUT>", written=512 * MIB, seconds=3.0)
    kinds = [
        file_of_rank(b"/lus/in", 0, reads=[MIB] * 3),
        file_of_rank(b"/lus/in", 1, reads=[MIB] * 2),
        file_of_rank(b"/lus/both", 0, reads=[MIB], writes=[MIB, MIB]),
        file_of_rank(b"/lus/log", 2, writes=[MIB] * 7, offset=100),
        {"name": b"/lus/opened", "rank": 3, "POSIX_OPENS": 1, "POSIX_MMAPS": 1},
    ]
    made = {
        "bad_time": log_of(1, STDIO=[bad_time], POSIX=written()).to_bytes(),
        "shared_bad_time": log_of(2, STDIO=[shared_bad_time], POSIX=written()).to_bytes(),
        "many": many.to_bytes(),
        "names_cut": with_names(4, lambda names: names[:-3]),
        "names_lost": with_names(5, lambda names: b"\xff" * 20),
        "stdout": log_of(6, STDIO=[big, stream(b"<STDERR>", written=400)], POSIX=written()).to_bytes(),
        "kinds": log_of(7, POSIX=kinds).to_bytes(),
    }
    folder = tmp_path_factory.mktemp("facts")
    for name, content in made.items():
        (folder / f"{name}.darshan").write_bytes(content)
    return {name: folder / f"{name}.darshan" for name in made}


@pytest.fixture(scope="module")
def judged(logs) -> Analysis:
    return analyze(list(logs.values()), Inputs())


@pytest.fixture(scope="module")
def runs(judged):
    return {run.file.stem: run for run in judged.runs}


@pytest.fixture(scope="module")
def said(judged):
    """The text of each log's report, without its line breaks."""
    texts = zip(judged.jobs, view.reports(judged), strict=True)
    return {job.runs[0].file.stem: " ".join(render.text(report).plain.split()) for job, report in texts}


@pytest.mark.parametrize("name", ["bad_time", "shared_bad_time"])
def test_one_record_with_a_time_below_zero_makes_lower_bounds_not_an_unknown_run(name, runs, said, logs):
    """1,924 seconds before 0, as a public log has of its stderr."""
    time = runs[name].facts["features"]["io_time_seconds"]
    assert (time["evidence_class"], runs[name].facts["log_state"]) == ("lower_bound", "complete")
    posix = libdarshan.read(logs[name])[0]["totals"]["POSIX"]["agg_time_by_slowest"]
    assert time["value"] == pytest.approx(posix)
    assert "Its I/O took at least 34 ms" in said[name]
    assert "STDIO 0 s at least 0 s 0 s at least 0 s" in said[name]
    console = log_view.console()
    with console.capture() as shown:
        console.print(log_view.show(log_facts.read(logs[name])))
    assert "STDERR" in shown.get()
    assert "1,924" not in shown.get()


def test_estimated_numbers_of_files_are_called_so_wherever_they_stand(said):
    assert "through POSIX: about 5,9" in said["many"]
    assert "many_small_files" in said["many"]
    # 6,000 is counted: opens, writes, and the files of the table by use
    estimates = set(re.findall(r"\b5,9\d\d\b|\b6,0[1-9]\d\b", said["many"]))
    for number in estimates:
        assert said["many"].count(f"about {number}") + said["many"].count(f"About {number}") == said[
            "many"
        ].count(number)
    assert "POSIX written only 6,000 0 B 23.4 MiB 4 KiB 4 KiB" in said["many"]


def test_files_whose_names_are_lost_are_on_no_file_system(runs, said):
    for name, known in (("names_cut", {"/lus"}), ("names_lost", set())):
        told = runs[name].facts
        assert {each["filesystem"] for each in told["filesystems"]} == known
        assert {each["filesystem"] for each in told["files"]} == known
        assert "POSIX: damaged" in said[name]
        assert "What could be read of it may be wrong, so it was not used." in said[name]
        assert "Operations by module" not in said[name]


def test_what_went_through_a_standard_stream_is_named_with_its_bytes(said, runs):
    assert (
        "512 MiB through <STDOUT>, 400 B through <STDERR>: standard streams count for no finding."
        in said["stdout"]
    )
    assert "<STDOUT> 0 B 512 MiB" in said["stdout"]
    assert runs["stdout"].facts["features"]["standard_stream_bytes"]["value"] == 512 * MIB + 400
    assert "stdio_heavy" not in said["stdout"]
    # next to nothing is not worth a limit
    assert "standard streams count" not in said["bad_time"]


def test_files_by_use_are_those_of_libdarshan(runs, said, logs):
    (truth,) = libdarshan.read(logs["kinds"])
    of_libdarshan = truth["totals"]["POSIX"]["files"]
    uses = runs["kinds"].operations.modules["POSIX"].uses()
    for use, kind in (
        ("read only", "read_only"),
        ("written only", "write_only"),
        ("read and written", "read_write"),
    ):
        assert (uses[use].files, uses[use].bytes_read, uses[use].bytes_written) == of_libdarshan[kind]
    assert sum(use.files for use in uses.values()) == of_libdarshan["all"][0] == 4
    # the file that was written from byte 100 on ends there
    assert uses["written only"].largest_extent == 100 + 7 * MIB
    assert "POSIX read only 1 5 MiB 0 B 3 MiB 3 MiB" in said["kinds"]
    assert "POSIX no data 1 0 B 0 B 0 B 0 B" in said["kinds"]
    assert "POSIX: 1 mmap, whose bytes Darshan does not see." in said["kinds"]


def test_the_first_line_is_what_was_found_and_the_command_follows(judged):
    for job, report in zip(judged.jobs, view.reports(judged), strict=True):
        first, *others = render.text(report).plain.split("\n\n")[0].splitlines()
        titles = [finding["title"] for finding in job.runs[0].facts["findings"]]
        if titles:
            assert any(first.startswith(f"sim: {title}") for title in titles)
        else:
            assert first in ("sim: No known pattern of slow I/O", "sim: Nothing found that the log can prove")
        assert "command   /opt/app/bin/sim" in others


def test_no_sentence_mixes_times_and_bytes(judged, reports_of_recorded):
    size, time = r"\d [KMGTPE]?i?B\b(?!/s)", r"\d (?:ms|s|min|h)\b"
    for report in [*view.reports(judged), *reports_of_recorded]:
        texts = [
            report.summary,
            report.cost,
            *(finding.evidence for finding in report.findings),
            *report.limits,
        ]
        for sentence in re.split(r"(?<=[.;:])\s+", " ".join(texts)):
            assert not (re.search(size, sentence) and re.search(time, sentence)), sentence


@pytest.fixture(scope="module")
def reports_of_recorded(recorded):
    return view.reports(analyze(sorted(recorded.glob("darshan/*/*/*.darshan")), Inputs()))


def test_hints_of_darshans_own_log_are_not_taken_for_the_programs(recorded):
    """The job record's `h` is what Darshan gave to MPI-IO when it wrote the log (DARSHAN_LOGHINTS)."""
    logs = sorted(recorded.glob("darshan/generated/collective_aligned/*.darshan"))
    (report,) = view.reports(analyze(logs, Inputs()))
    (rows,) = (section.rows for section in report.runs[0].sections if section.title == "Hints and stripes")
    assert "cb_nodes" not in str(rows)
    hints = sum(
        record["counters"]["MPIIO_HINTS"]
        for record in libdarshan.records(libdarshan.read(*logs)[0], "MPI-IO")
    )
    assert (
        "MPI-IO hints",
        f"given in {hints} calls; a log does not have their values" if hints else "none given",
    ) in rows
