"""The alerting job loses all of its state: what users were told and what they want is not forgotten."""

from collections import Counter
from datetime import UTC, datetime
from itertools import count

import pytest
from weir.notify import control

from . import job_results

CLUSTER = "forgotten"
MOST_A_DAY = 2
ADA, BOB, CY, DAN = (f"{CLUSTER}-{name}" for name in ("ada", "bob", "cy", "dan"))

DECIDED = "SELECT unit, held FROM alerts WHERE cluster = {c:String}"
SENT = "SELECT count() FROM deliveries WHERE cluster = {c:String} AND state = 'sent'"
CASE = "SELECT runs, times_sent, sent_at, node_hours_lost FROM cases WHERE case_id = {id:String}"


@pytest.fixture(scope="module")
def end(stack, sql, report, drained, eventually):
    """Have jobs end, each of a user and a program; gives what was decided of each."""
    numbers = count(1)

    def end(*jobs):
        results = [
            job_results.slow_job(report, CLUSTER, user, next(numbers), program) for user, program in jobs
        ]
        units = [job_results.unit(each) for each in results]
        job_results.publish(stack, results)

        def decided():
            held = {row["unit"]: row["held"] for row in sql.rows(DECIDED, c=CLUSTER)}
            return [held.get(unit) for unit in units]

        eventually(lambda: None not in decided())
        leave = sum(row["held"] == "" for row in sql.rows(DECIDED, c=CLUSTER))
        eventually(lambda: sql.one(SENT, c=CLUSTER) == leave)
        drained()
        return decided()

    return end


@pytest.fixture(scope="module")
def own_mails(mails):
    """Gives how often each mail to a user of these tests lies in the mailbox."""

    def own():
        return Counter(each.alert for each in mails() if each.to.startswith(CLUSTER))

    return own


@pytest.fixture(scope="module")
def before(stack, sql, end, own_mails, lose_state):
    """The mails and a case as they were before the loss; the job has begun anew since."""
    job_results.publish_site(stack, CLUSTER, per_user_and_day=MOST_A_DAY, digest="daily")
    for user, subject in ((BOB, "all"), (CY, job_results.case_id(CLUSTER, CY, "muted"))):
        record = control.mute(CLUSTER, user, subject, None, "test", datetime.now(UTC))
        control.publish(stack.kafka, record)
    assert end((ADA, "ior"), (BOB, "ior"), (CY, "muted")) == ["", "muted", "muted"]
    assert end((DAN, "first"), (DAN, "second")) == ["", ""]
    found = own_mails(), case_of(sql, ADA, "ior")
    lose_state()
    return found


def case_of(sql, user, program):
    (row,) = sql.rows(CASE, id=job_results.case_id(CLUSTER, user, program))
    return row


def test_a_case_that_had_a_mail_is_counted_on_and_has_no_second_mail(before, sql, end, own_mails):
    mails, case = before
    assert (case["runs"], case["times_sent"]) == (1, 1)
    assert end((ADA, "ior")) == ["sent_before"]
    counted = {"runs": 2, "node_hours_lost": 2 * job_results.NODE_HOURS}
    assert case_of(sql, ADA, "ior") == case | counted
    assert own_mails() == mails


def test_who_muted_messages_or_a_case_gets_none_after_it(before, end, own_mails):
    mails = own_mails()
    assert end((BOB, "other"), (CY, "muted")) == ["muted", "muted"]
    assert own_mails() == mails


def test_messages_before_it_count_for_the_day(before, end, own_mails):
    mails = own_mails()
    assert end((DAN, "third")) == ["limit"]
    assert own_mails() == mails


def test_what_is_new_is_sent(before, end, own_mails):
    mails = own_mails()
    assert end((ADA, "other"), (CY, "other")) == ["", ""]
    assert (own_mails() - mails).total() == 2
