"""What is damaged, lying or no log: a reason for each, nothing good lost beside it, within bounds."""

import gzip
import struct
import zlib

import numpy as np
import pytest
from weir.darshan import Accumulator, DarshanError, Limits, layouts, open_log

HEADER = layouts.header_of("3.41")
SLOTS = layouts.modules_of("3.41")


def log_of(modules, names=b"", version="3.41", pack=zlib.compress):
    """A log of these modules' compressed data: [(name, module version, data)]; `names` are compressed too."""
    job = np.zeros(1, layouts.job_of(version))
    job["nprocs"] = 4
    header = np.zeros(1, layouts.header_of(version))
    header["version"], header["magic"] = version.encode(), layouts.MAGIC
    body = pack(job.tobytes() + b"./app -x\nlustre\t/scratch\n".ljust(3000, b"\0"))
    if names:
        header["names"] = (header.nbytes + len(body), len(names))
        body += names
    for name, module_version, data in modules:
        slot = layouts.modules_of(version).index(name)
        header["modules"][0, slot] = (header.nbytes + len(body), len(data))
        header["module_versions"][0, slot] = module_version
        body += data
    return header.tobytes() + body


def posix(count):
    records = np.zeros(count, layouts.COUNTERS["POSIX", 4].dtype)
    records["id"] = np.arange(count)
    return records


def read(log, module):
    """How many records, and the state."""
    count = sum(len(batch.ids) for batch in log.records(module))
    return count, log.state(module)


def zeros(mebibytes):
    stream = zlib.compressobj(9)
    return b"".join(stream.compress(bytes(1 << 20)) for _ in range(mebibytes)) + stream.flush()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty file"),
        (b"no log\n" * 500, "no Darshan log: text"),
        (b"# darshan log version: 3.41\n# compression method: ZLIB\n", "the text that darshan-parser prints"),
        (bytes(5000), "zero bytes"),
        (b"\x7fELF" + bytes(99), "7f 45 4c 46"),
        (gzip.compress(b"anything"), "no Darshan log of format 3: a gzip file"),
        (
            gzip.compress(b"3.41\0" + bytes(99)),
            "a gzip file with a log of format 3.41 in it; unpack it first",
        ),
        (gzip.compress(b"2.06\0" + bytes(99)), "a log of format 2.06, of Darshan 1 or 2"),
        (b"2.06\0" + bytes(99), "a log of format 2.06, of Darshan 1 or 2"),
        (b"9.99\0" + bytes(9999), "format 9.99 is not known; this decoder reads 3.00 to 3.41"),
        (b"3.41\0" + bytes(99), "104 bytes are no whole header of 1328"),
        (b"3.41\0" + bytes(9999), "its magic number is wrong"),
        (log_of([])[:-20], "the job record can't be read: the compressed data is cut"),
    ],
)
def test_what_is_no_log_is_named(content, reason):
    with pytest.raises(DarshanError, match=reason):
        open_log(content)


def test_old_logs_are_named(extra):
    files = sorted((extra / "darshan/bad/old_2x").iterdir())
    assert len(files) >= 15
    for file in files:
        with pytest.raises(DarshanError, match="of Darshan 1 or 2"):
            open_log(file)


def test_what_comes_before_damage_is_read_to_the_last_record():
    whole = zlib.compress(posix(3000).tobytes(), 1)
    good = zlib.compress(posix(7).tobytes())
    cut = open_log(log_of([("POSIX", 4, whole[:-4000]), ("STDIO", 2, zlib.compress(b""))]))
    count, state = read(cut, "POSIX")
    inflated = len(zlib.decompressobj().decompress(whole[:-4000]))
    assert count == state.records_read == inflated // 704
    assert (state.state, state.records_expected) == ("damaged", None)
    assert state.reason == "the compressed data is cut"
    assert read(cut, "STDIO") == (0, ("complete", 0, 0, None, None, False))
    # a wrong checksum stands behind the last record; the second stream is of another process
    flipped = open_log(log_of([("POSIX", 4, good + good[:-1] + bytes([good[-1] ^ 1]) + good)]))
    count, state = read(flipped, "POSIX")
    assert (count, state.state, state.is_suspect) == (14, "damaged", True)
    assert "incorrect data check" in state.reason
    assert len(good) < state.position - HEADER.itemsize


def test_a_record_that_is_cut_is_expected():
    log = open_log(log_of([("POSIX", 4, zlib.compress(posix(7).tobytes()[:-8]))]))
    assert read(log, "POSIX") == (
        6,
        ("damaged", 6, 7, "record 7 is cut after 696 bytes, at inflated byte 4224", None, True),
    )


def test_streams_of_many_chunks_follow_one_another():
    one = zlib.compress(posix(9000).tobytes(), 1)
    log = open_log(log_of([("POSIX", 4, one * 3)]))
    assert read(log, "POSIX") == (27000, ("complete", 27000, 27000, None, None, False))


def test_a_region_behind_the_end_hurts_no_other():
    content = bytearray(log_of([("POSIX", 4, zlib.compress(posix(7).tobytes())), ("STDIO", 2, b"x")]))
    at = HEADER.fields["modules"][1] + 16 * SLOTS.index("STDIO")
    content[at : at + 16] = struct.pack("<2Q", 2**63, 2**64 - 1)
    log = open_log(bytes(content))
    assert read(log, "POSIX")[0] == 7
    count, state = read(log, "STDIO")
    assert (count, state.state) == (0, "damaged")
    assert "behind the end of the file" in state.reason


def test_bombs_end_with_a_reason():
    bomb = zeros(300)
    log = open_log(log_of([("POSIX", 4, bomb), ("STDIO", 2, zlib.compress(bytes(248)))], names=bomb))
    count, state = read(log, "POSIX")
    assert f"{len(bomb)} bytes inflate to more than" in state.reason
    assert count * 704 <= (64 << 20) + 256 * len(bomb) + (1 << 20)
    assert read(log, "STDIO")[1].state == "complete"
    assert log.names.damage.reason == f"the names have more than {Limits().name_bytes} bytes"
    many = open_log(log_of([("POSIX", 4, zlib.compress(posix(9000).tobytes()))]), Limits(records=2000))
    count, state = read(many, "POSIX")
    assert (state.state, state.reason) == ("damaged", "more than 2000 records")
    assert 2000 < count < 9000
    late = open_log(log_of([("POSIX", 4, bomb)]), Limits(seconds=0))
    assert "processor time" in read(late, "POSIX")[1].reason
    with pytest.raises(DarshanError, match="the limit is 10"):
        open_log(bytes(11), Limits(file_bytes=10))


@pytest.mark.parametrize(
    ("module", "version", "head", "lie"),
    [
        ("HEATMAP", 1, layouts.HEATMAP_HEAD, {"nbins": 2**60}),
        ("HEATMAP", 1, layouts.HEATMAP_HEAD, {"nbins": -1}),
        ("LUSTRE", 1, layouts.LUSTRE_1_HEAD, {"stripe_count": -5}),
        ("LUSTRE", 2, layouts.LUSTRE_HEAD, {"num_comps": -1, "num_stripes": 9}),
        ("DXT_POSIX", 2, layouts.DXT_HEAD, {"write_count": 2**62, "read_count": 2**62}),
        ("DXT_MPIIO", 1, layouts.DXT_HEAD, {"write_count": -(2**63), "read_count": 1}),
    ],
)
def test_lies_about_lengths_are_told(module, version, head, lie):
    records = np.zeros(3, head)
    for name, value in lie.items():
        records[name][2] = value
    log = open_log(log_of([(module, version, zlib.compress(records.tobytes()))]))
    count, state = read(log, module)
    assert (count, state.state) == (2, "damaged")
    told = ", ".join(f"{name} {value}" for name, value in lie.items())
    assert state.reason == f"record 3 tells {told}, at inflated byte {2 * head.itemsize}"


def test_numbers_pass_unharmed():
    records = posix(3)
    records["ints"][0], records["ints"][1] = 2**63 - 1, -(2**63)
    records["floats"][0], records["floats"][1] = np.nan, np.inf
    records["rank"] = [2**62, -(2**63), 0]
    log = open_log(log_of([("POSIX", 4, zlib.compress(records.tobytes()))]))
    (batch,) = log.records("POSIX")
    assert batch.ints.tobytes() == records["ints"].tobytes()
    assert batch.floats.tobytes() == records["floats"].tobytes()
    accumulator = Accumulator("POSIX")
    accumulator.add(batch)
    assert accumulator.totals().bytes_read == (2**63 - 1) - 2**63


def test_names_keep_their_bytes():
    table = struct.pack("<Q", 0) + b"/a/\xff\\\n\0" + struct.pack("<Q", 2**64 - 1) + b"\0"
    table += (
        struct.pack("<Q", 7) + b"\0" + struct.pack("<Q", 7) + b"late\0" + struct.pack("<Q", 7) + b"never\0"
    )
    names = open_log(log_of([], zlib.compress(table))).names
    assert dict(names.items()) == {0: b"/a/\xff\\\n", 2**64 - 1: b"", 7: b"late"}
    assert names.damage is None
    assert names.lookup(np.array([7, 8, 0], np.uint64)) == [b"late", None, b"/a/\xff\\\n"]


def test_a_name_table_that_lies_ends():
    """In format 3.00 a length of almost 2^32 sends libdarshan round for ever."""
    good = struct.pack("<QI", 5, 4) + b"/a/b"
    names = open_log(log_of([], zlib.compress(good + struct.pack("<QI", 1, 0xFFFFFFF4) * 9), "3.00")).names
    assert dict(names.items()) == {5: b"/a/b"}
    assert names.damage.reason == "name 2 is cut"
    many = open_log(log_of([], zlib.compress((b"12345678" + b"a\0") * 50)), Limits(names=40)).names
    assert many.damage.reason == "more than 40 names"
    long = open_log(log_of([], zlib.compress(b"12345678" + b"a" * 50 + b"\0")), Limits(name_length=40)).names
    assert (len(long), long.damage.reason) == (0, "name 1 has more than 40 bytes")


def test_records_that_mix_two_modules_are_left_out_and_counted():
    records = np.zeros(4, layouts.COUNTERS["POSIX", 1].dtype)
    records["ints"][1, layouts.COUNTERS["POSIX", 1].ints.index("POSIX_FOPENS")] = 3
    log = open_log(log_of([("POSIX", 1, zlib.compress(records.tobytes()))]))
    count, state = read(log, "POSIX")
    assert (count, state.state, state.records_expected) == (3, "partial", 4)
    assert "1 records left out: POSIX_FOPENS is above 0" in state.reason


def test_unknown_modules_are_listed_with_their_size():
    content = bytearray(log_of([("POSIX", 99, b"x" * 40), ("APMPI", 1, b"y" * 50)]))
    at = HEADER.fields["modules"][1] + 16 * 60
    content[at : at + 16] = struct.pack("<2Q", len(content) - 20, 20)
    log = open_log(bytes(content))
    told = {module.name: (module.compressed_bytes, log.state(module.name).state) for module in log.modules}
    assert told == {"POSIX": (40, "listed"), "APMPI": (50, "listed"), "module 60": (20, "listed")}
    assert list(log.records("POSIX")) == []


def test_heatmap_records_of_one_bin_more_or_less_are_made_alike():
    def record(nbins, width, first):
        head = np.zeros(1, layouts.HEATMAP_HEAD)
        head["nbins"], head["bin_width_seconds"] = nbins, width
        return head.tobytes() + np.arange(first, first + 2 * nbins, dtype="<i8").tobytes()

    data = record(3, 0.5, 10) + record(4, 0.5, 20) + record(2, 0.5, 40) + record(2, 0.25, 50)
    (batch,) = open_log(log_of([("HEATMAP", 1, zlib.compress(data))])).records("HEATMAP")
    assert batch.offsets.tolist() == [0, 3, 6, 9, 11]
    assert batch.written.tolist() == [10, 11, 12, 20, 21, 22, 40, 41, 0, 50, 51]
    assert batch.read.tolist() == [13, 14, 15, 24, 25, 26, 42, 43, 0, 52, 53]


def test_unused_room_of_lustre_layouts_is_left_out():
    def record(components, targets):
        head = np.zeros(1, layouts.LUSTRE_HEAD)
        head["num_comps"], head["num_stripes"] = len(components), len(targets)
        parts = np.zeros(len(components), layouts.LUSTRE_COMPONENT)
        parts["ints"][:, :2], parts["pool"] = components, b"flash"
        return head.tobytes() + parts.tobytes() + np.array(targets, "<i8").tobytes()

    data = record([(1024, 1), (2048, 2), (-1, 9)], [5, 6, 7, -1]) + record([(512, 1)], [8])
    (batch,) = open_log(log_of([("LUSTRE", 2, zlib.compress(data))])).records("LUSTRE")
    assert batch.component_records.tolist() == [0, 0, 1]
    assert batch.ints[:, :2].tolist() == [[1024, 1], [2048, 2], [512, 1]]
    assert batch.targets.tolist() == [5, 6, 7, 8]
    assert batch.target_components.tolist() == [0, 1, 1, 2]
    assert batch.pools.tolist() == [b"flash"] * 3


@pytest.mark.parametrize("pack", [None, "bz2"])
def test_other_compressions(pack):
    import bz2

    squeeze = bz2.compress if pack else bytes
    content = bytearray(log_of([("POSIX", 4, squeeze(posix(5000).tobytes()) * 2)], pack=squeeze))
    content[HEADER.fields["compression"][1]] = layouts.BZIP2 if pack else layouts.UNCOMPRESSED
    log = open_log(bytes(content))
    assert (log.exe, log.mounts) == (b"./app -x", [(b"/scratch", b"lustre")])
    assert read(log, "POSIX") == (10000, ("complete", 10000, 10000, None, None, False))
    cut = bytes(content[: len(content) - 3000])
    assert read(open_log(cut), "POSIX")[1].state == "damaged"
