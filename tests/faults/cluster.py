"""The Flink jobs on their cluster, as the tests of this folder see and change them."""

import shutil
import subprocess
import zipfile
from contextlib import contextmanager

import httpx
from weir_embedded import programs
from weir_embedded.parts import jobs
from weir_embedded.parts.part import NotReady
from weir_embedded.preflight import find_java
from weir_keeper import FlinkRest, JobState, declared_jobs
from weir_keeper.declared import STATE_FORMAT


def operators(stack, job):
    """What Flink's REST interface says of each operator chain of a job; empty while it says nothing."""
    try:
        answer = FlinkRest(stack).client.get(f"/jobs/{JobState.load(stack, job).job_id}")
    except httpx.HTTPError:
        return []
    return [] if answer.is_error else answer.json()["vertices"]


def run_since(stack, second):
    """Whether all jobs run, and every part of them was started after `second` (Unix)."""
    found = [operators(stack, job.name) for job in declared_jobs(stack)]
    return all(found) and all(
        each["status"] == "RUNNING" and each["start-time"] > 1000 * second for part in found for each in part
    )


def is_as_declared(stack):
    """Whether all jobs run with the active program and configuration."""
    try:
        jobs.check(stack)
    except NotReady:
        return False
    return True


def restarts(stack):
    """Job -> how often it was started, by the keeper and by Flink."""
    flink, found = FlinkRest(stack).client, {}
    for job in declared_jobs(stack):
        state = JobState.load(stack, job.name)
        metrics = flink.get(f"/jobs/{state.job_id}/metrics?get=numRestarts").json()
        # Flink reports none yet of a job that has just been started.
        found[job.name] = state.generation, metrics[0]["value"] if metrics else "0"
    return found


def heap_bytes(stack):
    """What the TaskManager's heap holds now, garbage with it, and the most that it may."""
    flink = FlinkRest(stack).client
    (manager,) = flink.get("/taskmanagers").json()["taskmanagers"]
    names = ("Status.JVM.Memory.Heap.Used", "Status.JVM.Memory.Heap.Max")
    found = flink.get(f"/taskmanagers/{manager['id']}/metrics?get={','.join(names)}").json()
    values = {each["id"]: int(each["value"]) for each in found}
    return [values[name] for name in names]


@contextmanager
def configured(stack, key, value):
    """Active until the end: this value in the configuration of the jobs."""
    file = stack.conf / "jobs.properties"
    before = file.read_text()
    changed = [f"{key}={value}" if line.startswith(f"{key}=") else line for line in before.splitlines()]
    assert changed != before.splitlines(), f"{file} has no {key}"
    file.write_text("\n".join(changed) + "\n")
    try:
        yield
    finally:
        file.write_text(before)


@contextmanager
def programs_of_state_format(stack, number):
    """Active until the end: all programs as if their state could be restored from this format alone."""
    for job in declared_jobs(stack):
        partial = job.jar.with_suffix(".partial")
        with zipfile.ZipFile(job.jar) as before, zipfile.ZipFile(partial, "w") as after:
            for entry in before.infolist():
                content = before.read(entry)
                if entry.filename == "META-INF/MANIFEST.MF":
                    content, found = STATE_FORMAT.subn(b"Weir-State-Format: %d" % number, content)
                    assert found == 1
                after.writestr(entry, content)
        partial.rename(job.jar)
    try:
        yield
    finally:
        programs.install(stack)


@contextmanager
def program_with(stack, name, folder):
    """Active until the end: the job's program with the files below a folder added."""
    (jar,) = [job.jar for job in declared_jobs(stack) if job.name == name]
    partial = jar.with_suffix(".partial")
    shutil.copyfile(jar, partial)
    subprocess.run([f"{find_java()}/bin/jar", "--update", "--file", partial, "-C", folder, "."], check=True)
    partial.rename(jar)
    try:
        yield jar
    finally:
        programs.install(stack)
