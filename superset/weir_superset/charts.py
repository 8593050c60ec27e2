"""What a chart asks of its dataset: the columns and metrics it names, and its query."""

from typing import Any

from weir_superset.assets import Chart, Dataset

TABLE = "table"
BIG_NUMBER = "big_number_total"
HEATMAP = "heatmap_v2"
TIMESERIES = ("echarts_timeseries_line", "echarts_timeseries_bar", "echarts_timeseries_scatter")
SERIES = ("series_limit", "series_limit_metric")
DRAWABLE = (TABLE, BIG_NUMBER, HEATMAP, *TIMESERIES)


def is_raw_table(chart: Chart) -> bool:
    """Whether it lists rows as they are, instead of aggregating."""
    return chart.viz_type == TABLE and chart.params.get("query_mode") == "raw"


def shows_links(chart: Chart, dataset: Dataset) -> bool:
    """Tells whether one of its columns is a link; the dataset's other texts cannot be HTML then."""
    return not dataset.links().keys().isdisjoint(columns(chart))


def columns(chart: Chart) -> list[str]:
    """Columns of the dataset that it groups by or lists."""
    params = chart.params
    if is_raw_table(chart):
        return list(params["all_columns"])
    groups = params.get("groupby", [])
    groups = [groups] if isinstance(groups, str) else list(groups)
    axis = params.get("x_axis")
    return [axis, *groups] if axis else groups


def metrics(chart: Chart) -> list[str]:
    """Saved metrics of the dataset that it shows."""
    single = chart.params.get("metric")
    return [single] if single else list(chart.params.get("metrics", []))


def description(chart: Chart) -> str:
    """Says what the chart shows, and where a search looks in a table whose rows are cut."""
    said = chart.description or ""
    is_cut = {"row_limit", "include_search"} <= chart.params.keys()
    return f"{said}. A search looks in the rows that are shown" if is_cut else said


def full_params(chart: Chart, dataset: Dataset) -> dict[str, Any]:
    """Superset's form data: the file's params plus what every chart has."""
    defaults: dict[str, Any] = {
        "viz_type": chart.viz_type,
        "adhoc_filters": _time_filter(dataset),
        "row_limit": 50_000,
    }
    if chart.viz_type == TABLE:
        defaults |= {
            "allow_render_html": shows_links(chart, dataset),
            "table_timestamp_format": "%Y-%m-%d %H:%M:%S",
        }
    if chart.viz_type in TIMESERIES:
        defaults |= {
            "color_scheme": "weir",
            "truncate_metric": True,
            "rich_tooltip": True,
            "tooltipTimeFormat": "%Y-%m-%d %H:%M:%S",
            "x_axis_time_format": "\u2060\u2003%d %b %H:%M\u2003\u2060",  # wide spaces keep neighbors apart
            "show_legend": True,
            "legendType": "scroll",
            "legendOrientation": "top",
            "x_axis_title_margin": 24,
            "y_axis_title_margin": 30 if chart.params.get("orientation") == "horizontal" else 50,
            "y_axis_title_position": "Left",
            "y_axis_format": "SMART_NUMBER",  # such as 1.2M, which fits between the axis and its title
        }
    return defaults | chart.params


def query_context(
    chart: Chart,
    dataset: Dataset,
    time_range: str | None = None,
    url_params: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The query behind a chart, for callers without a browser; the dataset's id is Superset's to fill in."""
    params = full_params(chart, dataset)
    raw = is_raw_table(chart)
    query = {
        "columns": columns(chart),
        "series_columns": chart.params.get("groupby", []) if "series_limit" in params else [],
        "metrics": None if raw else metrics(chart),
        "filters": [
            {"col": item["subject"], "op": item["operator"], "val": time_range or item["comparator"]}
            for item in params["adhoc_filters"]
        ],
        "time_range": time_range or "No filter",
        "url_params": url_params or {},
        "orderby": _order(chart),
        "row_limit": params["row_limit"],
        **{name: params[name] for name in SERIES if name in params},
        "extras": {},
    }
    return {
        "datasource": {"id": 0, "type": "table"},
        "force": False,
        "queries": [query],
        "form_data": params,
        "result_format": "json",
        "result_type": "full",
    }


def _time_filter(dataset: Dataset) -> list[dict[str, Any]]:
    if dataset.time is None:
        return []
    return [
        {
            "clause": "WHERE",
            "expressionType": "SIMPLE",
            "subject": dataset.time,
            "operator": "TEMPORAL_RANGE",
            "comparator": "No filter",
        }
    ]


def _order(chart: Chart) -> list[list[Any]]:
    if is_raw_table(chart):
        return []
    ranked_by = chart.params.get("series_limit_metric")
    return [[name, False] for name in ([ranked_by] if ranked_by else metrics(chart)[:1])]
