"""The report that the page of a run or job leads to, in a browser."""

import re
from urllib.parse import parse_qs

import pytest
from weir.report.words import words

from .chromium import session
from .pages import Dashboard

TABLES = {"run": ("runs", "log_id"), "job": ("job_results", "job_uid")}
REPORT = re.compile(r"/weir/report/")


@pytest.mark.parametrize("one", TABLES)
def test_the_page_of_one_leads_to_its_report(page, shown, sql, one):
    Dashboard(page, one, shown[one])
    page.get_by_role("link", name="open", exact=True).click()
    page.wait_for_url(REPORT)
    table, column = TABLES[one]
    verdict = sql.one(
        f"SELECT verdict FROM {table} WHERE {column} = {{name:String}}", name=parse_qs(shown[one])[one][0]
    )
    assert page.get_by_text("I/O report", exact=True).is_visible()
    assert page.get_by_text(f"Verdict: {words()['verdicts'][verdict]['label']}").is_visible()


def test_who_comes_while_others_are_made_has_the_report_in_turn(signed_in, superset_site, shown):
    pages = [signed_in.new_page() for _ in range(4)]
    for page in pages:
        page.goto("about:blank")
        page.evaluate(f"setTimeout(() => location.href = '{superset_site.url}/weir/report/?{shown['run']}')")
    for page in pages:
        page.get_by_text("I/O report", exact=True).wait_for()
        page.close()


def test_nobody_sees_a_report_without_signing_in(browser, superset_site, shown):
    context = session(browser, superset_site)
    with context.new_page() as page:
        page.goto(f"/weir/report/?{shown['run']}")
        assert "/login/" in page.url
    context.close()
