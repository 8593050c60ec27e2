"""The simulated center against itself re-derived: what its messages say, and what the rules decide of it."""

import json
from collections import Counter, defaultdict
from hashlib import blake2b

import numpy as np
import pytest
import yaml
from weir import documents, wire
from weir.admin import rules
from weir.analyze import jvm

from sim.archetypes import ARCHETYPES
from sim.center import UNTOLD, Center
from sim.plan import BUCKET, SITUATIONS

JOBS = 200


@pytest.fixture(scope="module")
def center():
    return Center(jobs=JOBS)


@pytest.fixture(scope="module")
def messages(center):
    return list(center.messages())


@pytest.fixture(scope="module")
def logs(messages):
    """Log id -> bodies of its parts, decoded."""
    found = defaultdict(list)
    for message in messages:
        if message.topic == "weir.darshan.log":
            name, part = wire.decode(message.value)
            assert (name, part["log_id"]) == ("DarshanLogMessage", message.key)
            found[message.key].append(part["body"])
    return found


def digest(messages):
    everything = blake2b()
    for message in messages:
        everything.update(
            f"{message.at} {message.topic} {message.key} {message.rows}".encode() + message.value
        )
    return everything.hexdigest()


def test_the_same_arguments_give_the_same_bytes(messages):
    assert digest(Center(jobs=JOBS).messages()) == digest(messages)
    assert digest(Center(jobs=JOBS, seed=2).messages()) != digest(messages)


def test_another_cluster_is_the_same_center(center, messages):
    other = Center("other", jobs=JOBS)
    assert [(m.at, m.topic, m.kind, m.rows) for m in other.messages()] == [
        (m.at, m.topic, m.kind, m.rows) for m in messages
    ]
    assert not other.truth().runs.keys() & center.truth().runs.keys()


def test_every_situation_and_archetype_occurs(center):
    truth = center.truth()
    assert {job.situation for job in center.plan.jobs} == SITUATIONS.keys()
    assert {run.kind for run in truth.runs.values()} == ARCHETYPES.keys()
    assert {run.load_state for run in truth.runs.values()} >= {
        "closed",
        "incomplete",
        "no_samples",
        "no_filesystem",
    }
    assert {run.verdict for run in truth.runs.values()} >= {
        "application",
        "storage",
        "both",
        "unknown",
        "not_slow",
    }


def test_events_are_in_the_order_of_time_and_counted(center, messages):
    assert [m.at for m in messages] == sorted(m.at for m in messages)
    assert center.events == sum(m.kind not in ("batch", "end") for m in messages)


def test_messages_are_as_the_contract_says(messages):
    assert max(len(m.value) for m in messages) <= 512 * 1024
    for message in messages:
        _, record = wire.decode(message.value)
        if message.kind == "tick":
            assert len(record["values"]) == 8 * len(record["columns"]) * len(record["device_ids"])
            assert message.key == f"{record['cluster']}/{record['server']}"
        elif message.kind in ("job", "manifest"):
            assert message.key == f"{record['cluster']}/{record['job_id']}"


def columns(batch, which):
    values = np.frombuffer(batch[which], "<i8" if which == "ints" else "<f8")
    names = batch["int_names" if which == "ints" else "float_names"]
    return dict(zip(names, values.reshape(len(names), batch["rows"]), strict=True))


def test_logs_hold_what_the_ledger_says(center, logs):
    """Bytes are those of the records; the I/O time is the slowest rank's, summed and maximized by hand."""
    compared = 0
    for log_id, truth in center.truth().runs.items():
        if truth.log_state != "complete":
            continue
        _, *batches, end = logs[log_id]
        assert [batch["number"] for batch in batches] == list(range(end["batches"]))
        moved, shared, of_rank = Counter(), 0.0, defaultdict(float)
        rows = Counter()
        for batch in batches:
            rows[batch["module"]] += batch["rows"]
            prefix = batch["module"]
            if prefix not in ("POSIX", "STDIO"):
                continue
            ints, floats = columns(batch, "ints"), columns(batch, "floats")
            moved["read"] += ints[f"{prefix}_BYTES_READ"].sum()
            moved["written"] += ints[f"{prefix}_BYTES_WRITTEN"].sum()
            times = sum(floats[f"{prefix}_F_{kind}_TIME"] for kind in ("META", "READ", "WRITE"))
            slowest = floats[f"{prefix}_F_SLOWEST_RANK_TIME"]
            for rank, time, most in zip(np.frombuffer(batch["ranks"], "<i8"), times, slowest, strict=True):
                if rank < 0:
                    shared += most
                else:
                    of_rank[prefix, rank] += time
        assert (moved["read"], moved["written"]) == (truth.bytes_read, truth.bytes_written)
        slowest = sum(
            max((t for (p, _), t in of_rank.items() if p == m), default=0) for m in ("POSIX", "STDIO")
        )
        assert slowest + shared == pytest.approx(truth.io_time_seconds)
        assert {module["name"]: module["records_read"] for module in end["modules"]} == rows
        compared += 1
    assert compared > JOBS / 2


def test_heatmaps_hold_the_bytes_of_the_records(logs):
    compared = 0
    for _, *bodies in logs.values():
        by_module = defaultdict(int)
        for batch in (body for body in bodies if "rows" in body):
            ints = columns(batch, "ints")
            for name in (name for name in ints if name.endswith(("BYTES_READ", "BYTES_WRITTEN"))):
                module = (
                    batch["names"][0].removeprefix("heatmap:")
                    if batch["module"] == "HEATMAP"
                    else batch["module"]
                )
                by_module[batch["module"] == "HEATMAP", module] += int(ints[name].sum())
        for (heatmap, module), total in by_module.items():
            if heatmap and "batches" in bodies[-1] and len(bodies) == bodies[-1]["batches"] + 1:
                assert total == by_module[False, module]
                compared += 1
    assert compared > JOBS / 4


def test_load_is_what_the_ticks_say(center, messages):
    """Differences of counters taken tick by tick, as schemas/README.md says."""
    before, sums, heard = {}, defaultdict(lambda: [0.0, 0.0]), defaultdict(set)
    of_server = {server.name: server.filesystem for server in center.storage.servers}
    for message in messages:
        if message.kind != "tick":
            continue
        tick = wire.decode(message.value)[1]
        values = np.frombuffer(tick["values"]).reshape(len(tick["columns"]), -1)
        end, interval = tick["time"].timestamp(), tick["interval_seconds"]
        if tick["cumulative"]:
            last = before.get(tick["server"])
            before[tick["server"]] = (end, tick["boot_id"], values)
            if last is None or last[1] != tick["boot_id"] or end - last[0] > 1.5 * interval:
                continue
            values = values - last[2]
            values = values[:, (values >= 0).all(axis=0)]
        key = of_server[tick["server"]], int((end - interval / 2) // BUCKET * BUCKET)
        heard[key].add(tick["server"])
        for place, column in enumerate(("bytes_read", "bytes_written")):
            sums[key][place] += values[tick["columns"].index(column)].sum()
    truth = center.truth().load
    assert truth.keys() == heard.keys()
    for key, bucket in truth.items():
        assert (bucket.bytes_read, bucket.bytes_written) == tuple(sums[key])
        assert bucket.servers == len(heard[key])


def test_the_site_is_right(center, tmp_path):
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(center.site))
    assert documents.load_site(file) == center.site


def test_the_shipped_rules_decide_as_was_planted(center, messages, tmp_path, tell):
    """Every archetype's counters through the analysis itself, with its job and the samples of the storage."""
    truth = center.truth()
    (tmp_path / "site.json").write_text(json.dumps(center.site))
    newest = {}
    for message in messages:
        if message.kind == "job":
            newest[wire.decode(message.value)[1]["job_uid"]] = message.value
    wanted = [m.value for m in messages if m.topic == "weir.darshan.log" and m.key in truth.runs]
    ticks = [message.value for message in messages if message.kind == "tick"]
    stream = [*wanted, *newest.values(), *ticks]
    options = ["analyze", "--rules", str(rules.SHIPPED), "--site", str(tmp_path / "site.json")]
    code, answer = jvm.run(options, (len(each).to_bytes(4, "big") + each for each in stream))
    assert code == 0
    told = [json.loads(line) for line in answer.splitlines()]
    runs = {run["log_id"]: run for run in told if run["kind"] == "run"}
    assert runs.keys() == truth.runs.keys()
    for log_id, run in truth.runs.items():
        got = runs[log_id]
        assert got["job_uid"] == run.job_uid, run
        assert got["log_state"] == run.log_state, run
        if run.load_state != UNTOLD:
            assert got["load"]["state"].lower() == run.load_state, run
        if run.findings != UNTOLD:
            assert {finding["id"] for finding in got["findings"]} == run.findings, run
            assert got["verdict"]["value"].lower() == run.verdict, (run, got["verdict"])
    known = [run for run in truth.runs.values() if UNTOLD not in (run.findings, run.verdict)]
    beside = Counter(run.verdict for run in known if "device_contention" in run.findings)
    tell(f"of {len(known)} runs all verdicts are as planted; beside planted contention {dict(beside)}")
