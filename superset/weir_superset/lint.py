"""What must hold between the asset files; each problem names the file and the way out."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from weir_superset import charts, roles
from weir_superset.assets import ALL, Assets, Dashboard, Rows
from weir_superset.layout import FULL_WIDTH

CENTER = "cluster"
CENTER_USES = re.compile(
    r"\{\{ (of_center|of_center_in\('\w+'\)|of_run|of_job|shown|shown_best|when_shown) \}\}"
)
"""What the prelude gives: the chosen centers, or the run or job that a page shows, which has a center."""
_MINUTE_AND_HOUR = {"60", "3600"}
_LINK = re.compile(r"/superset/dashboard/([^/)]*)")


def problems(assets: Assets) -> list[str]:
    """All problems at once, empty if the assets are consistent."""
    missing = list(_missing_objects(assets))
    if missing:
        return missing
    return [problem for rule in RULES for problem in rule(assets)]


def _missing_objects(assets: Assets) -> Iterator[str]:
    for name, dataset in assets.datasets.items():
        if dataset.database not in assets.databases:
            yield f"datasets/{name}.yaml: there is no databases/{dataset.database}.yaml"
    for name, chart in assets.charts.items():
        if chart.dataset not in assets.datasets:
            yield f"charts/{name}.yaml: there is no datasets/{chart.dataset}.yaml"
    for name, dashboard in assets.dashboards.items():
        for shown in dashboard.charts():
            if shown not in assets.charts:
                yield f"dashboards/{name}.yaml: there is no charts/{shown}.yaml"
        for item in dashboard.filters:
            if item.column and item.dataset not in assets.datasets:
                yield f"dashboards/{name}.yaml: filter {item.name}: there is no datasets/{item.dataset}.yaml"
    for name, role in assets.roles.items():
        for page in role.pages if role.pages != ALL else ():
            if page not in assets.dashboards:
                yield f"roles/{name}.yaml: there is no dashboards/{page}.yaml"


def _orphans(assets: Assets) -> Iterator[str]:
    shown = {chart for dashboard in assets.dashboards.values() for chart in dashboard.charts()}
    asked = {chart.dataset for chart in assets.charts.values()} | {
        item.dataset for dashboard in assets.dashboards.values() for item in dashboard.filters
    }
    for name in assets.charts.keys() - shown:
        yield f"charts/{name}.yaml: on no dashboard; place it or remove it"
    for name in assets.datasets.keys() - asked:
        yield f"datasets/{name}.yaml: no chart uses it; remove it"
    for name in assets.unused_sql:
        yield f"sql/{name}.sql: there is no datasets/{name}.yaml"


def _duplicates(assets: Assets) -> Iterator[str]:
    for kind, titles in (
        ("charts", [chart.title for chart in assets.charts.values()]),
        ("dashboards", [dashboard.title for dashboard in assets.dashboards.values()]),
    ):
        for title, count in Counter(titles).items():
            if count > 1:
                yield f"{kind}: {count} objects are called {title!r}; a title is used once"
    for name, dashboard in assets.dashboards.items():
        for chart, count in Counter(dashboard.charts()).items():
            if count > 1:
                yield f"dashboards/{name}.yaml: {chart} is placed {count} times"
    for name, dataset in assets.datasets.items():
        names = [column.name for column in dataset.columns] + [metric.name for metric in dataset.metrics]
        for field, count in Counter(names).items():
            if count > 1:
                yield f"datasets/{name}.yaml: {field} is declared {count} times"


def _datasets(assets: Assets) -> Iterator[str]:
    for name, dataset in assets.datasets.items():
        if not dataset.sql:
            yield f"datasets/{name}.yaml: sql/{name}.sql is missing or empty"
        if dataset.time and dataset.time not in {
            column.name for column in dataset.columns if column.type == "DATETIME"
        }:
            yield f"datasets/{name}.yaml: time column {dataset.time} is no DATETIME column of it"
        known = {column.name for column in dataset.columns}
        for column, link in dataset.links().items():
            for part in link.columns() - known:
                yield f"datasets/{name}.yaml: the link {column} is made of {part}, which is no column of it"


def _centers(assets: Assets) -> Iterator[str]:
    """The filter of centers does not act around a dataset, as charts that rank do so before it would."""
    for name, dataset in assets.datasets.items():
        has_column = any(column.name == CENTER for column in dataset.columns)
        if has_column and not CENTER_USES.search(dataset.sql):
            yield f"sql/{name}.sql: the filter of centers does not act on it; add: AND {{{{ of_center }}}}"


def _intervals(assets: Assets) -> Iterator[str]:
    """The intervals that a chart over time chooses from stand once, in the prelude."""
    for name, dataset in assets.datasets.items():
        lists = (set(listed.split(", ")) for listed in re.findall(r"\[([\d, ]+)\]", dataset.sql))
        if sum(listed >= _MINUTE_AND_HOUR for listed in lists) > 1:
            yield f"sql/{name}.sql: it lists intervals of its own; write {{{{ intervals }}}} for those of all"


def _charts(assets: Assets) -> Iterator[str]:
    for name, chart in assets.charts.items():
        dataset = assets.datasets[chart.dataset]
        if chart.viz_type not in charts.DRAWABLE:
            yield f"charts/{name}.yaml: {chart.viz_type} is not among {', '.join(charts.DRAWABLE)}"
        if "allow_render_html" in chart.params:
            yield f"charts/{name}.yaml: only links are drawn as HTML, of themselves; drop allow_render_html"
        if chart.viz_type in charts.TIMESERIES and not chart.params.get("y_axis_title"):
            yield f"charts/{name}.yaml: the value axis has no y_axis_title"
        known = {column.name for column in dataset.columns}
        for column in charts.columns(chart):
            if column not in known:
                yield f"charts/{name}.yaml: datasets/{chart.dataset}.yaml has no column {column}"
        metrics = {metric.name for metric in dataset.metrics}
        for metric in charts.metrics(chart):
            if metric not in metrics:
                yield f"charts/{name}.yaml: datasets/{chart.dataset}.yaml has no metric {metric}"


def _layout(assets: Assets) -> Iterator[str]:
    for name, dashboard in assets.dashboards.items():
        if not (dashboard.rows and dashboard.rows[0].text):
            yield f"dashboards/{name}.yaml: it does not open with a text that says what it shows"
        elif "empty" not in (dashboard.rows[0].text or ""):
            yield f"dashboards/{name}.yaml: its first text does not say when charts are empty"
        if not any(_LINK.search(row.text or "") for row in dashboard.rows):
            yield f"dashboards/{name}.yaml: no text of it links to another dashboard"
        for number, row in enumerate(dashboard.rows, 1):
            width = sum(cell.width for cell in row.charts)
            if row.charts and width != FULL_WIDTH:
                yield f"dashboards/{name}.yaml: row {number} is {width} columns wide, not {FULL_WIDTH}"
            if [bool(row.heading), bool(row.text), bool(row.charts)].count(True) != 1:
                yield f"dashboards/{name}.yaml: row {number} needs either a heading, a text or charts"
            for linked in _LINK.findall(row.text or ""):
                if linked not in assets.dashboards:
                    yield f"dashboards/{name}.yaml: row {number} links to {linked}, which is no dashboard"


def _filters(assets: Assets) -> Iterator[str]:
    for name, dashboard in assets.dashboards.items():
        for item in dashboard.filters:
            yield from (
                f"dashboards/{name}.yaml: filter {item.name} does not act on {chart}: {problem}"
                for chart in dashboard.charts()
                if chart not in item.except_charts
                and (problem := _filter_problem(assets, chart, item.column))
            )
            yield from (
                f"dashboards/{name}.yaml: filter {item.name} excepts {chart}, which is not on it"
                for chart in item.except_charts
                if chart not in {*dashboard.charts()}
            )
        yield from _needed_filters(name, dashboard)


def _clicks(assets: Assets) -> Iterator[str]:
    """Refuses bars of which a click chooses something else than what stands beside them."""
    for name, dashboard in assets.dashboards.items():
        for unknown in sorted({*dashboard.except_from_clicks} - {*dashboard.charts()}):
            yield f"dashboards/{name}.yaml: except_from_clicks names {unknown}, which is not on it"
        if not dashboard.subject:  # the page of a run shows that run alone
            for chart in dashboard.charts():
                yield from _bars(chart, assets)


def _bars(name: str, assets: Assets) -> Iterator[str]:
    """What Superset 6.1 makes of a click where nothing but the axis says what a bar stands for."""
    chart = assets.charts[name]
    columns = {column.name: column for column in assets.datasets[chart.dataset].columns}
    axis = columns.get(chart.params.get("x_axis", ""))
    if axis is None or axis.type == "DATETIME" or chart.params.get("groupby"):
        return
    if chart.params.get("orientation") == "horizontal":
        yield (
            f"charts/{name}.yaml: a click on a horizontal bar would filter by its length;"
            " draw it vertically, or as a table with bars in its cells"
        )
    others = [each for each in assets.datasets.values() if each is not assets.datasets[chart.dataset]]
    labels = {column.label for each in others for column in each.columns if column.name == axis.name}
    asked_by_name = any(f"'{axis.name}'" in each.sql for each in others)
    if axis.label and (labels - {axis.label} or asked_by_name):
        yield (
            f"datasets/{chart.dataset}.yaml: a click on a bar of {name} would filter by the label of"
            f" {axis.name}, by which others do not know it; drop the label"
        )


def _colors(assets: Assets) -> Iterator[str]:
    """Refuses colors by labels of metrics: Superset knows a series of a metric by the metric's name."""
    for name, dashboard in assets.dashboards.items():
        shown = [assets.charts[chart] for chart in dashboard.charts()]
        metrics = {
            metric.label: metric.name for chart in shown for metric in assets.datasets[chart.dataset].metrics
        }
        for color in sorted(dashboard.colors.keys() & metrics.keys()):
            yield f"dashboards/{name}.yaml: the color of {color!r} is that of a label; write {metrics[color]}"


def _filter_problem(assets: Assets, chart: str, column: str | None) -> str | None:
    name = assets.charts[chart].dataset
    dataset = assets.datasets[name]
    if column is None:
        return None if dataset.time else f"datasets/{name}.yaml names no time column"
    known = {item.name for item in dataset.columns}
    return None if column in known else f"datasets/{name}.yaml has no column {column}"


def _needed_filters(name: str, dashboard: Dashboard) -> Iterator[str]:
    if not dashboard.subject and "cluster" not in {item.column for item in dashboard.filters}:
        yield f"dashboards/{name}.yaml: needs a filter by the column cluster, as several centers send data"
    ranges = [item.default_range for item in dashboard.filters if item.column is None]
    if dashboard.subject:
        if ranges:
            yield f"dashboards/{name}.yaml: shows one {dashboard.subject} and needs no time range"
    elif len(ranges) != 1 or not ranges[0]:
        yield f"dashboards/{name}.yaml: needs exactly one time range filter with a default_range"
    elif re.match(r"Last .*hour", ranges[0]):
        yield f"dashboards/{name}.yaml: Superset cannot read {ranges[0]}; write: 3 hours ago : now"


def _names(assets: Assets) -> Iterator[str]:
    """Refuses a column that nobody has judged: it could name a person to those who must not know."""
    for name, dataset in assets.datasets.items():
        known = roles.columns(assets, name)
        doubtful = sorted(known - roles.IMPERSONAL)
        if roles.PERSONAL in known:
            if dataset.without_user:
                yield f"datasets/{name}.yaml: has the column {roles.PERSONAL}; drop without_user"
        elif doubtful and not dataset.without_user:
            yield (
                f"datasets/{name}.yaml: {', '.join(doubtful)} may name a person, and no rule limits the rows:"
                f" add the column {roles.PERSONAL}, or the reason as without_user, or the column to"
                " roles.IMPERSONAL"
            )


def _roles(assets: Assets) -> Iterator[str]:
    for name, role in assets.roles.items():
        if role.pages == ALL and role.rows != Rows.all:
            yield f"roles/{name}.yaml: opens all dashboards, so that its rows must be all"
        for dataset in roles.opened(role, assets):
            if problem := _role_problem(role.rows, roles.columns(assets, dataset)):
                yield f"roles/{name}.yaml: {dataset} {problem}"


def _role_problem(rows: Rows, columns: set[str]) -> str | None:
    """Why a role that shows such rows may not open a dataset with these columns."""
    if rows in (Rows.own, Rows.led) and roles.PERSONAL not in columns:
        return f"has no column {roles.PERSONAL}: its rows are nobody's"
    if rows == Rows.led and not {roles.PROJECT, roles.MODE} & columns:
        return f"has no column {roles.PROJECT}: its rows are of no project"
    doubtful = sorted(columns - roles.IMPERSONAL)
    if rows == Rows.unnamed and doubtful:
        return f"may name a person by {', '.join(doubtful)}"
    return None


RULES: tuple[Callable[[Assets], Iterator[str]], ...] = (
    _orphans,
    _duplicates,
    _datasets,
    _centers,
    _intervals,
    _charts,
    _layout,
    _filters,
    _clicks,
    _colors,
    _names,
    _roles,
)
