"""Decoded logs against what libdarshan reported when they were recorded (truth.json); damaged ones."""

import lzma
import struct

import pytest
from darshan_writer import LogWriter, many_files
from weir.errors import Refused
from weir.logs import darshan_log
from weir.logs.darshan_log import Source

TRUTH = {  # truth.json's name: counter
    "bytes_written": "POSIX_BYTES_WRITTEN", "bytes_read": "POSIX_BYTES_READ", "writes": "POSIX_WRITES",
    "reads": "POSIX_READS", "opens": "POSIX_OPENS", "stats": "POSIX_STATS", "fsyncs": "POSIX_FSYNCS",
    "file_not_aligned": "POSIX_FILE_NOT_ALIGNED", "seq_writes": "POSIX_SEQ_WRITES",
}  # fmt: skip


def decode(path):
    return darshan_log.decode(path, Source("lab", "trusted_archive"))


def column(batch, name):
    start = 8 * batch["rows"] * batch["int_names"].index(name)
    return struct.unpack_from(f"<{batch['rows']}q", batch["ints"], start)


def state_of(log):
    return {module["name"]: module["state"] for module in log.end["modules"]}


@pytest.fixture(scope="session")
def one(recorded):
    return next(recorded.glob("darshan/generated/collective_aligned/*.darshan"))


@pytest.fixture(scope="session")
def killed(recorded):
    return sorted((recorded.parent / "killed").glob("*.darshan.xz"))


def test_every_recorded_log_counts_what_libdarshan_counted(truths):
    compared = 0
    for folder, truth in truths:
        for told in truth.get("logs", []):
            log = decode(folder / told["file"])
            posix = [batch for batch in log.batches if batch["module"] == "POSIX"]
            assert log.header["nprocs"] == told["nprocs"]
            assert log.header["job_id"] == told["jobid"]
            assert sum(batch["rows"] for batch in posix) == told.get("POSIX", {}).get("records", 0)
            for name, counter in TRUTH.items():
                if "POSIX" in told:
                    total = sum(sum(column(batch, counter)) for batch in posix)
                    assert total == told["POSIX"][name], (told["file"], counter)
            for module, state in told["modules"].items():
                expected = "listed" if module.startswith("DXT") else {"full": "complete"}.get(state, state)
                assert state_of(log)[module] == expected
            compared += 1
    assert compared >= 50


def test_lustre_stripes_are_rows(extra):
    """2,048 files of 2,048 processes, one target each: libdarshan's LUSTRE records of this log say so."""
    log = decode(extra / "darshan/public/darshan-examples/sample-badost.darshan")
    stripes = [batch for batch in log.batches if batch["module"] == "LUSTRE"]
    assert sum(batch["rows"] for batch in stripes) == 2048
    assert {value for batch in stripes for value in column(batch, "LUSTRE_COMP_STRIPE_COUNT")} == {1}
    assert {value for batch in stripes for value in column(batch, "COMPONENT")} == {0}
    assert len({value for batch in stripes for value in column(batch, "OST_ID")}) == 24
    assert state_of(log)["LUSTRE"] == "complete"


def test_batches_are_numbered_and_small(recorded):
    log = decode(next(recorded.glob("darshan/generated/partial_module_data/*.darshan")))
    assert [batch["number"] for batch in log.batches] == list(range(log.end["batches"]))
    assert all(len(batch["ints"]) + len(batch["floats"]) < 512 * 1024 for batch in log.batches)
    assert len([batch for batch in log.batches if batch["module"] == "POSIX"]) > 1


def test_a_cut_log_says_which_module_is_damaged(one, tmp_path):
    cut = tmp_path / "cut.darshan"
    cut.write_bytes(one.read_bytes()[:-100])
    log = decode(cut)
    damaged = [module for module in log.end["modules"] if module["state"] == "damaged"]
    assert "POSIX" not in [module["name"] for module in damaged]
    assert damaged
    assert all(module["reason"] for module in damaged)


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty file"), (b"no log\n" * 500, "no Darshan log"), (b"\x1f\x8b" + bytes(99), "no Darshan log")],
)
def test_what_is_no_log_is_refused_with_a_reason(tmp_path, content, reason):
    file = tmp_path / "x.darshan"
    file.write_bytes(content)
    with pytest.raises(Refused, match=reason):
        decode(file)


def test_rows_that_take_too_long_end_their_module_only(tmp_path, monkeypatch):
    monkeypatch.setattr(darshan_log, "PACKING_SECONDS", 0)
    log, file = LogWriter(), tmp_path / "many.darshan"
    many_files(log, 4000)
    log.add("STDIO", 2, [{"name": b"/f"}])
    file.write_bytes(log.to_bytes())
    posix, stdio = decode(file).end["modules"]
    assert (posix["state"], posix["reason"]) == (
        "damaged",
        "its rows take more processor time than the limit",
    )
    assert 0 < posix["records_read"] < 4000
    assert posix["records_expected"] is None
    assert (stdio["state"], stdio["records_read"]) == ("complete", 1)


def test_a_link_is_not_followed(one, tmp_path):
    link = tmp_path / "link.darshan"
    link.symlink_to(one)
    with pytest.raises(Refused, match="symbolic link"):
        decode(link)


def test_what_follows_a_log_is_a_dead_letter_and_the_log_is_read(recorded, one, tmp_path):
    first, file = one.read_bytes(), tmp_path / "two.darshan"
    second = next(recorded.glob("darshan/generated/fsync_per_write/*.darshan")).read_bytes()
    alone = decode(one)
    for between, cut in ((b"", 0), (bytes(5000), 0), (b"", 40)):
        end = len(first) - cut
        file.write_bytes(first[:end] + between + second)
        log, begin = decode(file), end + len(between)
        assert cut or (log.batches, log.end) == (alone.batches, alone.end)
        letter = darshan_log.damage(log)[-1]
        size = len(between) + len(second)
        assert (
            letter.reason
            == f"{size} bytes after the end of the log; another Darshan log begins at byte {begin}"
        )
        assert letter.position == f"byte {begin}"


def test_bytes_after_a_log_that_are_no_log_are_named_and_padding_is_not(one, tmp_path):
    first, file = one.read_bytes(), tmp_path / "longer.darshan"
    for more, reason in ((b"x\0\0", "3 bytes after the end of the log"), (bytes(1 << 20), None), (b"", None)):
        file.write_bytes(first + more)
        assert [letter.reason for letter in darshan_log.damage(decode(file))] == ([reason] if reason else [])


def test_a_memory_mapped_log_is_one_log_and_two_are_two(killed, tmp_path):
    """Its file is 5 MB, of which nearly all is zeros and the rest is memory that Darshan did not use."""
    mapped, file = lzma.decompress(killed[0].read_bytes()), tmp_path / "mapped.darshan"
    file.write_bytes(mapped)
    assert darshan_log.damage(decode(file)) == []
    file.write_bytes(mapped + lzma.decompress(killed[1].read_bytes()))
    (letter,) = darshan_log.damage(decode(file))
    assert letter.reason.endswith(f"another Darshan log begins at byte {len(mapped)}")


def test_a_log_without_records_ends_where_its_empty_names_region_is(recorded, one, tmp_path):
    (empty,) = recorded.glob("darshan/generated/no_io/*.darshan")
    log, file = decode(empty), tmp_path / "two.darshan"
    assert (log.header["nprocs"], log.batches, log.end["modules"], darshan_log.damage(log)) == (
        16,
        [],
        [],
        [],
    )
    file.write_bytes(empty.read_bytes() + one.read_bytes())
    (letter,) = darshan_log.damage(decode(file))
    assert letter.position == f"byte {empty.stat().st_size}"


def test_every_bad_log_is_refused_or_marked(extra):
    for file in sorted((extra / "darshan/bad").glob("*.darshan*")):
        try:
            states = set(state_of(decode(file)).values())
        except Refused as refused:
            assert refused.reason
        else:
            sound = file.name in ("trailing_garbage.darshan", "dxt_tail_random.darshan")
            assert bool({"damaged", "suspect"} & states) != sound, file.name
    garbage = darshan_log.damage(decode(extra / "darshan/bad/trailing_garbage.darshan"))
    assert [letter.reason for letter in garbage] == ["4096 bytes after the end of the log"]
