"""Holds what the ledger of a simulated center says, beside the answers of saved questions about it."""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta

import pytest
from clients import clickhouse

from ledger.counting import owner

DAYS_BUILDS = ("days_of_totals_build", "days_of_run_io_build")
EVER = ("--since", "1000d", "--set", f"until={datetime.now(UTC) + timedelta(days=3):%Y-%m-%d 00:00:00}")


@pytest.fixture(scope="module")
def center(simulated):
    return simulated.center


@pytest.fixture(scope="module")
def runs(center):
    """Gives (log, what the ledger says of it), of those in force."""
    truth = center.truth().runs
    known = [(log, truth.get(log.log_id(center.cluster))) for log in center.plan.logs]
    return [(log, run) for log, run in known if run is not None]


@pytest.fixture(scope="module")
def submits(center):
    """Gives (submit, what the ledger says of its job)."""
    truth = center.truth().jobs
    return [(submit, truth[submit.uid(center.cluster)]) for submit in center.plan.submits if submit.told]


@pytest.fixture(scope="module")
def programs(runs):
    """Gives (program, user) -> its runs, of programs of which every log is whole."""
    of = defaultdict(list)
    for log, run in runs:
        of[log.app.exe, owner(log)[0]].append((log, run))
    return {key: found for key, found in of.items() if all(run.log_state == "complete" for _, run in found)}


@pytest.fixture(scope="module")
def bounds(runs):
    """Counts of each run as (surely come, sent): logs that lack something may lack some of it."""

    def counted(count, *besides):
        known, most = Counter(), Counter()
        for log, run in runs:
            each = count(log)
            most.update(each)
            if run.log_state not in ("incomplete", *besides):
                known.update(each)
        return known, most

    return counted


@pytest.fixture(scope="module")
def asked(center, weir, stack):
    """Gives the rows of an answer; totals of days that are due are worked out before."""
    client = clickhouse(stack, "migrator")
    for build in (
        *(f"{each}_totals_build" for each in ("run", "finding", "job", "run_io", "target")),
        *DAYS_BUILDS,
    ):
        client.command(f"SYSTEM REFRESH VIEW {build}")
        client.command(f"SYSTEM WAIT VIEW {build}")

    def ask(question, **values):
        settings = (word for name, value in values.items() for word in ("--set", f"{name}={value}"))
        return weir.answer(question, center.cluster, *EVER, *settings)

    return ask
