"""Jobs of a real Slurm, from sbatch to the rows: the epilog calls the hook, the agents do the rest."""

import csv
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import psutil
import pytest
import yaml
from weir_embedded import supervisor

from . import cluster

ROOT = Path(__file__).parents[2]
NAME = "slurmtest"
LEAVE_LOG = Path(__file__).with_name("leave_log.py")
LOG_NAME = re.compile(r".*_id(\d+)-\d+_\d+-\d+-(\d+)-.*")
SUBMITS = 10  # 3 of the array, 2 of the requeued one; the accounting hears of a submit a moment late
FIELDS = "JobID,JobIDRaw,State,Submit,Start,End,NNodes,UID"  # in the order of the query below


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("slurm")


@pytest.fixture(scope="module")
def slurm(folder):
    absent = cluster.missing()
    if absent:
        why = f"not installed: {', '.join(absent)} (Debian's packages: see cluster.py)"
        if os.environ.get("WEIR_REQUIRE_ALL"):
            pytest.fail(why)
        pytest.skip(why)
    spool = folder / "spool/jobs"
    spool.mkdir(parents=True)
    epilog = folder / "epilog"
    epilog.write_text(
        f"#!/bin/sh\nexec /usr/bin/python3 -IS {ROOT}/ingest/hook/weir_job_end.py --spool {spool}\n"
    )
    epilog.chmod(0o755)
    with cluster.running(NAME, folder / NAME, epilog) as running:
        yield running


@pytest.fixture(scope="module")
def config(folder, slurm, stack, weir):
    """The agents' file; the site is published."""
    site = {
        "cluster": NAME,
        "time_zone": "UTC",
        "scheduler": "slurm",
        "cores_per_node": {"default": 8},
        "file_systems": [{"id": "scratch", "kind": "local_disk", "mount_prefixes": ["/scratch"]}],
        "servers": [],
        "log_directories": [
            {"path": str(folder / "logs"), "layout": "year/month/day", "owner_check": "strict"}
        ],
    }
    (folder / "logs").mkdir()
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    weir("site", "publish", folder / "site.yaml")
    agent = {
        "site": str(folder / "site.yaml"),
        "kafka": stack.kafka_of("agent"),
        "spool": str(folder / "spool"),
        "state": str(folder / "state"),
        "ship": {"metrics_port": 0},
        "scheduler": {
            "metrics_port": 0,
            "interval_seconds": 1,
            "slurm_conf": slurm.env["SLURM_CONF"],
        },
    }
    (folder / "state").mkdir()
    (folder / "agent.yaml").write_text(yaml.safe_dump(agent))
    return folder / "agent.yaml"


@contextmanager
def agent(weir, config, *words):
    """A running agent; at its end it must end well."""
    log = config.with_name(f"{words[-1]}.log").open("ab")
    env = weir.env | {"WEIR_AGENT_CONFIG": str(config)}
    process = subprocess.Popen([weir.program, "agent", *words], env=env, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        assert process.wait(60) == 0, log.name


@pytest.fixture(scope="module")
def agents(weir, config):
    with agent(weir, config, "ship"), agent(weir, config, "scheduler"):
        yield


@pytest.fixture(scope="module")
def script(folder):
    """Writes a batch script of some lines; `LOG seconds` leaves a log of the program's run."""

    def script(name, *lines):
        log = f'LOG() {{ "{sys.executable}" {LEAVE_LOG} {folder}/logs "$@"; }}'
        file = folder / f"{name}.sh"
        file.write_text("\n".join(["#!/bin/sh", log, *lines, ""]))
        return file

    return script


@pytest.fixture(scope="module")
def submitted(slurm, agents, script, eventually):
    """Job id by what the job is; all have ended."""
    python = f"{sys.executable} {LEAVE_LOG} {script('x').parent}/logs"
    steps = "\n".join(f"srun --ntasks=1 {python} 0.3 {step}" for step in range(8))
    jobs = {
        "plain": slurm.submit(script("plain", "LOG 1")),
        "silent": slurm.submit(script("silent", "true")),
        "two nodes": slurm.submit(script("two", "LOG 1"), "--nodes=2"),
        "steps": slurm.submit(script("steps", steps)),
        "array": slurm.submit(script("array", "LOG 0.5"), "--array=1-3"),
        "killed": slurm.submit(script("killed", "LOG 0.5", "sleep 300")),
        "requeued": slurm.submit(
            script("requeued", "LOG 0.5", '[ "$SLURM_RESTART_COUNT" ] || sleep 300'), "--requeue"
        ),
    }
    left = folder_of(script)
    eventually(lambda: logs_of(left, jobs["killed"]))
    slurm.run("scancel", jobs["killed"])
    eventually(lambda: logs_of(left, jobs["requeued"]))
    slurm.run("scontrol", "requeue", jobs["requeued"])
    # Slurm lets a requeued job wait for two minutes; a node refuses one in the second of its first end
    pending = ("squeue", "--noheader", "--states=PENDING", f"--jobs={jobs['requeued']}")
    eventually(lambda: slurm.run(*pending))
    slurm.run("scontrol", "update", f"JobId={jobs['requeued']}", "StartTime=now+3")
    eventually(lambda: not slurm.run("squeue", "--noheader"))
    return jobs


def folder_of(script):
    return script("x").parent / "logs"


def logs_of(folder, job_id):
    return list(folder.rglob(f"*_id{job_id}-*.darshan"))


@pytest.fixture(scope="module")
def sacct(slurm, submitted, eventually):
    """What sacct says of every submit of every job, requeued ones too, once its database has their ends."""

    def ended():
        told = slurm.run("sacct", "--parsable2", "--allocations", "--duplicates", f"--format={FIELDS}")
        rows = list(csv.DictReader(told.splitlines(), delimiter="|"))
        return rows if len(rows) == SUBMITS and all(row["End"] != "Unknown" for row in rows) else []

    return eventually(ended)


def test_every_submit_of_every_job_is_there_as_sacct_has_it(sacct, sql, eventually):
    def landed():
        times = ", ".join(
            f"formatDateTime({each}_time, '%FT%T') AS {each}" for each in ("submit", "start", "end")
        )
        columns = f"job_display_id, toString(job_id), state, {times}, toString(nodes), toString(uid)"
        rows = sql.rows(f"SELECT {columns} FROM scheduler_jobs WHERE cluster = {{c:String}}", c=NAME)
        return {tuple(row.values()) for row in rows}

    expected = {tuple((row | {"State": row["State"].split()[0]}).values()) for row in sacct}
    assert len(expected) == SUBMITS
    eventually(lambda: landed() == expected)


def test_every_log_is_a_run_of_its_own_job_and_submit(sacct, submitted, script, sql, eventually):
    def submit_of(file):
        """(job id, time of the submit in which the log began), by the log's name."""
        day = datetime(*map(int, file.parent.relative_to(folder_of(script)).parts))
        job_id, second = LOG_NAME.fullmatch(file.name).groups()
        start = (day + timedelta(seconds=int(second))).isoformat()
        (submit,) = (
            row["Submit"]
            for row in sacct
            if row["JobIDRaw"] == job_id and row["Start"] <= start <= row["End"]
        )
        return int(job_id), submit

    expected = {file.name: submit_of(file) for file in folder_of(script).rglob("*.darshan")}
    assert len(expected) == 1 + 1 + 8 + 3 + 1 + 2

    def joined():
        rows = sql.rows(
            "SELECT r.file_name, r.job_id, formatDateTime(j.submit_time, '%FT%T')"
            " FROM runs AS r JOIN scheduler_jobs AS j ON r.job_uid = j.job_uid WHERE r.cluster = {c:String}",
            c=NAME,
        )
        return {file: tuple(rest) for file, *rest in map(dict.values, rows)}

    # a submit joins its log until a better one is known
    eventually(lambda: joined() == expected)


def test_jobs_settle_with_the_logs_that_they_left(submitted, sacct, sql, eventually):
    def settled():
        query = "SELECT job_id, logs_analysed FROM job_results WHERE cluster = {c:String} AND settled"
        return sorted((row["job_id"], row["logs_analysed"]) for row in sql.rows(query, c=NAME))

    logs = {"plain": 1, "silent": 0, "two nodes": 1, "steps": 8, "killed": 1, "requeued": 1}
    expected = [(submitted[job], number) for job, number in logs.items()]
    expected.append((submitted["requeued"], 1))  # each of its two submits left one
    expected += [
        (int(row["JobIDRaw"]), 1) for row in sacct if row["JobID"].startswith(f"{submitted['array']}_")
    ]
    eventually(lambda: settled() == sorted(expected))


def test_the_spool_is_empty_when_all_was_acknowledged(submitted, folder, eventually):
    eventually(lambda: not list((folder / "spool/jobs").glob("*.json")))


def test_a_job_that_ends_while_kafka_is_away_is_there_when_it_is_back(
    slurm, submitted, script, folder, stack, sql, eventually
):
    kafka = psutil.Process(supervisor.processes(stack)["kafka"]["pid"])
    kafka.suspend()
    try:
        job = slurm.submit(script("away", "LOG 0.5"))
        eventually(lambda: not slurm.run("squeue", "--noheader"))
        assert list((folder / "spool/jobs").glob("*.json"))
    finally:
        kafka.resume()
    query = "SELECT logs_analysed, settled FROM job_results WHERE cluster = {c:String} AND job_id = {j:Int64}"
    eventually(lambda: sql.rows(query, c=NAME, j=job) == [{"logs_analysed": 1, "settled": 1}])
    eventually(lambda: not list((folder / "spool/jobs").glob("*.json")))
