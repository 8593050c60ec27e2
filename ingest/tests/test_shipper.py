"""The shipping daemon's rounds: which logs are found, shipped, refused, and what is said of their jobs."""

import multiprocessing
import os
import random
from datetime import timedelta

import darshan_mutations
import pytest
import shipping_site
from confluent_kafka import KafkaError, KafkaException
from darshan_writer import LogWriter, many_files
from shipping_site import HOUR, NOON, USER, log_bytes
from weir import identity
from weir.logs.darshan_log import NotYet, Place, Source
from weir.shipping.decoding import Decoder, Task
from weir.shipping.directories import DAY
from weir.shipping.memory import State

NAME = "me_sim_id77-123_11-21-43200-987654321"
WHOLE, PARTIAL = f"{NAME}_60.darshan", f"{NAME}.darshan_partial"


@pytest.fixture(scope="module")
def decoder(tmp_path_factory):
    with Decoder(tmp_path_factory.mktemp("decoded"), 2, 30) as decoder:
        yield decoder


@pytest.fixture
def center(tmp_path, decoder):
    with shipping_site.center(tmp_path, decoder) as center:
        yield center


def test_an_ended_job_is_shipped_told_of_and_taken_out_of_the_spool(center):
    content = center.put(WHOLE).read_bytes()
    center.end_job()
    published = center.run()
    assert published.log_ids() == [identity.log_id(content)]
    assert published.manifests() == [(77, True, 1)]
    assert center.spool.names() == []


def test_nothing_is_shipped_twice_not_even_by_another_daemon_that_remembers(center, decoder):
    center.put(WHOLE)
    center.end_job()
    first = len(center.run().messages)
    center.now += 700
    with shipping_site.center(center.root, decoder) as again:
        again.now = center.now
        assert again.run().messages == []
    assert len(center.run().messages) == first


def test_a_job_without_a_log_has_an_empty_manifest(center):
    center.end_job()
    assert center.run().manifests() == [(77, True, 0)]


def test_a_log_whose_hook_never_ran_is_found_by_the_sweep(center):
    center.put(WHOLE)
    assert len(center.run().log_ids()) == 1
    assert center.publisher.manifests() == []


def test_a_log_that_comes_late_reopens_the_manifest_with_a_higher_version(center):
    center.end_job()
    center.run()
    center.put(WHOLE)
    center.shipper.sweep_now()
    center.run()
    assert center.publisher.manifests() == [(77, True, 0), (77, True, 1)]
    early, late = center.publisher.of("weir.job.manifest")
    # their versions are whole seconds, and the clock stood still
    assert late["scan_time"] - early["scan_time"] >= timedelta(seconds=1)


@pytest.mark.parametrize("hook_off", [-600, 0, 600])
def test_logs_on_both_sides_of_midnight(center, hook_off):
    """A job from 23:50 to 00:20 of the center's time, on a machine that lives in UTC."""
    start = NOON + 12 * HOUR - 600
    center.now = start + 1900
    center.put(WHOLE, start=start)
    center.put(WHOLE.replace("11-21-43200", "11-22-600"), start=start + 1200)
    assert sorted(str(f.relative_to(center.logs).parent) for f in center.logs.rglob("*.darshan")) == [
        "2026/11/21",
        "2026/11/22",
    ]
    center.shipper._next_sweep = float("inf")  # the hook alone
    center.end_job(start=start + hook_off, end=start + 1800 + hook_off)
    assert center.run().manifests() == [(77, True, 2)]


def test_daylight_saving_and_the_year_boundary_do_not_hide_a_day(center):
    end = NOON + 41 * DAY  # New Year's Day
    start = end - 3 * DAY
    for number in range(4):
        name = WHOLE.replace("987654321", str(number))
        center.put(name, start=start + number * DAY)
    center.now = end + 100
    center.shipper._next_sweep = float("inf")
    center.end_job(start=start, end=end)
    assert center.run().manifests() == [(77, True, 4)]


def test_a_partial_log_waits_for_the_grace_and_is_superseded_by_the_whole(center):
    partial = center.put(PARTIAL)
    center.end_job()
    assert center.run().log_ids() == []
    assert center.publisher.manifests() == [(77, False, 0)]
    assert len(center.spool.names()) == 1
    center.now = NOON + HOUR + 601
    center.run()
    (first,) = center.publisher.log_ids()
    assert center.publisher.manifests()[-1] == (77, True, 1)
    assert center.spool.names() == []
    partial.unlink()
    center.put(WHOLE, records=5)
    center.shipper.sweep_now()
    center.run()
    assert [header["supersedes"] for header in center.publisher.headers()] == [None, first]
    newest = center.publisher.of("weir.job.manifest")[-1]
    assert newest["log_ids"] == center.publisher.log_ids()[1:]


def test_a_partial_log_that_becomes_whole_within_the_grace_is_never_shipped_as_partial(center):
    partial = center.put(PARTIAL)
    center.end_job()
    center.run()
    partial.rename(partial.with_name(WHOLE))
    center.run()
    assert [header["file_name"] for header in center.publisher.headers()] == [WHOLE]
    assert center.publisher.manifests() == [(77, False, 0), (77, True, 1)]


def test_a_rename_alone_supersedes_nothing(center):
    partial = center.put(PARTIAL)
    center.end_job()
    center.now = NOON + 2 * HOUR
    center.run()
    partial.rename(partial.with_name(WHOLE))
    center.shipper.sweep_now()
    center.run()
    assert len(center.publisher.headers()) == 1


def test_another_user_cannot_have_a_run_superseded(center):
    center.put(PARTIAL)
    center.end_job()
    center.now = NOON + 2 * HOUR
    center.run()
    center.put(WHOLE, job_id=78)  # by its name the same log
    center.shipper.sweep_now()
    center.run()
    assert [header["supersedes"] for header in center.publisher.headers()] == [None, None]


@pytest.mark.parametrize(
    ("hook_uid", "log_uid", "told"), [(None, USER + 1, "the log"), (USER + 1, USER, "the scheduler")]
)
def test_a_log_that_is_not_its_users_is_quarantined(center, hook_uid, log_uid, told):
    center.put(WHOLE, uid=log_uid)
    if hook_uid:
        center.end_job(uid=hook_uid)
    published = center.run()
    assert published.log_ids() == []
    (reason,) = published.reasons()
    assert reason == f"the file belongs to user {USER}, job 77 to {USER + 1} as {told} says"
    (known,) = center.memory.in_state(State.quarantined)
    assert (known.name, known.reason) == (WHOLE.encode(), reason)
    assert not any(ids for *_, ids in published.manifests())


def test_in_a_trusted_archive_the_owner_does_not_matter(tmp_path, decoder):
    with shipping_site.center(tmp_path, decoder, owner_check="trusted_archive") as center:
        center.put(WHOLE, uid=USER + 1)
        assert len(center.run().log_ids()) == 1


def test_links_fifos_and_other_files_are_refused_and_untouched(center):
    secret = center.root / "secret"
    secret.write_text("root:secret")
    log = center.put(WHOLE)
    other = [log.with_name(f"me_sim_id77-{i}_11-21-4-5_6.darshan") for i in range(4)]
    other[0].symlink_to(secret)
    other[1].hardlink_to(secret)
    os.mkfifo(other[2])
    other[3].mkdir()
    published = center.run()
    center.now += 100
    for _ in range(6):
        center.now += 600
        center.run()
    assert len(published.log_ids()) == 1
    assert sorted(published.reasons()) == [
        "a symbolic link is not followed",
        "it has 2 names (hard links); a log has one",
        "not a regular file",
        "not a regular file",
    ]
    assert secret.read_text() == "root:secret"
    assert b"secret" not in b"".join(message for *_, message in published.messages)


def test_a_link_in_place_of_a_folder_is_not_followed(center, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    center.put(WHOLE).parent.rename(elsewhere)
    (center.logs / "2026/11/21").symlink_to(elsewhere)
    for _ in range(6):
        center.now += 600
        center.run()
    assert center.publisher.log_ids() == []
    (reason,) = center.publisher.reasons()
    assert reason in ("a symbolic link is not followed", "Not a directory")


def test_a_log_that_still_grows_is_shipped_once_it_is_whole(center):
    content = log_bytes(records=200)
    center.put(WHOLE, content[:-200], written=center.now)
    center.end_job()
    assert center.run().log_ids() == []
    assert center.publisher.manifests() == [(77, False, 0)]
    center.now += 30
    center.put(WHOLE, content, written=center.now)
    center.now += 31
    center.run()
    assert center.publisher.log_ids() == [identity.log_id(content)]
    assert center.publisher.manifests()[-1] == (77, True, 1)
    assert center.publisher.reasons() == []


def test_a_damaged_log_is_shipped_as_far_as_it_goes_and_mended_by_a_better_one(center):
    content = log_bytes(records=200)
    center.put(WHOLE, content[:-200])
    center.run()
    (cut,) = center.publisher.log_ids()
    assert len(center.publisher.reasons()) == 1
    center.put(WHOLE, content, written=center.now)
    center.shipper.sweep_now()
    center.run()
    assert [header["supersedes"] for header in center.publisher.headers()] == [None, cut]


def test_a_log_that_cannot_be_read_yet_is_tried_again(center, monkeypatch):
    log = center.put(WHOLE, written=NOON)
    if os.getuid() == 0:
        pytest.skip("root may read every file")
    log.chmod(0)
    center.end_job()
    assert center.run().manifests() == [(77, False, 0)]
    log.chmod(0o400)
    center.now += 31
    assert center.run().manifests()[-1] == (77, True, 1)


def test_what_kafka_did_not_acknowledge_is_not_remembered(center):
    center.put(WHOLE)
    center.end_job()
    center.publisher.fail = KafkaException(KafkaError(KafkaError._ALL_BROKERS_DOWN))
    with pytest.raises(KafkaException):
        center.run()
    assert center.memory.counts() == {}
    assert len(center.spool.names()) == 1
    assert list(center.shipper._decoder.work.iterdir()) == []
    center.publisher = shipping_site.Recorder()
    center.run()
    assert len(center.publisher.log_ids()) == 1
    assert center.publisher.manifests() == [(77, True, 1)]


TOO_LARGE = KafkaError(KafkaError.MSG_SIZE_TOO_LARGE, "Broker: Message size too large")


def test_a_log_that_kafka_refuses_waits_for_people_and_its_neighbor_is_shipped(center):
    bad = identity.log_id(center.put(WHOLE).read_bytes())
    good = identity.log_id(center.put(WHOLE.replace("9876", "1"), records=5).read_bytes())
    center.publisher.refusals = {("weir.darshan.log", bad): TOO_LARGE}
    center.end_job()
    center.run()
    assert center.publisher.log_ids() == [good]
    assert center.publisher.manifests() == [(77, True, 1)]
    assert center.publisher.reasons() == ["Kafka refuses it: Broker: Message size too large"]
    assert center.spool.names() == []
    (known,) = center.memory.in_state(State.refused)
    assert known.reason == "Broker: Message size too large"
    sent = len(center.publisher.messages)
    center.publisher.refusals = {}
    center.now += 700
    assert len(center.run().messages) == sent
    center.memory.retry([known])
    assert sorted(center.run().log_ids()) == sorted([good, bad])
    assert center.publisher.manifests()[-1] == (77, True, 2)


def test_a_manifest_that_kafka_refuses_ends_its_job_until_it_is_retried(center):
    center.put(WHOLE)
    center.end_job(77)
    center.end_job(78)
    center.publisher.refusals = {("weir.job.manifest", "lab/77"): TOO_LARGE}
    center.run()
    assert center.publisher.manifests() == [(78, True, 0)]
    assert center.spool.names() == []
    (job,) = center.memory.refused_jobs()
    assert (job.job_id, job.reason) == (77, "Broker: Message size too large")
    center.publisher.refusals = {}
    assert center.run().manifests() == [(78, True, 0)]
    center.memory.retry([], [job])
    assert center.run().manifests() == [(78, True, 0), (77, True, 1)]
    assert center.memory.refused_jobs() == []


class Letterless(shipping_site.Recorder):
    """Before a Kafka that has no topic for dead letters."""

    def settle(self):
        if any(topic == "weir.dead-letter" for topic, *_ in self.queued):
            raise KafkaException(KafkaError(KafkaError.UNKNOWN_TOPIC_OR_PART))
        return super().settle()


def test_sound_logs_are_done_even_where_no_dead_letter_can_be_written(center):
    center.put(WHOLE)
    center.put(WHOLE.replace("9876", "1"), b"no log at all")
    center.publisher = Letterless()
    with pytest.raises(KafkaException):
        center.run()
    assert center.memory.counts() == {"shipped": 1}
    center.publisher = shipping_site.Recorder()
    center.shipper.sweep_now()
    assert len(center.run().reasons()) == 1


def test_nodes_that_tell_of_one_job_each_make_one_manifest(center):
    for node in range(5):
        center.end_job(end=NOON + HOUR + node, number=node)
    assert center.run().manifests() == [(77, True, 0)]
    assert center.spool.names() == []


def test_a_job_id_that_is_used_again_makes_two_manifests(center):
    center.put(WHOLE)
    center.end_job()
    center.run()
    center.put(WHOLE.replace("987654321", "1"), start=NOON + 4 * HOUR)
    center.end_job(start=NOON + 4 * HOUR, end=NOON + 5 * HOUR)
    center.now = NOON + 5 * HOUR
    center.run()
    one, two = center.publisher.of("weir.job.manifest")
    assert len(one["log_ids"]) == len(two["log_ids"]) == 1
    assert one["log_ids"] != two["log_ids"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"job_id": "1; rm"}', '{"job_id": -1, "noted": 1}', '{"noted": 1e300}']
)
def test_an_entry_that_is_none_is_set_aside_and_stops_nobody(center, text):
    (center.spool.folder / "0-bad.json").write_text(text)
    center.put(WHOLE)
    center.end_job()
    assert center.run().manifests() == [(77, True, 1)]
    assert center.spool.bad() == ["0-bad.json.bad"]


def test_an_entry_that_is_a_link_is_not_followed(center):
    (center.spool.folder / "0.json").symlink_to("/etc/passwd")
    center.run()
    assert center.spool.bad() == ["0.json.bad"]


@pytest.mark.parametrize(
    ("layout", "folder"),
    [("flat", "."), ("job", "77"), ("year/month/day", "."), ("year/month/day", "2026/11/21")],
)
def test_every_layout(tmp_path, decoder, layout, folder):
    with shipping_site.center(tmp_path, decoder, layout=layout) as center:
        log = center.put(WHOLE)
        place = center.logs / folder
        place.mkdir(exist_ok=True)
        log.rename(place / ("run.darshan" if layout == "job" else WHOLE))
        center.shipper._next_sweep = float("inf")
        center.end_job()
        assert center.run().manifests() == [(77, True, 1)]


def test_what_is_older_than_the_sweep_is_left_to_back_fill(tmp_path, decoder):
    with shipping_site.center(tmp_path, decoder, layout="flat") as center:
        center.put(WHOLE, written=NOON - 9 * DAY).replace(center.logs / WHOLE)
        assert center.run().log_ids() == []
        assert center.memory.counts() == {State.left_out: 1}


def test_a_backlog_goes_out_oldest_job_first(tmp_path, decoder, monkeypatch):
    monkeypatch.setattr("weir.shipping.daemon.LOGS", 4)
    with shipping_site.center(tmp_path, decoder) as center:
        for number in range(20):
            job = 1000 - number
            center.put(f"me_sim_id{job}-1_11-21-1-{number}_6.darshan", job_id=job, records=number + 1)
            center.end_job(job_id=job, end=NOON + 100 * number)
        published = center.run()
        assert [header["job_id"] for header in published.headers()] == [1000 - n for n in range(20)]
        assert sorted(published.manifests()) == [(981 + n, True, 1) for n in range(20)]


def test_damaged_logs_never_stop_it(center):
    """F11, F12: each is shipped, shipped in part, or quarantined with a reason."""
    contents = darshan_mutations.corpus(1 << 16, step=11)
    chance = random.Random(5)
    damaged = [darshan_mutations.damaged(chance, contents[i % len(contents)])[1] for i in range(150)]
    for number, content in enumerate(damaged):
        center.put(f"me_sim_id77-{number}_11-21-1-{number}_6.darshan", content)
    center.run()
    counts = center.memory.counts()
    assert sum(counts.values()) == len(damaged)
    assert set(counts) <= {State.shipped, State.damaged, State.quarantined}
    assert len(center.publisher.reasons()) >= counts[State.quarantined]
    assert all(known.reason for known in center.memory.in_state(State.quarantined))


def test_a_retry_is_put_off_and_ends_in_the_quarantine(tmp_path):
    with Decoder(tmp_path / "decoded", 1, 0.05) as hasty, shipping_site.center(tmp_path, hasty) as center:
        center.put(WHOLE, heavy())
        for attempt in range(4):
            assert center.publisher.reasons() == []
            center.run()
            assert bool(center.memory.in_state(State.waiting)) == (attempt < 3)
            center.now += 3600
        assert center.publisher.reasons() == ["decoding took longer than 0.05 s"]


def heavy():
    log = LogWriter(nprocs=64, uid=USER, jobid=77, start=(int(NOON), 0), end=(int(NOON) + 9, 0))
    many_files(log, 200_000)
    return log.to_bytes()


def test_a_log_that_needs_too_much_memory_is_refused_and_the_next_is_read(tmp_path):
    big, small = tmp_path / "big.darshan", tmp_path / "small.darshan"
    big.write_bytes(heavy())
    small.write_bytes(log_bytes())
    with Decoder(tmp_path / "decoded", 1, 60, 110 << 20) as decoder:
        refused, decoded = [result for _, result in decoder.decode(map(task, (big, small)))]
        assert refused.reason == "decoding needs more than 110 MB of memory"
        assert len(list(decoded.read())) == 3
        assert list(decoder.work.iterdir()) == []


def test_a_process_that_dies_costs_one_log(tmp_path):
    big, small = tmp_path / "big.darshan", tmp_path / "small.darshan"
    big.write_bytes(heavy())
    small.write_bytes(log_bytes())

    def tasks(decoder):
        yield task(big)
        shipping_site.wait_for(lambda: any(decoder.work.iterdir()))
        (child,) = set(multiprocessing.active_children()) - others
        child.kill()
        yield task(small)

    others = set(multiprocessing.active_children())
    with Decoder(tmp_path / "decoded", 1, 60) as decoder:
        died, decoded = [result for _, result in decoder.decode(tasks(decoder))]
        assert died.reason == "the process that decoded it died (exit code -9)"
        assert isinstance(died, NotYet)
        assert len(list(decoded.read())) == 3
        assert list(decoder.work.iterdir()) == []


def task(path):
    return Task(Place.of(path), Source("lab", "strict"), "live")


def test_retry_and_purge(center):
    log = center.put(WHOLE, b"no log at all")
    center.run()
    assert center.publisher.reasons()
    log.write_bytes(log_bytes())
    os.utime(log, (NOON, NOON))
    center.memory.retry(center.memory.in_state(State.quarantined))
    assert len(center.run().log_ids()) == 1
    bad = center.put(WHOLE.replace("9876", "1"), b"no log at all")
    center.shipper.sweep_now()
    center.run()
    center.memory.leave_out(center.memory.in_state(State.quarantined))
    center.shipper.sweep_now()
    center.run()
    assert len(center.publisher.reasons()) == 2
    assert bad.read_bytes() == b"no log at all"


def test_names_and_command_lines_are_reduced_as_the_site_says(tmp_path, decoder):
    privacy = {"paths": "directory_and_hash"}
    with shipping_site.center(tmp_path, decoder, privacy=privacy) as center:
        center.put(WHOLE)
        center.put(WHOLE.replace("9876", "1"), b"3.41\0\0\0\0 secret" + bytes(4000))
        published = center.run()
        batches = [m["body"] for m in published.of("weir.darshan.log") if "names" in m["body"]]
        assert batches[0]["names"][0] == "/scratch/" + identity.text_hash(b"/scratch/f0")
        sent = b"".join(message for *_, message in published.messages)
        assert b"secret" not in sent.replace(b"3.41\0\0\0\0 secret", b"")
        assert published.headers()[0]["exe"] == "sim"


def test_a_round_that_fails_keeps_what_was_told(center):
    log = center.put(WHOLE)
    center.shipper._next_sweep = float("inf")
    center.shipper.noticed(os.fsencode(log.parent), os.fsencode(log.name))
    center.publisher.fail = KafkaException(KafkaError(KafkaError._ALL_BROKERS_DOWN))
    with pytest.raises(KafkaException):
        center.run()
    center.publisher.fail = None
    assert len(center.run().log_ids()) == 1
