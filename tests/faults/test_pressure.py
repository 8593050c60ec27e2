"""More comes than can go on: ClickHouse takes 10 KB a second (F7), or a hundred times as much comes as usual
(F24). The jobs wait, keep their memory, are not started again, and lose nothing.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import httpx
import pytest
from clients import unread
from sim import views
from sim.schedule import steadily

from .cluster import configured, heap_bytes, is_as_declared, restarts
from .narrow import way_to

# three and five minutes in the long run
NARROW_SECONDS = float(os.environ.get("WEIR_NARROW_SECONDS", "20"))
BURST_SECONDS = float(os.environ.get("WEIR_BURST_SECONDS", "20"))
IS_LONG = BURST_SECONDS >= 300
NARROW_BYTES_PER_SECOND = 10_000
USUAL_RATE = 5  # messages a second
MESSAGES_PER_JOB = 25  # of a simulated center, about


def lag(stack):
    return sum(unread(stack.kafka, group) or 0 for group in views.GROUPS)


@pytest.fixture
def heap(stack, tell):
    """Looks at the TaskManager's heap all the time, and tells the most it held."""
    over, most = Event(), [0, 0]

    def look():
        while not over.wait(1):
            most[:] = max(most, heap_bytes(stack))

    with ThreadPoolExecutor(1) as beside:
        looking = beside.submit(look)
        yield
        over.set()
        looking.result()
    tell(f"the heap held at most {most[0] >> 20} of {most[1] >> 20} MiB")


def test_clickhouse_at_10_kb_a_second_slows_the_jobs_and_loses_nothing(
    simulation, stack, sql, drained, eventually, heap, tell
):
    center = simulation("sim-narrow", jobs=1000 if IS_LONG else 100)
    views.publish_site(center, stack)
    number = sum(1 for _ in center.messages())
    url = httpx.URL(stack.clickhouse_url)
    with way_to(url.host, url.port) as way:
        with configured(stack, "clickhouse.url", url.copy_with(port=way.port)):
            eventually(lambda: is_as_declared(stack))
            before = restarts(stack)
            way.bytes_per_second, passed = NARROW_BYTES_PER_SECOND, way.passed
            views.put(center, steadily(center.messages(), number / NARROW_SECONDS, Event()), stack)
            passed = way.passed - passed
            awaited = views.wrong_rows(center, center.truth(), sql)
            tell(
                f"{passed / NARROW_SECONDS / 1000:.1f} KB a second passed; "
                f"then {lag(stack):,} messages waited in Kafka, and rows for {len(awaited)} tables"
            )
            way.bytes_per_second = None
            assert awaited
            views.await_rest(center, stack, sql, drained)
            assert views.wrong(center, sql) == []
            assert restarts(stack) == before
        eventually(lambda: is_as_declared(stack))


def test_a_burst_of_a_hundred_times_the_rate_is_worked_off(simulation, stack, sql, drained, heap, tell):
    number = int(100 * USUAL_RATE * BURST_SECONDS)
    center = simulation("sim-burst", jobs=number // MESSAGES_PER_JOB)
    views.publish_site(center, stack)
    before = restarts(stack)
    sent = views.put(center, steadily(center.messages(), 100 * USUAL_RATE, Event()), stack)
    waits, ended = lag(stack), time.monotonic()
    views.await_read(stack)
    took = time.monotonic() - ended
    tell(
        f"{sent.messages.total():,} messages in {sent.seconds:.0f} s; {waits:,} waited then, "
        f"and none {took:.0f} s later"
    )
    assert not IS_LONG or took <= 2 * sent.seconds
    views.await_rest(center, stack, sql, drained)
    assert views.wrong(center, sql) == []
    assert restarts(stack) == before
