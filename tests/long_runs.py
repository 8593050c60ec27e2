"""The last results of long runs, kept in long_runs/NAME.json, and whether their subject has changed since."""

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from suites import ROOT, LongRun
from weir_embedded.stamps import fingerprint

RESULTS = Path(__file__).parent / "long_runs"


def file_of(run: LongRun) -> Path:
    """Where its result is kept."""
    return RESULTS / f"{run.name}.json"


def subject(run: LongRun) -> str:
    """A hash over its subject's files; raise ValueError for a pattern that no file fits any more."""
    paths = []
    for pattern in run.subject:
        found = sorted(ROOT.glob(pattern))
        if not found:
            raise ValueError(f"{run.name}: {pattern} fits no file")
        paths += found
    return fingerprint(paths)


def why_due(run: LongRun) -> str:
    """Why its result does not hold for this checkout; empty if it does."""
    kept = read(run)
    if kept is None:
        return "it has never been recorded"
    if kept["subject"] == subject(run):
        return ""
    return f"its subject has changed since {kept['date']}"


def read(run: LongRun) -> dict[str, Any] | None:
    """The last result; none before the first."""
    file = file_of(run)
    return json.loads(file.read_text()) if file.exists() else None


def keep(run: LongRun, seconds: dict[str, int], figures: list[str]) -> None:
    """Write down that it passed now, on this machine."""
    told = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "seconds": seconds,
        "figures": figures,
        "subject": subject(run),
    }
    RESULTS.mkdir(exist_ok=True)
    file_of(run).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def machine() -> str:
    """Processor, cores and memory; no name."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return f"{os.cpu_count()} cores of {models[0] if models else platform.machine()}, {memory:.0f} GiB"
