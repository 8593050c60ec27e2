"""The asset files as typed objects: one YAML file per database, dataset, chart, dashboard and role."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

DEFAULT_FOLDER = Path(__file__).resolve().parents[1]
_COLUMNS = DEFAULT_FOLDER.parent / "schemas/clickhouse/columns.tsv"


class AssetError(Exception):
    """An asset file that cannot be read; the text names the file, the field and what was expected."""


class Strict(BaseModel):
    """Refuses fields it does not know, so that a misspelt one is seen."""

    model_config = ConfigDict(extra="forbid")


class Database(Strict):
    """A connection; address and password are given when it is loaded."""

    label: str
    extra: dict[str, Any] = {}


class Column(Strict):
    """A column that a dataset's SQL returns."""

    name: str
    type: Literal["STRING", "INTEGER", "FLOAT", "DATETIME"]
    label: str | None = None
    description: str | None = None


class Metric(Strict):
    """An aggregate over a dataset, with the number format that charts show it in."""

    name: str
    label: str
    expression: str
    format: str | None = None


class Dataset(Strict):
    """A virtual dataset; its SQL is `sql/<file name>.sql`."""

    description: str
    database: str = "weir"
    comments_of: str | None = Field(
        None, description="the table whose comments describe the columns that have the same name"
    )
    time: str | None = Field(None, description="the column that the dashboard's time range acts on")
    columns: list[Column]
    metrics: list[Metric] = []
    sql: str = Field("", exclude=True)


class Chart(Strict):
    """One chart: `params` are Superset's own, without what follows from dataset and type."""

    title: str
    description: str | None = None
    dataset: str
    viz_type: str
    params: dict[str, Any] = {}

    @property
    def shown_title(self) -> str:
        """The title, and how many rows are shown at most: none is left out in silence."""
        limit = self.params.get("row_limit")
        return f"{self.title} (at most {limit:,})" if limit else self.title


class Cell(Strict):
    """A chart's place in a row; twelve columns are the full width."""

    chart: str
    width: int = Field(ge=1, le=12)


class Row(Strict):
    """Charts side by side, one heading, or one text; a height unit is 8 pixels."""

    heading: str | None = None
    text: str | None = Field(None, description="Markdown over the full width, with links to other dashboards")
    height: int = Field(0, ge=0)
    charts: list[Cell] = []


class Filter(Strict):
    """A filter of a dashboard: the time range, or the values of a column that every chart has."""

    name: str
    column: str | None = None
    dataset: str | None = None
    default_range: str | None = None
    description: str = ""
    except_charts: list[str] = Field([], description="charts whose rows do not have the column")


class Dashboard(Strict):
    """A page of charts."""

    title: str
    description: str
    refresh_seconds: int
    filters: list[Filter]
    rows: list[Row]
    colors: dict[str, str] = Field({}, description="a fixed colour for a series name")

    def charts(self) -> Iterator[str]:
        """Names of the charts on it, in reading order."""
        for row in self.rows:
            yield from (cell.chart for cell in row.charts)


class Role(Strict):
    """A role: the datasets it opens, of which its users see their own rows, or all rows of all of them."""

    title: str
    description: str
    everybody: bool = False
    datasets: list[str] = []


class Assets(Strict):
    """All objects by kind and name."""

    databases: dict[str, Database]
    datasets: dict[str, Dataset]
    charts: dict[str, Chart]
    dashboards: dict[str, Dashboard]
    roles: dict[str, Role] = {}
    style: str = ""
    unused_sql: list[str] = []


Asset = TypeVar("Asset", bound=BaseModel)


def _read_kind(folder: Path, kind: str, model: type[Asset]) -> dict[str, Asset]:
    found = {}
    for path in sorted((folder / "assets" / kind).glob("*.yaml")):
        try:
            found[path.stem] = model.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        except (yaml.YAMLError, ValidationError) as error:
            raise AssetError(f"{path.relative_to(folder)}: {error}") from error
    return found


def _describe(name: str, dataset: Dataset, table: str) -> None:
    """Takes the descriptions of columns from the comments of a table."""
    with _COLUMNS.open(newline="", encoding="utf-8") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        comments = {row["column"]: row["comment"] for row in rows if row["table"] == table}
    if not comments:
        raise AssetError(f"datasets/{name}.yaml: comments_of: {_COLUMNS.name} has no table {table}")
    for column in dataset.columns:
        column.description = column.description or comments.get(column.name) or None


def read(folder: Path = DEFAULT_FOLDER) -> Assets:
    """Read all asset files below `folder`; raises AssetError naming the first file that is wrong."""
    assets = Assets(
        databases=_read_kind(folder, "databases", Database),
        datasets=_read_kind(folder, "datasets", Dataset),
        charts=_read_kind(folder, "charts", Chart),
        dashboards=_read_kind(folder, "dashboards", Dashboard),
        roles=_read_kind(folder, "roles", Role),
        style=(folder / "assets" / "style.css").read_text(encoding="utf-8"),
    )
    statements = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "sql").glob("*.sql")}
    for name, dataset in assets.datasets.items():
        dataset.sql = statements.pop(name, "").strip()
        if dataset.comments_of:
            _describe(name, dataset, dataset.comments_of)
    assets.unused_sql = sorted(statements)
    return assets
