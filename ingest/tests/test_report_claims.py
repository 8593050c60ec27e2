"""What a report may not say: each a false sentence that it once said of a real log."""

from pathlib import Path

import pytest
from darshan_writer import LogWriter, file_of_rank, file_per_process, shared_file
from weir.analyze.offline import Heatmap, Inputs, Run, analyze
from weir.cli.analyze import analyze_command
from weir.logs import operations
from weir.report import render, view
from weir.report.operations import sections

MIB = 1 << 20
pytestmark = pytest.mark.usefixtures("analysis_jar")


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def said(tmp_path):
    """The report of a log that is written, as text without its line breaks."""

    def text(*logs: LogWriter | Path) -> str:
        files = []
        for number, log in enumerate(logs):
            files.append(log if isinstance(log, Path) else tmp_path / f"{number}.darshan")
            if isinstance(log, LogWriter):
                files[-1].write_bytes(log.to_bytes())
        (report,) = view.reports(analyze(files, Inputs()))
        return flat(render.text(report).plain)

    return text


def lustre(nprocs: int = 4, **more) -> LogWriter:
    return LogWriter(nprocs=nprocs, mounts=[(b"lustre", b"/lus"), (b"ext4", b"/")], **more)


def posix(name: bytes, rank: int, **counters) -> dict:
    return {"name": name, "rank": rank} | {f"POSIX_{key}": value for key, value in counters.items()}


def collective(name: bytes, nprocs: int, kind: str = "COLL", writes: int = 4000, size: int = 10_000) -> dict:
    """MPI-IO's record of a file that all processes wrote, evenly."""
    total = writes * size
    return {
        "name": name, "rank": -1, f"MPIIO_{kind}_WRITES": writes, "MPIIO_BYTES_WRITTEN": total,
        "MPIIO_SIZE_WRITE_AGG_1K_10K": writes, "MPIIO_COLL_OPENS": nprocs, "MPIIO_F_WRITE_TIME": 8.0,
        "MPIIO_F_SLOWEST_RANK_TIME": 2.0, "MPIIO_SLOWEST_RANK_BYTES": total // nprocs,
    }  # fmt: skip


# --- bounds ----------------------------------------------------------------------------------------------


def test_every_number_of_a_partial_log_is_said_to_be_one(said):
    """Darshan kept 600 of more files: neither their number nor the time nor the rate is the run's."""
    log = lustre()
    files = [file_of_rank(b"/lus/%04d" % n, n % 4, writes=[8192] * 4, seconds=0.02) for n in range(600)]
    log.add("POSIX", 4, files, partial=True)
    text = said(log)
    assert "It wrote at least 18.8 MiB, on /lus, through POSIX: at least 600 files" in text
    assert "Its I/O took at least 3.02 s, a recorded 5 % of the run time, a recorded 6.22 MiB/s." in text
    assert "There were at least 2,400 POSIX writes." in text
    assert "At least 600 files of a recorded 32 KiB on average." in text


def test_a_rule_without_words_shows_bounds_too():
    told = {"log_state": "complete", "features": {
        "opens": {"value": 4.0, "evidence_class": "lower_bound"},
        "stats": {"value": 5.0, "evidence_class": "exact"},
    }}  # fmt: skip
    run = Run(Path("a"), "", {}, Heatmap(4), facts=told)
    assert view._bare({"opens": 4.0, "stats": 5.0}, run) == "opens = at least 4, stats = 5"


# --- what made a rule hold -------------------------------------------------------------------------------


def test_evidence_is_of_the_direction_that_made_the_rule_hold(said):
    """150 of 50,000 reads are small, which is harmless; 3,000 of 3,000 writes are, which is not."""
    log = lustre(nprocs=1)
    log.add("POSIX", 4, [
        file_of_rank(b"/lus/in", reads=[4096] * 150 + [2 * MIB] * 5000, seconds=1.0),
        file_of_rank(b"/lus/out", writes=[4096] * 3000, seconds=3.0),
    ])  # fmt: skip
    text = said(log)
    assert (
        "3,000 of 3,000 POSIX writes are below 1 MiB; writing took 75 % of the time in POSIX calls." in text
    )
    assert "POSIX reads are below" not in text


def test_the_share_of_a_direction_is_of_posix_calls_not_of_the_runs_io(said):
    """MPI-IO took 2 s, of which POSIX knows 0.1 s."""
    log = lustre()
    log.add("MPI-IO", 3, [collective(b"/lus/a", 4, kind="INDEP")])
    log.add("POSIX", 4, shared_file(b"/lus/a", [[10_000] * 1000] * 4))
    text = said(log)
    assert "of the time in POSIX calls" in text
    assert "of the I/O time." not in text


# --- advice ----------------------------------------------------------------------------------------------


def test_small_requests_are_gathered_not_padded_to_a_block(said):
    """27 KB writes on blocks of 16 MiB."""
    log = lustre()
    odd = [27_001] * 2000
    records = [file_of_rank(b"/lus/a", rank, writes=odd, seconds=9.0) for rank in range(4)]
    more = {"POSIX_FILE_ALIGNMENT": 16 * MIB, "POSIX_FILE_NOT_ALIGNED": 1999}
    log.add("POSIX", 4, [record | more for record in records])
    text = said(log)
    assert (
        "Half of the requests have at most 100 KiB, and blocks 16 MiB (the block size): gather them" in text
    )
    assert "multiple of 16 MiB, the block size: pad" not in text


def test_who_calls_collectively_aligns_by_hints(said):
    log = lustre()
    log.add("MPI-IO", 3, [collective(b"/lus/a", 4, writes=2000, size=5 * MIB)])
    (record,) = shared_file(b"/lus/a", [[5 * MIB] * 500] * 4)
    log.add("POSIX", 4, [record | {"POSIX_FILE_ALIGNMENT": MIB, "POSIX_FILE_NOT_ALIGNED": 1900}])
    text = said(log)
    assert (
        "The requests are those of the aggregators, not of the program: give them whole blocks of 1 MiB"
        in text
    )
    assert 'MPI_Info_set(info, "striping_unit", "1048576");' in text
    assert "cb_read" not in text


def test_hdf5s_metadata_is_not_aligned_object_by_object(said):
    log = lustre()
    log.add("H5F", 3, [{"name": b"/lus/a.h5", "rank": -1, "H5F_OPENS": 4, "H5F_USE_MPIIO": 1}])
    log.add("MPI-IO", 3, [collective(b"/lus/a.h5", 4, kind="INDEP", size=192)])
    (record,) = shared_file(b"/lus/a.h5", [[192] * 1000] * 4)
    log.add("POSIX", 4, [record | {"POSIX_FILE_ALIGNMENT": MIB, "POSIX_FILE_NOT_ALIGNED": 3900}])
    text = said(log)
    assert "H5Pset_meta_block_size" in text
    assert "H5Pset_alignment" not in text


def test_a_change_is_the_same_only_where_its_words_are(said):
    """small_io names the file that its small requests went to, small_unaligned_writes none."""
    log = lustre(nprocs=1)
    more = {"POSIX_FILE_ALIGNMENT": MIB, "POSIX_FILE_NOT_ALIGNED": 2999}
    log.add("POSIX", 4, [file_of_rank(b"/lus/out", writes=[4097] * 3000, seconds=3.0) | more])
    text = said(log)
    assert "write at least 1 MiB at once in /lus/out." in text
    assert "The same as for small_io" not in text


def test_one_process_is_given_no_advice_for_many(said):
    """nprocs 1, MPI-IO, a million reads of the same byte: neither collective buffering nor sorting helps."""
    log = lustre(nprocs=1)
    log.add("MPI-IO", 3, [collective(b"/lus/a", 1, kind="INDEP")])
    reread = {
        "READS": 1_000_000, "BYTES_READ": 1_000_000, "SIZE_READ_0_100": 1_000_000, "OPENS": 1,
        "F_READ_TIME": 3.0, "FILE_ALIGNMENT": MIB,
    }  # fmt: skip
    log.add("POSIX", 4, [posix(b"/lus/b", 0, **reread)])
    text = said(log)
    assert "At least 999,999 of 1,000,000 reads start before the end of the one before" in text
    assert "collective calls" not in text
    assert "Sort the offsets" not in text
    assert "Keep in memory what was read" in text


def test_a_program_that_only_wrote_is_not_told_to_read(said):
    """Below its MPI-IO writes the library read as much: data sieving."""
    log = lustre()
    log.add("MPI-IO", 3, [collective(b"/lus/a", 4, kind="INDEP", size=9000)])
    (record,) = shared_file(b"/lus/a", [[9000] * 1000] * 4)
    sieved = {"POSIX_READS": 4000, "POSIX_BYTES_READ": 36_000_000, "POSIX_SIZE_READ_1K_10K": 4000}
    log.add("POSIX", 4, [record | sieved | {"POSIX_FILE_ALIGNMENT": MIB, "POSIX_FILE_NOT_ALIGNED": 7900}])
    text = said(log)
    assert "romio_cb_write" in text
    for reads in ("romio_cb_read", "read_at_all", "read and write", "prefetch"):
        assert reads not in text, reads


def test_a_funnel_is_told_once(said):
    log = lustre(nprocs=64)
    log.add("POSIX", 4, [file_of_rank(b"/lus/a", 0, writes=[2 * MIB] * 500, seconds=20.0)])
    text = said(log)
    assert "(rank0_io)" in text
    assert "(load_imbalance)" not in text


def test_stripes_save_no_more_than_the_time_in_posix_calls(said):
    """MPI-IO took 50 s, the file system 10 of them."""
    log = lustre(nprocs=64)
    mpiio = collective(b"/lus/a", 64, writes=6400, size=4 * MIB) | {"MPIIO_F_SLOWEST_RANK_TIME": 50.0}
    log.add("MPI-IO", 3, [mpiio])
    (record,) = shared_file(b"/lus/a", [[4 * MIB] * 100] * 64)
    log.add("POSIX", 4, [record | {"POSIX_F_SLOWEST_RANK_TIME": 10.0}])
    log.add(
        "LUSTRE",
        1,
        [{"name": b"/lus/a", "rank": -1, "osts": 24, "mdts": 1, "stripe_size": MIB, "targets": [3]}],
    )
    assert "At best most of 10 s in POSIX calls" in said(log)


def test_who_calls_collectively_is_not_told_to(said):
    """Few of 1,024 processes call collectively, so the rule holds."""
    log = lustre(nprocs=1024)
    few = {"MPIIO_SLOWEST_RANK_BYTES": 500 * 2 * MIB, "MPIIO_F_VARIANCE_RANK_BYTES": 1e15}
    log.add("MPI-IO", 3, [collective(b"/lus/a", 1024, writes=500, size=2 * MIB) | few])
    log.add("POSIX", 4, [file_of_rank(b"/lus/a", 0, writes=[2 * MIB] * 250, seconds=20.0),
                         file_of_rank(b"/lus/a", 1, writes=[2 * MIB] * 250, seconds=20.0)])  # fmt: skip
    text = said(log)
    assert "(load_imbalance)" in text
    assert "reads and writes about as much." in text


# --- where and how much ----------------------------------------------------------------------------------


def test_bytes_are_where_they_went(said):
    """It read on /lus and wrote elsewhere."""
    log = lustre(nprocs=1)
    log.add("POSIX", 4, [
        file_of_rank(b"/lus/in", reads=[4 * MIB] * 50),
        file_of_rank(b"/tmp/out", writes=[4 * MIB] * 2),
    ])  # fmt: skip
    assert "It read 200 MiB and wrote 8 MiB, what it read on /lus, through POSIX" in said(log)


def test_what_went_to_standard_output_did_not_go_through_posix(said):
    log = lustre(nprocs=1)
    log.add("POSIX", 4, [file_of_rank(b"/lus/in", reads=[4 * MIB] * 50)])
    log.add("STDIO", 2, [{"name": b"<STDOUT>", "rank": 0, "STDIO_WRITES": 3, "STDIO_BYTES_WRITTEN": 348}])
    text = said(log)
    assert "wrote 348 B" in text
    assert "(348 B of it through standard input, output or error)" in text


def test_a_run_of_a_few_kilobytes_has_neither_rate_nor_share(said):
    log = lustre(nprocs=1)
    log.add("POSIX", 4, [file_of_rank(b"/lus/a", writes=[1000], seconds=0.05)])
    text = said(log)
    assert "Its I/O took 50 ms. There was 1 POSIX write." in text
    assert "MiB/s" not in text


def test_a_job_lasts_as_long_as_its_runs(said):
    """Old logs count the second in which the run ended: 5 s each."""
    logs = []
    for number in range(2):
        log = lustre(
            nprocs=1, start=(1_700_000_000 + number, 0), end=(1_700_000_004 + number, 0), version="3.10"
        )
        log.add("POSIX", 3, [file_of_rank(b"/lus/%d" % number, writes=[MIB] * 20)])
        logs.append(log)
    assert "2023-11-14 22:13:20 UTC, for 6 s" in said(*logs)


def test_a_job_that_only_read_wrote_nothing(said):
    logs = []
    for number in range(2):
        log = lustre(nprocs=1, start=(1_700_000_000 + number, 0))
        log.add("POSIX", 4, [file_of_rank(b"/lus/%d" % number, reads=[MIB] * 20)])
        logs.append(log)
    assert "Its 2 runs of sim read 40 MiB together; their I/O took" in said(*logs)


def test_a_short_run_is_too_short_to_matter(said):
    log = lustre(nprocs=1, end=(1_700_000_002, 0))
    log.add("POSIX", 4, [file_of_rank(b"/lus/a", writes=[MIB] * 64, seconds=1.9)])
    assert "Verdict: Not slow Too short to matter (2 s)." in said(log)


def test_damage_outside_the_io_modules_takes_nothing_from_the_io_time(said, tmp_path):
    log = lustre(nprocs=1)
    log.add("POSIX", 4, [file_of_rank(b"/lus/a", writes=[MIB] * 64, seconds=1.9)])
    log.add("HEATMAP", 1, [{
        "name": b"heatmap:POSIX", "rank": 0, "bin_width_seconds": 0.1, "write_bins": [MIB] * 64,
        "read_bins": [0] * 64,
    }], partial=True)  # fmt: skip
    text = said(log)
    assert "HEATMAP: Darshan ran out of memory" in text
    assert "Not known: the log is incomplete" not in text
    assert "At most 1.9 s of I/O." in text


def test_what_hdf5_spends_itself_is_what_the_log_lacks(said):
    log = lustre()
    log.add("H5F", 3, [{"name": b"/lus/a.h5", "rank": -1, "H5F_OPENS": 4, "H5F_USE_MPIIO": 1}])
    mpiio = collective(b"/lus/a.h5", 4) | {"MPIIO_F_SLOWEST_RANK_TIME": 40.0}
    log.add("MPI-IO", 3, [mpiio])
    log.add("POSIX", 4, shared_file(b"/lus/a.h5", [[10_000] * 1000] * 4))
    text = said(log)
    assert "were I/O; what HDF5 or PnetCDF spend themselves is not in MPI-IO's time." in text


def test_help_says_how_grave_a_finding_is_without_nodes():
    text = flat(analyze_command.__doc__ or "")
    assert "where the job's nodes are not known, from the I/O time" in text


# --- tables ----------------------------------------------------------------------------------------------


def run_of(log: LogWriter, tmp_path: Path) -> Run:
    file = tmp_path / "a.darshan"
    file.write_bytes(log.to_bytes())
    return analyze([file], Inputs()).runs[0]


def test_darshans_own_hints_are_not_the_runs(said):
    log = lustre(nprocs=1, metadata={b"lib_ver": b"3.4.4", b"h": b"romio_no_indep_rw=true;cb_nodes=4"})
    log.add("POSIX", 4, [file_of_rank(b"/lus/a", writes=[MIB] * 64)])
    text = said(log)
    assert "romio_no_indep_rw" not in text
    assert "cb_nodes" not in text


def test_the_files_that_took_longest_are_named_whatever_their_size(tmp_path):
    """A tiny file took longest, of which no more is known; 2,000 others have more bytes."""
    log = lustre(nprocs=2000)
    log.add("POSIX", 4, file_per_process(b"/lus/big", [[4 * MIB] * 2] * 2000))
    log.add("POSIX", 4, [file_of_rank(b"/elsewhere/slow", 2, writes=[1], seconds=40.0)])
    rows = {section.title: section.rows for section in sections(run_of(log, tmp_path))}["Time by file"]
    assert rows[1] == ("/elsewhere/slow", "POSIX", "40 s")
    assert len(rows) == 1 + 10


def test_times_that_are_no_numbers_are_none(tmp_path):
    log = lustre()
    log.add("POSIX", 4, [
        file_of_rank(b"/lus/nan", 0, writes=[MIB])
        | {"POSIX_F_WRITE_TIME": float("nan"), "POSIX_F_META_TIME": float("inf")},
        file_of_rank(b"/lus/a", 1, writes=[MIB], seconds=3.0),
    ])  # fmt: skip
    rows = {section.title: section.rows for section in sections(run_of(log, tmp_path))}
    assert [row[0] for row in rows["Time by file"]] == ["file", "/lus/a"]
    assert rows["Time by module"][1][2] == "3 s"


def test_objects_of_daos_are_counted(tmp_path):
    log = lustre()
    log.add("DFS", 1, [{
        "name": b"/dfs/a", "rank": 0, "DFS_OPENS": 1, "DFS_WRITES": 7, "DFS_NB_WRITES": 2,
        "DFS_BYTES_WRITTEN": 9 * MIB, "DFS_F_WRITE_TIME": 3.0,
    }])  # fmt: skip
    rows = {section.title: section.rows for section in sections(run_of(log, tmp_path))}
    opens, writes, written = (rows["Operations by module"][1][at] for at in (1, 3, 8))
    assert (opens, writes, written) == ("1", "7", "9 MiB")
    assert rows["Time by file"][1] == ("/dfs/a", "DFS", "3 s")


@pytest.mark.parametrize(("state", "shown", "bounded"), [
    ("suspect", False, False), ("partial", True, True), ("complete", True, False),
])  # fmt: skip
def test_tables_leave_out_what_may_be_wrong_and_mark_what_lacks(state, shown, bounded):
    counted = operations.Operations({"POSIX": operations.Module(records=5, counters={"OPENS": 521})})
    counted.settle({"POSIX": state})
    told = {"nprocs": 4, "files": [], "filesystems": [], "run_time_seconds": None}
    found = sections(Run([Path("a")], "", {}, Heatmap(4), counted, facts=told))
    (rows,) = [section for section in found if section.title == "Operations by module"] or [None]
    assert (rows is not None) == shown
    assert ("lower bounds" in rows.note if rows else False) == bounded
