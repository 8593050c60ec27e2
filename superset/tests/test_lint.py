"""The shipped assets are consistent, and every way of breaking them is told."""

import shutil

import pytest
from weir_superset import assets, lint


def edit(path, old, new):
    text = path.read_text()
    assert old in text, f"{path.name} no longer holds {old!r}"
    path.write_text(text.replace(old, new, 1))


def problems(folder):
    return "\n".join(lint.problems(assets.read(folder)))


def test_shipped_assets_are_consistent(folder):
    assert problems(folder) == ""


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("charts/center_throughput", "groupby: [filesystem,", "groupby: [fs,", "no column fs"),
        ("charts/center_throughput", "[mib_per_second]", "[mb_per_second]", "no metric mb_per_second"),
        ("charts/center_throughput", "dataset: filesystem_", "dataset: fs_", "no datasets/fs_throughput"),
        ("charts/center_throughput", "timeseries_line", "sankey", "echarts_sankey is not among"),
        ("charts/center_throughput", "  y_axis_title: MiB/s\n", "", "no y_axis_title"),
        ("charts/center_runs", "title: Runs analyzed", "title: Findings", "2 objects are called 'Findings'"),
        ("charts/jobs_run_table", "params:\n", "params:\n  allow_render_html: 1\n", "only links are drawn"),
        ("dashboards/center", "center_devices, width: 6", "center_devices, width: 5", "11 columns wide"),
        ("dashboards/center", "chart: center_devices", "chart: center_device", "no charts/center_device"),
        ("dashboards/center", "chart: center_devices", "chart: center_runs", "center_runs is placed 2 times"),
        ("dashboards/jobs", "column: exe,", "column: exe_hash,", "has no column exe_hash"),
        ("dashboards/storage", "      - storage_bursts\n", "", "Server does not act on storage_bursts"),
        ("dashboards/storage", "- storage_bursts\n", "- jobs_runs\n", "excepts jobs_runs, which is not"),
        ("dashboards/storage", "[storage_silent, ", "[jobs_runs, ", "clicks names jobs_runs, which"),
        ("charts/projects_sharing", "params:", "params:\n  orientation: horizontal", "by its length"),
        ("datasets/file_sizes", "_from, type: FLOAT", "_from, type: FLOAT, label: x", "the label of"),
        ("dashboards/alerts", "  mean_after: ", "  30 days after: ", "label; write mean_after"),
        ("dashboards/jobs", "    default_range: Last day\n", "", "exactly one time range filter"),
        ("dashboards/home", "column: cluster", "column: exe", "needs a filter by the column cluster"),
        ("dashboards/center", "rows:\n", "rows:\n  - height: 2\n", "a text or charts"),
        ("dashboards/center", "  - height: 17\n", "  - height: 17\n    text: x\n", "a text or charts"),
        ("dashboards/center", '- text: "Stor', '- heading: "Stor', "does not open with a text"),
        ("dashboards/center", " is empty", " is so", "does not say when charts are empty"),
        ("dashboards/my_jobs", "(/superset/dashboard/alerts/)", "", "no text of it links to another"),
        ("dashboards/center", "rows:\n", "rows:\n  - text: /superset/dashboard/jab/\n", "links to jab,"),
        ("datasets/findings", "time: time\n", "time: rule\n", "rule is no DATETIME column"),
        ("datasets/runs", "name: log_id", "name: user", "user is declared 2 times"),
        ("roles/user", " job, ", " jop, ", "there is no dashboards/jop.yaml"),
        ("roles/user", " job, ", " center, ", "coverage has no column user"),
        ("roles/project_lead", " jobs, ", " alerts, ", "case_runs has no column account"),
        ("roles/project_lead", "rows: led", "rows: some", "'own', 'led', 'all' or 'unnamed'"),
        ("roles/management", "[management]", "[jobs]", "runs may name a person by exe"),
        ("roles/management", "[management]", "[pipeline]", "may name a person by reason, source"),
        ("roles/user", "rows: own\npages: [", "rows: own\npages: all # [", "its rows must be all"),
        ("datasets/runs", "{name: user,", "{name: owner,", "owner, "),
        ("datasets/coverage", "{name: coverage,", "{name: person,", "person may name a person, and no rule"),
        ("datasets/dead_letters", "without_user", "# without_user", "reason, source may name a person"),
        ("datasets/runs", "time: time\n", "time: time\nwithout_user: so\n", "drop without_user"),
        ("datasets/jobs", "text: job}", "text: job_name_}", "link job_page is made of job_name_"),
        ("dashboards/jobs", "Last day", "Last 3 hours", "Superset cannot read Last 3 hours"),
        ("dashboards/run", "rows:\n", "filters: [{name: Time, default_range: Last day}]\nrows:\n", "no time"),
        ("datasets/runs", "time: time\n", "database: other\ntime: time\n", "no databases/other.yaml"),
    ],
)  # fmt: skip
def test_a_change_that_breaks_something_is_told(folder, file, old, new, told):
    edit(folder / f"assets/{file}.yaml", old, new)
    try:
        found = problems(folder)
    except assets.AssetError as error:
        found = str(error)
    assert told in found


def test_a_chart_on_no_dashboard_is_told(folder):
    edit(folder / "assets/dashboards/center.yaml", "      - {chart: center_devices, width: 6}\n", "")
    assert "charts/center_devices.yaml: on no dashboard" in problems(folder)


def test_sql_without_dataset_and_dataset_without_sql_are_told(folder):
    (folder / "sql/runs.sql").rename(folder / "sql/run.sql")
    text = problems(folder)
    assert "sql/run.sql: there is no datasets/run.yaml" in text
    assert "datasets/runs.yaml: sql/runs.sql is missing" in text


def test_a_dataset_that_no_chart_uses_is_told(folder):
    shutil.copyfile(folder / "assets/datasets/runs.yaml", folder / "assets/datasets/walks.yaml")
    (folder / "sql/walks.sql").write_text("SELECT 1")
    assert "datasets/walks.yaml: no chart uses it" in problems(folder)


def test_intervals_other_than_those_of_all_charts_are_told(folder):
    edit(folder / "sql/runs.sql", "finest(60, 'start_time')", "arrayFirst(s -> s > 9, [30, 60, 3600])")
    assert "sql/runs.sql: it lists intervals of its own" in problems(folder)


@pytest.mark.parametrize("text", ["title: [", "titel: x", ""])
def test_an_unreadable_file_is_named(folder, text):
    (folder / "assets/charts/center_runs.yaml").write_text(text)
    with pytest.raises(assets.AssetError, match=r"assets/charts/center_runs\.yaml"):
        assets.read(folder)
