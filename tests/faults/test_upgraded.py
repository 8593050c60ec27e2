"""A savepoint in the middle of everything, a program whose state has one more field, a new rule (F17)."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from sim import views
from sim.schedule import Schedule
from weir.admin import rules
from weir_embedded.preflight import find_java
from weir_keeper import JobState, savepoints

from .cluster import is_as_declared, program_with

RULE = {
    "id": "writes_a_gibibyte",
    "title": "Writes a GiB",
    "blames": "nobody",
    "thresholds": {"bytes": 1 << 30},
    "condition": "bytes_written >= bytes",
    "evidence": ["bytes_written"],
    "advice": ["larger_blocks"],
}
# what is kept of a log until it is whole, and of a run as long as anything can still change it
STATES = ("Assembly", "RunState")
# what of a job comes after the upgrade only, by its number; of every fourth nothing
AFTER = ("end", "job", "manifest", "")


@pytest.fixture
def classes(stack, tmp_path):
    """Folder of the classes of the state with one more field, compiled against the active program."""
    sources = stack.root / "flink-jobs/job-analysis/src/main/java/org/weir/job"
    for name in STATES:
        (file,) = sources.rglob(f"{name}.java")
        source, constructor = file.read_text(), f"  public {name}() {{}}"
        assert source.count(constructor) == 1
        later = source.replace(constructor, f"  public long addedLater = 17;\n\n{constructor}")
        (tmp_path / f"{name}.java").write_text(later)
    folder, jar = tmp_path / "classes", stack.conf / "jobs/job-analysis.jar"
    command = [f"{find_java()}/bin/javac", "--release", "17", "-proc:none", "-cp", jar, "-d", folder]
    subprocess.run([*command, *tmp_path.glob("*.java")], check=True)
    return folder


@pytest.fixture
def new_rule(weir, stack, tmp_path):
    """Activates it beside the shipped ones, which are alone again at the end."""
    folder = tmp_path / "rules"
    shutil.copytree(rules.SHIPPED, folder)
    (folder / f"{RULE['id']}.yaml").write_text(yaml.safe_dump(RULE))
    yield lambda: weir("rules", "publish", folder)
    weir("rules", "publish")


def test_what_was_under_way_goes_on_in_a_newer_program_with_a_new_rule(
    simulation, stack, sql, drained, eventually, classes, new_rule
):
    center = simulation("sim-upgraded")
    after = {}  # log id, or cluster and job id -> kind of message
    for number, job in enumerate(center.plan.jobs):
        keys = [log.log_id(center.cluster) for log in job.logs]
        keys += [f"{center.cluster}/{each.job_id}" for each in (*job.submits, *job.looks)]
        after |= dict.fromkeys(keys, AFTER[number % len(AFTER)])
    middle = center.storage.time(center.storage.ticks // 2)

    def comes_after(message):
        if message.kind == "tick":
            return message.at > middle
        return message.kind == after[message.key]

    views.publish_site(center, stack)
    sendings = list(Schedule().sendings(center.messages()))
    views.put(center, [each for each in sendings if not comes_after(each.message)], stack)
    views.await_read(stack)
    before = JobState.load(stack, "job-analysis")
    new_rule()
    with program_with(stack, "job-analysis", classes):
        eventually(lambda: is_as_declared(stack))
        upgraded = JobState.load(stack, "job-analysis")
        assert upgraded.jar_hash != before.jar_hash
        assert savepoints(stack) in Path(upgraded.restored_from).parents
        views.put(center, [each for each in sendings if comes_after(each.message)], stack)
        views.await_rest(center, stack, sql, drained, besides=RULE["id"])
        assert JobState.load(stack, "job-analysis") == upgraded
    assert views.wrong(center, sql, besides=RULE["id"]) == []

    # a run is judged by the new rule when its log or its scheduler's record came after it
    truth = center.truth()
    anew = {
        log_id: run.bytes_written >= RULE["thresholds"]["bytes"]
        for log_id, run in truth.runs.items()
        if run.log_state == "complete"
        and (after[log_id] == "end" or (after[log_id] == "job" and run.job_join == "joined"))
    }
    assert set(anew.values()) == {True, False}
    found = views.findings(sql, center.cluster)
    assert {log_id: RULE["id"] in found.get(log_id, ()) for log_id in anew} == anew
    eventually(lambda: is_as_declared(stack))
