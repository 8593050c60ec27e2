"""Fuzzes the decoder of logs, guided by what of its code is reached: `python tests/fuzz_logs.py SECONDS`.

It begins with the recorded logs. What reaches more is kept in .weir/fuzz/ and goes on from there; what breaks
a promise of darshan_decoding.py ends the run with code 77 and is written to a file `crash-...`.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["weir"]):
    import darshan_decoding

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests/data/center/darshan"
FOUND = ROOT / ".weir/fuzz"


def decode(content: bytes) -> None:
    """Any bytes are a log, in part if need be, or it is said what is wrong with them."""
    with tempfile.NamedTemporaryFile(suffix=".darshan", dir="/dev/shm") as file:
        file.write(content)
        file.flush()
        result = darshan_decoding.Result()
        darshan_decoding._decode(Path(file.name), result)
    if result.broken:
        raise AssertionError(result.broken)


if __name__ == "__main__":
    FOUND.mkdir(parents=True, exist_ok=True)
    limits = [f"-max_total_time={sys.argv[1]}", "-rss_limit_mb=1024", "-timeout=10"]
    atheris.Setup([sys.argv[0], *limits, str(FOUND), str(RECORDED)], decode)
    atheris.Fuzz()
