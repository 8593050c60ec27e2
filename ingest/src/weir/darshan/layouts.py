"""What a Darshan log looks like in bytes: tables of data, one place per module.

Taken from the `*-log-format.h` headers of the named Darshan releases and, for what an old name is today, from
the up-conversion in darshan-util (release 3.5.0). dtypes are little-endian.
"""

import itertools
import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np

Order = Literal["<", ">"]  # byte order: little-endian, big-endian

MAGIC = 6567223
ZLIB, BZIP2, UNCOMPRESSED = 0, 1, 2  # the header's compression type
LOG_VERSIONS = ("3.00", "3.10", "3.20", "3.21", "3.41")
JOB_RECORD_BYTES = 4096  # job, metadata, command line and mounts, inflated

# Module of each slot of the header, by the log version from which on it holds (darshan-log-format.h).
# Slots beyond the last are of modules that Darshan has not given out.
_SLOTS = {
    "3.00": "NULL POSIX MPI-IO H5F PNETCDF_FILE BG/Q LUSTRE STDIO DXT_POSIX DXT_MPIIO MDHIM",
    "3.20": "NULL POSIX MPI-IO H5F H5D PNETCDF_FILE BG/Q LUSTRE STDIO DXT_POSIX DXT_MPIIO MDHIM"
    " APXC APMPI HEATMAP",
    "3.41": "NULL POSIX MPI-IO H5F H5D PNETCDF_FILE PNETCDF_VAR BG/Q LUSTRE STDIO DXT_POSIX DXT_MPIIO MDHIM"
    " APXC APMPI HEATMAP DFS DAOS",
}


@cache
def modules_of(log_version: str) -> tuple[str, ...]:
    """Module names by slot of the header of a log of this version."""
    return tuple(_SLOTS[max(since for since in _SLOTS if since <= log_version)].split())


def ordered(dtype: np.dtype[np.void], order: Order) -> np.dtype[np.void]:
    """One of this module's dtypes in the byte order of a log."""
    return dtype if order == "<" else dtype.newbyteorder(order)


def _header(slots: int, flags: str) -> np.dtype[np.void]:
    region = [("offset", "<u8"), ("length", "<u8")]
    fields = [
        ("version", "S8"),
        ("magic", "<i8"),
        ("compression", "u1"),
        ("partial", flags),
        ("names", region),
    ]
    fields += [("modules", region, (slots,)), ("module_versions", "<u4", (slots,))]  # type: ignore[list-item]
    return np.dtype(fields, align=True)


@cache
def header_of(log_version: str, order: Order = "<") -> np.dtype[np.void]:
    """The header, with which every log starts; the job record follows it immediately."""
    layout = _header(64, "<u8") if log_version >= "3.41" else _header(16, "<u4")
    return ordered(layout, order)


@cache
def job_of(log_version: str, order: Order = "<") -> np.dtype[np.void]:
    """The job record; the command line and the mount table follow it as text up to JOB_RECORD_BYTES."""
    times = ["start_time_sec", "start_time_nsec", "end_time_sec", "end_time_nsec"]
    if log_version < "3.41":
        times = [name for name in times if not name.endswith("nsec")]
    fields = [(name, order + "i8") for name in ("uid", *times, "nprocs", "jobid")]
    return np.dtype([*fields, ("metadata", "V1024")])


# --- records of fixed size -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counters:
    """One version of a module's records: id, rank, `head`, 64-bit counters, 64-bit floats, `tail`."""

    source: str
    """Darshan release that the layout was taken from (the first that wrote it)."""
    ints: tuple[str, ...]
    floats: tuple[str, ...]
    """Counters in the order of the file, under their newest names."""
    head: tuple[tuple[str, str], ...] = ()
    tail: tuple[tuple[str, str], ...] = ()
    """Other fields of the record: name and dtype."""
    retired: tuple[str, ...] = ()
    """Those of `ints` that are no counter of the newest version."""
    sums: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Newest counters that are the sum of retired ones."""
    mixed: str = ""
    """A record in which this retired counter is above 0 has no newest form: libdarshan leaves it out."""

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        ints, floats = ("ints", "<i8", (len(self.ints),)), ("floats", "<f8", (len(self.floats),))
        return np.dtype([("id", "<u8"), ("rank", "<i8"), *self.head, ints, floats, *self.tail])

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of `head` and `tail`."""
        return tuple(name for name, _ in (*self.head, *self.tail))

    @cached_property
    def int_names(self) -> tuple[str, ...]:
        """The counters of the newest version that these records have."""
        return (*(name for name in self.ints if name not in self.retired), *(name for name, _ in self.sums))


_BINS = "{0_100,100_1K,1K_10K,10K_100K,100K_1M,1M_4M,4M_10M,10M_100M,100M_1G,1G_PLUS}"


def _names(prefix: str, text: str) -> tuple[str, ...]:
    """The words of `text` with `prefix`, braces expanded as a shell does; `@` is the ten size bins."""
    names = []
    for word in text.replace("@", _BINS).split():
        parts = [part.split(",") for part in re.split(r"[{}]", word)]
        names += [prefix + "".join(choice) for choice in itertools.product(*parts)]
    return tuple(names)


_RANKS = "{FASTEST,SLOWEST}_RANK{,_BYTES}"
_STAMPS = "F_{OPEN,READ,WRITE,CLOSE}_START_TIMESTAMP F_{OPEN,READ,WRITE,CLOSE}_END_TIMESTAMP"
_STAMPS_OLD = "F_{OPEN,READ,WRITE}_START_TIMESTAMP F_{READ,WRITE,CLOSE}_END_TIMESTAMP"
_TIMES = "F_{READ,WRITE,META}_TIME F_MAX_{READ,WRITE}_TIME F_{FASTEST,SLOWEST}_RANK_TIME"
_VARIANCES = "F_VARIANCE_RANK_{TIME,BYTES}"
# the most frequent accesses of H5D and PNETCDF_VAR, with their lengths and strides in five dimensions
_SHAPES = (
    "ACCESS{1,2,3,4}_{ACCESS,LENGTH_D1,LENGTH_D2,LENGTH_D3,LENGTH_D4,LENGTH_D5"
    ",STRIDE_D1,STRIDE_D2,STRIDE_D3,STRIDE_D4,STRIDE_D5}"
)
_ACCESSES = "ACCESS{1,2,3,4}_ACCESS ACCESS{1,2,3,4}_COUNT"

_POSIX_REST = (
    "MODE BYTES_{READ,WRITTEN} MAX_BYTE_{READ,WRITTEN} CONSEC_{READS,WRITES} SEQ_{READS,WRITES} RW_SWITCHES"
    " MEM_NOT_ALIGNED MEM_ALIGNMENT FILE_NOT_ALIGNED FILE_ALIGNMENT MAX_{READ,WRITE}_TIME_SIZE"
    f" SIZE_{{READ,WRITE}}_@ STRIDE{{1,2,3,4}}_STRIDE STRIDE{{1,2,3,4}}_COUNT {_ACCESSES} {_RANKS}"
)
_POSIX_3 = f"OPENS READS WRITES SEEKS STATS MMAPS FSYNCS FDSYNCS {_POSIX_REST}"
_POSIX_FLOATS = _names("POSIX_", f"{_STAMPS} {_TIMES} {_VARIANCES}")
_POSIX_FLOATS_OLD = _names("POSIX_", f"{_STAMPS_OLD} {_TIMES} {_VARIANCES}")
_STDIO_REST = f"READS WRITES SEEKS FLUSHES BYTES_WRITTEN BYTES_READ MAX_BYTE_{{READ,WRITTEN}} {_RANKS}"
_STDIO_FLOATS = _names(
    "STDIO_",
    "F_{META,WRITE,READ}_TIME F_{OPEN,CLOSE,WRITE,READ}_START_TIMESTAMP"
    f" F_{{OPEN,CLOSE,WRITE,READ}}_END_TIMESTAMP F_{{FASTEST,SLOWEST}}_RANK_TIME {_VARIANCES}",
)
_MPIIO = _names(
    "MPIIO_",
    "{INDEP,COLL}_OPENS {INDEP,COLL,SPLIT,NB}_{READS,WRITES} SYNCS HINTS VIEWS MODE BYTES_{READ,WRITTEN}"
    f" RW_SWITCHES MAX_{{READ,WRITE}}_TIME_SIZE SIZE_{{READ,WRITE}}_AGG_@ {_ACCESSES} {_RANKS}",
)
_MPIIO_FLOATS_OLD = _names("MPIIO_", f"{_STAMPS_OLD} {_TIMES} {_VARIANCES}")
_OPEN_CLOSE_OLD = "F_OPEN_START_TIMESTAMP F_CLOSE_END_TIMESTAMP"
_OPEN_CLOSE = "F_{OPEN,CLOSE}_START_TIMESTAMP F_{OPEN,CLOSE}_END_TIMESTAMP"
_H5D = _names(
    "H5D_",
    "OPENS READS WRITES FLUSHES BYTES_{READ,WRITTEN} RW_SWITCHES {REGULAR,IRREGULAR}_HYPERSLAB_SELECTS"
    f" POINT_SELECTS MAX_{{READ,WRITE}}_TIME_SIZE SIZE_{{READ,WRITE}}_AGG_@ {_SHAPES} ACCESS{{1,2,3,4}}_COUNT"
    " DATASPACE_NDIMS DATASPACE_NPOINTS DATATYPE_SIZE CHUNK_SIZE_D{1,2,3,4,5} USE_MPIIO_COLLECTIVE"
    f" USE_DEPRECATED {_RANKS}",
)
_H5D_FLOATS = _names("H5D_", f"{_STAMPS} {_TIMES} {_VARIANCES}")
_PNETCDF_OPENS = ("PNETCDF_INDEP_OPENS", "PNETCDF_COLL_OPENS")
_PNETCDF_SUM = (("PNETCDF_FILE_OPENS", _PNETCDF_OPENS),)
_FILE_ID = (("file_rec_id", "<u8"),)
_DAOS_IDS = (("pool_uuid", "V16"), ("cont_uuid", "V16"))
_SIZES_AND_ACCESSES = f"MAX_{{READ,WRITE}}_TIME_SIZE SIZE_{{READ,WRITE}}_@ {_ACCESSES}"

COUNTERS: dict[tuple[str, int], Counters] = {
    # version 1 counted fopen and its kin among the POSIX counters
    ("POSIX", 1): Counters(
        "3.0.0",
        _names(
            "POSIX_",
            "OPENS READS WRITES SEEKS STATS MMAPS FOPENS FREADS FWRITES FSEEKS FSYNCS FDSYNCS " + _POSIX_REST,
        ),
        _POSIX_FLOATS_OLD,
        retired=_names("POSIX_", "FOPENS FREADS FWRITES FSEEKS"),
        mixed="POSIX_FOPENS",
    ),
    # between releases 3.0.1 and 3.1.0
    ("POSIX", 2): Counters("3.1.0", _names("POSIX_", _POSIX_3), _POSIX_FLOATS_OLD),
    ("POSIX", 3): Counters("3.1.0", _names("POSIX_", _POSIX_3), _POSIX_FLOATS),
    ("POSIX", 4): Counters(
        "3.1.7",
        _names(
            "POSIX_",
            "OPENS FILENOS DUPS READS WRITES SEEKS STATS MMAPS FSYNCS FDSYNCS RENAME_SOURCES RENAME_TARGETS"
            " RENAMED_FROM " + _POSIX_REST,
        ),
        _POSIX_FLOATS,
    ),
    # versions 1 and 2 differ in what darshan-runtime counted, not in their layout
    ("MPI-IO", 1): Counters("3.0.0", _MPIIO, _MPIIO_FLOATS_OLD),
    ("MPI-IO", 2): Counters("3.1.1", _MPIIO, _MPIIO_FLOATS_OLD),
    ("MPI-IO", 3): Counters("3.1.7", _MPIIO, _names("MPIIO_", f"{_STAMPS} {_TIMES} {_VARIANCES}")),
    ("STDIO", 1): Counters("3.1.0", _names("STDIO_", f"OPENS {_STDIO_REST}"), _STDIO_FLOATS),
    ("STDIO", 2): Counters("3.1.7", _names("STDIO_", f"OPENS FDOPENS {_STDIO_REST}"), _STDIO_FLOATS),
    ("H5F", 1): Counters("3.0.0", ("H5F_OPENS",), _names("H5F_", _OPEN_CLOSE_OLD)),
    ("H5F", 2): Counters("3.1.7", ("H5F_OPENS",), _names("H5F_", _OPEN_CLOSE)),
    ("H5F", 3): Counters(
        "3.2.0", _names("H5F_", "OPENS FLUSHES USE_MPIIO"), _names("H5F_", f"{_OPEN_CLOSE} F_META_TIME")
    ),
    ("H5D", 1): Counters("3.2.0", _H5D, _H5D_FLOATS),
    ("H5D", 2): Counters("3.3.0", _H5D, _H5D_FLOATS, head=_FILE_ID),
    ("PNETCDF_FILE", 1): Counters(
        "3.0.0",
        _PNETCDF_OPENS,
        _names("PNETCDF_FILE_", _OPEN_CLOSE_OLD),
        retired=_PNETCDF_OPENS,
        sums=_PNETCDF_SUM,
    ),
    ("PNETCDF_FILE", 2): Counters(
        "3.1.7",
        _PNETCDF_OPENS,
        _names("PNETCDF_FILE_", _OPEN_CLOSE),
        retired=_PNETCDF_OPENS,
        sums=_PNETCDF_SUM,
    ),
    ("PNETCDF_FILE", 3): Counters(
        "3.4.1",
        _names(
            "PNETCDF_FILE_",
            "CREATES OPENS REDEFS {INDEP,COLL}_WAITS SYNCS BYTES_{READ,WRITTEN} WAIT_FAILURES",
        ),
        _names(
            "PNETCDF_FILE_",
            "F_{OPEN,CLOSE,WAIT}_START_TIMESTAMP F_{OPEN,CLOSE,WAIT}_END_TIMESTAMP F_META_TIME F_WAIT_TIME",
        ),
    ),
    ("PNETCDF_VAR", 1): Counters(
        "3.4.1",
        _names(
            "PNETCDF_VAR_",
            "OPENS {INDEP,COLL,NB}_{READS,WRITES} BYTES_{READ,WRITTEN} RW_SWITCHES"
            " {PUT,GET}_VAR{,1,A,S,M,N,D} {IPUT,IGET,BPUT}_VAR{,1,A,S,M,N} MAX_{READ,WRITE}_TIME_SIZE"
            f" SIZE_{{READ,WRITE}}_AGG_@ {_SHAPES} ACCESS{{1,2,3,4}}_COUNT NDIMS NPOINTS"
            f" DATATYPE_SIZE IS_RECORD_VAR {_RANKS}",
        ),
        _names("PNETCDF_VAR_", f"{_STAMPS} {_TIMES} {_VARIANCES}"),
        head=_FILE_ID,
    ),
    ("DFS", 1): Counters(
        "3.4.7",
        _names(
            "DFS_",
            "OPENS GLOBAL_OPENS LOOKUPS DUPS READS READXS WRITES WRITEXS NB_{READS,WRITES} GET_SIZES PUNCHES"
            f" REMOVES STATS BYTES_{{READ,WRITTEN}} RW_SWITCHES {_SIZES_AND_ACCESSES} CHUNK_SIZE {_RANKS}",
        ),
        _names("DFS_", f"{_STAMPS} {_TIMES}"),
        tail=_DAOS_IDS,
    ),
    ("DAOS", 1): Counters(
        "3.4.7",
        _names(
            "DAOS_",
            "OBJ_{OPENS,FETCHES,UPDATES,PUNCHES,DKEY_PUNCHES,AKEY_PUNCHES,DKEY_LISTS,AKEY_LISTS,RECX_LISTS}"
            " ARRAY_{OPENS,READS,WRITES,GET_SIZES,SET_SIZES,STATS,PUNCHES,DESTROYS}"
            " KV_{OPENS,GETS,PUTS,REMOVES,LISTS,DESTROYS} NB_OPS BYTES_{READ,WRITTEN} RW_SWITCHES"
            f" {_SIZES_AND_ACCESSES} OBJ_OTYPE ARRAY_CELL_SIZE ARRAY_CHUNK_SIZE {_RANKS}",
        ),
        _names("DAOS_", f"{_STAMPS} {_TIMES}"),
        tail=(*_DAOS_IDS, ("oid_hi", "<u8"), ("oid_lo", "<u8")),
    ),
}

# --- records of variable size: a head, then arrays whose lengths it tells --------------------------------

_BASE = [("id", "<u8"), ("rank", "<i8")]

# HEATMAP 1 (3.4.0): then bytes written per bin and bytes read per bin, `nbins` int64 each;
# the last two fields are addresses of the process that wrote
HEATMAP_HEAD = np.dtype([*_BASE, ("bin_width_seconds", "<f8"), ("nbins", "<i8"), ("addresses", "<u8", (2,))])

_STRIPES = ("osts", "mdts", "stripe_offset", "stripe_size", "stripe_count")

# LUSTRE 1 (3.1.0): then `stripe_count` OST indices, int64
LUSTRE_1_HEAD = np.dtype([*_BASE, *[(name, "<i8") for name in _STRIPES]])
# LUSTRE 2 (3.4.6): then `num_comps` components and `num_stripes` OST indices, int64. Components from the
# first of stripe size -1 on, and OSTs beyond the sum of the stripe counts, are unused room.
LUSTRE_HEAD = np.dtype([*_BASE, ("num_comps", "<i8"), ("num_stripes", "<i8")])
LUSTRE_INTS = _names(
    "LUSTRE_COMP_",
    "STRIPE_SIZE STRIPE_COUNT STRIPE_PATTERN FLAGS EXT_START EXT_END MIRROR_ID",
)
LUSTRE_COMPONENT = np.dtype([("ints", "<i8", (len(LUSTRE_INTS),)), ("pool", "S16")])

# DXT_POSIX and DXT_MPIIO (3.1.3): then `write_count` and `read_count` segments
DXT_HEAD = np.dtype(
    [*_BASE, ("shared_record", "<i8"), ("hostname", "S64"), ("write_count", "<i8"), ("read_count", "<i8")]
)
_SEGMENT = [("offset", "<i8"), ("length", "<i8"), ("start_time", "<f8"), ("end_time", "<f8")]
_SEGMENT_OLD = np.dtype(_SEGMENT)
_SEGMENT_NEW = np.dtype([*_SEGMENT, ("thread", "<u8")])
DXT_SEGMENTS: dict[tuple[str, int], np.dtype[np.void]] = {
    ("DXT_POSIX", 1): _SEGMENT_OLD,
    ("DXT_POSIX", 2): _SEGMENT_NEW,  # 3.5.0
    ("DXT_MPIIO", 1): _SEGMENT_OLD,  # without offsets: what stands there is no file offset
    ("DXT_MPIIO", 2): _SEGMENT_OLD,  # 3.2.0
    ("DXT_MPIIO", 3): _SEGMENT_NEW,  # 3.5.0
}

# every module and version that can be decoded
DECODED = {*COUNTERS, *DXT_SEGMENTS, ("HEATMAP", 1), ("LUSTRE", 1), ("LUSTRE", 2)}
