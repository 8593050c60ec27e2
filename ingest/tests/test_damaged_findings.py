"""Nothing is found in a damaged log that is not in the whole one: bits flipped and ends cut at random.

WEIR_PROPERTY_CASES says how many logs are damaged; by hand 50,000, in CI 2,000.
"""

import os
import random
from pathlib import Path
from typing import Any

import pytest
from weir.analyze.offline import Inputs, analyze

ROOT = Path(__file__).parents[2]
CASES = int(os.environ.get("WEIR_PROPERTY_CASES", "2000"))
AT_ONCE = 500
SEED = 20_261_123
LARGEST = 40_000


def logs() -> list[Path]:
    """Real ones, of the recorded center and of what may stand beside the repository."""
    folders = [ROOT / "tests/data", ROOT.parent / "shared/data"]
    found = [path for folder in folders for path in sorted(folder.glob("**/*.darshan"))]
    return [path for path in found if path.stat().st_size <= LARGEST and "/bad/" not in str(path)]


def told(paths: list[Path]) -> dict[str, dict[str, Any]]:
    """What the analysis says of each that it does not refuse, by the file's name."""
    return {run.file.name: run.facts for job in analyze(paths, Inputs()).jobs for run in job.runs}


def damaged(content: bytes, chance: random.Random) -> tuple[str, bytes]:
    if chance.random() < 0.3:
        at = chance.randrange(400, len(content))
        return f"cut at {at}", content[:at]
    flipped = bytearray(content)
    bits = sorted(chance.randrange(8 * len(content)) for _ in range(chance.choice((1, 1, 1, 2, 8))))
    for bit in bits:
        flipped[bit // 8] ^= 1 << bit % 8
    return f"bits {bits}", bytes(flipped)


def contradictions(whole: dict[str, Any], said: dict[str, Any]) -> list[str]:
    """What is said of a damaged log and not so by the whole one; comparisons with other logs are left out."""
    known = {finding["id"] for finding in whole["findings"]} | {"slow_vs_history"}
    new = [finding["id"] for finding in said["findings"] if finding["id"] not in known]
    for name, feature in said["features"].items():
        true = whole["features"][name]
        exact = feature["evidence_class"] == true["evidence_class"] == "exact"
        if exact and not name.startswith("baseline_") and feature["value"] != pytest.approx(true["value"]):
            new.append(f"{name} is exactly {feature['value']}, not {true['value']}")
        if true["evidence_class"] == "exact" and None not in (feature["value"], true["value"]):
            over = feature["value"] - true["value"]
            wrong_way = {"lower_bound": over, "upper_bound": -over}.get(feature["evidence_class"], 0)
            if wrong_way > 1e-6 * (1 + abs(true["value"])):
                new.append(
                    f"{name} is no {feature['evidence_class']}: {feature['value']}, not {true['value']}"
                )
    return new


def test_damage_adds_no_finding_and_changes_no_exact_number(tmp_path):
    chance = random.Random(SEED)
    sources = logs()
    named = {f"{number}.darshan": path for number, path in enumerate(sources)}
    for name, path in named.items():
        (tmp_path / name).write_bytes(path.read_bytes())
    whole = told([tmp_path / name for name in named])
    sources = [name for name in named if name in whole]
    wrong, judged = [], 0
    for first in range(0, CASES, AT_ONCE):
        cases = {}
        for number in range(first, min(CASES, first + AT_ONCE)):
            source = chance.choice(sources)
            what, content = damaged(named[source].read_bytes(), chance)
            name = f"case{number}.darshan"
            (tmp_path / name).write_bytes(content)
            cases[name] = (source, what)
        for name, said in told([tmp_path / name for name in cases]).items():
            source, what = cases[name]
            judged += 1
            if new := contradictions(whole[source], said):
                wrong.append(f"{named[source].name}, {what}: {new}")
        for name in cases:
            (tmp_path / name).unlink()
    assert judged > CASES / 3
    assert not wrong, f"{len(wrong)} of {judged} judged: " + "\n".join(wrong[:40])
