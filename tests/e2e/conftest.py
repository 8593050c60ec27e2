"""What was run on purpose, and the mailbox."""

import email
import email.policy
import json

import httpx
import pytest
from clients import CENTER


@pytest.fixture(scope="session")
def truths():
    files = sorted(CENTER.glob("darshan/*/*/truth.json"))
    return [(file.parent, json.loads(file.read_text())) for file in files]


@pytest.fixture(scope="session")
def mails(stack):
    """Gives all mails that lie in the mailbox, parsed."""

    def mails():
        with httpx.Client(base_url=stack.mailbox_url, trust_env=False) as box:
            listed = box.get("/messages/").json()["messages"]
            raw = [box.get(f"/messages/{each['id']}.source").content for each in listed]
        return [email.message_from_bytes(each, policy=email.policy.default) for each in raw]

    return mails


@pytest.fixture(scope="session")
def report(weir):
    """What the analysis says of a recorded run, as the result of its job carries it to the mail."""
    (log,) = CENTER.glob("darshan/generated/small_unaligned_shared/*.darshan")
    run = json.loads(weir("analyze", "--json", log))
    del run["files"], run["busy"]["slots"]
    return json.dumps(run)
