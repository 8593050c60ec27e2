"""The asset files as typed objects: one YAML file per database, dataset, chart, dashboard and role.

Beside them the saved questions, which are those of `weir sql`.
"""

import csv
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from weir.errors import UserError
from weir.sql.questions import Question, saved

DEFAULT_FOLDER = Path(__file__).resolve().parents[1]
_COLUMNS = DEFAULT_FOLDER.parent / "schemas/clickhouse/columns.tsv"
PRELUDE = "prelude.jinja"
"""What every dataset's SQL begins with: the range that is looked at, and the centers."""
_COMMENT = re.compile(r"^( *)--(.*)$", re.MULTILINE)
"""A comment of SQL, which becomes one of the template: each statement would carry it to the engine."""
ALL = "all"
"""Stands for the dashboards that there are."""
LESS = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
"""What is shown for `<` beside links."""


class AssetError(Exception):
    """An asset file that cannot be read; the text names the file, the field and what was expected."""


class Strict(BaseModel):
    """Refuses fields it does not know, so that a misspelt one is seen."""

    model_config = ConfigDict(extra="forbid")


class Database(Strict):
    """A connection; address and password are given when it is loaded."""

    label: str
    extra: dict[str, Any] = {}


_IN_ADDRESS = re.compile(r"{(\w+)}")


class Link(Strict):
    """Where the values of a column lead: the address `to`, the value of the column `key`, shown as `text`.

    In `to` the name of a column in braces stands for its value. Without a key the text leads nowhere.
    """

    to: str
    key: str
    text: str

    def columns(self) -> set[str]:
        """Names the columns that it is made of."""
        return {self.key, self.text, *_IN_ADDRESS.findall(self.to)}

    def address(self) -> str:
        """Gives `to` and the key as the arguments of an SQL concat."""
        place = _IN_ADDRESS.sub(r"', encodeURLComponent(\1), '", self.to)
        return f"'{place}', encodeURLComponent({self.key})"

    def shown(self) -> str:
        """Gives the text as SQL, which cannot become HTML."""
        return f"replaceAll(toString({self.text}), '<', '{LESS}')"


class Column(Strict):
    """A column that a dataset's SQL returns, or a link that is made of two of them."""

    name: str
    type: Literal["STRING", "INTEGER", "FLOAT", "DATETIME"]
    label: str | None = None
    description: str | None = None
    link: Link | None = None


class Metric(Strict):
    """An aggregate over a dataset, with the number format that charts show it in."""

    name: str
    label: str
    expression: str
    format: str | None = None


class Dataset(Strict):
    """A virtual dataset; its SQL is `sql/<file name>.sql`."""

    description: str
    empty: str = Field(pattern=r"^[A-Z].*\.$", description="what it means that a chart of it has no rows")
    database: str = "weir"
    comments_of: str | None = Field(
        None, description="the table whose comments describe the columns that have the same name"
    )
    own_rows_of: str | None = Field(None, description="the dataset of whose rows it has the reader's own")
    time: str | None = Field(None, description="the column that the dashboard's time range acts on")
    without_user: str | None = Field(
        None, description="why it needs no column `user` though another may lead to a person"
    )
    columns: list[Column] = []
    metrics: list[Metric] = []
    sql: str = Field("", exclude=True)

    def links(self) -> dict[str, Link]:
        """Gives the columns that are links, by name."""
        return {column.name: column.link for column in self.columns if column.link}


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
    subject: str | None = Field(
        None, description="the parameter of the page's address that names the one thing that it shows"
    )
    filters: list[Filter] = []
    rows: list[Row]
    colors: dict[str, str] = Field({}, description="a fixed colour for a series name")
    except_from_clicks: list[str] = Field(
        [], description="charts that a click on another one leaves as they are"
    )

    def charts(self) -> Iterator[str]:
        """Names of the charts on it, in reading order."""
        for row in self.rows:
            yield from (cell.chart for cell in row.charts)


class Rows(StrEnum):
    """Which rows of its datasets a role shows."""

    own = "own"
    """Those of the user."""
    led = "led"
    """Those of the user, and of the projects that the user leads."""
    all = "all"
    """Everybody's."""
    unnamed = "unnamed"
    """All, of datasets that name nobody."""


class Role(Strict):
    """A role: the dashboards that it opens wholly, and which of their rows."""

    title: str
    description: str
    rows: Rows
    pages: list[str] | Literal["all"]


class Assets(Strict):
    """All objects by kind and name."""

    databases: dict[str, Database]
    datasets: dict[str, Dataset]
    charts: dict[str, Chart]
    dashboards: dict[str, Dashboard]
    roles: dict[str, Role] = {}
    questions: dict[str, Question] = {}
    style: str = ""
    subject_style: str = ""
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


def _take_own_rows(name: str, dataset: Dataset, assets: Assets) -> None:
    whole = assets.datasets.get(dataset.own_rows_of or "")
    if whole is None or dataset.columns or dataset.sql:
        raise AssetError(f"datasets/{name}.yaml: own_rows_of: takes columns and SQL of one that has its own")
    dataset.time, dataset.columns, dataset.metrics = whole.time, whole.columns, whole.metrics
    dataset.sql = (
        f"SELECT *\nFROM\n(\n{whole.sql}\n)\nWHERE user IN {{{{ [current_username()] | where_in }}}}"
    )


def _with_links(dataset: Dataset) -> str:
    """Returns the SQL with links around it.

    Superset draws a cell as HTML if there is an element in it. So that none but these links can be, the other
    texts get another sign for `<`, and what is put into an address is encoded.
    """
    links = dataset.links()
    if not links:
        return dataset.sql
    texts = [column.name for column in dataset.columns if column.type == "STRING" and not column.link]
    plain = ",\n    ".join(f"replaceAll({name}, '<', '{LESS}') AS {name}" for name in texts)
    made = ",\n    ".join(
        f"if(empty(ifNull(toString({link.key}), '')) OR empty({link.shown()}), {link.shown()},"
        f" concat('<a href=\"', {link.address()}, '\">', {link.shown()}, '</a>')) AS {name}"
        for name, link in links.items()
    )
    return f"SELECT\n    * REPLACE ({plain}),\n    {made}\nFROM\n(\n{dataset.sql}\n)"


def read(folder: Path = DEFAULT_FOLDER) -> Assets:
    """Read all asset files below `folder`; raises AssetError naming the first file that is wrong."""
    try:
        questions = saved()
    except UserError as error:
        raise AssetError(str(error)) from error
    assets = Assets(
        databases=_read_kind(folder, "databases", Database),
        datasets=_read_kind(folder, "datasets", Dataset),
        charts=_read_kind(folder, "charts", Chart),
        dashboards=_read_kind(folder, "dashboards", Dashboard),
        roles=_read_kind(folder, "roles", Role),
        questions=questions,
        style=(folder / "assets" / "style.css").read_text(encoding="utf-8"),
        subject_style=(folder / "assets" / "subject.css").read_text(encoding="utf-8"),
    )
    statements = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "sql").glob("*.sql")}
    prelude = (folder / "sql" / PRELUDE).read_text(encoding="utf-8")
    for name, dataset in assets.datasets.items():
        dataset.sql = _COMMENT.sub(r"\1{#\2 #}", statements.pop(name, "").strip())
        if dataset.comments_of:
            _describe(name, dataset, dataset.comments_of)
        if dataset.sql:
            dataset.sql = prelude + _with_links(dataset)
    for name, dataset in assets.datasets.items():
        if dataset.own_rows_of:
            _take_own_rows(name, dataset, assets)
    assets.unused_sql = sorted(statements)
    return assets
