"""Turns the asset files into the bundle that Superset's /api/v1/assets/import/ takes."""

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import yaml
from weir.sql.questions import Question

from weir_superset import charts, layout
from weir_superset.assets import Assets, Chart, Dashboard, Database, Dataset
from weir_superset.identity import asset_uuid

ROOT = "weir"
VERSION = "1.0.0"
NO_PASSWORD = "X" * 10  # Superset's own mark for "the password comes apart"
ASKED_OF = "weir"  # the database of the saved questions
MOST_KEPT_SECONDS = 60
"""No answer is kept longer, however seldom its dashboard refreshes itself."""
SHIPPED = "Weir: "
"""Begins the label of a saved question: `superset_config.py` shows these to everybody who may use SQL Lab."""


def database_path(name: str) -> str:
    """A database's place in the bundle; its password is sent apart under this name."""
    return f"databases/{name}.yaml"


def files(assets: Assets, database_uri: str) -> dict[str, dict[str, Any]]:
    """Every file of the bundle by path. `database_uri` holds no password, its user only."""
    return dict(_files(assets, database_uri))


def zipped(assets: Assets, database_uri: str) -> bytes:
    """The bundle as a zip, the same bytes for the same assets."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files(assets, database_uri).items():
            info = zipfile.ZipInfo(f"{ROOT}/{path}", date_time=(1980, 1, 1, 0, 0, 0))
            archive.writestr(info, yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
    return buffer.getvalue()


def _files(assets: Assets, database_uri: str) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "metadata.yaml", {"version": VERSION, "type": "assets", "timestamp": "1980-01-01T00:00:00+00:00"}
    for name, database in assets.databases.items():
        yield database_path(name), _database(name, database, database_uri)
    for name, dataset in assets.datasets.items():
        yield f"datasets/{dataset.database}/{name}.yaml", _dataset(name, dataset)
    for name, chart in assets.charts.items():
        yield f"charts/{name}.yaml", _chart(name, chart, assets)
    for name, dashboard in assets.dashboards.items():
        yield f"dashboards/{name}.yaml", _dashboard(name, dashboard, assets)
    schema = database_uri.rpartition("/")[2]
    for name, question in assets.questions.items():
        yield f"queries/{ASKED_OF}/{name}.yaml", _saved_query(name, question, schema)


def _identified(kind: str, name: str) -> dict[str, Any]:
    return {"uuid": str(asset_uuid(kind, name)), "version": VERSION}


def _database(name: str, database: Database, uri: str) -> dict[str, Any]:
    scheme, rest = uri.split("://", 1)
    user, place = rest.rsplit("@", 1)
    return {
        "database_name": database.label,
        "sqlalchemy_uri": f"{scheme}://{user}:{NO_PASSWORD}@{place}",
        "expose_in_sqllab": True,
        "allow_run_async": False,
        "allow_ctas": False,
        "allow_cvas": False,
        "allow_dml": False,
        "allow_csv_upload": False,
        "extra": database.extra,
        "is_managed_externally": True,
        **_identified("databases", name),
    }


def _dataset(name: str, dataset: Dataset) -> dict[str, Any]:
    return {
        "table_name": name,
        "description": dataset.description,
        "main_dttm_col": dataset.time,
        "sql": dataset.sql,
        "filter_select_enabled": True,
        "is_managed_externally": True,
        "database_uuid": str(asset_uuid("databases", dataset.database)),
        "columns": [
            {
                "column_name": column.name,
                "verbose_name": column.label,
                "description": column.description,
                "type": column.type,
                "is_dttm": column.type == "DATETIME",
                "is_active": True,
                "groupby": True,
                "filterable": True,
            }
            for column in dataset.columns
        ],
        "metrics": [
            {
                "metric_name": metric.name,
                "verbose_name": metric.label,
                "expression": metric.expression,
                "d3format": metric.format,
            }
            for metric in dataset.metrics
        ],
        **_identified("datasets", name),
    }


def _chart(name: str, chart: Chart, assets: Assets) -> dict[str, Any]:
    dataset = assets.datasets[chart.dataset]
    return {
        "slice_name": chart.shown_title,
        "description": charts.description(chart),
        "viz_type": chart.viz_type,
        "params": charts.full_params(chart, dataset),
        "query_context": json.dumps(charts.query_context(chart, dataset)),
        "cache_timeout": _kept_seconds(name, assets),
        "is_managed_externally": True,
        "dataset_uuid": str(asset_uuid("datasets", chart.dataset)),
        **_identified("charts", name),
    }


def _kept_seconds(chart: str, assets: Assets) -> int:
    """How long an answer serves all viewers: until the next refresh, which asks anew."""
    refreshes = (each.refresh_seconds for each in assets.dashboards.values() if chart in each.charts())
    return min([MOST_KEPT_SECONDS, *refreshes]) - 1


def _dashboard(name: str, dashboard: Dashboard, assets: Assets) -> dict[str, Any]:
    titles = {chart: assets.charts[chart].shown_title for chart in dashboard.charts()}
    return {
        "dashboard_title": dashboard.title,
        "description": dashboard.description,
        "slug": name,
        "css": _style(dashboard, assets),
        "published": True,
        "is_managed_externally": True,
        "position": layout.position(dashboard, titles),
        "metadata": layout.metadata(dashboard),
        **_identified("dashboards", name),
    }


def _style(dashboard: Dashboard, assets: Assets) -> str:
    """The style of all pages, and what stands in each chart of this one that has no rows."""
    charts_of = defaultdict(list)
    for chart in (assets.charts[name] for name in dashboard.charts()):
        charts_of[assets.datasets[chart.dataset].empty].append(_quoted(chart.shown_title))
    reasons = [
        f".chart-slice:is({', '.join(f'[data-test-chart-name={title}]' for title in titles)})"
        f" {{ --empty: {_quoted(reason)}; }}\n"
        for reason, titles in charts_of.items()
    ]
    return "".join([assets.style, assets.subject_style if dashboard.subject else "", *reasons])


def _quoted(text: str) -> str:
    """A string of CSS."""
    return json.dumps(text, ensure_ascii=False)


def _saved_query(name: str, question: Question, schema: str) -> dict[str, Any]:
    """A question for SQL Lab, which knows no parameters: its defaults stand in the text."""
    return {
        "label": f"{SHIPPED}{question.title}",
        "description": " ".join(filter(None, (question.question, question.note))),
        "schema": schema,
        "sql": question.statement(),
        "database_uuid": str(asset_uuid("databases", ASKED_OF)),
        **_identified("queries", name),
    }
