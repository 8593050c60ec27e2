"""What libdarshan (PyPI darshan) reads from logs, in a process of its own: it is C, and dies of some bytes.

python libdarshan.py < [path, path, ...] pickled  > [one dict per log] pickled
"""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any


def read(*paths: Path) -> list[dict[str, Any]]:
    """Each log's `job`, `exe`, `mounts`, `names`, `modules` and `records` by module, counters by name."""
    child = subprocess.run(
        [sys.executable, __file__], input=pickle.dumps([str(path) for path in paths]), capture_output=True
    )
    assert child.returncode == 0, child.stderr.decode()
    assert not child.stderr, child.stderr.decode()
    return pickle.loads(child.stdout)


def _read(path: str) -> dict[str, Any]:
    from darshan.backend import cffi_backend as lib

    log = lib.log_open(path)
    assert log["handle"] != lib.ffi.NULL, path
    modules = lib.log_get_modules(log)
    told = {
        "job": lib.log_get_job(log),
        "exe": lib.log_get_exe(log),
        "mounts": lib.log_get_mounts(log),
        "names": _names(lib, log),
        "modules": modules,
    }
    records: dict[str, list[Any]] = {}
    for module in modules:
        records[module] = []
        while (record := lib.log_get_record(log, module, dtype="dict")) is not None:
            records[module].append(record)
    return told | {"records": records}


def _names(lib: Any, log: dict[str, Any]) -> dict[int, bytes]:
    """libdarshan's own wrapper insists on UTF-8."""
    records, count = lib.ffi.new("struct darshan_name_record **"), lib.ffi.new("int *")
    lib.libdutil.darshan_log_get_name_records(log["handle"], records, count)
    return {records[0][i].id: lib.ffi.string(records[0][i].name) for i in range(count[0])}


if __name__ == "__main__":
    paths = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps([_read(path) for path in paths]))
