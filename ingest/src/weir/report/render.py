"""The view of a report as text, or as one page of HTML that needs nothing else."""

import textwrap
from functools import cache, partial
from importlib.metadata import version

import jinja2
from rich.markup import escape
from rich.text import Text

from weir.report.view import ROW_HEADER, Report

STYLES = {"critical": "bold red", "warning": "red", "notice": "yellow", "info": "cyan"}
VERDICT_STYLES = {
    "not_slow": "green",
    "application": "red",
    "storage": "red",
    "both": "red",
    "unknown": "yellow",
}
WIDTH = 100


def text(report: Report, width: int = WIDTH) -> Text:
    """For a terminal; `.plain` is the text without color, as a mail has it."""

    def wrap(value: str, indent: int = 0) -> str:
        lines = textwrap.wrap(value, width - indent, break_on_hyphens=False, break_long_words=False)
        return f"\n{' ' * indent}".join(lines)

    template = _environment(html=False).get_template("report.txt.j2")
    marked = template.render(
        report=report,
        header=ROW_HEADER,
        wrap=wrap,
        table=partial(_table, width=width),
        styles=STYLES,
        verdict_styles=VERDICT_STYLES,
    )
    return Text.from_markup(marked, emoji=False)


def page(reports: list[Report], refused: list[tuple[str, str]]) -> str:
    """All reports as one HTML page; `refused` are (file, reason)."""
    template = _environment(html=True).get_template("report.html.j2")
    return template.render(reports=reports, refused=refused, header=ROW_HEADER, version=version("weir"))


def _table(rows: list[tuple[str, ...]], width: int) -> list[str]:
    """Lines of columns as wide as they need; the last takes lines of its own where it does not fit."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    begin = sum(widths) + 2 * len(widths)
    lines = []
    for row in rows:
        cells = "  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=False))
        last = textwrap.wrap(row[-1], max(24, width - begin))
        lines += [f"{cells}  {last[0]}", *(" " * begin + more for more in last[1:])]
    return lines


@cache
def _environment(html: bool) -> jinja2.Environment:
    """`html` escapes every value for HTML, else for rich's markup."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("weir.report", "templates"),
        autoescape=html,  # noqa: S701
        finalize=None if html else lambda value: escape(value) if isinstance(value, str) else value,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment
