"""Commands `weir rules ...`."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from weir.cli import group
from weir.cli.options import duration, echo_published
from weir.errors import UserError

app = group("rules")

RulesFolder = Annotated[
    Path | None, typer.Argument(help="Folder of rule files; the shipped ones if not given.")
]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", help="Folder of rule files; the shipped ones if not given.")
]
SiteOption = Annotated[
    Path | None, typer.Option("--site", help="Site file, for the thresholds that it sets.")
]


@app.command("check")
def rules_check(folder: RulesFolder = None) -> None:
    """Report everything that is wrong in rule files, with its line."""
    from weir.admin import rules

    rule_set = rules.load(folder or rules.SHIPPED)
    typer.echo(f"{len(rule_set['rules'])} rules, no problem")


@app.command("list")
def rules_list(folder: RulesOption = None, site: SiteOption = None) -> None:
    """List the rules: id, title, and from how many node-hours lost on a finding is grave."""
    from weir.admin import rules
    from weir.views import rules_view

    rules_view.print_list(rules.listed(folder or rules.SHIPPED, site))


@app.command("show")
def rules_show(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="Of the rule, as weir rules list has it.")],
    folder: RulesOption = None,
    site: SiteOption = None,
) -> None:
    """Show what a rule means: its condition, thresholds, the features it shows, and its advice."""
    from weir.admin import rules
    from weir.views import rules_view

    known = {rule["id"]: rule for rule in rules.listed(folder or rules.SHIPPED, site)}
    if rule_id not in known:
        raise UserError(f"{rule_id}: no such rule. There are {', '.join(known)}.")
    rules_view.print_rule(known[rule_id], rules.features())


@app.command("publish")
def rules_publish(folder: RulesFolder = None) -> None:
    """Check rule files and activate them."""
    from weir import documents, settings
    from weir.admin import rules

    rule_set = rules.load(folder or rules.SHIPPED)
    done = documents.publish(settings.load().kafka, "weir.rules", rule_set["id"], rule_set)
    echo_published(f"{len(rule_set['rules'])} rules", *done)


@app.command("backtest")
def rules_backtest(
    rule: Annotated[
        str, typer.Argument(help="A rule file, or the id of one in the folder.", show_default=False)
    ],
    cluster: Annotated[str, typer.Option(help="Whose runs, and whose thresholds.", show_default=False)],
    since: Annotated[str, typer.Option(help="How far back: 36h or 30d.")] = "30d",
    folder: Annotated[
        Path | None, typer.Option("--rules", help="Folder of rule files; the shipped ones if not given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show what a rule would have said of stored runs, beside the active one. Nothing is published."""
    from weir import clickhouse, settings
    from weir.admin import backtest

    config = settings.load()
    start = datetime.now(UTC) - duration(since)
    content = backtest.proposed(rule, folder)
    client = clickhouse.connect(config)
    found = backtest.compare(client, config.kafka, content, start, cluster)
    if as_json:
        typer.echo(json.dumps(backtest.as_object(found)))
    else:
        backtest.show(found, start)
