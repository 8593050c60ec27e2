"""kill -9 of the shipping daemon at each of its steps of writing: nothing is lost or there twice (F2).

The process itself is killed in test_ship_command.py.
"""

import pytest
import shipping_site
from weir.shipping.decoding import Decoder

LOGS = [f"me_sim_id77-123_11-21-43200-{number}_60.darshan" for number in (987654321, 1)]


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    with Decoder(tmp_path_factory.mktemp("decoded"), 2, 30) as decoder:
        yield decoder


class Killed(BaseException):
    """Stands for kill -9: nothing is caught, nothing is tidied."""


@pytest.mark.parametrize("at", range(12))
def test_a_daemon_that_is_killed_anywhere_loses_nothing(tmp_path, decoder, at):
    """Killed after its at-th step of writing, then started again (F2)."""
    with shipping_site.center(tmp_path, decoder) as center:
        center.put(LOGS[0])
        center.put(LOGS[1], records=7)
        center.end_job()
        steps = iter(range(at))
        for thing, names in (
            (center.memory, ("put", "put_job", "note", "supersede", "reopen")),
            (center.spool, ("remove",)),
            (center.publisher, ("settle",)),
        ):
            for name in names:
                setattr(thing, name, _killing(getattr(thing, name), steps))
        killed = False
        try:
            center.run(1)
        except Killed:
            killed = True
        sent = center.publisher.messages
    with shipping_site.center(tmp_path, decoder) as again:
        again.run()
        again.publisher.messages = sent + again.publisher.messages
        assert len(set(again.publisher.log_ids())) == 2
        assert again.publisher.manifests()[-1] == (77, True, 2)
        assert again.spool.names() == []
    assert killed or at > 8


def _killing(step, steps):
    def stepped(*args):
        if next(steps, None) is None:
            raise Killed
        return step(*args)

    return stepped
