"""The report that the page of a run or job leads to, in a browser."""

import re

import pytest
from weir.report.words import words

from . import recorded_logs
from .chromium import session
from .pages import Dashboard

TABLES = {"run": ("runs", "log_id"), "job": ("job_results", "job_uid")}
REPORT = re.compile(r"/weir/report/")


@pytest.fixture(scope="module")
def recorded(superset_site, sql):
    """Ids of a run and of its job whose logs are there."""
    return next(iter(recorded_logs.newest_of_users(sql).values()))


@pytest.mark.parametrize("one", TABLES)
def test_the_page_of_one_leads_to_its_report(page, recorded, sql, one):
    Dashboard(page, one, f"{one}={recorded[one]}")
    page.get_by_role("link", name="open", exact=True).click()
    page.wait_for_url(REPORT)
    table, column = TABLES[one]
    asked = f"SELECT verdict FROM {table} WHERE {column} = {{name:String}}"
    verdict = sql.one(asked, name=recorded[one])
    assert page.get_by_text("I/O report", exact=True).is_visible()
    assert page.get_by_text(f"Verdict: {words()['verdicts'][verdict]['label']}").is_visible()


def test_who_comes_while_others_are_made_has_the_report_in_turn(signed_in, superset_site, recorded):
    address = f"{superset_site.url}/weir/report/?run={recorded['run']}"
    pages = [signed_in.new_page() for _ in range(4)]
    for page in pages:
        page.goto("about:blank")
        page.evaluate(f"setTimeout(() => location.href = '{address}')")
    for page in pages:
        page.get_by_text("I/O report", exact=True).wait_for()
        page.close()


def test_nobody_sees_a_report_without_signing_in(browser, superset_site, recorded):
    context = session(browser, superset_site)
    with context.new_page() as page:
        page.goto(f"/weir/report/?run={recorded['run']}")
        assert "/login/" in page.url
    context.close()
