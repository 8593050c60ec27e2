"""A site published while the jobs run judges the next run; a document that cannot be used changes nothing."""

import hashlib
import json
from typing import NamedTuple

import pytest
import yaml
from clients import CENTER
from confluent_kafka import Producer
from sim import views
from weir import wire

CLUSTER = "tightened"
CONTROLS = [f"{group}-control" for group in views.GROUPS]
LENIENT = {"small_io": {"fewest_requests": 1_000_000}}  # the log holds 32,768 small reads
BROKEN_RULE = {
    "id": "small_io",
    "title": "Broken",
    "condition": "no_such_feature > 1.0",
    "evidence": ["reads"],
    "advice": ["larger_blocks"],
}


class Judged(NamedTuple):
    """Whether small_io holds for a run, and the revision of code, rules and site that said so."""

    holds: bool
    revision: int


@pytest.fixture(scope="module")
def site(weir, stack, tmp_path_factory):
    """Activate the cluster's site with such thresholds of rules."""
    folder = tmp_path_factory.mktemp("site")

    def publish(**fields):
        content = yaml.safe_load((CENTER / "site.yaml").read_text()) | {"cluster": CLUSTER} | fields
        file = folder / "site.yaml"
        file.write_text(yaml.safe_dump(content))
        told = weir("site", "publish", file)
        views.await_read(stack, CONTROLS)
        return told

    return publish


@pytest.fixture(scope="module")
def judged(weir, sql, eventually, tmp_path_factory):
    """Send a log of 32,768 small reads under an identity of its own; what is said of it."""
    recorded = next(CENTER.glob("darshan/generated/random_small_reads/*.darshan")).read_bytes()
    folder = tmp_path_factory.mktemp(CLUSTER)
    (folder / "sacct.psv").write_text((CENTER / "sacct.psv").read_text().splitlines()[0] + "\n")
    site = yaml.safe_load((CENTER / "site.yaml").read_text()) | {"cluster": CLUSTER}
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    (folder / "center.yaml").write_text(
        "site: site.yaml\nsacct: [sacct.psv]\niostat: {}\ndarshan: ['*.darshan']\n"
    )

    def send(name):
        # bytes behind the log are not read, and make it another log
        log = recorded + f"{CLUSTER} {name}".encode()
        (folder / f"{name}.darshan").write_bytes(log)
        weir("replay", folder, "--speed", "1000000")  # those before it are the same messages once more
        of_log = {"log": hashlib.blake2b(log, digest_size=16).hexdigest()}
        run = "FROM runs WHERE cluster = 'tightened' AND log_id = {log:String}"
        # no samples come: when the wait for them is over, all has been said
        eventually(lambda: sql.rows(f"SELECT load_state {run}", **of_log) == [{"load_state": "no_samples"}])
        (row,) = sql.rows(f"SELECT findings, revision {run}", **of_log)
        findings = sql.rows(
            "SELECT rule_id FROM findings WHERE cluster = 'tightened' AND log_id = {log:String}", **of_log
        )
        assert sorted(row["findings"]) == sorted(each["rule_id"] for each in findings)
        assert "random_io" in row["findings"], "the other rules go on"
        return Judged("small_io" in row["findings"], row["revision"])

    return send


@pytest.fixture
def spoil(stack):
    """Put messages on a control topic that are no usable documents; where they lie. Deleted at the end."""
    producer = Producer(stack.kafka)
    topics = set()

    def put(topic, document, content):
        published = wire.encode("Published", {"id": document, "revision": 999, "content": content})
        places = []
        # a key that is no document's: the compacted topic keeps the active one
        for value in (b"not avro at all", published):
            producer.produce(
                topic,
                value,
                key=b"spoilt",
                on_delivery=lambda _, m: places.append(f"{m.topic()}/{m.partition()}/{m.offset()}"),
            )
        producer.flush()
        topics.add(topic)
        views.await_read(stack, CONTROLS)
        return places

    yield put
    for topic in topics:
        producer.produce(topic, None, key=b"spoilt")
    producer.flush()


def test_a_threshold_judges_the_next_run_and_a_broken_document_changes_nothing(
    site, judged, spoil, stack, eventually, weir
):
    site()
    before = judged("before")
    assert before.holds
    assert "revision 2 published" in site(rule_thresholds=LENIENT)
    after = judged("after")
    assert after == Judged(False, before.revision + 1)

    places = spoil("weir.site", CLUSTER, '{"cluster": "tightened", ')
    places += spoil("weir.rules", "default", json.dumps({"id": "default", "rules": [BROKEN_RULE]}))
    assert judged("beside_broken_documents") == after
    log = stack.logs / "taskmanager.log"
    assert [place for place in places if f"{place} is passed over" not in log.read_text()] == []
    assert f"{CLUSTER}: revision 2 is active" in site(rule_thresholds=LENIENT)
    weir("reference", "show")  # reads every site
