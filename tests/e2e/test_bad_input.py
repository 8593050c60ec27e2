"""What can't be read becomes a dead letter with source, reason and place; everything next to it lands."""

import pytest
import yaml
from clients import CENTER
from confluent_kafka import Producer


@pytest.fixture(scope="module")
def broken(center, weir, sql, tmp_path_factory):
    """A small center of its own cluster with one bad thing in each source, replayed."""
    folder = tmp_path_factory.mktemp("broken")
    site = yaml.safe_load((CENTER / "site.yaml").read_text()) | {"cluster": "broken"}
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    (folder / "darshan").mkdir()
    for case in ("rank0_writer", "collective_aligned"):
        log = next(CENTER.glob(f"darshan/generated/{case}/*.darshan"))
        # bytes behind the log are not read, and make it another log than the recorded one
        (folder / f"darshan/{case}.darshan").write_bytes(log.read_bytes() + b"beside bad input")
    cut = next(CENTER.glob("darshan/generated/hdf5_independent/*.darshan"))
    (folder / "darshan/cut.darshan").write_bytes(cut.read_bytes()[:-200])
    (folder / "darshan/text.darshan").write_text("this is no log\n" * 40)
    lines = (CENTER / "sacct.psv").read_text().replace("labcluster", "broken").splitlines()
    (folder / "sacct.psv").write_text("\n".join([lines[0], lines[1], "8|8|broken", lines[6], ""]))
    whole = (CENTER / "devices/iostat_dxt347.json").read_bytes()
    (folder / "iostat.json").write_bytes(whole[: len(whole) // 2])
    (folder / "center.yaml").write_text(
        "site: site.yaml\nsacct: [sacct.psv]\niostat: {vm: [iostat.json]}\ndarshan: ['darshan/*.darshan']\n"
    )
    weir("site", "publish", folder / "site.yaml")
    weir("replay", folder, "--speed", "1000000")
    return folder


def letters(sql, source):
    return sql.rows("SELECT * FROM dead_letters WHERE cluster = 'broken' AND source = {s:String}", s=source)


def test_a_file_that_is_no_log(broken, sql):
    (letter,) = [row for row in letters(sql, "darshan") if row["file"] == "darshan/text.darshan"]
    assert "no Darshan log" in letter["reason"]
    assert letter["bytes"].startswith("this is no log")


def test_a_cut_log_is_decoded_as_far_as_it_is_sound_and_says_so(broken, sql):
    states = sql.rows(
        "SELECT r.log_state AS log_state, m.state AS state, m.reason AS reason "
        "FROM runs AS r JOIN log_modules AS m ON r.log_id = m.log_id "
        "WHERE r.cluster = 'broken' AND r.file_name = 'cut.darshan'"
    )
    assert {row["log_state"] for row in states} == {"damaged"}
    assert "damaged" in {row["state"] for row in states}
    assert all(row["reason"] for row in states if row["state"] == "damaged")
    told = [row for row in letters(sql, "darshan") if row["file"] == "darshan/cut.darshan"]
    assert len(told) == sum(row["state"] == "damaged" for row in states)
    assert all("records of" in row["position"] for row in told)


def test_a_malformed_sacct_line(broken, sql):
    (letter,) = letters(sql, "sacct")
    assert (letter["file"], letter["position"]) == ("sacct.psv", "line 3")
    assert "3 fields where the header has 26" in letter["reason"]


def test_an_iostat_document_cut_in_the_middle(broken, sql):
    (letter,) = letters(sql, "iostat")
    assert letter["file"] == "iostat.json"
    assert "not whole JSON" in letter["reason"]
    assert "byte" in letter["position"]


def test_alike_reasons_count_together(broken, weir, sql):
    rows = weir.answer("dead_letters_by_reason", "broken", "--since", "1d")
    for source in ("darshan", "sacct", "iostat"):
        own = [row for row in rows if row["source"] == source]
        assert sum(row["messages_refused"] for row in own) == len(letters(sql, source))
        assert not any(letter.isdigit() for row in own for letter in row["why"])
    (row,) = [row for row in rows if row["source"] == "sacct"]
    assert (row["why"], row["files"]) == ("# fields where the header has #", 1)


def test_everything_next_to_them_landed(broken, sql):
    assert sql.one("SELECT count() FROM runs WHERE cluster = 'broken'") == 3
    jobs = sql.rows("SELECT job_id FROM scheduler_jobs WHERE cluster = 'broken' ORDER BY job_id")
    assert [job["job_id"] for job in jobs] == [8, 13]
    assert sql.one("SELECT uniqExact(time) FROM device_samples WHERE cluster = 'broken'") >= 7


POISON = {
    "weir.darshan.log": "job-analysis",
    "weir.scheduler.job": "job-analysis",
    "weir.job.manifest": "job-analysis",
    "weir.storage.load": "job-analysis",
    "weir.dead-letter": "job-analysis",
    "weir.device.sample": "storage-analysis",
    "weir.job.live": "storage-analysis",
    "weir.target.live": "storage-analysis",
    "weir.job.result": "alerting",
    "weir.control": "alerting",
    "weir.delivery": "alerting",
}


@pytest.mark.parametrize("topic", POISON)
def test_a_poison_message_is_a_dead_letter_with_its_offset(broken, stack, sql, eventually, topic):
    placed = []
    producer = Producer(stack.kafka)
    for poison in (b"not avro at all", b"\xc3\x01" + bytes(8) + b"unknown schema"):
        producer.produce(
            topic, poison, key=b"x", on_delivery=lambda _, m: placed.append((m.partition(), m.offset()))
        )
    producer.flush()

    def landed():
        rows = sql.rows("SELECT * FROM dead_letters WHERE topic = {t:String}", t=topic)
        by_place = {(row["partition"], row["offset"]): row for row in rows}
        return all(place in by_place for place in placed) and by_place

    found = eventually(landed)
    for place in placed:
        assert found[place]["source"] == POISON[topic]
        assert found[place]["reason"]
