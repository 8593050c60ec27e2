"""Saved questions, asked of a simulated center: what they say follows from its ledger by counting."""

import json
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta

import pytest
from clients import clickhouse
from sim.archetypes import HOME, LOCAL, SCRATCH
from sim.center import UNTOLD
from sim.logs import moved

pytestmark = pytest.mark.usefixtures("simulated")
TIB, GIB = 1 << 40, 1 << 30
DAYS_BUILDS = ("days_of_totals_build", "days_of_run_io_build")
EVER = ("--since", "1000d", "--set", f"until={datetime.now(UTC) + timedelta(days=3):%Y-%m-%d 00:00:00}")


@pytest.fixture(scope="module")
def center(simulated):
    return simulated.center


@pytest.fixture(scope="module")
def runs(center):
    """(log, what the ledger says of it), of those in force."""
    truth = center.truth().runs
    known = [(log, truth.get(log.log_id(center.cluster))) for log in center.plan.logs]
    return [(log, run) for log, run in known if run is not None]


@pytest.fixture(scope="module")
def submits(center):
    """(submit, what the ledger says of its job)."""
    truth = center.truth().jobs
    return [(submit, truth[submit.uid(center.cluster)]) for submit in center.plan.submits if submit.told]


@pytest.fixture(scope="module")
def asked(center, weir, stack):
    """Rows of an answer, once the totals of days have taken up the last corrections."""
    client = clickhouse(stack, "migrator")
    for build in (*(f"{each}_totals_build" for each in ("run", "finding", "job", "run_io")), *DAYS_BUILDS):
        client.command(f"SYSTEM REFRESH VIEW {build}")
        client.command(f"SYSTEM WAIT VIEW {build}")

    def ask(question, **values):
        settings = (word for name, value in values.items() for word in ("--set", f"{name}={value}"))
        said = weir("sql", question, "--cluster", center.cluster, *EVER, *settings, "--format", "json")
        return [json.loads(line) for line in said.splitlines() if line.startswith("{")]

    return ask


def owner(log):
    """User and project of a run: those of its job, which the log does not say."""
    return (log.submit.person.name, log.submit.person.project) if log.join == "joined" else (None, None)


def test_jobs_by_what_is_known_of_their_io(asked, submits):
    jobs = Counter(
        (f"{datetime.fromtimestamp(submit.start or submit.submit, UTC):%Y-%m-01}", job.coverage)
        for submit, job in submits
    )
    assert {(row["month"], row["coverage"]): row["jobs"] for row in asked("coverage")} == jobs


def test_jobs_and_node_hours_by_their_end(asked, submits):
    jobs, hours = Counter(), Counter()
    for submit, job in submits:
        jobs[job.state] += 1
        if submit.start is not None and submit.end is not None:
            hours[job.state] += submit.nodes * (submit.end - submit.start) / 3600
    said = {row["state"]: row for row in asked("ends_of_jobs")}
    assert {state: row["jobs"] for state, row in said.items()} == jobs
    for state, row in said.items():
        assert row["node_hours"] == pytest.approx(hours[state], abs=0.051), state


def test_users_of_jobs_without_a_log(asked, submits):
    unseen = Counter(
        (submit.person.name, submit.person.project)
        for submit, job in submits
        if job.coverage == "not_instrumented"
    )
    said = asked("without_log", limit=1000)
    assert {(row["user"], row["account"]): row["jobs"] for row in said} == unseen


def test_programs_whose_logs_lack_something(asked, runs):
    logs = Counter((log.app.exe, run.log_state) for log, run in runs)
    said = {(row["program"], row["log_state"]): row["runs"] for row in asked("incomplete_logs", limit=1000)}
    assert said == {key: count for key, count in logs.items() if key[1] != "complete"}
    assert {state for _, state in said} == {"partial", "damaged", "incomplete"}


def test_runs_and_hours_of_each_user(asked, runs):
    count, seconds = Counter(), Counter()
    untold = {owner(log) for log, run in runs if run.io_time_seconds == UNTOLD}
    for log, run in runs:
        count[owner(log)] += 1
        seconds[owner(log)] += 0 if run.io_time_seconds == UNTOLD else run.io_time_seconds
    said = {(row["user"], row["account"]): row for row in asked("io_by_user", limit=1000)}
    assert {who: row["runs"] for who, row in said.items()} == count
    told = said.keys() - untold
    assert told
    for who in told:
        assert said[who]["io_hours"] == pytest.approx(seconds[who] / 3600, abs=0.0051), who


def test_bytes_of_each_project(asked, runs, submits):
    jobs = Counter(submit.person.project for submit, _ in submits)
    untold = {owner(log)[1] for log, run in runs if run.bytes_read == UNTOLD}
    count, bytes_of = Counter(), defaultdict(lambda: [0, 0])
    for log, run in runs:
        project = owner(log)[1]
        count[project] += 1
        if project not in untold:
            bytes_of[project][0] += run.bytes_read
            bytes_of[project][1] += run.bytes_written
    said = {row["account"]: row for row in asked("io_by_project", limit=1000)}
    assert {project: row["runs"] for project, row in said.items()} == count
    assert {project: row["jobs"] for project, row in said.items() if project} == {
        project: jobs[project] for project in count if project
    }
    assert bytes_of
    for project, (read, written) in bytes_of.items():
        assert said[project]["tib_moved"] == pytest.approx((read + written) / TIB, abs=0.00051), project
        if read + written:
            assert said[project]["read_share"] == pytest.approx(read / (read + written), abs=0.00051)


def test_directories_of_the_user_with_most_runs(asked, runs):
    """Each run has a folder of its own under that of its user, on each file system that it uses."""
    whole = [(log, run) for log, run in runs if run.log_state == "complete" and log.join == "joined"]
    ((user, project), _), *_ = Counter(owner(log) for log, _ in whole).most_common()
    expected = {}
    for log, _ in whole:
        mounts = {SCRATCH: f"/{log.filesystem}", HOME: "/home", LOCAL: "/tmp"}
        for mount in {files.mount for files in log.archetype.files} if owner(log) == (user, project) else ():
            person = log.app.person
            folder = f"{mounts[mount]}/{person.project}/{person.name}/{log.number}"
            expected[folder] = tuple(round(number / GIB, 3) for number in moved(log.archetype, (mount,)))
    said = {row["directory"]: row for row in asked("directories_of_user", user=user, limit=1000)}
    assert len(expected) > 5
    for folder, (read, written) in expected.items():
        row = said[folder]
        assert (row["runs"], row["gib_read"], row["gib_written"]) == (1, read, written), folder


def test_runs_with_each_cause(asked, runs):
    """Of a log that lacks parts it is not told, which causes it has."""
    told = Counter(rule for _, run in runs if run.findings != UNTOLD for rule in run.findings)
    untold = sum(run.findings == UNTOLD for _, run in runs)
    said = {row["rule_id"]: row["runs"] for row in asked("lost_by_rule")}
    assert told.keys() <= said.keys()
    for rule, count in said.items():
        assert told[rule] <= count <= told[rule] + untold, rule
