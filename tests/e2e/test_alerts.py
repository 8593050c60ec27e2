"""Messages to users, from the results of a simulated center to the mailbox, against the center's ledger."""

import time
from collections import defaultdict

import pytest
from sim import views
from sim.center import UNTOLD, Center
from sim.schedule import Schedule

POLICY = {
    "mode": "live",
    "staff": ["staff@center.invalid"],
    "operators": ["operators@center.invalid"],
    "least_severity": "info",
    "least_node_hours": 0,
    "least_share": 0,
    "per_user_and_day": 1000,
    "digest": "never",
}
NAMED = """
    SELECT alerts.unit AS unit, alerts.user AS user, groupArray(DISTINCT cases.rule_id) AS rules FROM alerts
    ARRAY JOIN alerts.cases AS named
    INNER JOIN cases ON cases.cluster = alerts.cluster AND cases.case_id = named
    WHERE alerts.cluster = {c:String} AND alerts.held = '' AND alerts.kind IN ('finding', 'reminder')
    GROUP BY unit, user
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
    """Unit -> runs of the ledger, of jobs that are settled and left only logs whose findings are known."""
    truth = center.truth()
    found = defaultdict(list)
    submits = {submit.uid(center.cluster): submit for submit in center.plan.submits}
    for run in truth.runs.values():
        job = truth.jobs.get(run.job_uid)
        if job and job.settled and run.findings:
            array = submits[run.job_uid].array_id
            found[f"array {center.cluster} {array}" if array else f"job {run.job_uid}"].append(run)
    return found


def test_each_cause_reaches_its_user_unless_the_storage_was_at_fault(mailed, sql, eventually):
    expected, doubtful = set(), set()
    for runs in units(mailed).values():
        known = [run for run in runs if run.findings != UNTOLD]
        doubtful |= {run.user for run in runs if run not in known}
        if any(run.verdict != "storage" for run in known):
            expected |= {(run.user, rule) for run in known for rule in run.findings}

    def named():
        rows = sql.rows(NAMED, c=mailed.cluster)
        return {(row["user"], rule) for row in rows for rule in row["rules"]}

    eventually(lambda: expected <= named())
    surplus = {(user, rule) for user, rule in named() - expected if user not in doubtful}
    assert surplus == set()
    assert len(expected) > 30


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
    states = "SELECT state, count() AS n FROM deliveries WHERE cluster = {c:String} GROUP BY state"
    eventually(lambda: sql.rows(states, c=mailed.cluster) == [{"state": "sent", "n": len(expected)}])
    own = [mail for mail in mails() if mail["Message-ID"].strip("<>").split("@")[0] in expected]
    ids = [mail["Message-ID"].strip("<>").split("@")[0] for mail in own]
    assert sorted(ids) == sorted(expected)
    for alert, mail in zip(ids, own, strict=True):
        assert mail["To"].addresses[0].username == expected[alert]
        text = mail.get_body(("plain",)).get_content()
        assert max(map(len, text.splitlines())) <= 80 or "http" in text
        assert "weir alerts mute" in text


def test_publishing_everything_again_sends_nothing(mailed, stack, sql, drained, mails):
    before = len(mails())
    views.put(mailed, Schedule(order="random", rate=1000).sendings(mailed.messages()), stack)
    drained()
    assert len(mails()) == before
