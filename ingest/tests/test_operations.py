"""What the report's tables count, against libdarshan's counters of the same logs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from weir.logs import darshan_log
from weir.logs.operations import Operations

_TRUTH = """
import json, sys, darshan
out, keys = {}, ("id", "rank")
log = darshan.DarshanReport(sys.argv[1], read_all=True)
for name in ("POSIX", "MPI-IO", "STDIO"):
    if name in log.records:
        frames = log.records[name].to_df()
        counters, seconds = frames["counters"], frames["fcounters"]
        out[name] = {
            "counters": {c: int(counters[c].clip(lower=0).sum()) for c in counters if c not in keys},
            "seconds": {c: float(seconds[c].clip(lower=0).sum()) for c in seconds if c not in keys},
        }
print(json.dumps(out))
"""


def truth(log: Path) -> dict:
    done = subprocess.run(
        [sys.executable, "-c", _TRUTH, str(log)], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def counted(log: Path) -> Operations:
    operations = Operations()
    source = darshan_log.Source("c", "trusted_archive")
    for batch in darshan_log.stream(darshan_log.Place.of(log.resolve()), source).batches:
        operations.add(batch)
    return operations


@pytest.mark.parametrize(
    "case", ["hdf5_collective", "small_unaligned_shared", "stdio_heavy", "fpp_many_small"]
)
def test_sums_are_those_of_libdarshan(recorded, case):
    for log in sorted(recorded.glob(f"darshan/*/{case}/*.darshan"))[:2]:
        found, prefix = counted(log), {"MPI-IO": "MPIIO"}
        checked = 0
        for name, of_module in truth(log).items():
            module = found.modules[name]
            for counter, number in module.counters.items():
                assert number == of_module["counters"][f"{prefix.get(name, name)}_{counter}"], counter
                checked += 1
            for time, seconds in module.seconds.items():
                assert seconds == pytest.approx(of_module["seconds"][f"{prefix.get(name, name)}_F_{time}"])
        assert checked > 5


def test_a_shared_files_time_is_its_slowest_process(recorded):
    (log,) = recorded.glob("darshan/*/small_unaligned_shared/*.darshan")
    (_, seconds), *_ = counted(log).modules["POSIX"].slowest()
    assert seconds == pytest.approx(truth(log)["POSIX"]["seconds"]["POSIX_F_SLOWEST_RANK_TIME"])


def test_access_sizes_are_those_that_the_program_used(recorded):
    # IOR of 16 processes wrote 4,800 times 47,008 bytes
    (log,) = recorded.glob("darshan/*/small_unaligned_shared/*.darshan")
    assert counted(log).modules["POSIX"].sizes == {47008: 4800}
