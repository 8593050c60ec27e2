"""The live source of Slurm's records: recorded output of sacct, a broker in the process, many faults."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import mock_kafka
import pytest
from confluent_kafka import Producer
from weir import wire
from weir.agents.config import Scheduler
from weir.agents.scheduler_jobcomp import Jobcomp, of_message
from weir.agents.scheduler_memory import SchedulerMemory
from weir.agents.scheduler_slurm import Slurm
from weir.agents.scheduler_source import Records
from weir.errors import Refused, UserError

CLUSTER = "labcluster"
TOPIC = "weir.scheduler.job"


@pytest.fixture
def kafka():
    with mock_kafka.running() as cluster:
        yield cluster


class Site:
    """A cluster whose sacct replays a recording, and the agent."""

    def __init__(self, folder, recorded, kafka):
        self.folder, self.kafka = folder, kafka
        self.recording = folder / "sacct.psv"
        self.recording.write_text((recorded / "sacct.psv").read_text())
        program = folder / "sacct"
        replay = Path(__file__).parent / "sacct_replay.py"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -S {replay} {self.recording} "$@"\n')
        program.chmod(0o755)
        self.own = Scheduler(sacct=program, lookback_seconds=86_400)
        self.truth = {row["JobIDRaw"]: row for row in self.rows()}
        self.restart()

    def rows(self):
        names, *lines = (line.split("|") for line in self.recording.read_text().splitlines())
        return [dict(zip(names, line, strict=True)) for line in lines]

    def restart(self, **options):
        self.memory = SchedulerMemory(self.folder / "memory.sqlite", CLUSTER)
        self.records = Records(self.kafka.options | options, CLUSTER, self.memory)
        self.slurm = Slurm(self.own, CLUSTER, self.memory, self.folder)

    def look(self, now):
        return self.records.take(self.slurm, now)

    def late(self, **told):
        (self.folder / "late.json").write_text(json.dumps(told))

    def calls(self):
        file = self.folder / "calls.jsonl"
        calls = [json.loads(line) for line in file.read_text().splitlines()]
        file.unlink()
        return calls

    def jobs(self):
        """Every message in its order, by job id."""
        found = {}
        for key, value in self.kafka.messages(TOPIC):
            job = wire.decode(value)[1]
            assert key == f"{CLUSTER}/{job['job_id']}"
            found.setdefault(str(job["job_id"]), []).append(job)
        return found


@pytest.fixture
def site(tmp_path, recorded, kafka):
    return Site(tmp_path, recorded, kafka)


def second(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def looks(site, step=60):
    """Through the whole recording."""
    first = min(second(row["Submit"]) for row in site.truth.values())
    last = max(second(row["End"]) for row in site.truth.values())
    now = first - 3 * step + 7
    while now < last + 2 * step:
        yield now
        now += step


def newest(jobs):
    """What ClickHouse keeps of one job."""
    return max(jobs, key=lambda job: (job["state_rank"], job["version"]))


def test_every_job_arrives_as_it_ended_and_nothing_twice(site):
    for now in looks(site):
        assert site.look(now)
    jobs = site.jobs()
    assert jobs.keys() == site.truth.keys()
    for job_id, row in site.truth.items():
        job = newest(jobs[job_id])
        assert job["state"] == row["State"].split()[0]
        assert job["end_time"].timestamp() == second(row["End"])
        assert (job["user"], job["uid"], job["nodes"]) == (row["User"], int(row["UID"]), int(row["NNodes"]))
        states = [each["state_rank"] for each in jobs[job_id]]
        assert states == sorted(set(states))
        assert {each["job_uid"] for each in jobs[job_id]} == {job["job_uid"]}
        assert {each["origin"] for each in jobs[job_id]} == {"live"}
    sent = sum(map(len, jobs.values()))
    site.restart()
    assert site.look(list(looks(site))[-1])
    assert sum(map(len, site.jobs().values())) == sent


def test_a_look_overlaps_the_last_one_and_a_sweep_goes_back_a_day(site):
    first = next(looks(site))
    for minute in (0, 1, 61):
        assert site.look(first + 60 * minute)
    windows = [(second(c["--starttime"]), second(c["--endtime"])) for c in site.calls() if "--starttime" in c]
    assert windows[0] == pytest.approx((first - 86_400, first), abs=1)  # the first one, as far as it may
    assert windows[1] == pytest.approx((first - 600, first + 60), abs=1)
    assert windows[2] == pytest.approx((first + 3660 - 86_400, first + 3660), abs=1)


def test_a_long_absence_is_made_good_up_to_the_configured_limit(site):
    first = next(looks(site))
    assert site.look(first)
    assert site.look(first + 30 * 86_400)
    assert second(site.calls()[-1]["--starttime"]) == pytest.approx(first + 29 * 86_400, abs=1)


def test_an_end_that_slurmdbd_learns_too_late_for_the_window_is_asked_for_by_id(site):
    job_id, row = next(iter(site.truth.items()))
    start = second(row["Start"])
    site.late(**{job_id: start + 90_000})  # more than a day
    for now in (start + 1, start + 60, start + 90_060):
        assert site.look(now)
    site.late(now="2026-11-23T09:00:00")
    assert site.look(start + 93_700)
    assert newest(site.jobs()[job_id])["state"] == row["State"]
    assert job_id in next(call["--jobs"] for call in site.calls() if "--jobs" in call).split(",")


def test_nothing_is_taken_for_done_that_kafka_did_not_acknowledge(site):
    now = list(looks(site))[-1]
    site.restart(**{"message.timeout.ms": "2000"})
    site.kafka.down()
    assert not site.look(now)
    assert site.memory.position("sacct") is None
    site.kafka.up()
    assert site.look(now)
    assert site.jobs().keys() == site.truth.keys()


def test_a_job_that_kafka_refuses_becomes_a_dead_letter_and_the_rest_arrives(site):
    lines = site.recording.read_text().splitlines()
    row = dict(zip(lines[0].split("|"), lines[3].split("|"), strict=True))
    lines[3] += "x" * 9000
    site.recording.write_text("\n".join(lines) + "\n")
    site.restart(**{"message.max.bytes": "8000"})
    for now in looks(site):
        assert site.look(now)
    assert site.jobs().keys() == site.truth.keys() - {row["JobIDRaw"]}
    letters = [wire.decode(value)[1] for _, value in site.kafka.messages("weir.dead-letter")]
    assert {letter["position"] for letter in letters} == {f"job {CLUSTER}/{row['JobIDRaw']}"}
    assert "Message size too large" in letters[0]["reason"]


@pytest.mark.parametrize("fault", ["down", "hangs", "missing", "no header"])
def test_sacct_that_fails_is_asked_for_the_same_again(site, fault):
    good, now = site.own, list(looks(site))[-1]
    if fault == "down":
        site.late(down=True)
    elif fault == "hangs":
        site.own.sacct.write_text("#!/bin/sh\nexec sleep 100\n")
        site.own = good.model_copy(update={"sacct_seconds": 0.2})
    elif fault == "missing":
        site.own = good.model_copy(update={"sacct": Path("/nowhere/sacct")})
    else:
        site.own.sacct.write_text("#!/bin/sh\n")
    site.restart()
    assert not site.look(now)
    assert site.memory.position("sacct") is None
    assert list(site.folder.glob("sacct-*")) == []


def test_what_is_not_understood_becomes_one_dead_letter_and_the_rest_arrives(site):
    lines = site.recording.read_text().splitlines()
    lines[3] = lines[3].replace("COMPLETED", "EXPLODED")
    site.recording.write_text("\n".join(lines) + "\n")
    for now in list(looks(site))[-3:]:
        assert site.look(now)
    ((key, value),) = site.kafka.messages("weir.dead-letter")
    letter = wire.decode(value)[1]
    assert (key, letter["source"], letter["file"]) == ("sacct", "sacct", str(site.own.sacct))
    assert "'EXPLODED' is no state of Slurm" in letter["reason"]
    assert b"EXPLODED" in letter["bytes"]
    assert len(site.jobs()) == len(site.truth) - 1


def test_tasks_that_wait_have_no_id_yet(site):
    header, line, *_ = site.recording.read_text().splitlines()
    waiting = line.replace("8|8|", "8_[4-9]|8|", 1)
    site.recording.write_text(f"{header}\n{waiting}\n{line.replace('8|8|', '8_3|9|', 1)}\n")
    assert site.look(list(looks(site))[-1])
    ((told,),) = site.jobs().values()
    assert (told["job_id"], told["array_id"], told["array_index"]) == (9, 8, 3)


def test_a_correction_of_the_same_second_wins(site):
    """The account of a job is mended after its end: Slurm tells no new time."""
    *_, before, now = looks(site)
    assert site.look(before)
    job_id, row = list(site.truth.items())[-1]
    text = site.recording.read_text()
    line = next(each for each in text.splitlines() if each.startswith(f"{job_id}|"))
    site.recording.write_text(text.replace(line, line.replace(f"|{row['Account']}|", "|mended|")))
    assert site.look(now)
    first, second_ = site.jobs()[job_id]
    assert (first["account"], second_["account"]) == (row["Account"], "mended")
    assert second_["version"] == first["version"] + 1


def test_a_relative_path_to_sacct_is_refused(site):
    with pytest.raises(UserError, match="absolute path"):
        Slurm(Scheduler(sacct=Path("sacct")), CLUSTER, site.memory, site.folder)


# --- jobcomp/kafka: fields and forms of jobcomp_common_job_record_to_data of Slurm 25.11 ------------------


def completion(row, **changes):
    """The message that the plugin sends of a recorded job."""
    user, nodes = row["User"], int(row["NNodes"])
    code = {"exit_code": row["ExitCode"], "derived_ec": "0:0"}
    return {
        "jobid": int(row["JobIDRaw"]), "sluid": "s1", "container": None, "username": user,
        "user_id": int(row["UID"]), "groupname": "root", "group_id": 0, "@start": row["Start"],
        "@end": row["End"], "elapsed": 3, "partition": row["Partition"], "alloc_node": "login",
        "nodes": row["NodeList"], "total_cpus": int(row["NCPUS"]), "total_nodes": nodes, **code,
        "state": row["State"].split()[0], "failed_node": None, "cpu_hours": 0.01, "priority": 1,
        "@submit": row["Submit"], "@eligible": row["Eligible"], "@queue_wait": 0, "work_dir": "/s",
        "cluster": CLUSTER, "qos": row["QOS"], "ntasks": 1, "time_limit": 600, "job_name": row["JobName"],
        "account": row["Account"], "parent_accounts": "/root", **changes,
    }  # fmt: skip


def taken(site, jobcomp, most):
    """So many messages, which may come one by one."""
    for _ in range(60):
        if jobcomp.wait(0.5):
            most -= len(jobcomp._messages)
            assert site.records.take(jobcomp, 0)
            jobcomp.commit()
        if most == 0:
            return
    pytest.fail(f"{most} messages did not come")


def test_jobcomp_tells_the_end_at_once_and_sacct_has_the_last_word(site):
    job_id, row = next(iter(site.truth.items()))
    assert site.look(second(row["Start"]) + 1)
    producer = Producer(site.kafka.options)
    producer.produce("slurm", json.dumps(completion(row, qos="other")).encode())
    producer.produce("slurm", b"{")
    producer.flush()
    jobcomp = Jobcomp(site.kafka.options, "slurm", CLUSTER, site.memory)
    taken(site, jobcomp, 2)
    running, at_once = site.jobs()[job_id]
    assert (running["state"], at_once["state"], at_once["qos"]) == ("RUNNING", row["State"], "other")
    assert at_once["job_uid"] == running["job_uid"]
    assert site.look(second(row["End"]) + 60)
    assert newest(site.jobs()[job_id])["qos"] == row["QOS"]
    # one that comes after sacct's record says nothing new
    producer.produce("slurm", json.dumps(completion(row, qos="other")).encode())
    producer.flush()
    taken(site, jobcomp, 1)
    jobcomp.close()
    assert newest(site.jobs()[job_id])["qos"] == row["QOS"]
    assert len(site.kafka.messages("weir.dead-letter")) == 1


def test_a_completion_is_what_sacct_says_of_the_same_job(site):
    told = {
        str(job["job_id"]): job
        for job in site.slurm.look(list(looks(site))[-1])
        if not isinstance(job, Refused)
    }
    for job_id, row in site.truth.items():
        array, _, task = row["JobID"].partition("_")
        extra = {"array_job_id": int(array), "array_task_id": int(task)} if task else {}
        job = of_message(json.dumps(completion(row, **extra)).encode(), CLUSTER)
        differs = {name for name in job if job[name] != told[job_id][name]}
        assert differs <= {"cancelled_by", "time_limit_seconds", "node_list", "start_time"}, job_id


def test_starts_and_resizes():
    row = dict.fromkeys(("State", "ExitCode", "User", "Partition", "NodeList", "QOS", "Account"), "x") | {
        "JobIDRaw": "7", "UID": "1", "NNodes": "1", "NCPUS": "2", "JobName": "n",
    } | dict.fromkeys(("Submit", "Start", "End", "Eligible"), "2026-11-21T07:59:10")  # fmt: skip
    started = completion(row, state=None)
    del started["@end"], started["exit_code"]
    job = of_message(json.dumps(started).encode(), CLUSTER)
    assert (job["state"], job["end_time"], job["exit_code"]) == ("RUNNING", None, None)
    assert (
        of_message(json.dumps(completion(row, state="RESIZING", exit_code="0:0")).encode(), CLUSTER) is None
    )


@pytest.mark.parametrize(
    "message", [b"", b"[]", b'{"jobid": "7"}', b'{"jobid": 7}', b'{"@end": "soon"}', b"\xff", b"3" * 5000]
)
def test_what_is_no_completion(message):
    with pytest.raises(ValueError):
        of_message(message, CLUSTER)
