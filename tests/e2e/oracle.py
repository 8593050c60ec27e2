"""What libdarshan itself derives from logs; a program of its own, since libdarshan may die of a log."""

import json
import sys

import darshan
from darshan.backend.cffi_backend import accumulate_records

MODULES = ("POSIX", "MPI-IO", "STDIO")


def derived(path):
    """Per module: libdarshan's total_bytes, agg_time_by_slowest (s) and agg_perf_by_slowest (MiB/s)."""
    report = darshan.DarshanReport(path, read_all=False)
    nprocs = report.metadata["job"]["nprocs"]
    out = {}
    for module in MODULES:
        if module in report.modules:
            report.mod_read_all_records(module)
            found = accumulate_records(report.records[module].to_df(), module, nprocs).derived_metrics
            out[module] = {
                "total_bytes": found.total_bytes,
                "agg_time_by_slowest": found.agg_time_by_slowest,
                "agg_perf_by_slowest": found.agg_perf_by_slowest,
            }
    return out


if __name__ == "__main__":
    json.dump({path: derived(path) for path in sys.argv[1:]}, sys.stdout)
