"""Superset's pages as a person uses them: sign in, open a dashboard, wait for its charts, set a filter."""

import json
import re
import time
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Error, TimeoutError

from .chromium import PATIENCE_SECONDS

CHART_DATA = "/api/v1/chart/data"
SENT_SECONDS = 5
"""A form that is not sent in this time never is."""
RUNS = "Runs, newest first (at most 1,000)"
# Nothing is in them where nothing goes wrong, no message was sent, or no run lasts from one look to the next.
MAY_BE_EMPTY = {
    "What restarts, and why",
    "Time until a message is sent",
    "Silent, hot and saturated over time",
    "Silent targets over time",
    "Events, newest first (at most 500)",
    "Jobs per target: counted and expected",
}
COMPLAINTS = (
    "Unexpected error",
    "An error occurred",
    "No data",
    "Data error",
    "There was an issue",
)
# What has been drawn, by chart: null while it is not there yet.
DRAWN = """charts => charts.map(chart => {
    const ink = [...chart.querySelectorAll("canvas")].some(canvas => {
        const pixels = new Uint32Array(
            canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return new Set(pixels).size > 8;
    });
    const empty = chart.querySelector("[role=img][aria-label=empty] + div");
    return {
        id: Number(chart.dataset.testChartId),
        name: chart.dataset.testChartName,
        kind: chart.dataset.testVizType,
        loading: chart.querySelector("[data-test=loading-indicator], .loading") !== null,
        failed: chart.querySelector(".ant-alert-error, .error-body") !== null,
        text: (chart.querySelector("[data-test=slice-container]") ?? chart).innerText,
        rows: chart.querySelectorAll("tbody tr").length,
        number: chart.querySelector(".header-line")?.innerText ?? "",
        ink,
        why_empty: empty && JSON.parse(getComputedStyle(empty, "::before").content),
    };
})"""


def sign_in(page, site, password=None):
    """Through the login form; with another password until the page comes that answers it."""
    _open(page, "/login/")
    given = {"#username": site.user, "#password": site.password if password is None else password}
    with page.expect_response(lambda answer: _is_login(answer.request)):
        _send(page, given)
    page.wait_for_load_state()
    if password is None:
        page.wait_for_url(re.compile(r"^[^?]*/dashboard/home/"), wait_until="commit")  # not all it shows


def _open(page, address):
    """Go to a page; once more where Chromium gave up as a network, such as of containers, came or went."""
    try:
        page.goto(address)
    except Error as error:
        if "ERR_NETWORK_CHANGED" not in str(error):
            raise
        page.goto(address)


def _send(page, given):
    """Fill the form and press Enter, until it is sent: one that is drawn anew meanwhile is empty again."""
    for _ in range(PATIENCE_SECONDS // SENT_SECONDS):
        for field, text in given.items():
            page.fill(field, text)
        with suppress(TimeoutError), page.expect_request(_is_login, timeout=1000 * SENT_SECONDS):
            page.press("#password", "Enter")
            return  # but for what leaving the block raises, where no request came
    raise AssertionError(f"the login form is not sent: {page.url}")


def _is_login(request):
    return request.method == "POST" and "/login/" in request.url


class Dashboard:
    """One open dashboard; keeps the newest question and answer of every chart."""

    def __init__(self, page, slug, of=""):
        """For a page that shows one thing, `of` names it, as in `run=...`."""
        self.page = page
        self.console_errors = []
        self.asked = {}
        self.answers = {}
        page.on("console", self._on_console)
        page.on("response", self._on_response)
        page.goto(f"/superset/dashboard/{slug}/{of and '?' + of}")
        page.wait_for_selector("[data-test=chart-grid-component]")

    def charts(self):
        """State of each chart in the page; none while another page takes its place."""
        try:
            return self.page.locator("[data-test=chart-grid-component]").evaluate_all(DRAWN)
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            return []

    def wait_drawn(self, count, need_rows=True):
        """Wait until `count` charts are drawn; fails with those that are not, and why."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (left := self._undrawn(count, need_rows)) and time.monotonic() < deadline:
            self.page.wait_for_timeout(300)
        assert not left, "\n".join(left)
        self.page.wait_for_timeout(1_000)  # let the animations end
        return self.charts()

    def wait_answers(self, ids):
        """Forget earlier answers and wait for a new one for each of these charts."""
        self.answers.clear()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.answers.keys() >= ids and time.monotonic() < deadline:
            self.page.wait_for_timeout(200)
        assert self.answers.keys() >= ids, f"no new answer for charts {sorted(ids - self.answers.keys())}"

    def answers_of(self, title):
        """The newest rows of the chart of this title; none while there is no answer."""
        ids = [chart["id"] for chart in self.charts() if chart["name"] == title]
        return [row for each in ids if each in self.answers for row in self.answers[each]["data"]]

    def wait_for(self, condition):
        """Wait until something holds; fails if it does not."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := condition()) and time.monotonic() < deadline:
            self.page.wait_for_timeout(200)
        assert found

    def filter(self, name, value):
        """Choose one value in a filter of the bar and apply it."""
        self.page.get_by_role("combobox", name=name).first.click()
        self.page.keyboard.type(value)
        self.page.locator(
            ".ant-select-item-option", has_text=re.compile(f"^{re.escape(value)}$")
        ).first.click()
        self.page.keyboard.press("Escape")
        self.page.locator("[data-test='filter-bar__apply-button']").click()

    def _undrawn(self, count, need_rows):
        charts = self.charts()
        if len(charts) != count:
            return [f"{len(charts)} charts on the page, {count} expected"]
        return [f"{chart['name']}: {trouble}" for chart in charts if (trouble := _trouble(chart, need_rows))]

    def _on_console(self, message):
        if message.type == "error":
            self.console_errors.append(message.text)

    def _on_response(self, response):
        if CHART_DATA not in response.url:
            return
        form_data = parse_qs(urlsplit(response.url).query).get("form_data", ["{}"])[0]
        chart = json.loads(form_data).get("slice_id")
        if chart is not None and response.ok:
            with suppress(Error):  # of a page that was left meanwhile
                self.answers[chart] = response.json()["result"][0]
                self.asked[chart] = response.request.post_data_json


def _trouble(chart, need_rows):
    """Why a chart does not count as drawn; None if it does."""
    complaint = next((text for text in COMPLAINTS if text in chart["text"]), None)
    if chart["loading"]:
        return "still loading"
    if chart["why_empty"]:
        may_be_empty = not need_rows or chart["name"] in MAY_BE_EMPTY
        return None if may_be_empty else f"no rows: {chart['why_empty']}"
    if chart["failed"] or complaint:
        return complaint or f"error: {chart['text'][:300]}"
    drawn = {"table": chart["rows"] > 0, "big_number_total": bool(chart["number"])}.get(
        chart["kind"], chart["ink"]
    )
    return None if drawn else "nothing drawn"
