"""Saved questions about requests, files and interfaces, asked of a simulated center: its ledger answers."""

import statistics
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sim.archetypes import GIB, HOME, KIB, MIB
from sim.logs import folder, moved

from ledger.counting import (
    TIB,
    assert_between,
    decade,
    extents,
    filesystem,
    modules,
    moved_by,
    multiples,
    of_site,
    on_the_site,
    opened,
    owner,
    process_seconds,
    requests,
)

# --- requests, as the kinds of programs do them


def test_programs_with_small_requests(asked, programs):
    expected = {}
    for key, found in programs.items():
        every = small = 0
        for log, files in on_the_site(found):
            every += sum(requests(log, files))
            for size, count in ((files.read_size, files.reads), (files.write_size, files.writes)):
                if size < MIB and count:
                    only = replace(files, reads=0, writes=count)
                    small += sum(requests(log, only))
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
            there[1] += sum(requests(log, files))
            there[2] += sum(requests(log, replace(files, reads=0, writes=files.unaligned)))
            there[3] = max(there[3], files.alignment)
    expected = {
        key: (len(logs), *numbers)
        for key, (logs, *numbers) in expected.items()
        if 2 * numbers[1] > numbers[0]
    }
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


# --- files


@pytest.fixture(scope="module")
def shared_files(center, runs):
    """Gives name -> (log, group of files) of the runs that used it, of files that all processes share.

    Those are left out that a log used which lacks something, were it only its header.
    """
    whole = {log.number for log, run in runs if run.log_state == "complete"}
    found, unknown = defaultdict(list), set()
    for log in center.plan.logs:
        for number, files in enumerate(log.archetype.files):
            if files.who == "shared" and not log.superseded:
                name = f"{folder(log, files)}/{number}.000000"
                found[name].append((log, files))
                unknown |= set() if log.number in whole else {name}
    return {name: used for name, used in found.items() if name not in unknown}


def gib(used):
    """Read from and written to a file by all these runs, as a question rounds it."""
    read, written = (sum(each) for each in zip(*(moved_by(*each) for each in used), strict=True))
    return round(read / GIB, 3), round(written / GIB, 3)


def test_files_of_the_user_who_shares_most(asked, shared_files):
    used_by = defaultdict(lambda: defaultdict(list))
    for name, used in shared_files.items():
        for log, files in used:
            used_by[owner(log)[0]][name].append((log, files))
    user = max(used_by.keys() - {None}, key=lambda user: len(used_by[user]))
    expected = {
        name: (len(used), sum(files.writes > 0 for _, files in used), *gib(used))
        for name, used in used_by[user].items()
    }
    said = {
        row["name"]: tuple(row[key] for key in ("runs", "runs_that_wrote", "gib_read", "gib_written"))
        for row in asked("files_of_user", user=user, limit=100_000)
    }
    assert {name: said[name] for name in expected} == expected
    assert len(expected) > 1


def test_who_reads_a_shared_file(asked, shared_files):
    read = {name: used for name, used in shared_files.items() if used[0][1].reads}
    assert read
    for name in sorted(read, key=lambda name: -len(read[name]))[:3]:
        by = defaultdict(list)
        for log, files in read[name]:
            by[log.app.exe, owner(log)[0]].append((log, files))
        said = {
            (row["program"], row["user"]): (row["runs"], row["runs_with_all_processes"], row["gib_read"])
            for row in asked("readers_of_file", file=name)
        }
        assert said == {who: (len(used), len(used), gib(used)[0]) for who, used in by.items()}, name


def test_files_that_several_runs_read(asked, shared_files):
    """Those are of programs of which every run reads the same input, as a whole."""
    expected = {
        name: (0, len(used), len(used), gib(used)[0], len(used))
        for name, used in shared_files.items()
        if len(used) > 1
    }
    said = {
        row["file"]: tuple(
            row[key]
            for key in ("writing_runs", "reading_runs", "with_all_processes", "gib_read", "times_over")
        )
        for row in asked("read_by_many", readers=2, limit=1000)
    }
    assert {name: said[name] for name in said.keys() & shared_files.keys()} == expected
    assert expected


# --- what all runs do


def test_files_by_their_openers(asked, bounds):
    def count(log):
        found = Counter()
        for files in of_site(log):
            opener = "all ranks" if files.who == "shared" else "one rank"
            found += {
                (opener, "files"): len(multiples(log, files)),
                (opener, "gib"): sum(moved_by(log, files)) / GIB,
                (opener, "runs"): 1,
            }
        return found

    said = {
        (row["opened_by"], key): row[key] for row in asked("file_sharing") for key in ("files", "gib", "runs")
    }
    assert not any(said.pop(("some ranks", key)) for key in ("files", "gib", "runs"))
    assert_between(said, bounds(count, "damaged"), slack=0.0005)


def test_files_by_their_size(asked, bounds):
    edges = [0, 4 * KIB, 64 * KIB, MIB, 16 * MIB, 256 * MIB, 4 * GIB, 64 * GIB]

    def count(log):
        number = sum(len(multiples(log, files)) for files in of_site(log))
        size = sum(extents(log, files) for files in of_site(log))
        edge = max(edge for edge in edges if edge <= size / max(number, 1))
        return {(edge, "runs"): 1, (edge, "files"): number, (edge, "tib"): size / TIB} if number else {}

    rows = asked("file_sizes")
    said = {(row["from_bytes"], key): row[key] for row in rows for key in ("runs", "files", "tib")}
    assert_between(said, bounds(count, "damaged"), slack=0.0005)
    assert len(rows) > 4
    for row in rows:
        assert row["share_of_files"] == pytest.approx(
            row["files"] / sum(each["files"] for each in rows), abs=0.00051
        )


def test_runs_by_their_number_of_files(asked, bounds):
    users = defaultdict(set)

    def count(log):
        number = sum(len(multiples(log, files)) for files in log.archetype.files)
        users[decade(number)].add(owner(log)[0])
        return {(decade(number), "runs"): 1, (decade(number), "files_opened"): number}

    rows = asked("files_per_run")
    said = {(row["files_from"], key): row[key] for row in rows for key in ("runs", "files_opened")}
    known, most = bounds(count)
    # runs of which no files came
    most[0, "runs"] += sum(most[key] - known[key] for key in most if key[1] == "runs")
    assert_between(said, (known, most))
    assert len(rows) > 3
    for row in rows[1:]:
        assert 0 < row["users"] <= len(users[row["files_from"]] - {None})


def test_requests_by_their_size(asked, bounds):
    edges = [100, 1024, 10_240, 102_400, MIB, 4 * MIB, 10 * MIB, 100 * MIB, 1024 * MIB]

    def count(log):
        found = Counter()
        for files in of_site(log):
            for way, size, number in zip(
                ("reads", "writes"), (files.read_size, files.write_size), requests(log, files), strict=True
            ):
                found[min(edge for edge in edges if size <= edge), way] += number
        return found

    rows = asked("request_sizes")
    said = {(row["up_to_bytes"], way): row[way] for row in rows for way in ("reads", "writes") if row[way]}
    assert_between(said, bounds(count))
    assert [row["up_to_bytes"] for row in rows] == [*edges, None]
    for row in rows:
        for way in ("reads", "writes"):
            share = row[way] / sum(each[way] for each in rows)
            assert row[f"share_of_{way}"] == pytest.approx(share, abs=0.00051)


def test_requests_by_their_order(asked, bounds):
    """Of a record with n requests surely n - SEQ - OPENS went back, and n - SEQ at most."""

    def count(log):
        found = Counter()
        for files in (each for each in of_site(log) if each.module == "POSIX"):
            for way, each in (("read", files.reads), ("write", files.writes)):
                for times in multiples(log, files):
                    number, key = each * times, (filesystem(log, files), way)
                    sequential = max(0, number - opened(log, files) - files.jumps * times)
                    found[*key, "requests"] += number
                    found[*key, "sequential"] += sequential
                    found[*key, "consecutive"] += sequential // (2 if files.who == "shared" else 1)
                    found[*key, "back_at_most"] += number - sequential
                    found[*key, "back_at_least"] += max(0, number - sequential - opened(log, files))
        return found

    rows = asked("request_order")
    known, most = bounds(count)
    assert {key[:2] for key in known if known[key]} <= {(row["filesystem"], row["direction"]) for row in rows}
    for row in rows:
        key = row["filesystem"], row["direction"]
        assert known[*key, "requests"] <= row["requests"] <= most[*key, "requests"]
        for share in ("sequential", "consecutive", "back_at_most", "back_at_least"):
            number, slack = (row[share] or 0) * row["requests"], 0.0005 * row["requests"]
            assert known[*key, share] - slack <= number <= most[*key, share] + slack, (key, share)
    assert any(row["back_at_least"] for row in rows)
    assert any(row["requests"] and 0 < row["consecutive"] < row["sequential"] for row in rows)


def test_runs_by_interface(asked, bounds, runs):
    rows = {row["module"]: row for row in asked("interfaces")}
    assert_between(
        {module: row["runs"] for module, row in rows.items()}, bounds(lambda log: Counter(modules(log)))
    )
    assert rows.keys() == {"POSIX", "MPI-IO", "STDIO"}
    for module, row in rows.items():
        users = {owner(log)[0] for log, _ in runs if module in modules(log)} - {None}
        assert row["share"] == pytest.approx(row["runs"] / len(runs), abs=0.00051)
        assert row["users"] <= len(users)


def test_weeks_of_an_interface(asked, bounds):
    def week(log):
        day = datetime.fromtimestamp(log.start, UTC)
        return f"{day - timedelta(days=day.weekday()):%Y-%m-%d}"

    def count(log):
        return {(week(log), "all_runs"): 1, (week(log), "runs"): int("MPI-IO" in modules(log))}

    rows = asked("interface_adoption", module="MPI-IO")
    said = {(row["week"], key): row[key] for row in rows for key in ("all_runs", "runs")}
    assert_between(said, bounds(count))
    assert any(row["share_of_bytes"] for row in rows)
    for row in rows:
        assert row["share_of_runs"] == pytest.approx(row["runs"] / row["all_runs"], abs=0.00051)


def test_runs_by_sharing_and_processes(asked, bounds):
    def count(log):
        ways = {"each": "file_per_process", "zero": "file_per_process", "shared": "shared"}
        files = of_site(log)
        way = ways[files[0].who] if files else "no_files"
        size = decade(log.archetype.nprocs)
        return {(size, "runs"): 1, (size, way): 1}

    known, most = bounds(count, "damaged")
    rows = asked("sharing_by_size")
    assert {row["processes_from"] for row in rows} == {size for size, _ in most}
    for row in rows:
        size = row["processes_from"]
        for way in ("file_per_process", "partly_shared", "shared", "no_files"):
            number, slack = row[way] * row["runs"], 0.0005 * row["runs"]
            assert known[size, way] - slack <= number <= most[size, way] + slack, (size, way)


# --- what programs do


def test_programs_by_their_time_in_metadata(asked, programs):
    expected = {}
    for key, found in programs.items():
        asked_for = all_seconds = opens = stats = number = 0
        for log, files in on_the_site(found):
            if files.module == "POSIX":
                spent = process_seconds(log, files)
                asked_for, all_seconds = asked_for + spent * files.meta, all_seconds + spent
                count = len(multiples(log, files))
                times = log.archetype.nprocs if files.who == "shared" else 1
                opens, stats = opens + count * opened(log, files), stats + count * times * files.stats
                number += count
        if asked_for:
            expected[key] = (
                len(found),
                pytest.approx(asked_for / 3600, abs=0.0051),
                pytest.approx(asked_for / all_seconds, abs=0.00051),
                opens,
                stats,
                pytest.approx(opens / number, abs=0.051),
            )
    said = {
        (row["program"], row["user"]): tuple(
            row[name]
            for name in (
                *("runs", "metadata_process_hours", "metadata_share"),
                *("times_opened", "times_asked", "opens_per_file"),
            )
        )
        for row in asked("metadata_time", limit=1000)
    }
    assert {key: said[key] for key in said.keys() & programs.keys()} == expected


def test_programs_that_read_over(asked, programs):
    expected = {}
    for key, found in programs.items():
        groups = on_the_site(found)
        read = sum(moved(log.archetype)[0] for log, _ in found)
        twice = sum(max(0, moved_by(log, files)[0] - extents(log, files)) for log, files in groups)
        if twice:
            expected[key] = (len(found), round(read / GIB, 2), round(twice / GIB, 2), round(twice / read, 3))
    said = {
        (row["program"], row["user"]): tuple(
            row[name] for name in ("runs", "gib_read", "gib_reread", "reread_share")
        )
        for row in asked("rereading", limit=1000)
    }
    assert {key: said[key] for key in said.keys() & programs.keys()} == expected
    assert expected


def test_programs_on_a_slow_file_system(asked, programs):
    expected = {}
    for key, found in programs.items():
        there = sum(sum(moved_by(log, files)) for log, files in on_the_site(found) if files.mount == HOME)
        if there:
            expected[key] = (len(found), round(there / GIB, 2), 1)
    said = {
        (row["program"], row["user"]): (row["runs"], row["gib"], row["share_of_their_bytes"])
        for row in asked("slow_filesystem_use", limit=1000)
    }
    assert {key: said[key] for key in said.keys() & programs.keys()} == expected
    assert expected


def test_programs_whose_runs_differ_in_rate(asked, programs):
    """Runs of a program move the same bytes; the one that is slower than before takes ten times as long."""
    expected = {}
    for (program, user), found in programs.items():
        seconds = [log.io_seconds for log, _ in found]
        if user and len(found) >= 5 and max(seconds) > min(seconds):
            mib = sum(moved(found[0][0].archetype)) / MIB
            expected[program, user] = tuple(
                pytest.approx(mib / each, abs=0.051)
                for each in (max(seconds), statistics.median(seconds), min(seconds))
            )
    said = {
        (row["program"], row["user"]): (row["slowest"], row["median_mib_per_second"], row["fastest"])
        for row in asked("rate_variation", limit=1000)
        if row["times_faster"] > 1
    }
    assert {key: said[key] for key in said.keys() & programs.keys()} == expected
    assert expected


# --- what projects do


def test_how_each_project_does_its_io(asked, runs):
    of = defaultdict(list)
    for log, run in runs:
        of[owner(log)[1]].append((log, run))
    letters = {"POSIX": "P", "STDIO": "S", "MPI-IO": "M"}
    rows = {row["account"]: row for row in asked("project_profile", limit=1000)}
    assert rows.keys() == of.keys()
    whole = 0
    for project, row in rows.items():
        found = of[project]
        processes = [log.archetype.nprocs for log, _ in found]
        assert row["runs"] == len(found)
        assert (row["fewest_processes"], row["most_processes"]) == (min(processes), max(processes))
        if any(run.log_state == "incomplete" for _, run in found):
            continue
        whole += 1
        used = {letters[module] for log, _ in found for module in modules(log)}
        assert row["interfaces"].split() == [letter for letter in letters.values() if letter in used]
        files = sum(len(multiples(log, files)) for log, _ in found for files in log.archetype.files)
        assert row["files_per_process"] == pytest.approx(files / sum(processes), abs=0.00051), project
        posix = [(log, files) for log, files in on_the_site(found) if files.module == "POSIX"]
        spent = sum(process_seconds(log, files) for log, files in posix)
        metadata = sum(process_seconds(log, files) * files.meta for log, files in posix)
        assert row["metadata_share"] == pytest.approx(metadata / spent, abs=0.00051), project
        if project:
            node_seconds = sum(log.submit.nodes * log.io_seconds for log, _ in found if log.archetype.files)
            rate = sum(sum(moved(log.archetype)) for log, _ in found) / node_seconds / MIB
            assert row["mib_per_second_per_node"] == pytest.approx(rate, abs=0.051), project
    assert whole > 3
