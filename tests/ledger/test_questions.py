"""Saved questions about jobs, runs and users, asked of a simulated center: its ledger has the answers."""

from collections import Counter, defaultdict
from datetime import UTC, datetime

import pytest
from sim.center import UNTOLD
from sim.logs import folder, moved

from ledger.counting import GIB, TIB, assert_between, decade, owner


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
    """Each run has a folder of its own under that of its user, if its files are not those of its program."""
    whole = [(log, run) for log, run in runs if run.log_state == "complete" and log.join == "joined"]
    ((user, project), _), *_ = Counter(owner(log) for log, _ in whole).most_common()
    expected = {}
    for log, _ in whole:
        for files in log.archetype.files if owner(log) == (user, project) else ():
            if not files.common:
                sums = moved(log.archetype, (files.mount,))
                expected[folder(log, files)] = tuple(round(number / GIB, 3) for number in sums)
    said = {row["directory"]: row for row in asked("directories_of_user", user=user, limit=1000)}
    assert len(expected) > 5
    for directory, (read, written) in expected.items():
        row = said[directory]
        assert (row["runs"], row["gib_read"], row["gib_written"]) == (1, read, written), directory


def test_node_hours_that_projects_lost(asked, runs, submits):
    """The site states a peak so high that all of the I/O time counts as lost."""
    jobs, used, lost, unknown = Counter(), Counter(), defaultdict(Counter), set()
    for submit, _ in submits:
        project = submit.person.project
        jobs[project] += 1
        if None not in (submit.start, submit.end):
            used[project] += submit.nodes * (submit.end - submit.start) / 3600
    for log, run in runs:
        if run.io_time_seconds == UNTOLD or run.verdict == UNTOLD:
            unknown.add(owner(log)[1])
        elif log.join == "joined":
            lost[owner(log)[1]][run.verdict] += log.submit.nodes * run.io_time_seconds / 3600
    said = {row["account"]: row for row in asked("lost_by_project", limit=1000)}
    assert said.keys() - unknown == {project for project, of in lost.items() if of.total()} - unknown
    for project in said.keys() & jobs.keys():
        row = said[project]
        assert row["jobs"] == jobs[project], project
        assert row["used"] == pytest.approx(used[project], abs=0.051), project
        if project not in unknown:
            assert row["lost"] == pytest.approx(lost[project].total(), abs=0.051), project
            ways = {way: f"by_{way}" for way in ("application", "storage", "both", "unknown")}
            for way, column in (ways | {"not_slow": "not_slow"}).items():
                assert row[column] == pytest.approx(lost[project][way], abs=0.051), (project, way)


def test_runs_with_each_cause(asked, runs):
    """Of a log that lacks parts it is not told, which causes it has."""
    told = Counter(rule for _, run in runs if run.findings != UNTOLD for rule in run.findings)
    untold = sum(run.findings == UNTOLD for _, run in runs)
    said = {row["rule_id"]: row["runs"] for row in asked("lost_by_rule")}
    assert told.keys() <= said.keys()
    for rule, count in said.items():
        assert told[rule] <= count <= told[rule] + untold, rule


# --- runs


def test_runs_of_each_number_of_processes(asked, runs):
    counts = Counter(decade(log.archetype.nprocs) for log, _ in runs)
    said = asked("job_sizes")
    assert {row["processes_from"]: row["runs"] for row in said} == counts
    for row in said:
        assert row["share_of_runs"] == pytest.approx(row["runs"] / len(runs), abs=0.00051)


def test_runs_and_bytes_of_each_month(asked, bounds):
    def count(log):
        month = f"{datetime.fromtimestamp(log.start, UTC):%Y-%m-01}"
        read, written = moved(log.archetype)
        return {(month, "runs"): 1, (month, "tib_read"): read / TIB, (month, "tib_written"): written / TIB}

    rows = asked("growth")
    said = {(row["month"], key): row[key] for row in rows for key in ("runs", "tib_read", "tib_written")}
    assert_between(said, bounds(count), slack=0.00051)


def test_runs_of_the_program_with_most(asked, programs):
    joined = {key: found for key, found in programs.items() if key[1]}
    (program, user), found = max(joined.items(), key=lambda item: (len(item[1]), item[0]))
    days = Counter(
        (f"{datetime.fromtimestamp(log.start, UTC):%Y-%m-%d}", run.filesystem) for log, run in found
    )
    said = asked("program_history", user=user, program=program)
    assert {(row["day"], row["filesystem"]): row["runs"] for row in said} == days


def test_verdict_and_causes_of_slow_runs(asked, runs):
    truth = {run.log_id: run for _, run in runs if UNTOLD not in (run.verdict, run.findings)}
    said = {row["log_id"]: row for row in asked("slow_runs", limit=10_000)}
    both = said.keys() & truth.keys()
    for log_id in both:
        row, run = said[log_id], truth[log_id]
        assert (row["verdict"], set(row["findings"])) == (run.verdict, set(run.findings)), log_id
    # only of a run with a job and a file system of the site is it known whether it was slow
    known = {log_id: run for log_id, run in truth.items() if run.job_uid and run.filesystem}
    slow = {log_id for log_id, run in known.items() if run.verdict != "not_slow"}
    assert slow <= both
    assert {truth[log_id].verdict for log_id in both} == {"application", "storage", "both", "unknown"}


# --- how it came here


def test_rows_of_each_table_that_landed(asked, center):
    expected = Counter()
    for message in center.messages():
        if message.table:
            expected[f"{message.table}_versions"] += message.rows
    said = {row["table"]: row for row in asked("landing_delay")}
    assert expected.keys() <= said.keys()
    for table, row in said.items():
        assert row["rows"] >= expected[table], table  # duplicates land, too
        assert 0 <= row["p50_seconds"] <= row["p99_seconds"] <= row["max_seconds"], table
