"""What libdarshan (PyPI darshan) says of logs: a dict of each, pickled to stdout. Text is bytes.

python darshan_oracle.py FILE...
"""

import pickle
import sys

import numpy as np
from darshan.backend import cffi_backend as lib

ffi, util = lib.ffi, lib.libdutil
COUNTERS = ("POSIX", "MPI-IO", "STDIO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR", "DFS", "DAOS")
ACCUMULATED = ("POSIX", "MPI-IO", "STDIO", "DFS", "DAOS")
KINDS = ("all", "read_only", "write_only", "read_write", "unique", "shared", "partially_shared")


def tell(path):
    log = lib.log_open(path)
    modules = lib.log_get_modules(log)
    told = {"job": lib.log_get_job(log), "exe": exe(log), "mounts": mounts(log), "names": names(log)}
    told["modules"] = {name: (m["idx"], m["ver"], m["partial_flag"], m["len"]) for name, m in modules.items()}
    told["records"] = {name: records(log, name) for name in modules if name in COUNTERS}
    told["counters"] = {name: (lib.counter_names(name), lib.fcounter_names(name)) for name in told["records"]}
    told["heatmap"] = listed(lib._log_get_heatmap_record, log) if "HEATMAP" in modules else []
    told["lustre"] = listed(lib._log_get_lustre_record, log, "dict") if "LUSTRE" in modules else []
    told["dxt"] = {
        name: listed(lib.log_get_dxt_record, log, name)
        for name, last in (("DXT_POSIX", 1), ("DXT_MPIIO", 2))
        if name in modules and modules[name]["ver"] <= last
    }
    lib.log_close(log)
    told["totals"] = {
        name: totals(path, name, told["job"]["nprocs"]) for name in ACCUMULATED if name in modules
    }
    return told


def exe(log):
    buffer = ffi.new("char[]", 4096)
    util.darshan_log_get_exe(log["handle"], buffer)
    return ffi.string(buffer)


def mounts(log):
    table, count = ffi.new("struct darshan_mnt_info **"), ffi.new("int *")
    util.darshan_log_get_mounts(log["handle"], table, count)
    return [(ffi.string(each.mnt_path), ffi.string(each.mnt_type)) for each in table[0][0 : count[0]]]


def names(log):
    table, count = ffi.new("struct darshan_name_record **"), ffi.new("int *")
    util.darshan_log_get_name_records(log["handle"], table, count)
    return {table[0][i].id: ffi.string(table[0][i].name) for i in range(count[0])}


def listed(read, *what):
    found = []
    while (record := read(*what)) is not None:
        found.append(record)
    return found


def records(log, name):
    """(ids, ranks, counters, floats, file_rec_ids), a row for each record."""
    found = listed(lib.log_get_record, log, name)
    columns = ([record[key] for record in found] for key in ("id", "rank", "counters", "fcounters"))
    ids, ranks, ints, floats = columns
    files = [record.get("file_rec_id", 0) for record in found]
    return np.array(ids, "u8"), np.array(ranks, "i8"), np.array(ints), np.array(floats), np.array(files, "u8")


def totals(path, name, nprocs):
    """Of the accumulator."""
    log = lib.log_open(path)
    module = lib.log_get_modules(log)[name]["idx"]
    accumulator = ffi.new("darshan_accumulator *")
    assert util.darshan_accumulator_create(module, nprocs, accumulator) == 0
    record = ffi.new("void **")
    while util.darshan_log_get_record(log["handle"], module, record) == 1:
        assert util.darshan_accumulator_inject(accumulator[0], record[0], 1) == 0
        util.darshan_free(record[0])
        record[0] = ffi.NULL
    metrics, summary = ffi.new("struct darshan_derived_metrics *"), ffi.new("char[]", 1 << 20)
    assert util.darshan_accumulator_emit(accumulator[0], metrics, summary) == 0
    util.darshan_accumulator_destroy(accumulator[0])
    lib.log_close(log)
    return {
        "total_bytes": metrics.total_bytes,
        "shared_time_by_slowest": metrics.shared_io_total_time_by_slowest,
        "unique_time_by_slowest": metrics.unique_io_total_time_by_slowest,
        "unique_slowest_rank": metrics.unique_io_slowest_rank,
        "agg_time_by_slowest": metrics.agg_time_by_slowest,
        "agg_perf_by_slowest": metrics.agg_perf_by_slowest,
        "files": {
            kind: (each.count, each.total_read_volume_bytes, each.total_write_volume_bytes)
            for kind, each in zip(KINDS, metrics.category_counters, strict=False)
        },
    }


if __name__ == "__main__":
    pickle.dump([tell(path) for path in sys.argv[1:]], sys.stdout.buffer)
