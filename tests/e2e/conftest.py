"""What was run on purpose, the mailbox, and an alerting job that forgets."""

import email
import email.policy
import json
import shutil
from email.message import EmailMessage
from typing import NamedTuple

import httpx
import pytest
from clients import CENTER
from confluent_kafka.admin import AdminClient
from faults.cluster import is_as_declared
from weir_embedded import supervisor
from weir_keeper import FlinkRest, JobState, checkpoints, keeper, savepoints
from weir_keeper.declared import NAMES

FORGETS = "alerting"
GROUP = f"weir-{FORGETS}"


@pytest.fixture(scope="session")
def truths():
    files = sorted(CENTER.glob("darshan/*/*/truth.json"))
    return [(file.parent, json.loads(file.read_text())) for file in files]


class Mail(NamedTuple):
    """One that lies in the mailbox."""

    alert: str
    """Of which it is, by its Message-ID."""
    to: str
    message: EmailMessage


@pytest.fixture(scope="session")
def mails(stack):
    """Gives all mails that lie in the mailbox."""
    known = {}

    def read(box, number):
        raw = box.get(f"/messages/{number}.source").content
        message = email.message_from_bytes(raw, policy=email.policy.default)
        return Mail(message["Message-ID"].strip("<>").split("@")[0], message["To"], message)

    def mails():
        with httpx.Client(base_url=stack.mailbox_url, trust_env=False, timeout=60) as box:
            numbers = [each["id"] for each in box.get("/messages/").json()["messages"]]
            known.update((number, read(box, number)) for number in numbers if number not in known)
        return [known[number] for number in numbers]

    return mails


@pytest.fixture(scope="session")
def report(weir):
    """What the analysis says of a recorded run, as the result of its job carries it to the mail."""
    (log,) = CENTER.glob("darshan/generated/small_unaligned_shared/*.darshan")
    run = json.loads(weir("analyze", "--json", log))
    del run["files"], run["busy"]["slots"]
    return json.dumps(run)


@pytest.fixture(scope="session")
def lose_state(stack, eventually):
    """Cancel the alerting job, drop all that it could be restored from, and have the keeper start it again.

    With `offsets` it does not know either how far it has read, and reads all results again.
    """

    def others():
        pids = {name: info["pid"] for name, info in supervisor.processes(stack).items()}
        return pids, [JobState.load(stack, name) for name in NAMES if name != FORGETS]

    def lose(offsets=False):
        before, rest = JobState.load(stack, FORGETS), others()
        FlinkRest(stack).cancel(before.job_id)
        eventually(lambda: JobState.load(stack, FORGETS).problem)
        for job_id in (before.job_id, *before.older_job_ids):
            for folder in (checkpoints(stack), savepoints(stack)):
                shutil.rmtree(folder / job_id, ignore_errors=True)
        if offsets:
            admin = AdminClient(dict(stack.kafka))  # whose answer comes only while it is held
            admin.delete_consumer_groups([GROUP], request_timeout=30)[GROUP].result()
        keeper.resume(stack, FORGETS)
        eventually(lambda: JobState.load(stack, FORGETS).generation > before.generation)
        eventually(lambda: is_as_declared(stack))
        assert JobState.load(stack, FORGETS).restored_from == ""
        assert others() == rest

    return lose
