"""Reads one Darshan log with PyPI darshan (libdarshan-util), in a process of its own that may die of it.

libdarshan tells of damage on stderr only, and a short read looks like a short log: so stderr is caught,
and what it says marks the module as damaged.
"""

import os
import resource
import tempfile
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from darshan.backend import cffi_backend as lib

from weir import identity, wire
from weir.text import escape

BATCH_BYTES = 448 * 1024  # of packed columns and names; the message stays below 512 KiB
MEMORY_BYTES = 2 << 30  # of address space
CPU_SECONDS = 60
_COUNTERS = ("POSIX", "MPI-IO", "STDIO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR")
_HEATMAP_INTS = ["BIN", "BYTES_READ", "BYTES_WRITTEN"]


class _Rows:
    """Rows of one module that wait to be packed."""

    def __init__(self, int_names: list[str], float_names: list[str]):
        self.int_names, self.float_names = int_names, float_names
        self.clear()

    def clear(self) -> None:
        self.ids: list[int] = []
        self.ranks: list[int] = []
        self.names: list[str] = []
        self.ints: list[Any] = []
        self.floats: list[Any] = []
        self.size = 0

    def add(self, record_id: int, rank: int, name: str, ints: Any, floats: Any) -> None:
        self.ids.append(record_id)
        self.ranks.append(rank)
        self.names.append(name)
        self.ints.append(ints)
        self.floats.append(floats)
        self.size += 16 + 8 * (len(self.int_names) + len(self.float_names)) + len(name.encode()) + 2

    def pack(self) -> dict[str, Any]:
        return {
            "rows": len(self.ids),
            "record_ids": np.array(self.ids, "<u8").tobytes(),
            "ranks": np.array(self.ranks, "<i8").tobytes(),
            "names": self.names,
            "int_names": self.int_names,
            "ints": np.array(self.ints, "<i8").T.tobytes(),
            "float_names": self.float_names,
            "floats": np.array(self.floats, "<f8").T.tobytes(),
        }


class _Stderr:
    """What this process, C code included, wrote to stderr since the last look."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        os.dup2(self._file.fileno(), 2)
        self._seen = 0

    def new(self) -> str | None:
        self._file.seek(self._seen)
        text = self._file.read()
        self._seen += len(text)
        return " ".join(escape(text).split()) or None


def run(path: str, head: dict[str, Any], pipe: Connection) -> None:
    """Send the log's DarshanLogMessages, encoded, through `pipe`; `head` has what is not in the log.

    Leaves with an error through `pipe.send_bytes(b"!" + reason)` where it is no readable log.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    stderr = _Stderr()
    try:
        for message in _messages(path, head, stderr):
            pipe.send_bytes(wire.encode("DarshanLogMessage", message))
    except Exception as error:  # whatever it is, the parent must know which log and why
        told = stderr.new()
        pipe.send_bytes(b"!" + f"{error}{': ' if told else ''}{told or ''}".encode())
    pipe.close()


def _messages(path: str, head: dict[str, Any], stderr: _Stderr) -> Iterator[dict[str, Any]]:
    log = lib.log_open(path)
    if log["handle"] == lib.ffi.NULL:
        raise ValueError("no Darshan log of format 3.00 to 3.41")
    identity_fields = {"log_id": head["log_id"], "origin": head["origin"]}
    header = _header(log, head)
    if damage := stderr.new():
        raise ValueError(f"the log's head is damaged: {damage}")
    yield identity_fields | {"body": header | {"-type": "org.weir.wire.LogHeader"}}
    common = {key: header[key] for key in ("cluster", "job_id", "start_time")}
    names = _names(log)
    number, ends = 0, []
    for module in header["modules"]:
        read = 0
        for rows in _batches(log, module["name"], names):
            body = common | {"module": module["name"], "module_version": module["version"], "number": number}
            read += rows.pop("records")
            yield identity_fields | {"body": body | rows | {"-type": "org.weir.wire.LogBatch"}}
            number += 1
        ends.append(_module_end(module, read, stderr.new()))
    end = {"batches": number, "modules": ends, "-type": "org.weir.wire.LogEnd"}
    yield identity_fields | {"body": end}


def _header(log: dict[str, Any], head: dict[str, Any]) -> dict[str, Any]:
    job = lib.log_get_job(log)
    command = lib.log_get_exe(log).encode()
    start = job["start_time_sec"] * 1_000_000 + job["start_time_nsec"] // 1000
    end = job["end_time_sec"] * 1_000_000 + job["end_time_nsec"] // 1000
    modules = [
        {"name": name, "version": m["ver"], "partial": m["partial_flag"], "compressed_bytes": m["len"]}
        for name, m in sorted(lib.log_get_modules(log).items(), key=lambda item: item[1]["idx"])
    ]
    return {
        "cluster": head["cluster"],
        "job_id": job["jobid"],
        "uid": job["uid"],
        "owner_uid": head["owner_uid"],
        "owner_check": head["owner_check"],
        "file_name": head["file_name"],
        "exe": escape(command.split(b" ")[0].rsplit(b"/")[-1]),
        "exe_hash": identity.text_hash(command),
        "nprocs": job["nprocs"],
        "start_time": start,
        "end_time": end,
        "run_time_seconds": job["run_time"],
        "log_version": job["log_ver"],
        "metadata": job["metadata"],
        "mounts": [{"path": path, "fs_type": kind} for path, kind in lib.log_get_mounts(log)],
        "modules": modules,
        "supersedes": None,
    }


def _names(log: dict[str, Any]) -> dict[int, str]:
    """Record id -> escaped name. libdarshan's own wrapper insists on UTF-8 and loses the whole log."""
    records, count = lib.ffi.new("struct darshan_name_record **"), lib.ffi.new("int *")
    lib.libdutil.darshan_log_get_name_records(log["handle"], records, count)
    return {records[0][i].id: escape(lib.ffi.string(records[0][i].name)) for i in range(count[0])}


def _batches(log: dict[str, Any], module: str, names: dict[int, str]) -> Iterator[dict[str, Any]]:
    """Packed columns of the module's records, with the number of Darshan `records` behind each."""
    if module in _COUNTERS:
        rows = _Rows(lib.counter_names(module), lib.fcounter_names(module))
        records = _counter_records(log, module, names)
    elif module == "HEATMAP":
        rows = _Rows(_HEATMAP_INTS, ["BIN_WIDTH_SECONDS"])
        records = _heatmap_records(log, names)
    else:
        return
    count = 0
    for record in records:
        count += 1
        for row in record:
            rows.add(*row)
            if rows.size >= BATCH_BYTES:
                yield rows.pack() | {"records": count}
                rows.clear()
                count = 0
    if rows.ids or count:
        yield rows.pack() | {"records": count}


def _counter_records(
    log: dict[str, Any], module: str, names: dict[int, str]
) -> Iterator[list[tuple[Any, ...]]]:
    while (record := lib.log_get_record(log, module, dtype="numpy")) is not None:
        name = names.get(record["id"], "")
        yield [(record["id"], record["rank"], name, record["counters"], record["fcounters"])]


def _heatmap_records(log: dict[str, Any], names: dict[int, str]) -> Iterator[list[tuple[Any, ...]]]:
    """Each record's bins that hold bytes, a row each."""
    while (record := lib._log_get_heatmap_record(log)) is not None:
        reads, writes = record["read_bins"], record["write_bins"]
        name, width = names.get(record["id"], ""), [record["bin_width_seconds"]]
        yield [
            (record["id"], record["rank"], name, [int(i), reads[i], writes[i]], width)
            for i in np.flatnonzero((reads != 0) | (writes != 0))
        ]


def _module_end(module: dict[str, Any], read: int, damage: str | None) -> dict[str, Any]:
    if module["name"] not in (*_COUNTERS, "HEATMAP"):
        state = "listed"
    elif damage:
        state = "damaged"
    else:
        state = "partial" if module["partial"] else "complete"
    # libdarshan does not tell how many records a region should hold
    expected = read if state in ("complete", "partial") else None
    return {
        "name": module["name"],
        "state": state,
        "records_expected": expected,
        "records_read": read,
        "reason": damage,
    }
