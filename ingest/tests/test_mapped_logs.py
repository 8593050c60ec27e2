"""What killed processes leave, merged: nothing is lost or counted twice, a part is never taken for all."""

import lzma
import random
import shutil
from collections import Counter
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import killed_run
import libdarshan
import numpy as np
import pytest
from darshan_writer import LogWriter
from hypothesis import given, settings
from hypothesis import strategies as st
from weir.errors import Refused
from weir.logs import darshan_log, mapped_logs
from weir.logs.darshan_log import Place, Source

SOURCE = Source("lab", "trusted_archive")
REAL = Path(__file__).parents[2] / "tests/data/killed"


def merged(files, source=SOURCE, **how):
    """The parts of the one run that the files are of: read to the end, with their batches."""
    alone, (found,) = mapped_logs.grouped(map(Place.of, files))
    assert not alone
    parts = mapped_logs.stream(found, source, **how)
    return parts, list(parts.batches)


def sums(batches):
    """module -> counter -> sum over all rows."""
    found: dict[str, Counter] = {}
    for batch in batches:
        ints = np.frombuffer(batch["ints"], "<i8").reshape(-1, batch["rows"])
        floats = np.frombuffer(batch["floats"], "<f8").reshape(-1, batch["rows"])
        of_module = found.setdefault(batch["module"], Counter())
        for name, column in zip(batch["int_names"], ints, strict=True):
            of_module[name] += int(column.sum())
        for name, column in zip(batch["float_names"], floats, strict=True):
            of_module[name] += float(column.sum())
    return found


def rows(batches, module="POSIX"):
    """(rank, name, bytes written), sorted."""
    found = []
    for batch in batches:
        if batch["module"] == module:
            ranks = np.frombuffer(batch["ranks"], "<i8").tolist()
            ints = np.frombuffer(batch["ints"], "<i8").reshape(-1, batch["rows"])
            written = ints[batch["int_names"].index(f"{module}_BYTES_WRITTEN")].tolist()
            found += zip(ranks, batch["names"], written, strict=True)
    return sorted(found)


def truth_of(files):
    """The same sums by libdarshan, over the single files."""
    found: dict[str, Counter] = {}
    for told in libdarshan.read(*files):
        for module in told["records"]:
            for record in libdarshan.records(told, module):
                found.setdefault(module, Counter()).update(record["counters"])
                found[module].update(record["fcounters"])
    return found


@pytest.fixture
def four(tmp_path):
    return killed_run.leave(tmp_path / "logs")


@pytest.fixture
def real(tmp_path):
    """Two logs of a run with four processes."""
    for file in REAL.glob("*.xz"):
        (tmp_path / file.stem).write_bytes(lzma.decompress(file.read_bytes()))
    return sorted(tmp_path.glob("*.darshan"))


@pytest.mark.parametrize("which", ["four", "real"])
def test_sums_are_those_of_libdarshan_over_the_single_logs(which, request):
    files = request.getfixturevalue(which)
    _, batches = merged(files)
    truth, found = truth_of(files), sums(batches)
    assert {*truth} == {*found} - {"HEATMAP"}
    for module, counters in truth.items():
        for name, value in counters.items():
            assert found[module][name] == pytest.approx(value), name


def test_the_merged_header_and_end(four):
    parts, batches = merged(four)
    header = parts.header
    # the process of rank 1 began first
    assert header["start_time"] == datetime.fromtimestamp(killed_run.START, UTC).replace(microsecond=100_000)
    assert header["end_time"] == datetime(1970, 1, 1, tzinfo=UTC)
    assert (header["nprocs"], header["job_id"], header["uid"]) == (4, 5023, 1003)
    assert header["file_name"] == f"id5023_mmap-log-{killed_run.NUMBER}.darshan"
    sizes = {module["name"]: module["compressed_bytes"] for module in header["modules"]}
    singly = [darshan_log.stream(Place.of(file), SOURCE).header["modules"] for file in four]
    assert sizes["STDIO"] == sum(
        m["compressed_bytes"] for each in singly for m in each if m["name"] == "STDIO"
    )
    assert parts.end["processes"] == 4
    assert {module["name"]: module["state"] for module in parts.end["modules"]} == dict.fromkeys(
        ("POSIX", "STDIO", "HEATMAP"), "complete"
    )
    counts = {module["name"]: module["records_read"] for module in parts.end["modules"]}
    assert counts == {"POSIX": 8, "STDIO": 2, "HEATMAP": 4}
    assert [batch["number"] for batch in batches] == list(range(parts.end["batches"]))
    assert {batch["start_time"] for batch in batches} == {header["start_time"]}
    assert not parts.left_out


def test_identity_is_over_the_identities_of_the_logs_in_the_order_of_ranks(four):
    ids = [blake2b(file.read_bytes(), digest_size=16).hexdigest() for file in four]
    text = "mmap-log\0" + "\0".join(f"{rank}\0{log_id}" for rank, log_id in enumerate(ids))
    parts, _ = merged(random.Random(1).sample(four, 4))
    assert parts.log_id == blake2b(text.encode(), digest_size=16).hexdigest()


def test_batches_are_shared_by_many_processes(tmp_path):
    files = killed_run.leave(tmp_path, 300)
    parts, batches = merged(files)
    assert parts.end["processes"] == 300
    assert len(batches) < 10
    assert max(len(batch["ints"]) for batch in batches) < 512 << 10


def test_a_module_is_partial_if_it_is_in_one_log(four):
    log = killed_run.log_of(2, [])
    log.add("POSIX", 4, killed_run.records_of(2), partial=True)
    four[2].write_bytes(log.to_bytes())
    parts, _ = merged(four)
    assert parts.end["processes"] == 4
    assert {m["name"]: m["partial"] for m in parts.header["modules"]}["POSIX"] is True
    assert {m["name"]: m["state"] for m in parts.end["modules"]}["POSIX"] == "partial"


def test_a_program_without_mpi_is_a_run_of_one_process(tmp_path):
    (file,) = killed_run.leave(tmp_path, 1)
    assert merged([file])[0].end["processes"] == 1


def test_programs_of_one_launch_may_have_several_names(four):
    other = four[3].rename(four[3].with_name(four[3].name.replace("forever", "other")))
    assert merged([*four[:3], other])[0].end["processes"] == 4


# --- what is not one of the run's logs ---------------------------------------------------------------------


def of_log(**other):
    return lambda rank, nprocs: killed_run.log_of(rank, **{"nprocs": nprocs} | other).to_bytes()


def of_rank(which):
    return lambda rank, nprocs: killed_run.log_of(which(rank), nprocs=nprocs).to_bytes()


def with_more_ranks(rank, nprocs):
    records = killed_run.records_of(rank) + killed_run.records_of(rank + 1)
    return killed_run.log_of(rank, records, nprocs=nprocs).to_bytes()


def of_another_version(rank, nprocs):
    log = LogWriter(compression="none", nprocs=nprocs, uid=1003, jobid=5023, end=(0, 0))
    log.add("POSIX", 3, [{"name": b"/scratch/b", "rank": rank, "POSIX_OPENS": 1}])
    return log.to_bytes()


# what is in the file instead, and why it is left out; a file that is not left out is read and not sound
HARM = {
    "another job": (of_log(jobid=7), "its name says job 5023, its job record 7"),
    "another user": (of_log(uid=7), "its job record says user 7, job 5023, 4 processes"),
    "a larger run": (of_log(nprocs=8), "its job record says user 1003, job 5023, 8 processes"),
    "an end": (of_log(end=(killed_run.START + 60, 0)), "it has an end"),
    "another version": (of_another_version, "POSIX is of version 3, in the log of a lower rank of 4"),
    "text": (lambda *_: b"text", "no Darshan log"),
    "nothing": (lambda *_: b"", "empty file"),
    "another rank": (of_rank(lambda rank: rank + 1), None),
    "a reduced record": (of_rank(lambda _: -1), None),
    "more ranks": (with_more_ranks, None),
    "a cut log": (lambda *which: of_log()(*which)[:-40], None),
}


@pytest.mark.parametrize("harm", HARM)
def test_one_log_that_is_not_the_runs_makes_it_incomplete(four, harm):
    make, reason = HARM[harm]
    whole = rows(merged(four)[1])
    four[3].write_bytes(make(3, 4))
    parts, batches = merged(four)
    assert parts.end["processes"] == 3
    assert [row for row in rows(batches) if row[0] != 3] == [row for row in whole if row[0] != 3]
    assert [left.position for left in parts.left_out] == [four[3].name] * bool(reason)
    if reason:
        assert reason in parts.left_out[0].reason
        assert len(rows(batches)) == 6
        with pytest.raises(mapped_logs.Incomplete, match="the logs of 3 of 4 processes are there"):
            merged(four, whole_only=True)


def test_a_log_that_is_missing_makes_it_incomplete(four):
    parts, batches = merged(four[:3])
    assert (parts.end["processes"], len(rows(batches))) == (3, 6)
    with pytest.raises(mapped_logs.Incomplete, match="the logs of 3 of 4 processes are there"):
        merged(four[:3], whole_only=True)


@pytest.mark.parametrize("harm", ["another rank", "a reduced record", "more ranks"])
def test_records_of_other_ranks_are_not_used(four, harm):
    four[3].write_bytes(HARM[harm][0](3, 4))
    parts, batches = merged(four)
    posix = next(module for module in parts.end["modules"] if module["name"] == "POSIX")
    assert posix["state"] == "suspect"
    assert "in the log of rank 3" in posix["reason"]
    assert [row for row in rows(batches) if row[0] == 3] == []


def test_copies_are_one_and_two_that_differ_are_none(four, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    copy = Path(shutil.copy(four[2], other))
    parts, batches = merged([*four, copy])
    assert parts.end["processes"] == 4
    assert rows(batches) == rows(merged(four)[1])
    # as it was when the run went on
    copy.write_bytes(killed_run.log_of(2, []).to_bytes())
    parts, _ = merged([*four, copy])
    assert parts.end["processes"] == 3
    assert {left.reason for left in parts.left_out} == {"one of 2 logs of rank 2 that differ"}


def test_nothing_but_what_is_no_log_is_refused(four):
    for file in four:
        file.write_bytes(b"text")
    with pytest.raises(Refused, match="no Darshan log"):
        merged(four)


def test_a_log_of_another_user_is_left_out_of_a_strict_directory(four):
    with pytest.raises(Refused, match="the file belongs to user"):
        merged(four, Source("lab", "strict"))


def test_the_schedulers_user_decides_between_two(four):
    for rank in (1, 2, 3):
        four[rank].write_bytes(killed_run.log_of(rank, uid=7).to_bytes())
    assert merged(four)[0].header["uid"] == 7
    assert merged(four, uid=1003)[0].header["uid"] == 1003


def test_a_log_that_changes_while_it_is_read_is_read_later(four):
    _, (found,) = mapped_logs.grouped(map(Place.of, four))
    parts = mapped_logs.stream(found, SOURCE)
    four[3].write_bytes(killed_run.log_of(3, []).to_bytes())
    with pytest.raises(darshan_log.NotYet, match="changed while"):
        list(parts.batches)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(
    nprocs=st.integers(1, 7),
    harm=st.dictionaries(st.integers(1, 6), st.sampled_from([*HARM, "absent"]), max_size=2),
    copies=st.sets(st.integers(0, 6)),
    seed=st.integers(0, 9),
)
def test_in_any_order_with_any_harm(tmp_path_factory, nprocs, harm, copies, seed):
    """Complete exactly if each process has its sound log; the rows of those are what was written."""
    folder = tmp_path_factory.mktemp("set")
    files = killed_run.leave(folder / "a", nprocs)
    (folder / "b").mkdir()
    harm = {rank: what for rank, what in harm.items() if rank < nprocs and nprocs > 2 * len(harm)}
    for rank, what in harm.items():
        files[rank].unlink()
        if what != "absent":
            files[rank].write_bytes(HARM[what][0](rank, nprocs))
    files = [file for file in files if file.exists()]
    parts, batches = merged(files)
    assert parts.end["processes"] == nprocs - len(harm)
    sound = [rank for rank in range(nprocs) if rank not in harm]
    written = [
        (rank, record["name"].decode(), record["POSIX_BYTES_WRITTEN"])
        for rank in sound
        for record in killed_run.records_of(rank)
    ]
    assert sorted(written) == [row for row in rows(batches) if row[0] in sound]
    files += [Path(shutil.copy(file, folder / "b")) for file in files if int(file.stem[-1]) in copies]
    random.Random(seed).shuffle(files)
    again, same = merged(files)
    assert (again.log_id, again.end, same) == (parts.log_id, parts.end, batches)


# --- the run's own log -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "same"),
    [
        ((killed_run.START, 100_000_000), True),
        ((killed_run.START, 100_001_000), False),
        ((killed_run.START, 0), False),
    ],
)
def test_a_run_that_came_to_its_end_is_known_by_its_start(four, start, same):
    log = killed_run.log_of(0, start=start, end=(killed_run.START + 60, 5))
    file = four[0].with_name("sci_forever_id5023-7_11-23-51618-5_1.darshan")
    file.write_bytes(log.to_bytes())
    header = darshan_log.stream(Place.of(file), SOURCE).header
    assert mapped_logs.is_of(merged(four)[0].header, header) is same


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (b"sci_a_b_id5023_mmap-log-18-0.darshan", (b"id5023_mmap-log-18.darshan", 5023, 0)),
        (b"id1_mmap-log-0-65535.darshan", (b"id1_mmap-log-0.darshan", 1, 65535)),
        (b"a_id1_mmap-log-0-07.darshan", None),
        (b"a_id1_mmap-log-0-7.darshan_partial", None),
        (b"a_id1-2_11-23-51618-5_1.darshan", None),
    ],
)  # fmt: skip
def test_names(name, said):
    assert mapped_logs.name_of(name) == said
