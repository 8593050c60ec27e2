"""From a bar of a page to a run or job: what it chooses is a column of a table there whose rows are links."""

import pytest
from weir_superset import assets, charts

ASSETS = assets.read()
# They count what leads to no run or job (landings, disk requests, troubles), or parts of the shown run.
CHOOSES_NOTHING = {
    "center": {"center_jobs_active", "center_landings"},
    "job": {"shown_activity", "shown_requests", "shown_time"},
    "lustre": {"lustre_io_sizes", "lustre_silent_times", "lustre_throughput"},
    "run": {"shown_activity", "shown_requests", "shown_time"},
    "storage": {"storage_event_times"},
}
# No table of these pages leads to a run: one shows the whole center, the other Weir itself.
WITHOUT_RUNS = {"management", "pipeline"}


def chosen_by(chart):
    """The columns of which a click on a mark of the chart chooses values; on a heat map it chooses none."""
    if chart.viz_type == charts.HEATMAP:
        return set()
    groups = chart.params.get("groupby") or []
    groups = {groups} if isinstance(groups, str) else {*groups}
    types = {column.name: column.type for column in ASSETS.datasets[chart.dataset].columns}
    axis = chart.params.get("x_axis")
    return groups or ({axis} if axis and types[axis] != "DATETIME" else set())


@pytest.mark.parametrize("page", sorted({*ASSETS.dashboards} - WITHOUT_RUNS))
def test_what_a_bar_chooses_is_a_column_of_a_table_with_links(page):
    shown = [(name, ASSETS.charts[name]) for name in ASSETS.dashboards[page].charts()]
    of_links = [
        {*charts.columns(chart)} | {column.name for column in ASSETS.datasets[chart.dataset].columns}
        for _, chart in shown
        if charts.is_raw_table(chart) and charts.shows_links(chart, ASSETS.datasets[chart.dataset])
    ]
    nowhere = {
        name
        for name, chart in shown
        if (chosen := chosen_by(chart)) and not any(chosen & columns for columns in of_links)
    }
    assert nowhere == CHOOSES_NOTHING.get(page, set())
