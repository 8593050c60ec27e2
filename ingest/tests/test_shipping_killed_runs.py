"""What killed processes left, on its way to Kafka: one run a set, whole or once in part, never twice."""

import os
import random
import shutil
import subprocess
import tempfile
import textwrap
import time
from datetime import datetime
from pathlib import Path

import killed_run
import pytest
import shipping_site
from hypothesis import given, settings
from hypothesis import strategies as st
from shipping_site import HOUR, NOON, USER
from weir.agents.config import AgentConfig
from weir.kafka import Publisher
from weir.shipping import backfill
from weir.shipping.decoding import Decoder
from weir.shipping.directories import DAY
from weir.shipping.memory import State

OWN_LOG = "sci_forever_id77-123_11-21-43200-987654321_60.darshan"
COLLECTED = NOON + HOUR
GRACE_OVER = NOON + HOUR + 601


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    with Decoder(tmp_path_factory.mktemp("decoded"), 2, 30) as decoder:
        yield decoder


@pytest.fixture
def center(tmp_path, decoder):
    with shipping_site.center(tmp_path, decoder) as center:
        yield center


def log_of(rank, records=None, **of_log):
    start = (int(NOON), 100_000_000 + abs(rank - 1) * 1000)
    return killed_run.log_of(rank, records, **{"uid": USER, "jobid": 77, "start": start} | of_log).to_bytes()


def put(center, *ranks, written=COLLECTED, **of_log):
    """What the epilog collects."""
    number = of_log.pop("number", killed_run.NUMBER)
    return [
        center.put(killed_run.name_of(rank, 77, number), log_of(rank, **of_log), written=written)
        for rank in ranks
    ]


def processes(published):
    """Of each log that was sent, as it was sent: how many of its processes' logs are in it."""
    return [m["body"]["processes"] for m in published.of("weir.darshan.log") if "batches" in m["body"]]


def supersedes(published):
    return [header["supersedes"] for header in published.headers()]


def test_a_job_whose_processes_were_killed_is_one_run(center):
    put(center, 0, 1, 2, 3)
    center.end_job()
    published = center.run()
    assert len(published.log_ids()) == 1
    assert processes(published) == [4]
    assert published.manifests() == [(77, True, 1)]
    assert published.reasons() == []
    assert center.spool.names() == []


def test_nothing_is_sent_before_all_logs_are_there(center):
    put(center, 0, 2)
    center.end_job()
    assert center.run().log_ids() == []
    assert center.publisher.manifests() == [(77, False, 0)]
    (known,) = center.memory.in_state(State.incomplete)
    assert known.reason == "the logs of 2 of 4 processes are there"
    put(center, 1, 3)
    assert processes(center.run()) == [4]
    assert center.publisher.manifests() == [(77, False, 0), (77, True, 1)]


def test_what_is_there_when_the_grace_is_over_is_sent_once_and_superseded_by_the_whole(center):
    put(center, 0, 2)
    center.end_job()
    center.run()
    center.now = GRACE_OVER
    center.run()
    assert processes(center.publisher) == [2]
    assert center.publisher.manifests()[-1] == (77, True, 1)
    center.shipper.sweep_now()
    center.run()
    assert len(center.publisher.log_ids()) == 1
    put(center, 1, 3)
    center.shipper.sweep_now()
    center.run()
    assert processes(center.publisher) == [2, 4]
    part, whole = center.publisher.log_ids()
    assert supersedes(center.publisher) == [None, part]
    assert center.publisher.of("weir.job.manifest")[-1]["log_ids"] == [whole]


def test_what_is_collected_after_the_manifest_was_final_reopens_it(center):
    center.end_job()
    assert center.run().manifests() == [(77, True, 0)]
    put(center, 0, 1, 2, 3)
    center.shipper.sweep_now()
    center.run()
    assert center.publisher.manifests() == [(77, True, 0), (77, True, 1)]


def test_of_a_job_that_no_hook_told_of_nothing_is_sent_until_it_stood_still_for_a_day(center):
    put(center, 0, 1, 2, 3)
    assert center.run().log_ids() == []
    center.now = COLLECTED + DAY + 1
    center.shipper.sweep_now()
    assert processes(center.run()) == [4]


def test_nothing_is_sent_twice(center, decoder):
    put(center, 0, 1, 2, 3)
    center.end_job()
    first = len(center.run().messages)
    for _ in range(3):
        center.now += 700
        center.shipper.sweep_now()
        center.run()
    assert len(center.publisher.messages) == first
    with shipping_site.center(center.root, decoder) as again:
        again.now = center.now
        assert again.run().messages == []


def test_logs_that_are_cleaned_up_take_nothing_back(center):
    files = put(center, 0, 1, 2)
    center.end_job()
    center.now = GRACE_OVER
    assert processes(center.run()) == [3]
    files[2].unlink()
    center.shipper.sweep_now()
    center.end_job(number=2)  # as another of its nodes says
    assert processes(center.run()) == [3]


def test_two_runs_of_a_job_are_two_runs(center):
    put(center, 0, 1, 2, 3)
    put(center, 0, 1, 2, 3, number=5, start=(int(NOON) + 9, 5))
    center.end_job()
    assert processes(center.run()) == [4, 4]
    assert center.publisher.manifests() == [(77, True, 2)]


@pytest.mark.parametrize("own_first", [True, False])
def test_a_run_that_has_its_own_log_is_not_counted_twice(center, own_first):
    if own_first:
        center.put(OWN_LOG, own_log())
        center.run()
    put(center, 0, 1, 2, 3)
    center.put(OWN_LOG, own_log())
    center.end_job()
    published = center.run()
    assert [header["file_name"] for header in published.headers()] == [OWN_LOG]
    assert published.manifests()[-1] == (77, True, 1)
    (known,) = center.memory.in_state(State.left_out)
    assert known.reason == "of a run that came to its end, whose log was shipped"


def own_log():
    return log_of(0, start=(int(NOON), 100_000_000), end=(int(NOON) + 60, 5))


def test_a_log_that_is_still_copied_is_waited_for(center):
    center.now = COLLECTED + 5
    file = put(center, 0, 1, 2, 3)[3]
    whole = file.read_bytes()
    center.put(file.name, whole[:-50], written=COLLECTED)
    center.end_job()
    assert center.run().log_ids() == []
    center.put(file.name, whole, written=COLLECTED)
    center.now += 61
    assert processes(center.run()) == [4]


def test_a_log_that_stays_damaged_is_told_and_read_again_when_it_changes(center):
    file = put(center, 0, 1, 2, 3)[3]
    whole = file.read_bytes()
    center.put(file.name, b"text", written=COLLECTED)
    center.end_job()
    assert center.run().log_ids() == []
    center.now = GRACE_OVER
    assert processes(center.run()) == [3]
    assert center.publisher.reasons() == ["no Darshan log: text"]
    (letter,) = center.publisher.of("weir.dead-letter")
    assert letter["position"] == file.name
    assert letter["file"].rsplit("/", 1)[1] == center.publisher.headers()[0]["file_name"]
    center.put(file.name, whole, written=COLLECTED + 3)
    center.shipper.sweep_now()
    assert processes(center.run()) == [3, 4]
    assert supersedes(center.publisher) == [None, center.publisher.log_ids()[0]]


def test_another_users_set_is_quarantined(center):
    put(center, 0, 1, 2, 3)
    center.end_job(uid=USER + 1)
    published = center.run()
    assert published.log_ids() == []
    assert published.reasons() == [
        f"the file belongs to user {USER}, job 77 to {USER + 1} as the scheduler says"
    ]


def test_a_set_that_no_file_can_be_read_of_is_quarantined_and_tried_again_on_demand(center):
    files = put(center, 0, 1)
    for file in files:
        center.put(file.name, b"text", written=COLLECTED)
    center.end_job()
    center.now = GRACE_OVER
    assert center.run().reasons() == ["no Darshan log: text"]
    (known,) = center.memory.in_state(State.quarantined)
    put(center, 0, 1, 2, 3)
    center.memory.retry([known])
    center.shipper.sweep_now()
    assert processes(center.run()) == [4]


def test_what_is_older_than_the_sweep_looks_is_left_out(center):
    put(center, 0, 1, 2, 3)
    center.now += 9 * DAY
    for _ in range(2):
        center.shipper.sweep_now()
        assert center.run().log_ids() == []


def test_in_a_folder_a_job(tmp_path, decoder):
    with shipping_site.center(tmp_path, decoder, layout="job") as center:
        for rank in range(4):
            (center.logs / "77").mkdir(exist_ok=True)
            (center.logs / "77" / killed_run.name_of(rank, 77)).write_bytes(log_of(rank))
        center.end_job()
        assert processes(center.run()) == [4]


@settings(derandomize=True, deadline=None, max_examples=25)
@given(
    arrivals=st.permutations(range(5)),
    moments=st.lists(st.integers(0, 1500), min_size=5, max_size=5),
    lost=st.sets(st.integers(0, 4), max_size=2),
    seed=st.integers(0, 3),
)
def test_whenever_its_logs_come(tmp_path_factory, decoder, arrivals, moments, lost, seed):
    """The last run that is sent holds all that came, and is the one of the job's final manifest."""
    root = tmp_path_factory.mktemp("center")
    pick = random.Random(seed)
    with shipping_site.center(root, decoder) as center:
        if pick.random() < 0.5:
            center.end_job()
        ended = False
        for moment, rank in sorted(zip(moments, arrivals, strict=True)):
            center.now = NOON + HOUR + moment
            if rank not in lost:
                put(center, rank, written=center.now, nprocs=5)
            center.shipper.sweep_now()
            center.run()
            if not ended and pick.random() < 0.3:
                center.end_job()
                ended = True
        center.end_job()
        center.now = GRACE_OVER + 1500
        center.shipper.sweep_now()
        center.run()
        sent = processes(center.publisher)
        assert sent == sorted(set(sent))
        assert sent[-1] == 5 - len(lost)
        ids = center.publisher.log_ids()
        assert supersedes(center.publisher) == [None, *ids[:-1]]
        manifest = center.publisher.of("weir.job.manifest")[-1]
        assert (manifest["final"], manifest["log_ids"]) == (True, ids[-1:])


# --- back-fill ---------------------------------------------------------------------------------------------


@pytest.fixture
def back_filled(center, monkeypatch):
    """Runs a back-fill of the center's logs, and tells what became of them."""
    site = center.root / "site.yaml"
    site.write_text("")
    monkeypatch.setattr(backfill.documents, "load_site", lambda _: {"cluster": "lab"})
    monkeypatch.setattr(Publisher, "for_agent", lambda *_: _Kept(center.publisher))
    config = AgentConfig.model_validate(
        {"site": str(site), "kafka": {"bootstrap.servers": "none"}, "spool": str(center.root / "spool"),
         "state": str(center.root / "state")}
    )  # fmt: skip
    return lambda **wanted: backfill.run(config, backfill.Wanted(center.logs, **wanted))


class _Kept:
    def __init__(self, publisher):
        self.publisher = publisher

    def __enter__(self):
        return self.publisher

    def __exit__(self, *_):
        pass


def test_a_back_fill_sends_a_run_once_and_again_when_more_of_it_came(center, back_filled):
    long_ago = NOON - 400 * DAY
    put(center, 0, 1, 2, written=long_ago)
    outcome = back_filled()
    assert (outcome.sent, outcome.skipped) == (1, 0)
    assert (back_filled().sent, back_filled().skipped) == (0, 1)
    put(center, 3, written=long_ago)
    assert back_filled().sent == 1
    assert processes(center.publisher) == [3, 4]
    assert supersedes(center.publisher) == [None, center.publisher.log_ids()[0]]


def test_a_back_fill_waits_for_logs_that_are_still_collected(center, back_filled):
    put(center, 0, 1, written=time.time())
    outcome = back_filled()
    assert (outcome.sent, outcome.unfinished) == (0, 1)
    put(center, 2, 3, written=time.time())
    assert back_filled().sent == 1


def test_a_back_fill_does_not_count_a_run_twice(center, back_filled):
    long_ago = NOON - 400 * DAY
    put(center, 0, 1, 2, 3, written=long_ago)
    later = center.put(OWN_LOG, own_log(), written=long_ago)
    (later.parent / "zz").mkdir()
    shutil.move(later, later.parent / "zz")
    outcome = back_filled()
    assert (outcome.sent, outcome.of_ended_runs) == (1, 1)
    assert [header["file_name"] for header in center.publisher.headers()] == [OWN_LOG]


# --- collecting --------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.getuid() != 0, reason="the epilog runs as root")
def test_the_documented_epilog_collects_as_the_jobs_user(tmp_path):
    page = (Path(__file__).parents[1] / "AGENTS.md").read_text()
    (script,) = (part for part in page.split("\n\n") if part.startswith("    #!/bin/sh"))
    tmp, logs = Path(tempfile.mkdtemp(dir="/tmp")), tmp_path / "logs"
    for folder in (tmp, *[tmp_path, *tmp_path.parents][:3]):
        folder.chmod(0o755)
    day = logs / datetime.fromtimestamp(NOON).strftime("%Y/%-m/%-d")
    day.mkdir(parents=True)
    for folder in (tmp, day):
        folder.chmod(0o1777)
    secret = tmp_path / "secret"
    secret.write_text("root's own")
    secret.chmod(0o600)
    wanted = [tmp / killed_run.name_of(rank, 77) for rank in (0, 1)]
    other_job, other_user = tmp / killed_run.name_of(0, 770), tmp / killed_run.name_of(2, 77)
    content = log_of(0)
    for file in (*wanted, other_job, other_user):
        file.write_bytes(content)
        os.chown(file, 65534, 65534)
    os.chown(other_user, 1, 1)
    link = tmp / killed_run.name_of(3, 77)
    link.symlink_to(secret)
    os.chown(link, 65534, 65534, follow_symlinks=False)
    script = script.replace("/var/log/darshan", str(logs)).replace("TMP=/tmp", f"TMP={tmp}")
    job = {"SLURM_JOB_ID": "77", "SLURM_JOB_UID": "65534", "SLURM_JOB_GID": "65534"}
    for _ in range(2):
        done = subprocess.run(
            ["sh", "-c", textwrap.dedent(script)], env=job | {"SLURM_JOB_START_TIME": str(int(NOON))},
            capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
    assert sorted(file.name for file in day.iterdir()) == [file.name for file in wanted]
    for file in day.iterdir():
        stat = file.stat()
        assert (stat.st_uid, stat.st_mode & 0o777) == (65534, 0o440)
        assert file.read_bytes() == content
    assert sorted(tmp.iterdir()) == sorted([other_job, other_user, link])
    shutil.rmtree(tmp)
