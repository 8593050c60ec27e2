"""Thousands of slow jobs end at once: few mails to one user, one to each of many, and no job is forgotten."""

import time
from collections import Counter
from typing import NamedTuple

import psutil
import pytest
from faults.cluster import restarts
from weir_embedded import supervisor

from . import job_results

JOBS = 10_000
"""Of the one user, and of the array."""
SEVERAL = JOBS // 10
USERS = JOBS // 20
MOST_A_DAY = 3
CASE_OF_EACH = 20
"""Programs of the user whose jobs have several causes."""
MOST_GROWTH = 60 << 20
"""Of the notifier's resident memory, in bytes: what it renders with is loaded at its first mail."""

DECIDED = "SELECT user, unit, alert, held FROM alerts WHERE cluster = {c:String}"
COUNTED = "SELECT user, case_id, runs, times_sent FROM cases WHERE cluster = {c:String}"
STATES = "SELECT state, count() AS n FROM deliveries WHERE cluster = {c:String} GROUP BY state"


class Storm(NamedTuple):
    """What was published, and what came of it."""

    results: list
    decided: list
    cases: list
    mails: list
    grown: int
    restarts: tuple


@pytest.fixture(scope="module")
def storm(stack, sql, report, mails, drained, eventually, tell):
    """Send results to a cluster of a name at once, and wait until all is decided and delivered."""

    def notifier():
        return psutil.Process(supervisor.processes(stack)["notify"]["pid"])

    def storm(cluster, jobs, units):
        job_results.publish_site(stack, cluster, per_user_and_day=MOST_A_DAY, digest="daily")
        process, before = notifier(), restarts(stack)["alerting"]
        memory, begin = process.memory_info().rss, time.monotonic()
        results = [
            job_results.slow_job(report, cluster, number=number, **job) for number, job in enumerate(jobs)
        ]
        job_results.publish(stack, results)
        sent = time.monotonic() - begin
        drained()
        eventually(lambda: len(sql.rows(DECIDED, c=cluster)) == units)
        decided, decided_after = sql.rows(DECIDED, c=cluster), time.monotonic() - begin
        leave = sum(each["held"] == "" for each in decided)
        eventually(lambda: sql.rows(STATES, c=cluster) == [{"state": "sent", "n": leave}])
        after = notifier()
        assert after == process
        grown = after.memory_info().rss - memory
        tell(
            f"{len(results)} results sent within {sent:.0f} s, decided within {decided_after:.0f} s, "
            f"{leave} mails sent within {time.monotonic() - begin:.0f} s; "
            f"notifier {memory >> 20} MiB, then {grown / (1 << 20):+.1f} MiB"
        )
        cases = sql.rows(COUNTED, c=cluster)
        return Storm(results, decided, cases, mails(), grown, (before, restarts(stack)["alerting"]))

    return storm


@pytest.fixture(scope="module")
def of_many(storm):
    """One user's jobs of one cause, another's of several, and one job of each of many."""
    jobs = [{"user": "storm-one"}] * JOBS
    jobs += [{"user": "storm-several", "program": f"solver{each % CASE_OF_EACH}"} for each in range(SEVERAL)]
    jobs += [{"user": f"storm{number}"} for number in range(USERS)]
    return storm("storm", jobs, len(jobs))


def received(storm):
    """How many mails each user has."""
    return Counter(mail.to.partition("@")[0] for mail in storm.mails)


def decisions(storm, user):
    """How often which was decided for a user; nothing is held back where it is empty."""
    return Counter(row["held"] for row in storm.decided if row["user"] == user)


def test_one_cause_of_many_jobs_is_one_mail(of_many):
    assert decisions(of_many, "storm-one") == {"": 1, "sent_before": JOBS - 1}
    assert received(of_many)["storm-one"] == 1


def test_more_causes_than_a_day_may_have_mails_about_are_held_back(of_many):
    each = SEVERAL // CASE_OF_EACH
    assert decisions(of_many, "storm-several") == {
        "": MOST_A_DAY,
        "sent_before": MOST_A_DAY * (each - 1),
        "limit": (CASE_OF_EACH - MOST_A_DAY) * each,
    }
    assert received(of_many)["storm-several"] == MOST_A_DAY


def test_each_of_many_users_gets_one_mail(of_many):
    counts = received(of_many)
    assert {counts[f"storm{number}"] for number in range(USERS)} == {1}


def test_no_mail_lies_twice_in_the_mailbox(of_many):
    # a trouble of the pipeline goes to the operators of each center: one message, a mail to each address
    counts = Counter((mail.alert, mail.to) for mail in of_many.mails)
    assert [mail for mail, n in counts.items() if n > 1] == []
    assert {row["alert"] for row in of_many.decided} - {""} <= {alert for alert, _to in counts}


def test_every_job_is_decided_once_and_counted_in_its_case(of_many):
    units = sorted((each["user"], job_results.unit(each)) for each in of_many.results)
    assert sorted((row["user"], row["unit"]) for row in of_many.decided) == units
    expected = Counter(
        (each["user"], job_results.case_id(each["cluster"], each["user"], each["runs"][0]["program"]))
        for each in of_many.results
    )
    assert {(row["user"], row["case_id"]): row["runs"] for row in of_many.cases} == expected


def test_an_array_of_many_jobs_is_one_mail(storm):
    array = storm("storm-array", [{"user": "storm-tasks", "array_id": 7}] * JOBS, units=1)
    assert decisions(array, "storm-tasks") == {"": 1}
    assert received(array)["storm-tasks"] == 1
    (case,) = array.cases
    assert (case["runs"], case["times_sent"]) == (JOBS, 1)
    assert_unharmed(array)


def test_neither_the_notifier_nor_the_job_suffers(of_many):
    assert_unharmed(of_many)


def assert_unharmed(storm):
    """The notifier, which is the same process, has not grown, and the job was not started again."""
    assert storm.grown < MOST_GROWTH
    before, after = storm.restarts
    assert after == before
