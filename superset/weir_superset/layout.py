"""A dashboard's grid and filters in Superset's own terms."""

from typing import Any

from weir_superset.assets import Cell, Dashboard, Filter, Row
from weir_superset.identity import asset_uuid

GRID_PARENTS = ["ROOT_ID", "GRID_ID"]
FULL_WIDTH = 12
TEXT_HEIGHT = 8
"""Of a row of text that names no height: one line, or two of them on a narrow screen."""


def position(dashboard: Dashboard, titles: dict[str, str]) -> dict[str, Any]:
    """The grid: rows of charts; Superset replaces the running chart numbers by its own."""
    rows = [_row(f"ROW-{number}", row, titles) for number, row in enumerate(dashboard.rows)]
    grid: dict[str, Any] = {
        "DASHBOARD_VERSION_KEY": "v2",
        "ROOT_ID": {"type": "ROOT", "id": "ROOT_ID", "children": ["GRID_ID"]},
        "HEADER_ID": {"type": "HEADER", "id": "HEADER_ID", "meta": {"text": dashboard.title}},
        "GRID_ID": {
            "type": "GRID",
            "id": "GRID_ID",
            "parents": ["ROOT_ID"],
            "children": [next(iter(row)) for row in rows],
        },
    }
    for row in rows:
        grid |= row
    for number, item in enumerate(item for item in grid.values() if _is_chart(item)):
        item["meta"]["chartId"] = number + 1
    return grid


def metadata(dashboard: Dashboard) -> dict[str, Any]:
    """Refresh, colors and native filters."""
    return {
        "refresh_frequency": dashboard.refresh_seconds,
        "color_scheme": "weir",
        "label_colors": dashboard.colors,
        "filter_bar_orientation": "HORIZONTAL",
        "show_native_filters": bool(dashboard.filters),
        "cross_filters_enabled": True,
        "chart_configuration": {},
        "global_chart_configuration": {
            "scope": {"rootPath": ["ROOT_ID"], "excluded": _numbers(dashboard, dashboard.except_from_clicks)},
            "chartsInScope": [],
        },
        "native_filter_configuration": [_filter(item, dashboard) for item in dashboard.filters],
    }


def filter_id(item: Filter) -> str:
    """Superset's id of a native filter."""
    return "NATIVE_FILTER-" + item.name.lower().replace(" ", "-")


def _numbers(dashboard: Dashboard, names: list[str]) -> list[int]:
    """The running numbers of charts, as `position` gives them."""
    return [number for number, chart in enumerate(dashboard.charts(), 1) if chart in names]


def _is_chart(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "CHART"


def _row(row_id: str, row: Row, titles: dict[str, str]) -> dict[str, Any]:
    if row.heading:
        return {
            row_id: {
                "type": "HEADER",
                "id": row_id,
                "parents": GRID_PARENTS,
                "children": [],
                "meta": {
                    "text": row.heading,
                    "headerSize": "SMALL_HEADER",
                    "background": "BACKGROUND_TRANSPARENT",
                },
            }
        }
    if row.text:
        text_id = f"MARKDOWN-{row_id}"
        return {row_id: _holder(row_id, [text_id]), text_id: _text(text_id, row_id, row)}
    cells = {f"CHART-{cell.chart}": cell for cell in row.charts}
    return {row_id: _holder(row_id, list(cells))} | {
        chart_id: _cell(chart_id, row_id, row, cell, titles) for chart_id, cell in cells.items()
    }


def _holder(row_id: str, children: list[str]) -> dict[str, Any]:
    return {
        "type": "ROW",
        "id": row_id,
        "parents": GRID_PARENTS,
        "children": children,
        "meta": {"background": "BACKGROUND_TRANSPARENT"},
    }


def _text(text_id: str, row_id: str, row: Row) -> dict[str, Any]:
    return {
        "type": "MARKDOWN",
        "id": text_id,
        "parents": [*GRID_PARENTS, row_id],
        "children": [],
        "meta": {"code": row.text, "width": FULL_WIDTH, "height": row.height or TEXT_HEIGHT},
    }


def _cell(chart_id: str, row_id: str, row: Row, cell: Cell, titles: dict[str, str]) -> dict[str, Any]:
    return {
        "type": "CHART",
        "id": chart_id,
        "parents": [*GRID_PARENTS, row_id],
        "children": [],
        "meta": {
            "uuid": str(asset_uuid("charts", cell.chart)),
            "sliceName": titles[cell.chart],
            "width": cell.width,
            "height": row.height,
        },
    }


def _filter(item: Filter, dashboard: Dashboard) -> dict[str, Any]:
    common = {
        "id": filter_id(item),
        "name": item.name,
        "description": item.description,
        "type": "NATIVE_FILTER",
        "scope": {"rootPath": ["ROOT_ID"], "excluded": _numbers(dashboard, item.except_charts)},
    }
    if item.column is None:
        return common | {
            "filterType": "filter_time",
            "targets": [{}],
            "controlValues": {},
            "cascadeParentIds": [],
            "defaultDataMask": {
                "extraFormData": {"time_range": item.default_range},
                "filterState": {"value": item.default_range},
            },
        }
    return common | {
        "filterType": "filter_select",
        "targets": [
            {"column": {"name": item.column}, "datasetUuid": str(asset_uuid("datasets", item.dataset or ""))}
        ],
        "controlValues": {
            "multiSelect": True,
            "enableEmptyFilter": False,
            "searchAllOptions": True,
            "inverseSelection": False,
            "defaultToFirstItem": False,
        },
        "cascadeParentIds": [filter_id(other) for other in dashboard.filters if other.column is None],
        "defaultDataMask": {"extraFormData": {}, "filterState": {}},
    }
