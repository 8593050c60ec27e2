"""Saved questions about file systems and servers, asked of a simulated center: its ledger has the answers."""

from collections import Counter, defaultdict
from datetime import UTC, datetime
from math import ceil

import numpy as np
import pytest
from sim.archetypes import HOME, MIB, SCRATCH
from sim.center import UNTOLD
from sim.logs import TARGETS, moved
from sim.plan import BUCKET, RUN_SECONDS, TICK
from sim.storage import COLUMNS

from ledger.counting import GIB, TIB, assert_between, multiples, owner

VERDICTS = {"by_storage": "storage", "by_both": "both", "by_application": "application", "unknown": "unknown"}


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


def test_bytes_by_servers_and_by_runs(asked, center, bounds):
    """A run counts where most of its bytes went."""
    by_servers = Counter()
    for (name, _), bucket in center.truth().load.items():
        by_servers[name] += bucket.bytes_read + bucket.bytes_written

    def count(log):
        return {log.filesystem: sum(moved(log.archetype, (SCRATCH, HOME))) / TIB} if log.filesystem else {}

    rows = {row["filesystem"]: row for row in asked("explained_traffic")}
    assert rows.keys() >= by_servers.keys()
    for name, row in rows.items():
        assert row["tib_by_servers"] == pytest.approx(by_servers[name] / TIB, abs=0.00051), name
    by_runs = {name: row["tib_by_runs"] or 0 for name, row in rows.items() if name in by_servers}
    assert_between(by_runs, bounds(count), slack=0.00051)


@pytest.fixture(scope="module")
def buckets(center):
    """Gives file system -> {bucket start: load}."""
    found = defaultdict(dict)
    for (name, start), bucket in center.truth().load.items():
        found[name][start] = bucket
    return found


def rate(buckets):
    """Gives MiB a second, of buckets of which there are samples."""
    return sum(each.bytes_read + each.bytes_written for each in buckets) / (BUCKET * len(buckets)) / MIB


def test_load_of_each_hour_of_the_day(asked, buckets):
    hours = defaultdict(list)
    for name, of_name in buckets.items():
        for start, bucket in of_name.items():
            hours[name, start // 3600].append(bucket)
    by_hour = defaultdict(list)
    for name, hour in hours:
        by_hour[name, hour % 24].append(hours[name, hour])
    said = {(row["filesystem"], row["hour"]): row for row in asked("hours_of_day")}
    assert said.keys() == by_hour.keys()
    for key, row in said.items():
        together = [bucket for of_day in by_hour[key] for bucket in of_day]
        assert row["days"] == len(by_hour[key])
        assert row["util_max"] == max(bucket.util_max for bucket in together)
        for way in ("read", "written"):
            moved_bytes = sum(getattr(bucket, f"bytes_{way}") for bucket in together)
            expected = moved_bytes / (BUCKET * len(together)) / MIB
            assert row[f"mib_per_second_{way}"] == pytest.approx(expected, abs=0.051), (key, way)


def test_how_far_the_peak_is_above_the_mean(asked, buckets):
    said = {row["filesystem"]: row for row in asked("burstiness")}
    assert said.keys() == buckets.keys()
    for name, of_name in buckets.items():
        row, hours = said[name], defaultdict(list)
        for start, bucket in of_name.items():
            hours[start // 3600].append(bucket)
        peak = max(rate([bucket]) for bucket in of_name.values())
        assert row["hours_sampled"] == pytest.approx(BUCKET * len(of_name) / 3600, abs=0.051)
        assert row["mean_mib_per_second"] == pytest.approx(rate(list(of_name.values())), abs=0.051)
        assert row["peak_mib_per_second"] == pytest.approx(peak, abs=0.051)
        for share, below in (("share_below_a_third", peak / 3), ("idle_share", peak / 20)):
            idle = sum(len(of_hour) for of_hour in hours.values() if rate(of_hour) < below)
            assert row[share] == pytest.approx(idle / len(of_name), abs=0.00051), name


def test_idle_minutes_in_one_piece(asked, buckets):
    expected = Counter()
    for name, of_name in buckets.items():
        minutes = defaultdict(list)
        for start, bucket in of_name.items():
            minutes[start // 60].append(bucket)
        busiest = max(rate(of_minute) for of_minute in minutes.values())
        idle = sorted(minute for minute, each in minutes.items() if rate(each) < busiest / 20)
        # those whose number grows as their place does follow each other
        for length in Counter(minute - place for place, minute in enumerate(idle)).values():
            edge = max(edge for edge in (1, 2, 10, 60, 1440) if edge <= length)
            expected[name, edge, "idle_periods"] += 1
            expected[name, edge, "idle_minutes"] += length
    rows = asked("idle_periods")
    said = {
        (row["filesystem"], row["minutes_from"], key): row[key]
        for row in rows
        for key in ("idle_periods", "idle_minutes")
    }
    assert said == expected
    assert said


def test_how_busy_servers_are_and_how_long_requests_wait(asked, center):
    """Of each bucket that has a value the mean over devices counts."""
    said = {row["server"]: row for row in asked("busiest_servers", limit=1000)}
    assert said.keys() == {server.name for server in center.storage.servers}
    place = {name: number for number, name in enumerate(COLUMNS)}
    for server in center.storage.servers:
        row, known = said[server.name], server.known()[1]
        by_bucket = (-1, BUCKET // TICK, len(server.devices))
        busy = np.where(known, server.values[:, :, place["busy_seconds"]], 0).reshape(by_bucket).sum(axis=1)
        sampled = TICK * known.reshape(by_bucket).sum(axis=1)
        util = np.ma.masked_array(busy / np.maximum(sampled, 1), mask=sampled == 0)
        assert row["util_mean"] == pytest.approx(util.mean(axis=1).mean(), abs=0.00051), server.name
        assert row["util_max"] == util.max(), server.name
        sums = server.values[known].sum(axis=0)
        for way in ("read", "write"):
            wait = 1000 * sums[place[f"{way}_wait_seconds"]] / sums[place[f"{way}s"]]
            assert row[f"{way}_wait_ms"] == pytest.approx(wait, rel=1e-3, abs=0.0051), server.name


def test_targets_that_were_slow(asked, bounds):
    """Each run of the kind has its slow file on target 0 of its file system."""

    def count(log):
        return {(log.filesystem, 0): int("slow_target" in log.archetype.findings)}

    said = {(row["filesystem"], row["target"]): row["runs"] for row in asked("slow_targets", limit=1000)}
    known, most = bounds(count, "partial", "damaged")
    assert said
    assert_between(said, (known, +most))


def test_files_on_the_same_targets(asked, runs):
    """Of n files with R stripes each on D targets chance alone leaves D - D(1 - R/D)^n in use."""
    files_of, targets, lost = Counter(), defaultdict(Counter), set()
    for log, run in runs:
        for files in (each for each in log.archetype.files if each.stripes):
            for hour in range(log.start // 3600, (log.start + RUN_SECONDS - 1) // 3600 + 1):
                key = log.filesystem, hour
                lost |= {key} if run.log_state == "incomplete" else set()
                number = len(multiples(log, files))
                files_of[key] += number
                targets[key].update(
                    (file + stripe) % TARGETS for file in range(number) for stripe in range(files.stripes)
                )
    said = {(row["filesystem"], hour_of(row)): row for row in asked("target_overlap", limit=1000)}
    assert files_of.keys() - lost <= said.keys() <= files_of.keys()
    for key in files_of.keys() - lost:
        row, files, stripes = said[key], files_of[key], targets[key].total()
        every = max(max(used) for (name, _), used in targets.items() if name == key[0]) + 1
        by_chance = every - every * (1 - min(stripes / files, every) / every) ** files
        assert (row["files"], row["stripes"], row["targets_in_use"]) == (files, stripes, len(targets[key]))
        assert row["stripes_per_target"] == pytest.approx(stripes / len(targets[key]), abs=0.0051)
        assert row["targets_in_use_by_chance"] == pytest.approx(by_chance, abs=0.051)
        assert row["stripes_per_target_by_chance"] == pytest.approx(stripes / by_chance, abs=0.0051)


def hour_of(row):
    """Counts hours since 1970."""
    return int(datetime.fromisoformat(row["hour"]).replace(tzinfo=UTC).timestamp()) // 3600


def test_who_moved_bytes_while_runs_were_active(asked, runs):
    count, bytes_of, unknown = Counter(), Counter(), set()
    for log, run in runs:
        key = (*owner(log), log.app.exe, log.filesystem)
        count[key] += 1
        bytes_of[key] += sum(moved(log.archetype))
        if run.bytes_read == UNTOLD:
            unknown.add(key)
    said = {
        tuple(row[name] for name in ("user", "account", "program", "filesystem")): row
        for row in asked("who_moved_bytes", limit=10_000)
    }
    known = {key for key in count if bytes_of[key] / GIB >= 0.005} - unknown
    assert len(known) > 30
    for key in known:
        row = said[key]
        assert row["runs"] == count[key], key
        assert row["gib_if_even"] == row["gib_at_most"] == round(bytes_of[key] / GIB, 2), key


def test_days_on_which_the_storage_was_at_fault(asked, runs):
    known, most = Counter(), Counter()
    for log, run in runs:
        key = f"{datetime.fromtimestamp(log.start, UTC):%Y-%m-%d}", log.filesystem
        if run.verdict == UNTOLD:
            most.update({(*key, way): 1 for way in VERDICTS.values()})
        elif run.verdict != "not_slow":
            # without a job nobody knows whether it was slow
            known[*key, run.verdict] += log.join == "joined"
            most[*key, run.verdict] += 1
    said = {}
    for row in asked("storage_fault"):
        for name, way in VERDICTS.items():
            said[row["day"], row["filesystem"], way] = row[name]
    blamed = {key[:2] for key in known if key[2] in ("storage", "both")}
    assert blamed <= {key[:2] for key in said}
    for key, number in said.items():
        assert known[key] <= number <= most[key], key
