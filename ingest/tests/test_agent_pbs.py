"""The live source of PBS's accounting: files that grow, change with the day, are cut, replaced or gone.

The lines are real ones of XDMoD's and NCAR's test data where told; the others by hand, of PBS's manual.
"""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import mock_kafka
import pytest
from weir import wire
from weir.agents.scheduler_memory import SchedulerMemory
from weir.agents.scheduler_pbs import Pbs
from weir.agents.scheduler_source import Records
from weir.errors import Refused

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=BERLIN).timestamp()
CTIME = 1795248728
ATTRIBUTES = f"user=ann jobname=x queue=work ctime={CTIME} qtime={CTIME} etime={CTIME}"


def line(kind, job="7.srv", **told):
    rest = " ".join([ATTRIBUTES, *(f"{name}={value}" for name, value in told.items())])
    return f"11/21/2026 09:12:11;{kind};{job};{rest}\n"


QUEUED, STARTED = line("Q"), line("S", start=CTIME + 2)
ENDED = line("E", start=CTIME + 2, end=CTIME + 3, Exit_status=0)
DELETED = "11/21/2026 09:12:11;D;7.srv;requestor=ann@login\n"


class Server:
    def __init__(self, folder):
        self.folder = folder / "accounting"
        self.folder.mkdir()
        self.file = folder / "memory.sqlite"
        self.restart()

    def restart(self):
        self.memory = SchedulerMemory(self.file, "lab")
        self.pbs = Pbs(self.folder, BERLIN, "lab", 2 * 86_400, self.memory)

    def write(self, day, text):
        with (self.folder / day).open("a") as out:
            out.write(text)

    def look(self, now=NOW):
        """What is published, as the agent does it; (id, state) or the place of a refusal."""
        found = list(self.memory.news(self.pbs.look(now), "pbs", self.pbs.file, now))
        self.memory.commit()
        return [
            each.position if isinstance(each, Refused) else (each["job_id"], each["state"]) for each in found
        ]


@pytest.fixture
def server(tmp_path):
    return Server(tmp_path)


def test_a_file_is_read_on_as_it_grows_and_after_a_restart(server):
    server.write("20261121", QUEUED)
    assert server.look() == [(7, "PENDING")]
    assert server.look() == []
    server.write("20261121", STARTED)
    server.restart()
    assert server.look() == [(7, "RUNNING")]
    server.write("20261121", ENDED)
    assert server.look() == [(7, "COMPLETED")]


def test_a_line_counts_when_it_has_its_end(server):
    server.write("20261121", QUEUED + STARTED[:40])
    assert server.look() == [(7, "PENDING")]
    server.write("20261121", STARTED[40:])
    assert server.look() == [(7, "RUNNING")]


def test_the_next_day_has_a_file_of_its_own_and_the_last_one_is_read_to_its_end(server):
    server.write("20261120", QUEUED)
    assert server.look() == [(7, "PENDING")]
    server.write("20261120", STARTED)
    server.write("20261121", ENDED)
    assert server.look() == [(7, "RUNNING"), (7, "COMPLETED")]
    # what is cut in a file that is done will not be made whole
    server.write("20261121", line("S", "8.srv", start=CTIME)[:60])
    assert server.look() == []
    server.write("20261122", line("S", "9.srv", start=CTIME))
    assert server.look(NOW + 86_400) == [f"20261121, byte {len(ENDED)}", (9, "RUNNING")]
    assert server.look(NOW + 86_400) == []


def test_only_days_within_the_lookback_and_only_day_files(server):
    for name in ("20261118", "20261120.gz", "notes", "20261120"):
        server.write(name, line("S", f"{len(name)}.srv", start=CTIME))
    assert server.look() == [(8, "RUNNING")]


@pytest.mark.parametrize("how", ["cut", "replaced"])
def test_a_file_that_is_another_is_read_anew_and_changes_nothing_twice(server, how):
    server.write("20261121", QUEUED + STARTED)
    assert len(server.look()) == 2
    file = server.folder / "20261121"
    new = line("S", "8.srv", start=CTIME)
    if how == "cut":
        file.write_text(new)
    else:
        (server.folder / "tmp").write_text(new + QUEUED + STARTED)
        (server.folder / "tmp").replace(file)
    found = server.look()
    assert (8, "RUNNING") in found
    # Q and S of 7 are told again at most; their rank and version decide
    assert {job for job, _ in found} <= {7, 8}


def test_a_file_that_is_gone_stops_nothing(server):
    server.write("20261120", QUEUED)
    assert server.look() == [(7, "PENDING")]
    (server.folder / "20261120").unlink()
    server.write("20261121", STARTED)
    assert server.look() == [(7, "RUNNING")]


def test_a_job_that_is_deleted_while_it_waits_has_ended(server):
    server.write("20261121", QUEUED)
    server.look()
    server.write("20261121", DELETED)
    assert server.look() == [(7, "CANCELLED")]
    assert server.memory.open_job(7, None) is None


def test_a_deletion_leaves_a_job_that_runs_to_its_own_end(server):
    killed = ENDED.replace("Exit_status=0", "Exit_status=271")
    server.write("20261121", QUEUED + STARTED + DELETED + killed)
    assert server.look() == [(7, "PENDING"), (7, "RUNNING"), (7, "FAILED")]
    server.write("20261121", DELETED.replace("7.srv", "99.srv"))  # never seen
    assert server.look() == []


def test_a_look_that_is_not_acknowledged_is_made_again(server):
    server.write("20261121", QUEUED)
    assert len(list(server.memory.news(server.pbs.look(NOW), "pbs", "f", NOW))) == 1
    server.memory.rollback()
    assert server.look() == [(7, "PENDING")]


def test_real_files_reach_kafka_and_bad_lines_the_dead_letters(server, extra):
    sources = ("xdmod/pbs_accounting-logs.log", "pbs_misc/torque_accounting_apel.log")
    text = b"".join((extra / "scheduler" / source).read_bytes() for source in sources)
    (server.folder / "20261121").write_bytes(text)
    with mock_kafka.running() as kafka:
        records = Records(kafka.options, "lab", server.memory)
        assert records.take(server.pbs, NOW)
        jobs = [wire.decode(value)[1] for _, value in kafka.messages("weir.scheduler.job")]
        ((_, letter),) = kafka.messages("weir.dead-letter")
    ended = set(re.findall(rb";[AE];(\d+)\S*;.*\bctime=(\d+) ", text))
    told = {(b"%d" % job["job_id"], b"%d" % job["submit_time"].timestamp()) for job in jobs}
    assert told == ended  # the line that is refused, `etime=1317509574start=...`, stands there again, whole
    assert {job["origin"] for job in jobs} == {"live"}
    assert wire.decode(letter)[1]["position"].startswith("20261121, byte ")
