"""Saved questions, asked of a simulated center: what they say follows from its ledger by counting."""

import json
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import ceil

import pytest
from clients import clickhouse
from sim.archetypes import HOME, LOCAL, MIB, SCRATCH
from sim.center import UNTOLD
from sim.logs import folder, moved
from sim.plan import BUCKET

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
        for files in log.archetype.files if owner(log) == (user, project) else ():
            sums = moved(log.archetype, (files.mount,))
            expected[folder(log, files)] = tuple(round(number / GIB, 3) for number in sums)
    said = {row["directory"]: row for row in asked("directories_of_user", user=user, limit=1000)}
    assert len(expected) > 5
    for directory, (read, written) in expected.items():
        row = said[directory]
        assert (row["runs"], row["gib_read"], row["gib_written"]) == (1, read, written), directory


def test_runs_with_each_cause(asked, runs):
    """Of a log that lacks parts it is not told, which causes it has."""
    told = Counter(rule for _, run in runs if run.findings != UNTOLD for rule in run.findings)
    untold = sum(run.findings == UNTOLD for _, run in runs)
    said = {row["rule_id"]: row["runs"] for row in asked("lost_by_rule")}
    assert told.keys() <= said.keys()
    for rule, count in said.items():
        assert told[rule] <= count <= told[rule] + untold, rule


# --- requests, as the kinds of programs do them


@pytest.fixture(scope="module")
def programs(runs):
    """(program, user) -> its runs, of programs of which every log is whole."""
    of = defaultdict(list)
    for log, run in runs:
        of[log.app.exe, owner(log)[0]].append((log, run))
    return {key: found for key, found in of.items() if all(run.log_state == "complete" for _, run in found)}


def filesystem(log, files):
    """That of the site on which these files of a run lie; None for the node's own."""
    return {HOME: "home", LOCAL: None}.get(files.mount, log.filesystem)


def requests(log, files):
    """POSIX reads and writes of one group of a run's files, of all processes."""
    one_byte_each = replace(files, read_size=1, write_size=1)
    return sum(moved(replace(log.archetype, files=(one_byte_each,)))) if files.module == "POSIX" else 0


def on_the_site(runs):
    """(log, group of files), of the site's file systems."""
    return [(log, files) for log, _ in runs for files in log.archetype.files if filesystem(log, files)]


def test_programs_with_small_requests(asked, programs):
    expected = {}
    for key, found in programs.items():
        every = small = 0
        for log, files in on_the_site(found):
            every += requests(log, files)
            for size, count in ((files.read_size, files.reads), (files.write_size, files.writes)):
                if size < MIB and count:
                    only = replace(files, reads=0, writes=count)
                    small += requests(log, only)
        if every and small / every > 0.5:
            expected[key] = (len(found), every, round(small / every, 3))
    said = {
        (row["program"], row["user"]): (row["runs"], row["requests"], row["small_share"])
        for row in asked("small_requests", limit=1000)
    }
    assert {key: said[key] for key in said.keys() & programs.keys()} == expected
    assert len({log.app.kind for key in expected for log, _ in programs[key]}) >= 4


def test_programs_with_unaligned_requests(asked, programs):
    expected = {}
    for key, found in programs.items():
        for log, files in on_the_site(found):
            there = expected.setdefault((filesystem(log, files), *key), [set(), 0, 0, 0])
            there[0].add(log.number)
            there[1] += requests(log, files)
            there[2] += requests(log, replace(files, reads=0, writes=files.unaligned))
            there[3] = max(there[3], files.alignment)
    expected = {key: (len(logs), *numbers) for key, (logs, *numbers) in expected.items() if numbers[1]}
    said = {
        (row["filesystem"], row["program"], row["user"]): tuple(
            row[name] for name in ("runs", "requests", "unaligned", "largest_alignment_bytes")
        )
        for row in asked("unaligned_requests", limit=10_000)
    }
    assert {key: said[key] for key in said if key[1:] in programs} == expected
    assert expected


def test_programs_with_collective_requests(asked, programs):
    expected = {}
    for key, found in programs.items():
        counts = Counter()
        for log, files in on_the_site(found):
            if files.mpiio:
                only = replace(log.archetype, files=(files,))
                counts[files.mpiio] += sum(each // files.mpiio_size for each in moved(only))
        if every := counts.total():
            expected[key] = (len(found), every, round(counts["COLL"] / every, 3))
    said = {
        (row["program"], row["user"]): (row["runs"], row["operations"], row["collective_share"])
        for row in asked("collective_use", limit=1000)
    }
    assert {key: said[key] for key in said.keys() & programs.keys()} == expected
    assert {share for _, _, share in expected.values()} == {0, 1}


# --- runs


def test_runs_of_each_number_of_processes(asked, runs):
    counts = Counter(10 ** (len(str(log.archetype.nprocs)) - 1) for log, _ in runs)
    said = asked("job_sizes")
    assert {row["processes_from"]: row["runs"] for row in said} == counts
    for row in said:
        assert row["share_of_runs"] == pytest.approx(row["runs"] / len(runs), abs=0.00051)


def test_runs_and_bytes_of_each_month(asked, runs):
    """Of a log without its end some records may have come, with no more bytes than were moved."""
    count, known, most = Counter(), defaultdict(Counter), defaultdict(Counter)
    for log, run in runs:
        month = f"{datetime.fromtimestamp(log.start, UTC):%Y-%m-01}"
        count[month] += 1
        for way, each in zip(("read", "written"), moved(log.archetype), strict=True):
            known[month][way] += each * (run.bytes_read != UNTOLD)
            most[month][way] += each
    said = {row["month"]: row for row in asked("growth")}
    assert {month: row["runs"] for month, row in said.items()} == count
    for month, row in said.items():
        for way in ("read", "written"):
            assert known[month][way] / TIB - 0.00051 <= row[f"tib_{way}"] <= most[month][way] / TIB + 0.00051


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
    assert {truth[log_id].verdict for log_id in both} >= {"application", "storage", "both"}


# --- files


@pytest.fixture(scope="module")
def shared_files(runs):
    """(name, log, group of files) of those that all processes of a whole run with a user share."""
    found = []
    for log, run in runs:
        for number, files in enumerate(log.archetype.files):
            if files.who == "shared" and run.log_state == "complete" and owner(log)[0]:
                found.append((f"{folder(log, files)}/{number}.000000", log, files))
    return found


def gib(log, files):
    """Read and written by a run to a group of files, as a question rounds it."""
    return tuple(round(each / GIB, 3) for each in moved(replace(log.archetype, files=(files,))))


def test_files_of_the_user_who_shares_most(asked, shared_files):
    (user, _), *_ = Counter(owner(log)[0] for _, log, _ in shared_files).most_common()
    expected = {
        name: (1, int(files.writes > 0), *gib(log, files))
        for name, log, files in shared_files
        if owner(log)[0] == user
    }
    said = {
        row["name"]: tuple(row[key] for key in ("runs", "runs_that_wrote", "gib_read", "gib_written"))
        for row in asked("files_of_user", user=user, limit=100_000)
    }
    assert {name: said[name] for name in expected} == expected
    assert len(expected) > 1


def test_who_reads_a_shared_file(asked, shared_files):
    read = [each for each in shared_files if each[2].reads]
    assert read
    for name, log, files in read[:3]:
        (row,) = asked("readers_of_file", file=name)
        who = (row["program"], row["user"], row["runs"], row["runs_with_all_processes"])
        assert who == (log.app.exe, owner(log)[0], 1, 1), name
        assert row["gib_read"] == gib(log, files)[0], name


# --- the load of file systems


def test_minutes_at_each_part_of_the_peak(asked, center):
    sums = defaultdict(lambda: [0, 0])
    for (name, start), bucket in center.truth().load.items():
        minute = sums[name, start // 60]
        minute[0] += bucket.bytes_read + bucket.bytes_written
        minute[1] += BUCKET
    rates, expected = defaultdict(list), {}
    for (name, _), (moved_bytes, seconds) in sums.items():
        rates[name].append(moved_bytes / seconds / MIB)
    for name, of_minutes in rates.items():
        peak = max(of_minutes)
        for tenth, minutes in Counter(min(ceil(10 * each / peak), 10) for each in of_minutes).items():
            expected[name, tenth] = minutes
    said = {
        (row["filesystem"], round(10 * row["up_to_peak"])): row["minutes_at"]
        for row in asked("throughput_minutes")
    }
    assert said == expected
    assert len({tenth for _, tenth in expected}) > 3


def test_bytes_by_servers_and_by_runs(asked, center, runs):
    """A run counts where most of its bytes went; of a log without its end some of them may have come."""
    by_servers, known, most = Counter(), Counter(), Counter()
    for (name, _), bucket in center.truth().load.items():
        by_servers[name] += bucket.bytes_read + bucket.bytes_written
    for log, run in runs:
        if log.filesystem:
            each = sum(moved(log.archetype, (SCRATCH, HOME)))
            known[log.filesystem] += each * (run.bytes_read != UNTOLD)
            most[log.filesystem] += each
    said = {row["filesystem"]: row for row in asked("explained_traffic")}
    assert said.keys() == by_servers.keys() | most.keys()
    for name, row in said.items():
        assert row["tib_by_servers"] == pytest.approx(by_servers[name] / TIB, abs=0.00051), name
        assert known[name] / TIB - 0.00051 <= row["tib_by_runs"] <= most[name] / TIB + 0.00051, name
