"""The dashboards in a real browser: every chart draws data, filters act, they refresh by themselves."""

import re
from bisect import bisect

import pytest
from clients import CLUSTER
from weir.report.words import words
from weir_superset import assets

from .chromium import session
from .pages import MAY_BE_EMPTY, RUNS, Dashboard, sign_in
from .site_under_test import need_ours

ASSETS = assets.read()
OF_THE_READER = {"my_jobs"}
"""The administrator runs no jobs: a user opens it in test_pages.py."""


def chart_count(slug):
    return len(list(ASSETS.dashboards[slug].charts()))


# A point in the largest bar of a chart, in pixels of the page: below the legend, amid pixels of one color.
A_BAR = """canvas => {
    const { width, height } = canvas, scale = width / canvas.clientWidth;
    const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
    const gray = color => Math.max(color & 255, color >> 8 & 255, color >> 16 & 255)
        - Math.min(color & 255, color >> 8 & 255, color >> 16 & 255) < 40;
    let best = { size: 0 };
    for (let x = 4; x < width - 4; x += 4)
        for (let y = Math.round(height / 4); y < height - 4; y += 4) {
            const color = pixels[y * width + x];
            if (gray(color)) continue;
            let size = 0;
            while (x + size < width && y + size < height && pixels[(y + size) * width + x + size] === color)
                size += 1;
            if (size > best.size) best = { size, x: x + size / 2, y: y + size / 2 };
        }
    return [best.x / scale, best.y / scale];
}"""


FILE_EDGES = (4 << 10, 64 << 10, 1 << 20, 16 << 20, 256 << 20, 4 << 30, 64 << 30)
"""Where the classes of files by size begin, bytes, without the first."""


def only_value(rows, column):
    (value,) = {row[column] for row in rows}
    return value


@pytest.mark.parametrize("slug", sorted(ASSETS.dashboards.keys() - OF_THE_READER))
def test_every_chart_draws_data(page, screenshots, slug, request):
    if slug in ("lustre", "alerts", "findings"):
        need_ours()
    of = request.getfixturevalue("shown")[slug] if ASSETS.dashboards[slug].subject else ""
    dashboard = Dashboard(page, slug, of)
    charts = dashboard.wait_drawn(chart_count(slug))
    page.screenshot(path=screenshots / f"{slug}.png", full_page=True)
    titles = {ASSETS.charts[chart].shown_title for chart in ASSETS.dashboards[slug].charts()}
    assert {chart["name"] for chart in charts} == titles
    for chart in charts:
        answer = dashboard.answers[chart["id"]]
        assert answer["error"] is None, chart["name"]
        assert answer["rowcount"] > 0 or chart["name"] in MAY_BE_EMPTY, f"{chart['name']} is empty"
    assert dashboard.console_errors == []


@pytest.mark.parametrize("slug", [name for name, each in ASSETS.dashboards.items() if each.subject])
def test_a_chart_without_rows_says_what_that_means(page, screenshots, slug):
    """The address of the page names nothing that it could show."""
    dashboard = Dashboard(page, slug)
    every_one = [True] * chart_count(slug)
    dashboard.wait_for(lambda: [bool(chart["why_empty"]) for chart in dashboard.charts()] == every_one)
    page.screenshot(path=screenshots / f"{slug}-empty.png", full_page=True)
    said = {chart["name"]: chart["why_empty"] for chart in dashboard.charts()}
    charts = [ASSETS.charts[chart] for chart in ASSETS.dashboards[slug].charts()]
    assert said == {chart.shown_title: ASSETS.datasets[chart.dataset].empty for chart in charts}
    assert "were returned" not in page.locator(".grid-container").inner_text()


def test_running_jobs_show_what_their_server_counted(page):
    """Two targets count each job, and the scheduler knows whose it is."""
    need_ours()
    dashboard = Dashboard(page, "lustre")
    charts = {chart["name"]: chart["id"] for chart in dashboard.wait_drawn(chart_count("lustre"))}
    now = dashboard.answers[charts["Running jobs: I/O now (at most 20)"]]["data"]
    told = [(row["user"], row["read_mib_per_second"], row["write_mib_per_second"]) for row in now]
    assert told == [("hpcuser1", 0, 2 * 40), ("hpcuser2", 2 * 12, 2 * 3)]
    for row, job in zip(now, ("111", "110"), strict=True):
        assert re.fullmatch(f'<a href="/superset/dashboard/job/\\?job=[0-9a-f]+">{job}</a>', row["job_page"])
    rates = dashboard.answers[charts["Running jobs: I/O over time"]]["data"]
    assert max(row["111, write"] or 0 for row in rates) == pytest.approx(2 * 40)


def test_targets_show_what_they_counted(page):
    """Two OSTs read 12 MiB/s and write 43 each in requests of 1 MiB; one began anew after 5 of 13 looks."""
    need_ours()
    dashboard = Dashboard(page, "lustre")
    charts = {chart["name"]: chart["id"] for chart in dashboard.wait_drawn(chart_count("lustre"))}

    def told(chart, whose="scratch-"):  # other tests on this stack have targets of their own
        rows = dashboard.answers[charts[chart]]["data"]
        return [row for row in rows if row.get("target", whose).startswith(whose)]

    numbers = (
        "read_mib_per_second",
        "write_mib_per_second",
        "requests_per_second",
        "mean_request_kib",
        "metadata_per_second",
    )
    ost, mdt = (12, 43, 12 + 43, 1024, 0), (0, 0, 0, None, 25)
    now = {
        row["target"]: tuple(row[number] for number in numbers) for row in told("Targets now (at most 200)")
    }
    assert now == {"scratch-OST0000": ost, "scratch-OST0001": ost, "scratch-MDT0000": mdt}
    assert only_value(told("Targets now (at most 200)"), "server") == "oss1"
    rates = told("Throughput by target")
    for target in ("scratch-OST0000", "scratch-OST0001"):
        assert max(row[f"{target}, read"] or 0 for row in rates) == pytest.approx(12)
        assert max(row[f"{target}, write"] or 0 for row in rates) == pytest.approx(43)
    # 12 intervals of 10 s at the disks of the one, 11 at those of the other, where a request is 64 of 16 KiB
    sizes = {row["up_to_kib"]: (row["read"], row["write"]) for row in told("Disk I/O by size")}
    moved = {1024: (12 * 120, 43 * 120), 16: (12 * 110 * 64, 43 * 110 * 64)}
    assert {size: sizes[size] for size in moved} == moved
    shares = {
        (row["target"], row["up_to_kib"]): row["disk_io_share"]
        for row in told("Disk I/O size by target")
        if row["disk_io_share"]
    }
    assert shares == {("scratch-OST0000", 1024): 1, ("scratch-OST0001", 16): 1}


def test_what_needs_somebody_stands_first_and_markup_stays_text(page):
    """A user's words, a program's name and an answer of a mail server may hold HTML."""
    need_ours()
    dashboard = Dashboard(page, "alerts")
    charts = {chart["name"]: chart for chart in dashboard.wait_drawn(chart_count("alerts"))}
    table = charts["Deliveries, the ambiguous and failed first (at most 1,000)"]
    rows = dashboard.answers[table["id"]]["data"]
    order = ["ambiguous", "failed", "waiting", "attempt", "sent"]
    states = [row["delivery_state"] for row in rows]
    assert states == sorted(states, key=order.index)
    # It may stand behind the first page of the table, where servers were silent.
    card = page.locator(f"[data-test-chart-id='{table['id']}']")
    card.get_by_placeholder(re.compile("record")).fill("550 5.1.1")
    # beside a link no text may hold an element
    card.get_by_text("550 5.1.1 no such user <i>here</i>".replace("<", assets.LESS)).first.wait_for()
    assert "<b>shown-sim</b>" in charts["Cases, newest change first (at most 1,000)"]["text"]
    assert "It is <u>meant</u> to." in charts['Answers "wrong", by rule']["text"]


def test_a_filter_acts_on_every_chart(page, screenshots):
    dashboard = Dashboard(page, "jobs")
    charts = {chart["name"]: chart["id"] for chart in dashboard.wait_drawn(chart_count("jobs"))}
    before = dashboard.answers[charts["Runs, newest first (at most 1,000)"]]["data"]
    found = dashboard.answers[charts["Findings with their evidence (at most 1,000)"]]["data"]
    user = next(row["user"] for row in found if row["user"] != "(unknown)")
    assert {row["user"] for row in before} > {user}, "the recording has runs of several users"

    dashboard.filter("User", user)
    dashboard.wait_answers(set(charts.values()))
    dashboard.wait_drawn(chart_count("jobs"))
    page.screenshot(path=screenshots / "jobs-one-user.png", full_page=True)

    for name, chart in charts.items():
        answer = dashboard.answers[chart]
        assert "user" in {item["column"] for item in answer["applied_filters"]}, name
        assert answer["rejected_filters"] == [], name
    for table in (
        "Runs, newest first (at most 1,000)",
        "Jobs, newest first (at most 1,000)",
        "Findings with their evidence (at most 1,000)",
    ):
        assert only_value(dashboard.answers[charts[table]]["data"], "user") == user
    runs = dashboard.answers[charts["Runs"]]["data"][0]["runs_count"]
    assert runs == sum(row["user"] == user for row in before)


def test_a_row_leads_to_its_run_and_its_job_and_back(page):
    dashboard = Dashboard(page, "jobs")
    dashboard.wait_drawn(chart_count("jobs"))
    table = page.locator("[data-test-chart-name='" + RUNS + "']")
    for column, slug in (("run_page", "run"), ("job_page", "job")):
        (row,) = [dict(each) for each in dashboard.answers_of(RUNS)[:1]]
        link = re.search(r'href="([^"]*)">([^<]*)<', row[column])
        table.get_by_role("link", name=link[2], exact=True).first.click()
        page.wait_for_url(f"**{link[1]}*")
        facts = page.locator("[data-test-chart-name='" + ASSETS.charts[f"{slug}_facts"].title + "']")
        label = words()["verdicts"][row["verdict"].replace(" ", "_")]["label"]
        for known in (row["user"], row["account"], label):
            facts.get_by_text(known, exact=True).first.wait_for()
        page.go_back()
        dashboard.wait_drawn(chart_count("jobs"))


def test_a_number_that_a_browser_cannot_hold_is_drawn_as_any(page):
    """A damaged log can say any number of bytes; those of a month of a large center are as many."""
    need_ours()
    dashboard = Dashboard(page, "run", "run=r3")
    dashboard.wait_drawn(chart_count("run"), need_rows=False)
    title = ASSETS.charts["shown_history_table"].title
    row = page.locator(f"[data-test-chart-name^='{title}'] tr", has_text="4EiB")
    row.get_by_text("1KiB", exact=True).wait_for()
    assert not dashboard.console_errors


def test_a_bar_leads_to_its_runs_to_the_page_of_one_and_back(page):
    """The filters of the dashboard are as they were left; Superset forgets the bar itself with the page."""
    dashboard = Dashboard(page, "jobs")
    dashboard.wait_drawn(chart_count("jobs"))
    everything = dashboard.answers_of(RUNS)
    table = page.locator("[data-test-chart-name='" + RUNS + "']")

    dashboard.answers.clear()
    click_a_bar(page, "jobs_timeline")
    dashboard.wait_for(lambda: dashboard.answers_of(RUNS))
    of_bar = dashboard.answers_of(RUNS)
    project = only_value(of_bar, "account")
    assert {project} < {row["account"] for row in everything}

    user = of_bar[0]["user"]  # of whom no finding need be there
    dashboard.answers.clear()
    with page.expect_response(re.compile("/filter_state")):  # it is kept for who comes back
        dashboard.filter("User", user)
    dashboard.wait_for(lambda: dashboard.answers_of(RUNS))
    chosen = dashboard.answers_of(RUNS)
    assert (only_value(chosen, "account"), only_value(chosen, "user")) == (project, user)
    dashboard.wait_drawn(chart_count("jobs"), need_rows=False)

    link = re.search(r'href="([^"]*)">([^<]*)<', chosen[0]["run_page"])
    table.get_by_role("link", name=link[2], exact=True).first.click()
    page.wait_for_url(f"**{link[1]}*")
    facts = page.locator("[data-test-chart-name='" + ASSETS.charts["run_facts"].title + "']")
    for known in (user, project):
        facts.get_by_text(known, exact=True).first.wait_for()

    dashboard.answers.clear()
    page.go_back()
    dashboard.wait_drawn(chart_count("jobs"), need_rows=False)
    dashboard.wait_for(lambda: dashboard.answers_of(RUNS))
    assert only_value(dashboard.answers_of(RUNS), "user") == user
    assert {user} < {row["user"] for row in everything}


def click_a_bar(page, chart):
    """Clicks in the middle of the largest bar."""
    bars = page.locator("[data-test-chart-name='" + ASSETS.charts[chart].shown_title + "'] canvas")
    x, y = bars.evaluate(A_BAR)
    bars.click(position={"x": x, "y": y})


def click_a_cell(page, chart, text):
    """Clicks the first cell of a table that holds this text alone."""
    cells = page.locator("[data-test-chart-name='" + ASSETS.charts[chart].shown_title + "'] td")
    cells.filter(has_text=re.compile(f"^{re.escape(text)}$")).first.click()


def wait_chosen(dashboard, chart, column):
    """Waits for an answer of a chart that is filtered by a column; gives its rows and the chosen values."""
    (number,) = [
        each["id"] for each in dashboard.charts() if each["name"] == ASSETS.charts[chart].shown_title
    ]

    def filters():
        (query,) = (
            dashboard.asked[number]["queries"][:1] if number in dashboard.answers else [{"filters": []}]
        )
        return [each["val"] for each in query["filters"] if each["col"] == column]

    dashboard.wait_for(filters)
    (values,) = filters()
    return dashboard.answers[number]["data"], values


def test_a_bar_of_sizes_chooses_the_runs_that_it_counts(page, sql):
    dashboard = Dashboard(page, "projects")
    dashboard.wait_drawn(chart_count("projects"))

    def runs(rows):
        return {re.search(r"run=([0-9a-f]+)", row["run_page"])[1] for row in rows}

    everything = runs(dashboard.answers_of(ASSETS.charts["moved_runs"].shown_title))
    click_a_bar(page, "projects_file_sizes")
    rows, (first_byte,) = wait_chosen(dashboard, "moved_runs", "file_bytes_from")
    chosen = runs(rows)

    sizes = sql.rows(
        "SELECT log_id, mean_data_file_bytes FROM runs "
        f"WHERE data_files > 0 AND mean_data_file_bytes IS NOT NULL AND log_id IN {(*everything, *chosen)}"
    )
    edges = {
        row["log_id"]: [1, *FILE_EDGES][bisect(FILE_EDGES, row["mean_data_file_bytes"])] for row in sizes
    }
    assert {edges.get(log) for log in chosen} == {float(first_byte)}
    assert {log for log in everything if edges.get(log) == float(first_byte)} <= chosen
    assert everything - chosen


def test_a_state_and_a_coverage_choose_jobs_and_leave_what_runs_now(page):
    """What runs now has no state in which a job ended."""
    dashboard = Dashboard(page, "center")
    dashboard.wait_drawn(chart_count("center"))
    click_a_bar(page, "center_jobs_ended")
    rows, values = wait_chosen(dashboard, "jobs_job_table", "state")
    assert [only_value(rows, "state")] == values
    (running,) = [each["id"] for each in dashboard.charts() if each["name"] == "Jobs running now"]
    dashboard.wait_answers({running})
    (query,) = dashboard.asked[running]["queries"]
    assert "state" not in {each["col"] for each in query["filters"]}

    page.reload()
    dashboard.wait_drawn(chart_count("center"))
    coverage = dashboard.answers_of(ASSETS.charts["center_coverage_ledger"].shown_title)[0]["coverage"]
    click_a_cell(page, "center_coverage_ledger", coverage)
    rows, values = wait_chosen(dashboard, "jobs_job_table", "coverage")
    assert ([only_value(rows, "coverage")], values) == ([coverage], [coverage])


def test_a_project_that_lost_chooses_its_findings(page, sql):
    dashboard = Dashboard(page, "findings")
    dashboard.wait_drawn(chart_count("findings"))
    costs = ASSETS.charts["findings_by_project"].shown_title
    projects = tuple(row["account"] for row in dashboard.answers_of(costs))
    project = sql.one(
        f"SELECT any(account) FROM findings WHERE account IN {(*projects, '')} "
        "AND start_time > now() - INTERVAL 29 DAY"
    )
    click_a_cell(page, "findings_by_project", project)
    rows, values = wait_chosen(dashboard, "jobs_finding_table", "account")
    assert ([only_value(rows, "account")], values) == ([project], [project])


def test_a_server_chosen_in_the_table_is_chosen_for_all_that_know_servers(page, screenshots):
    dashboard = Dashboard(page, "storage")
    charts = dashboard.wait_drawn(chart_count("storage"))
    numbers = {chart["name"]: chart["id"] for chart in charts}
    table = numbers["Servers by utilization (at most 200)"]
    # of the replayed center, whose samples are new: those of others may leave the range before the answers
    servers = [row["server"] for row in dashboard.answers[table]["data"] if row["cluster"] == CLUSTER]
    card = page.locator(f"[data-test-chart-id='{table}']")
    card.get_by_placeholder(re.compile("record")).fill(servers[0])
    dashboard.answers.clear()

    card.locator("td", has_text=re.compile(f"^{re.escape(servers[0])}$")).first.click()
    heat = numbers[ASSETS.charts["storage_device_heat"].shown_title]
    dashboard.wait_answers({heat})
    dashboard.wait_drawn(chart_count("storage"))
    page.screenshot(path=screenshots / "storage-one-server.png", full_page=True)

    assert "server" in {item["column"] for item in dashboard.answers[heat]["applied_filters"]}
    assert dashboard.answers[heat]["rowcount"] > 0

    # its devices stand beside it, and one of them chooses the runs with files on it
    table, runs = (
        numbers["Devices of the busiest servers by utilization (at most 200)"],
        numbers["Runs that moved most (at most 200)"],
    )
    rows = dashboard.answers[table]["data"]
    assert only_value(rows, "server") == servers[0]
    dashboard.answers.clear()
    card = page.locator(f"[data-test-chart-id='{table}']")
    card.locator("td", has_text=re.compile(f"^{re.escape(rows[0]['device_id'])}$")).first.click()
    dashboard.wait_answers({runs})
    assert {"server", "device_id"} <= {item["column"] for item in dashboard.answers[runs]["applied_filters"]}


def test_the_center_refreshes_by_itself(page):
    dashboard = Dashboard(page, "center")
    charts = dashboard.wait_drawn(chart_count("center"))
    dashboard.wait_answers({chart["id"] for chart in charts})


def test_nobody_sees_a_dashboard_without_signing_in(browser, superset_site):
    context = session(browser, superset_site)
    page = context.new_page()
    page.goto("/superset/dashboard/center/")
    page.wait_for_url("**/login/**")
    sign_in(page, superset_site, password="wrong")
    assert "/login/" in page.url
    assert page.request.get("/api/v1/dashboard/").json().get("count", 0) == 0
    context.close()
