"""What libdarshan reads from logs: it is C and dies of some bytes, so it is asked in a process of its own."""

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

ORACLE = Path(__file__).with_name("darshan_oracle.py")


def read(*paths: Path) -> list[dict[str, Any]]:
    """What darshan_oracle.py tells of each log."""
    child = subprocess.run([sys.executable, str(ORACLE), *map(str, paths)], capture_output=True)
    assert child.returncode == 0, child.stderr.decode()
    assert not child.stderr, child.stderr.decode()
    return pickle.loads(child.stdout)


def records(told: dict[str, Any], module: str) -> list[dict[str, Any]]:
    """Records of a module with counters, the counters by name."""
    columns = (values.tolist() for values in told["records"][module])
    int_names, float_names = told["counters"][module]
    return [
        {
            "id": record_id,
            "rank": rank,
            "counters": dict(zip(int_names, ints, strict=True)),
            "fcounters": dict(zip(float_names, floats, strict=True)),
            "file_rec_id": file_id,
        }
        for record_id, rank, ints, floats, file_id in zip(*columns, strict=True)
    ]
