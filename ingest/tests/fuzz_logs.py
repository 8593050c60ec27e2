"""Fuzzes the decoder of logs, guided by what of its code is reached: `python tests/fuzz_logs.py SECONDS`.

It begins with the recorded logs. What reaches more is kept in .weir/fuzz/ and goes on from there; what breaks
a promise of darshan_decoding.py ends the run with code 77 and is written to a file `crash-...`.

It runs in rounds, each a process of its own: Atheris keeps 6 KB of every execution. The decoder does not:
without Atheris it stays at 60 MiB over 20,000 of the same logs.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["weir"]):
    import darshan_decoding

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests/data/center/darshan"
FOUND = ROOT / ".weir/fuzz"
ROUND_SECONDS = 300


def decode(content: bytes) -> None:
    """Any bytes are a log, in part if need be, or it is said what is wrong with them."""
    with tempfile.NamedTemporaryFile(suffix=".darshan", dir="/dev/shm") as file:
        file.write(content)
        file.flush()
        result = darshan_decoding.Result()
        darshan_decoding._decode(Path(file.name), result)
    if result.broken:
        raise AssertionError(result.broken)


def rounds(seconds: float) -> int:
    """Fuzz for so long; the exit code of a round that found something, else 0."""
    ends = time.monotonic() + seconds
    while (left := round(ends - time.monotonic())) > 0:
        one = [sys.executable, __file__, "round", str(min(left, ROUND_SECONDS))]
        if code := subprocess.run(one, check=False).returncode:
            return code
    return 0


if __name__ == "__main__":
    if sys.argv[1] != "round":
        sys.exit(rounds(float(sys.argv[1])))
    FOUND.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={sys.argv[2]}", "-rss_limit_mb=2048", "-malloc_limit_mb=1024", "-timeout=10"]
    atheris.Setup([sys.argv[0], *limits, str(FOUND), str(RECORDED)], decode)
    atheris.Fuzz()
