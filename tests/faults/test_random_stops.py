"""kill -9 of every process of the stack at random moments, also while it starts, as a center is published:
the same command starts it again, and the views say what the ledger says (F27).
"""

import os
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from sim import views
from sim.schedule import steadily
from weir_embedded import supervisor

# ten in the long run
STOPS = int(os.environ.get("WEIR_STOPS", "2"))
# until the next one: a start takes most of a minute
MOST_SECONDS = 100
RATE = 5  # messages a second: the center is still being published at the last of two stops


def test_whenever_all_of_it_is_killed_it_starts_again_and_nothing_is_lost_or_doubled(
    simulation, stack, weir, weir_stack, sql, drained, tell
):
    chosen = random.Random(27)
    center = simulation("sim-stops")
    views.publish_site(center, stack)
    over = Event()
    with ThreadPoolExecutor(1) as beside:
        sending = beside.submit(views.put, center, steadily(center.messages(), RATE, over), stack)
        try:
            for number in range(STOPS):
                moment = chosen.uniform(0, MOST_SECONDS)
                up = subprocess.Popen(
                    [Path(weir.program).with_name("weir-stack"), "up"], stdout=subprocess.DEVNULL
                )
                over.wait(moment)
                ended = "had ended" if up.poll() == 0 else "had not ended"
                up.kill()
                up.wait()
                assert supervisor.kill_left_over(stack) == []
                tell(f"stop {number + 1} of {STOPS}, {moment:.0f} s after a start began, which {ended}")
            weir_stack("up")
        finally:
            over.set()
        sending.result()
    views.await_rest(center, stack, sql, drained)
    assert views.wrong(center, sql) == []
