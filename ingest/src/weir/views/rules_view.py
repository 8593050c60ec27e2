"""`weir rules list` and `weir rules show` as they are printed."""

from textwrap import indent
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from weir.report.words import advice_outline, words
from weir.views.log_view import console

_EXPLAINS = {
    "application": "a program that loses time by itself",
    "storage": "a slow file system",
    "nobody": "nothing: it says that a run was slow, not why",
}


def print_list(rules: list[dict[str, Any]]) -> None:
    """A line a rule."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("rule", "holds when", "notice / warning / critical"):
        table.add_column(name, no_wrap=name == "rule")
    for rule in rules:
        table.add_row(Text(rule["id"], "bold"), rule["title"], _severity(rule))
    console().print(table)
    console().print(
        Text(
            "\nSeverities are node-hours lost of a slow run, at least. weir rules show ID tells more.", "dim"
        )
    )


def _severity(rule: dict[str, Any]) -> str:
    return " / ".join(f"{rule['severity'][name]:g}" for name in ("notice", "warning", "critical"))


def print_rule(rule: dict[str, Any], features: dict[str, dict[str, Any]]) -> None:
    """All of one rule."""
    out = console()
    out.print(Text(f"{rule['title']} ({rule['id']})", "bold"))
    said = words()["findings"].get(rule["id"])
    if said:
        _section("What it means", Text(said["meaning"]))
    _section("Condition", Text(rule["condition"].strip()))
    _section("Explains", Text(_EXPLAINS[rule["blames"]]))
    _section("Thresholds", _thresholds(rule))
    _section(
        "Severity", Text(f"{_severity(rule)} node-hours lost of a slow run (notice / warning / critical)")
    )
    evidence = Table.grid(padding=(0, 2))
    for name in rule["evidence"]:
        evidence.add_row(name, Text(features[name]["meaning"], "dim"))
    _section("Evidence", evidence)
    _section("Advice", Text("\n".join(_advice(each["id"]) for each in rule["advice"])))


def _section(title: str, content: RenderableType) -> None:
    out = console()
    out.print(Text(f"\n{title}", "bold"))
    out.print(Padding(content, (0, 0, 0, 2)))


def _thresholds(rule: dict[str, Any]) -> Table:
    table = Table.grid(padding=(0, 2))
    for name, value in rule["thresholds"].items():
        of_site = rule["site_thresholds"].get(name)
        table.add_row(
            name, f"{value:,.12g}" if of_site is None else f"{of_site:,.12g} (site; shipped: {value:,.12g})"
        )
    return table


def _advice(advice_id: str) -> str:
    text, code = advice_outline(advice_id)
    return "\n".join(
        [f"{advice_id}: {text}" if text else advice_id, *(indent(line, "    ") for line in code)]
    )
