"""A mixed attack on the whole stack while a simulated center is published (F28): every part stays up, memory
stays flat, the others are served, and the views say what the ledger says.
"""

import base64
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from statistics import mean
from threading import Event

import pytest
from clients import clickhouse
from sim import views
from sim.schedule import steadily
from weir.admin import topics
from weir_embedded import status, supervisor

from .attack import ATTACKS, Target
from .cluster import restarts

# two hours in the long run
SECONDS = float(os.environ.get("WEIR_ATTACK_SECONDS", "60"))
IS_LONG = SECONDS >= 1800
JOBS = 1000 if IS_LONG else 100
MOST_INSERT_SECONDS, MOST_SELECT_SECONDS = 2.0, 1.0  # of 99 of 100, as F28 names them
LOOKS_SECONDS = 10
# Of a part's memory, between the middle and the last third of the attack.
MOST_GROWTH, MOST_GROWTH_MIB = 1.1, 64


def started(stack):
    """What would be other numbers if a part or a job had been started again."""
    return restarts(stack) | {name: each["pid"] for name, each in supervisor.processes(stack).items()}


def memory(stack):
    """Part -> MiB of its process and of all that it has started."""
    return {name: status.memory_mb(each["pid"]) for name, each in supervisor.processes(stack).items()}


def again_and_again(ask, over, pause=1.0):
    """Seconds of each answer, until it is over; whatever is raised is."""
    took = []
    while not over.is_set():
        began = time.monotonic()
        ask()
        took.append(time.monotonic() - began)
        over.wait(pause)
    return took


def looks(stack, over):
    """Memory every ten seconds, until it is over."""
    seen = []
    while not over.wait(LOOKS_SECONDS):
        seen.append(memory(stack))
    return seen


def growth(seen):
    """(part, mean MiB in the middle third, mean in the last) for each part."""
    third = max(1, len(seen) // 3)

    def of(part, looked):
        return mean(each.get(part, 0) for each in looked)

    return [(part, of(part, seen[third : 2 * third]), of(part, seen[-third:])) for part in sorted(seen[-1])]


def quantile(values, share):
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


@pytest.fixture
def probe(stack):
    """Makes inserts of 1,000 rows as the writer into a table of its own."""
    migrator = clickhouse(stack, "migrator")
    migrator.command("CREATE TABLE attack_probe (n UInt64, text String) ENGINE = MergeTree ORDER BY n")
    writer = clickhouse(stack, "writer")
    rows = [[number, "x" * 100] for number in range(1000)]
    yield lambda: writer.insert("attack_probe", rows, column_names=["n", "text"])
    migrator.command("DROP TABLE attack_probe SYNC")


def select_as_another(stack):
    """Each time over a connection of its own."""
    client = clickhouse(stack, "alert")
    try:
        assert client.command("SELECT 1") == 1
    finally:
        client.close()


def test_under_a_mixed_attack_every_part_stays_up_and_nothing_is_lost_or_doubled(
    simulation, stack, sql, drained, probe, tell
):
    center = simulation("sim-attacked", jobs=JOBS)
    views.publish_site(center, stack)
    number = sum(1 for _ in center.messages())
    sound = [
        base64.b64encode(message.value).decode()
        for message in islice(simulation("attackers").messages(), 3000)
        if len(message.value) > 10
    ]
    target = Target(
        seconds=SECONDS,
        clickhouse=stack.clickhouse_url,
        reader=stack.clickhouse_secret("reader").read_text().strip(),
        superset=stack.superset_url,
        kafka=stack.kafka,
        topics=[topic.name for topic in topics.declared()],
        sound=sound,
    )
    before, over = started(stack), Event()
    attack = subprocess.Popen(
        [sys.executable, "-m", "faults.attack"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with ThreadPoolExecutor(4) as beside:
        sending = beside.submit(views.put, center, steadily(center.messages(), number / SECONDS, over), stack)
        inserts = beside.submit(again_and_again, probe, over)
        selects = beside.submit(again_and_again, lambda: select_as_another(stack), over)
        sizes = beside.submit(looks, stack, over)
        try:
            output, _ = attack.communicate(json.dumps(asdict(target)), timeout=SECONDS + 300)
        finally:
            attack.kill()
            over.set()
        sending.result()
    made = json.loads(output)
    tell(f"attacks: {', '.join(f'{count:,} {name}' for name, count in sorted(made.items()))}")
    assert made.keys() == {each.__name__ for each in ATTACKS}
    refused = sql.rows("SELECT reason FROM dead_letters WHERE startsWith(key, 'attacker/')")
    assert any("bytes when unpacked" in row["reason"] for row in refused)
    assert any("bytes when unpacked" not in row["reason"] for row in refused)
    for name, took, most in (
        ("inserts", inserts.result(), MOST_INSERT_SECONDS),
        ("SELECT 1", selects.result(), MOST_SELECT_SECONDS),
    ):
        tell(
            f"{len(took):,} {name}: half within {quantile(took, 0.5):.3f} s, "
            f"99 of 100 within {quantile(took, 0.99):.2f} s, all within {max(took):.2f} s"
        )
        assert not IS_LONG or quantile(took, 0.99) <= most
    assert started(stack) == before
    grew = growth(sizes.result())
    tell("memory, middle and last third: " + ", ".join(f"{p} {m:.0f} and {n:.0f} MiB" for p, m, n in grew))
    assert not IS_LONG or not [
        part for part, middle, last in grew if last > middle * MOST_GROWTH + MOST_GROWTH_MIB
    ]
    views.await_rest(center, stack, sql, drained)
    assert views.wrong(center, sql) == []
