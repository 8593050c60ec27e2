"""Messages to users, from the results of a simulated center to the mailbox, against the center's ledger."""

import json
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions
from confluent_kafka.admin import AdminClient
from sim import views
from sim.center import UNTOLD, Center
from sim.schedule import Schedule
from weir import documents, identity, kafka, wire
from weir.notify import preview

from . import job_results

POLICY = {
    "mode": "live",
    "staff": ["staff@center.invalid"],
    "operators": ["operators@center.invalid"],
    "least_severity": "info",
    "least_node_hours": 0,
    "least_share": 0,
    "per_user_and_day": 1000,
    "digest": "never",
    "trust_archive": True,
}
NEWEST_SECONDS = 6 * 3600
"""A job that ended longer ago is no reason for a message."""
REMEMBERED_SECONDS = 10 * 86_400
"""A result of a job that ended longer ago is counted again where the state is lost."""
DOMAIN = "users.weir.invalid"
LAST = "last"
"""User of jobs whose results come after all others; they left no runs by which they are known again."""
NAMED = """
    SELECT alerts.unit AS unit, alerts.user AS user, groupArray(DISTINCT cases.rule_id) AS rules FROM alerts
    ARRAY JOIN alerts.cases AS named
    INNER JOIN cases ON cases.cluster = alerts.cluster AND cases.case_id = named
    WHERE alerts.cluster = {c:String} AND alerts.held = '' AND alerts.kind IN ('finding', 'reminder')
    GROUP BY unit, user
"""
CASES = """
    SELECT case_id, state, runs, node_hours_lost, times_sent, sent_at FROM cases
    WHERE cluster = {c:String} AND user NOT IN {u:Array(String)}
    ORDER BY case_id
"""
DECIDED = "SELECT user, unit, held, cases FROM alerts WHERE cluster = {c:String}"
KINDS = "SELECT kind, cases FROM alerts WHERE alert IN {a:Array(String)}"
STATES = """
    SELECT state, count() AS n FROM deliveries
    WHERE cluster = {c:String} AND recipient != 'operators'
    GROUP BY state
"""


def just_ended(cluster):
    """A center whose last message is some minutes old: of older jobs there are no messages."""
    past = Center(cluster, jobs=100)
    seconds = max(message.at for message in past.messages()) - past.plan.base
    return Center(cluster, jobs=100, base=int(time.time() - seconds) - 300)


@pytest.fixture(scope="module")
def mailed(stack, sql, drained):
    """The center; its results have come to rest."""
    center = just_ended("alerts")
    center.site["alerts"] = POLICY
    views.send(center, Schedule(order="random", duplicates=0.1, rate=400), stack)
    views.await_rest(center, stack, sql, drained)
    return center


def units(center):
    """Unit -> runs of the ledger with findings, or of which these are not known, of settled jobs of today."""
    truth = center.truth()
    found = defaultdict(list)
    submits = {submit.uid(center.cluster): submit for submit in center.plan.submits}
    for run in truth.runs.values():
        job = truth.jobs.get(run.job_uid)
        if not (job and job.settled and run.findings):
            continue
        submit = submits[run.job_uid]
        if submit.end > center.plan.base - NEWEST_SECONDS:
            array = submit.array_id
            found[f"array {center.cluster} {array}" if array else f"job {run.job_uid}"].append(run)
    return found


def causes(center):
    """Gives ((user, rule) of which there must be a message, users of whom there may be others)."""
    known, doubtful = set(), set()
    for runs in units(center).values():
        judged = [run for run in runs if run.findings != UNTOLD]
        doubtful |= {run.user for run in runs if run not in judged}
        if any(run.verdict != "storage" for run in judged):
            known |= {(run.user, rule) for run in judged for rule in run.findings}
    return known, doubtful


def test_each_cause_reaches_its_user_unless_the_storage_was_at_fault(mailed, sql, eventually):
    expected, doubtful = causes(mailed)

    def named():
        rows = sql.rows(NAMED, c=mailed.cluster)
        return {(row["user"], rule) for row in rows for rule in row["rules"]}

    eventually(lambda: expected <= named())
    surplus = {(user, rule) for user, rule in named() - expected if user not in doubtful}
    assert surplus == set()
    assert len(expected) > 30


def test_a_question_counts_the_users_of_each_cause(mailed, weir):
    known, doubtful = causes(mailed)
    users = defaultdict(set)
    for user, rule in known:
        users[rule].add(user)
    said = {row["rule_id"]: row for row in weir.answer("messages_helped", mailed.cluster, "--since", "1d")}
    assert users.keys() <= said.keys()
    for rule, row in said.items():
        assert len(users[rule]) <= row["users"] <= len(users[rule] | doubtful), rule
        assert row["users"] <= row["causes"], rule
        assert row["called_wrong"] == 0, rule


def test_no_message_is_about_what_only_the_storage_did(mailed, sql):
    by_unit = units(mailed)
    of_storage = {unit for unit, runs in by_unit.items() if all(run.verdict == "storage" for run in runs)}
    assert of_storage
    sent = {row["unit"] for row in sql.rows(NAMED, c=mailed.cluster)}
    assert sent & of_storage == set()
    assert sent - set(by_unit) == set()


def test_each_alert_is_one_mail_to_the_user_with_job_and_remedy(mailed, sql, mails, eventually):
    alerts = "SELECT alert, user FROM alerts WHERE cluster = {c:String} AND held = ''"
    expected = {row["alert"]: row["user"] for row in sql.rows(alerts, c=mailed.cluster)}
    eventually(lambda: sql.rows(STATES, c=mailed.cluster) == [{"state": "sent", "n": len(expected)}])
    own = [mail for mail in mails() if mail.alert in expected]
    assert sorted(mail.alert for mail in own) == sorted(expected)
    for mail in own:
        assert mail.to == f"{expected[mail.alert]}@{DOMAIN}"
        text = mail.message.get_body(("plain",)).get_content()
        assert [line for line in text.splitlines() if len(line) > 80 and "http" not in line] == []
        assert "weir alerts mute" in text


def changed_units(center, stack):
    """Units of which settled results differ: their message depends on the moment of its decision."""
    said = defaultdict(set)

    def note(_, message):
        result = wire.decode(message)[1]
        if result["cluster"] == center.cluster and result["settled"]:
            found = frozenset((each["log_id"], each["rule_id"]) for each in result["findings"])
            verdicts = frozenset((each["log_id"], each["verdict"]) for each in result["runs"])
            said[job_results.unit(result)].add((result["job_uid"], found, verdicts))

    kafka.read_to_end(stack.kafka, "weir.job.result", note)
    return {unit for unit, contents in said.items() if len(contents) > 1}


def test_a_preview_shows_what_was_sent_and_held_back(mailed, stack, sql):
    site = json.loads(documents.in_force(stack.kafka, "weir.site")[mailed.cluster]["content"])
    now = datetime.now(UTC)
    found = preview.preview(stack.kafka, site, now - timedelta(days=1), now)
    named = {
        (each["recipient"], each["unit"], case["case"]) for each in found.alerts for case in each["cases"]
    }
    decided = sql.rows(DECIDED, c=mailed.cluster)
    sent = {(row["user"], row["unit"], case) for row in decided if not row["held"] for case in row["cases"]}
    changed = changed_units(mailed, stack)
    doubtful = {(user, case) for user, unit, case in named | sent if unit in changed}
    by_preview, by_mail = ({(user, case) for user, _, case in each} for each in (named, sent))
    assert (by_preview ^ by_mail) - doubtful == set()
    assert len(by_preview & by_mail) > 30
    of_storage = [row for row in decided if row["held"] == "storage"]
    assert of_storage
    assert {(row["user"], "storage") for row in of_storage if row["unit"] not in changed} <= found.held.keys()


@pytest.fixture(scope="module")
def to_users(mailed, stack, report, mails, eventually):
    """Gives the ids of all mails to users, once a job that is decided after all others has its own."""
    numbers = count(1)

    def to_users():
        number = next(numbers)
        job = job_results.slow_job(report, mailed.cluster, LAST, number, f"program{number}")
        job_results.publish(stack, [job])
        alert = identity.alert_id("finding", job_results.unit(job), LAST)
        eventually(lambda: any(mail.alert == alert for mail in mails()))
        lie = [mail for mail in mails() if mail.to.endswith(DOMAIN) and mail.to != f"{LAST}@{DOMAIN}"]
        return sorted(mail.alert for mail in lie)

    return to_users


def test_publishing_everything_again_sends_nothing(mailed, stack, drained, to_users):
    before = to_users()
    views.put(mailed, Schedule(order="random", rate=1000).sendings(mailed.messages()), stack)
    drained()
    assert to_users() == before


def test_a_job_without_state_that_reads_all_results_again_counts_and_sends_nothing_twice(
    mailed, stack, sql, drained, to_users, lose_state, eventually
):
    admin = AdminClient(dict(stack.kafka))

    def read():
        asked = admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions("weir-alerting")])
        return sorted((at.partition, at.offset) for at in asked["weir-alerting"].result().topic_partitions)

    ends = {submit.uid(mailed.cluster): submit.end for submit in mailed.plan.submits}
    forgotten = {
        run.user
        for run in mailed.truth().runs.values()
        if run.job_uid and (ends[run.job_uid] or 0) < mailed.plan.base - REMEMBERED_SECONDS
    }
    passed_over = [*sorted(forgotten - {None}), LAST]
    mails, cases = to_users(), sql.rows(CASES, c=mailed.cluster, u=passed_over)
    drained()
    before = read()
    lose_state(offsets=True)
    eventually(lambda: read() == before)
    drained()
    after = to_users()
    assert len(after) == len(set(after))
    assert set(after) >= set(mails)
    # a case that a mail opened after the clean runs had been read is found fixed now that they are read again
    new = sql.rows(KINDS, a=[alert for alert in after if alert not in mails])
    assert {row["kind"] for row in new} <= {"fixed"}
    fixed = {case for row in new for case in row["cases"]}
    kept = [row for row in cases if row["case_id"] not in fixed]
    found = sql.rows(CASES, c=mailed.cluster, u=passed_over)
    assert [row for row in found if row["case_id"] not in fixed] == kept
    assert len(kept) > 30
