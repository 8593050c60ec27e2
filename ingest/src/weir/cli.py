"""The command `weir`. Modules are imported where they are used, so that every command starts at once."""

import json
import sys
import time
from dataclasses import astuple
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from weir.errors import UserError, complain
from weir.formats import DeviceFormat, SchedulerFormat

if TYPE_CHECKING:
    from collections.abc import Callable

    from clickhouse_connect.driver.client import Client

    from weir.analyze import Analysis
    from weir.ledger import Balance
    from weir.migrations import Migrator
    from weir.progress import Progress
    from weir.reconcile import StoredRun

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help: paragraphs flow, and nothing slow is imported
    help="Weir: live I/O analytics for computing centers.",
)
topics_app = typer.Typer(no_args_is_help=True, help="Kafka topics, as schemas/topics.yaml declares them.")
migrate_app = typer.Typer(no_args_is_help=True, help="ClickHouse tables, as schemas/clickhouse numbers them.")
site_app = typer.Typer(no_args_is_help=True, help="The site file: what the center is made of.")
rules_app = typer.Typer(no_args_is_help=True, help="The rules that find things.")
reference_app = typer.Typer(no_args_is_help=True, help="Reference rates: what comparable runs reached.")
pipeline_app = typer.Typer(no_args_is_help=True, help="How the pipeline itself does.")
log_app = typer.Typer(no_args_is_help=True, help="Darshan logs: what they hold.")
scheduler_app = typer.Typer(no_args_is_help=True, help="Scheduler records: what files of them say.")
devices_app = typer.Typer(no_args_is_help=True, help="Device samples: what files of them say.")
agent_app = typer.Typer(no_args_is_help=True, help="The agents, which run until they get SIGTERM.")
spool_app = typer.Typer(no_args_is_help=True, help="Logs that wait for shipping, or were refused.")
app.add_typer(agent_app, name="agent")
app.add_typer(spool_app, name="spool")
app.add_typer(log_app, name="log")
app.add_typer(scheduler_app, name="scheduler")
app.add_typer(devices_app, name="devices")
app.add_typer(topics_app, name="topics")
app.add_typer(migrate_app, name="migrate")
app.add_typer(site_app, name="site")
app.add_typer(rules_app, name="rules")
app.add_typer(reference_app, name="reference")
app.add_typer(pipeline_app, name="pipeline")

DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the SQL and do nothing.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"weir {version('weir')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Weir: live I/O analytics for computing centers."""


def main() -> None:
    """Entry point: a UserError is one or more plain lines on stderr and exit code 1."""
    try:
        app()
    except UserError as error:
        complain(str(error))
        sys.exit(1)


LogFile = Annotated[Path, typer.Argument(help="A Darshan log.", show_default=False)]


@log_app.command("show")
def log_show(
    files: Annotated[list[Path], typer.Argument(help="Darshan logs.", show_default=False)],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a log, on a line of its own.")
    ] = False,
) -> None:
    """Tell what logs hold: the run, its modules and their state, bytes, performance, top files, heatmap.

    Exit code 0: all were read; 1: one could not be read at all; 2: wrong usage; 3: all were read, but a
    module or the names of one are damaged, or its file holds more than the log.
    """

    from weir import log_facts, log_view
    from weir.errors import Refused

    refused = damaged = False
    for file in files:
        try:
            facts = log_facts.read(file)
        except Refused as error:
            refused = True
            if as_json:
                typer.echo(json.dumps({"file": str(file), "error": error.reason}))
            else:
                complain(f"{file}: {error.reason}")
            continue
        damaged |= facts.damaged
        if as_json:
            typer.echo(json.dumps(log_facts.as_object(facts), allow_nan=False))
        else:
            log_view.console().print(log_view.show(facts))
    sys.exit(1 if refused else 3 if damaged else 0)


class RecordFormat(StrEnum):
    """What `weir log records` prints."""

    csv = "csv"
    jsonl = "jsonl"
    avro = "avro"


@log_app.command("records")
def log_records(
    file: LogFile,
    module: Annotated[str, typer.Option(help="By Darshan's name: POSIX, MPI-IO, DXT_POSIX, ...")],
    form: Annotated[RecordFormat, typer.Option("--format", help="Of what is printed.")] = RecordFormat.csv,
) -> None:
    """Print a module's records under Darshan's counter names, a row each.

    Of HEATMAP a row is a bin, of LUSTRE a stripe of a component (of one without stripes the component, its
    `ost` empty), of DXT a segment. Counters that the version of the module does not have are absent. Exit
    codes are those of `weir log show`.
    """
    from weir import log_facts, log_view
    from weir.errors import Refused

    try:
        _, log = log_facts.opened(file)
    except Refused as error:
        raise UserError(f"{file}: {error.reason}") from None
    module = next((each.name for each in log.modules if each.name.lower() == module.lower()), module)
    log_view.WRITERS[form](log_facts.blocks(log, module))
    state, damage = log.state(module), log.names.damage
    problems = [f"the names are damaged: {damage}"] if damage else []
    if state.state == "damaged":
        problems.append(f"{module} is damaged after {state.records_read} records: {state.reason}")
    if log.trailing:
        problems.append(f"not read: {log.trailing.reason}")
    for problem in problems:
        complain(f"{file}: {problem}")
    sys.exit(3 if problems else 0)


Records = Annotated[list[Path], typer.Argument(help="Files of records.", show_default=False)]
AsLines = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
ZoneName = Annotated[str, typer.Option("--timezone", help="IANA zone of times that are written without one.")]


@scheduler_app.command("parse")
def scheduler_parse(
    files: Records,
    form: Annotated[
        SchedulerFormat | None, typer.Option("--format", help="If not by how the file begins.")
    ] = None,
    zone: ZoneName = "UTC",
    cluster: Annotated[
        str | None, typer.Option(help="Of jobs whose records name none; of PBS, instead of the server.")
    ] = None,
    fields: Annotated[
        str | None, typer.Option(help="sacct's fields in order, where there is no header: JobID,User,...")
    ] = None,
    as_json: AsLines = False,
) -> None:
    """Read scheduler records: sacct --parsable2 (any fields, order, delimiter), sacct --json, PBS accounting.

    With --json an object for each job and step, or of PBS for each record of a job's state; times in UTC.
    What is not understood is an object too: file, position, line, field, error.

    Exit code 0: all was understood; 1: a file could not be read at all; 2: wrong usage; 3: all were read, but
    a line or a job was not understood.
    """
    from weir import parse_view, scheduler

    how = scheduler.How(_zone(zone), form, cluster, fields.split(",") if fields else None)
    sys.exit(
        parse_view.print_files(files, as_json, lambda file: scheduler.objects(file, how), scheduler.Summary)
    )


@devices_app.command("parse")
def devices_parse(
    files: Records,
    form: Annotated[
        DeviceFormat | None, typer.Option("--format", help="If not by how the file begins.")
    ] = None,
    zone: ZoneName = "UTC",
    server: Annotated[str | None, typer.Option(help="Whose devices; else as the file says.")] = None,
    interval: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds between reports of iostat without -t.")
    ] = None,
    day_first: Annotated[
        bool, typer.Option("--day-first", help="03/04/26 is in April, where no date of the file tells.")
    ] = False,
    since_boot: Annotated[
        bool, typer.Option("--since-boot", help="Print iostat's first report too, means since boot.")
    ] = False,
    as_json: AsLines = False,
) -> None:
    """Read device samples: text of iostat in any layout, iostat -o JSON, captures of /proc/diskstats.

    Of Lustre's servers, what lctl get_param prints of stats, md_stats, job_stats and brw_stats.

    With --json an object for each device and interval, which ends at `time` (UTC): what was done in it, and
    `util`, the share of it that the device was busy. Without time stamps and --interval only rates are known.
    What is not understood is an object too: file, position, line, field, error.

    Exit codes are those of `weir scheduler parse`.
    """
    from weir import devices, parse_view

    how = devices.How(_zone(zone), form, interval, day_first, server, since_boot)
    objects, summary = partial(devices.objects, how=how), partial(devices.summary, how=how)
    sys.exit(parse_view.print_files(files, as_json, objects, summary))


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        raise typer.BadParameter(
            f"{name!r} is no IANA zone, such as Europe/Berlin", param_hint="--timezone"
        ) from None


@app.command("analyze")
def analyze_command(
    logs: Annotated[
        list[Path], typer.Argument(help="Darshan logs, or directories of them.", show_default=False)
    ],
    site: Annotated[
        Path | None, typer.Option(help="Site file: file systems, what they can do, their devices.")
    ] = None,
    sacct: Annotated[
        Path | None, typer.Option(help="Scheduler's records, as weir scheduler parse reads them.")
    ] = None,
    iostat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SERVER=FILE",
            help="Device samples of a server, as weir devices parse reads them; repeat it.",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Compute nodes of the job, where there is no --sacct.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write one self-contained page with plots here, not to the terminal.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a run, on a line of its own.")
    ] = False,
) -> None:
    """Tell what a job's I/O did and cost, whose fault it is if that was slow, and what to change.

    The same analysis as on the stream, for logs that lie here; it needs Java 17. Logs of one job make one
    report; the memory-mapped logs of the killed processes of a run are merged. Without --site every mounted
    file system in a log is judged, and what it could do is not known.
    How grave a finding is follows from the node-hours lost; where the job's nodes are not known, from the
    I/O time, the most that can be lost, and never above warning. It is info where the run is not slow.

    Exit code 0: all was read, whatever was found; 1: a log or a file beside it could not be read, or a record
    in that one (the others are reported); 2: wrong usage; 3: all was read, but a module of a log is damaged,
    or a file holds more than its log.
    """

    from weir import analysis, log_files

    if nodes and sacct:
        raise typer.BadParameter("--sacct tells the nodes already", param_hint="--nodes")
    beside = _by_server(iostat or [])
    logs = log_files.expanded(logs)
    # it starts while the rest is imported; without a log there is nothing for it to do
    program = analysis.judging(site) if any(map(log_files.begins_as_log, logs)) else None
    from weir import analyze

    try:
        inputs = analyze.Inputs(site, sacct, beside, nodes)
        found = analyze.analyze(
            logs, inputs, program, _ready_to_report if html or not as_json else lambda: None
        )
    except analyze.WrongNodes as error:
        raise typer.BadParameter(str(error), param_hint="--nodes") from None
    if as_json:
        for told in analyze.as_objects(logs, found):
            typer.echo(json.dumps(told, allow_nan=False))
    if html:
        _write_page(html, found)
    if not as_json and not html:
        _print_reports(found)
    for file, reason in _shown(found.refused):
        complain(f"{file}: {reason}")
    sys.exit(1 if found.refused else 3 if found.damaged else 0)


def _ready_to_report() -> None:
    """Import and read what a report takes."""
    from weir import log_view  # noqa: F401
    from weir.report import render, view, words  # noqa: F401

    words.words()


def _by_server(pairs: list[str]) -> dict[str, list[Path]]:
    files: dict[str, list[Path]] = {}
    for pair in pairs:
        server, _, file = pair.partition("=")
        if not server or not file:
            raise typer.BadParameter(f"{pair!r} is not of the form SERVER=FILE", param_hint="--iostat")
        files.setdefault(server, []).append(Path(file))
    return files


def _shown(refused: list[tuple[Path, str]]) -> list[tuple[str, str]]:
    if not refused:
        return []
    from weir.report.view import shown

    return [(shown(str(file)), shown(reason)) for file, reason in refused]


def _write_page(file: Path, found: "Analysis") -> None:
    from weir.report import render, view

    try:
        file.write_text(render.page(view.reports(found), _shown(found.refused)), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}. Give --html a file that can be written.") from None


def _print_reports(found: "Analysis") -> None:
    from weir import log_view
    from weir.report import render, view

    console = log_view.console()
    for report in view.reports(found):
        console.print(render.text(report, min(console.width, render.WIDTH)), soft_wrap=True)


@topics_app.command("apply")
def topics_apply(replication: int = 1, min_insync: int = 1) -> None:
    """Create what is missing and mend what differs."""
    from weir import settings, topics

    changes = list(topics.apply(settings.load().kafka, replication, min_insync))
    typer.echo("\n".join(changes) or "topics are as declared")


@topics_app.command("logins")
def topics_logins(
    files: Annotated[list[Path], typer.Argument(help="configuration files of other parts")],
) -> None:
    """Give the Kafka logins of other parts the passwords that their configuration files hold."""
    import yaml

    from weir import settings, topics

    found = [yaml.safe_load(file.read_text())["kafka"] for file in files]
    topics.set_logins(settings.load().kafka, {each["sasl.username"]: each["sasl.password"] for each in found})


@topics_app.command("grant")
def topics_grant(
    agents: Annotated[str, typer.Option(help="the agents' user")] = "agent",
    jobs: Annotated[str, typer.Option(help="the Flink jobs' user")] = "flink",
    reference: Annotated[str, typer.Option(help="that of `weir reference publish`")] = "reference",
    metrics: Annotated[str, typer.Option(help="that of `weir pipeline record`")] = "metrics",
    notify: Annotated[str, typer.Option(help="that of `weir notify`")] = "notify",
) -> None:
    """Allow each part what it needs, on a cluster that asks who may do what."""
    from weir import settings, topics

    users = {"agents": agents, "jobs": jobs, "reference": reference, "metrics": metrics, "notify": notify}
    typer.echo("\n".join(topics.grant(settings.load().kafka, users)))


def _migrator() -> "Migrator":
    from weir import clickhouse, settings
    from weir.migrations import Migrator

    config = settings.load()
    return Migrator(clickhouse.connect(config, migrator=True, database=""), config.clickhouse_database)


@migrate_app.command("up")
def migrate_up(dry_run: DryRun = False) -> None:
    """Apply every migration that is not applied yet."""
    _echo_all(_migrator().up(dry_run=dry_run), "tables are up to date")


@migrate_app.command("down")
def migrate_down(
    to: Annotated[int, typer.Option(help="Number of the newest migration to keep; 0 keeps none.")],
    dry_run: DryRun = False,
) -> None:
    """Take migrations back. Their tables and rows are gone then."""
    _echo_all(_migrator().down(to, dry_run=dry_run), "nothing to take back")


def _echo_all(lines: Any, nothing: str) -> None:
    empty = True
    for line in lines:
        typer.echo(line)
        empty = False
    if empty:
        typer.echo(nothing)


@migrate_app.command("status")
def migrate_status() -> None:
    """List migrations and their state."""
    for migration, state, at in _migrator().status():
        typer.echo(f"{migration.name:32} {state:9} {at}")


SiteFile = Annotated[Path, typer.Argument(help="The site's YAML file.")]


@site_app.command("check")
def site_check(file: SiteFile) -> None:
    """Tell everything that is wrong in a site file, with its line."""
    from weir import documents

    site = documents.load_site(file)
    typer.echo(f"{file}: cluster {site['cluster']}, {len(site['file_systems'])} file systems, no problem")


@site_app.command("publish")
def site_publish(file: SiteFile) -> None:
    """Check a site file and put it in force."""
    from weir import documents, settings

    site = documents.load_site(file)
    done = documents.publish(settings.load().kafka, "weir.site", site["cluster"], site)
    _echo_published(f"site {site['cluster']}", *done)


RulesFolder = Annotated[
    Path | None, typer.Argument(help="Folder of rule files; the shipped ones if not given.")
]


@rules_app.command("check")
def rules_check(folder: RulesFolder = None) -> None:
    """Tell everything that is wrong in rule files, with its line."""
    from weir import rules

    rule_set = rules.load(folder or rules.SHIPPED)
    typer.echo(f"{len(rule_set['rules'])} rules, no problem")


RulesOption = Annotated[
    Path | None, typer.Option("--rules", help="Folder of rule files; the shipped ones if not given.")
]
SiteOption = Annotated[
    Path | None, typer.Option("--site", help="Site file, for the thresholds that it sets.")
]


@rules_app.command("list")
def rules_list(folder: RulesOption = None, site: SiteOption = None) -> None:
    """List the rules: id, title, and from how many node-hours lost on a finding is grave."""
    from weir import rules, rules_view

    rules_view.print_list(rules.listed(folder or rules.SHIPPED, site))


@rules_app.command("show")
def rules_show(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="Of the rule, as weir rules list has it.")],
    folder: RulesOption = None,
    site: SiteOption = None,
) -> None:
    """Tell what a rule means: its condition, thresholds, the features it shows, and its advice."""
    from weir import rules, rules_view

    known = {rule["id"]: rule for rule in rules.listed(folder or rules.SHIPPED, site)}
    if rule_id not in known:
        raise UserError(f"{rule_id}: no such rule. There are {', '.join(known)}.")
    rules_view.print_rule(known[rule_id], rules.features())


@rules_app.command("publish")
def rules_publish(folder: RulesFolder = None) -> None:
    """Check rule files and put them in force."""
    from weir import documents, rules, settings

    rule_set = rules.load(folder or rules.SHIPPED)
    done = documents.publish(settings.load().kafka, "weir.rules", rule_set["id"], rule_set)
    _echo_published(f"{len(rule_set['rules'])} rules", *done)


@rules_app.command("backtest")
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
    """Tell what a rule would have said of stored runs, beside the one in force. Nothing is published."""
    from weir import backtest, clickhouse, settings

    config = settings.load()
    start = datetime.now(UTC) - _duration(since)
    content = backtest.proposed(rule, folder)
    client = clickhouse.connect(config)
    found = backtest.compare(client, config.kafka, content, start, cluster)
    if as_json:
        typer.echo(json.dumps(backtest.as_object(found)))
    else:
        backtest.show(found, start)


def _duration(text: str) -> timedelta:
    units = {"h": "hours", "d": "days"}
    if not text[:-1].isdigit() or text[-1:] not in units:
        raise typer.BadParameter(f"{text!r}: expected such as 36h or 30d", param_hint="--since")
    return timedelta(**{units[text[-1]]: int(text[:-1])})


def _echo_published(what: str, revision: int, changed: bool) -> None:
    typer.echo(f"{what}: revision {revision} {'published' if changed else 'is in force already'}")


Day = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"], help="As of this day of the site; the newest closed one if not given."
    ),
]


@reference_app.command("show")
def reference_show(day: Day = None) -> None:
    """Show the rates of each site as of a day; publish nothing."""
    from rich.console import Console
    from rich.table import Table

    table = Table("cluster", "file system", "direction", "nodes from", "day", "runs", "MiB/s per node")
    for each in (rate for rates in _references(day).values() for rate in rates):
        nodes, rate = str(10 ** each["nodes_decade"]), f"{each['mib_per_second_per_node_p75']:.1f}"
        where = each["cluster"], each["filesystem"], each["direction"]
        table.add_row(*where, nodes, str(each["day"]), str(each["runs"]), rate)
    Console().print(table)


@reference_app.command("publish")
def reference_publish(
    day: Day = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Stay, and publish each day when it is closed.")
    ] = False,
) -> None:
    """Publish the rates of each site: the 75th percentile of comparable runs of the 30 days before.

    Runs are comparable on one file system, in one direction and decade of nodes; fewer than 20 make no rate.
    """
    from weir import reference, settings
    from weir.kafka import Publisher

    config, look_seconds = settings.load(), 600
    published: set[tuple[str, date]] = set()
    while True:
        for (cluster, of_day), rates in _references(day).items():
            if (cluster, of_day) not in published:
                with Publisher(config.kafka, "live") as publisher:
                    reference.publish(publisher, rates)
                published.add((cluster, of_day))
                typer.echo(f"{cluster}: {len(rates)} rates as of {of_day}")
        if not follow:
            break
        config.alive_for(2 * look_seconds)
        time.sleep(look_seconds)


def _references(day: datetime | None) -> "dict[tuple[str, date], list[dict[str, Any]]]":
    """Rates by cluster and day."""
    from weir import clickhouse, reference, settings

    config = settings.load()
    client = clickhouse.connect(config)
    found = {}
    for cluster, zone in reference.zones(config.kafka).items():
        of_day = day.date() if day else reference.closed_day(zone)
        found[cluster, of_day] = reference.rates(client, cluster, of_day, zone)
    return found


@pipeline_app.command("show")
def pipeline_show() -> None:
    """Show lag, restarts, state, retries and load of the Flink jobs as they are now."""
    from rich.console import Console
    from rich.table import Table

    from weir import pipeline, settings

    config = settings.load()
    table = Table("metric", "job", "part", "value")
    for each in sorted(pipeline.read(config.metrics_endpoints, config.kafka), key=astuple):
        table.add_row(each.metric, each.job, each.part, f"{each.value:,.6g}")
    Console().print(table)


@pipeline_app.command("record")
def pipeline_record(
    every: Annotated[float, typer.Option(min=1, help="Seconds from one reading to the next.")] = 15,
    once: Annotated[bool, typer.Option("--once", help="Write one reading and end.")] = False,
) -> None:
    """Write what `weir pipeline show` shows into ClickHouse (pipeline_metrics), again and again.

    With `restarts_file` in the settings also what was started again and why (pipeline_restarts); every five
    minutes also delay, new dead letters and coverage. Trouble that begins or is over is told on the topic
    weir.pipeline.event, also while ClickHouse is away.
    """
    from clickhouse_connect.driver.exceptions import OperationalError

    from weir import clickhouse, pipeline, settings
    from weir.pipeline_events import Events
    from weir.pipeline_measures import Measures

    config = settings.load()
    events, measures = Events(config.kafka), Measures()
    while True:
        readings = pipeline.read(config.metrics_endpoints, config.kafka)
        restarts = pipeline.restarts(config.restarts_file) if config.restarts_file else []
        away: Exception | None = None
        try:
            client = clickhouse.connect(config)
            pipeline.write(client, [*readings, *measures.take(client, datetime.now(UTC))])
            pipeline.write_restarts(client, restarts)
        except (UserError, OperationalError) as error:
            away = error
            complain(f"one look is not recorded: {error}")
        now = datetime.now(UTC)
        answer = pipeline.Reading(now, "answers", "", "clickhouse", float(away is None))
        events.tell([*readings, *measures.latest, answer], restarts, now)
        if once:
            sys.exit(1 if away else 0)
        if not away:
            config.alive_for(2 * every + 60)
        time.sleep(every)


@app.command("reconcile")
def reconcile_command(
    since: Annotated[str, typer.Option(help="How far back the runs started: 36h or 90d.")] = "90d",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List the runs and publish nothing.")] = False,
) -> None:
    """Join runs that came when the stream had forgotten their job: publish its stored records again.

    A job of which the stream has forgotten a log stays as it is, for its result would be of the others
    alone: publish those logs again (weir backfill --again), then reconcile within a week.

    Exit code 0: all was published; 1: logs have to be published first, which are listed.
    """
    from weir import clickhouse, reconcile, settings
    from weir.kafka import Publisher

    config = settings.load()
    client = clickhouse.connect(config)
    runs = reconcile.unjoined(client, datetime.now(UTC) - _duration(since))
    if not runs:
        typer.echo("every run whose job is known is joined to it")
        return
    _print_runs(runs)
    forgotten = reconcile.forgotten(client, runs)
    incomplete = {run.job for run in forgotten}
    whole = [run for run in runs if run.job not in incomplete]
    if whole and not dry_run:
        with Publisher(config.kafka, "backfill") as publisher:
            reconcile.publish(client, publisher, whole)
        typer.echo(f"published what is stored of the jobs of {len(whole)} runs")
    if forgotten:
        _print_runs(forgotten)
        typer.echo(
            f"{len(incomplete)} of the jobs stay as they are: the stream has forgotten these logs of theirs, "
            "and would judge the jobs without them. Publish the logs again (weir backfill --again DIR), "
            "then reconcile within a week."
        )
        sys.exit(1)


def _print_runs(runs: "list[StoredRun]") -> None:
    from rich.table import Column, Table

    from weir import log_view
    from weir.text import printable

    log = Column("log", no_wrap=True)
    table = Table("cluster", "job", log, "file", "start (UTC)", "landed (UTC)")
    for run in runs:
        times = f"{run.start_time:%Y-%m-%d %H:%M:%S}", f"{run.landed_at:%Y-%m-%d %H:%M:%S}"
        table.add_row(run.cluster, str(run.job_id), run.log_id, printable(run.file_name), *times)
    log_view.console().print(table)


@agent_app.command("ship")
def agent_ship() -> None:
    """Publish the logs of jobs that have ended, and any others that come; see agent.yaml, section ship."""
    from weir.agents import config
    from weir.shipping import daemon

    daemon.main(config.load())


@app.command("check-config")
def check_config() -> None:
    """Tell everything that is wrong in the agents' file and the site file that it names."""
    from weir import documents
    from weir.agents import config

    found = config.load()
    site = documents.site_of_agents(found.site, *found.agents)
    agents = ", ".join(found.agents) or "no agent (a section, if only an empty one, says that one runs here)"
    typer.echo(f"{config.AgentConfig.file()}: {agents}; {found.site}: cluster {site['cluster']}; no problem")


@app.command("doctor")
def doctor_command(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ship|scheduler|devices]...", help="Those that the file has a section of."),
    ] = None,
) -> None:
    """Look at all that the agents of this machine need, and tell what is wrong and how to mend it.

    Exit code 0: all is well; 1: something is not.
    """
    from rich.table import Column, Table
    from rich.text import Text

    from weir import log_view
    from weir.agents import config, doctor
    from weir.text import printable

    found = config.load()
    if unknown := set(agents or ()) - set(doctor.TOPICS):
        raise UserError(f"{', '.join(sorted(unknown))}: the agents are {', '.join(doctor.TOPICS)}")
    checks = list(doctor.examine(found, agents or found.agents))
    whole = (Column(each, overflow="fold") for each in ("what", "seen", "how to mend it"))  # paths stay whole
    table = Table("", *whole, box=None, header_style="dim")
    for check in checks:
        mark = Text("ok", "green") if check.good else Text("bad", "red")
        table.add_row(mark, *(printable(each) for each in (check.subject, check.seen, check.way_out)))
    log_view.console().print(table)
    sys.exit(0 if all(check.good for check in checks) else 1)


@spool_app.command("ls")
def spool_ls(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List ended jobs that wait, logs that will be tried again, and what was refused, with reasons."""
    from rich.table import Column, Table

    from weir import log_view
    from weir.agents import config
    from weir.shipping import quarantine
    from weir.text import printable

    table = Table(
        "state", "since (UTC)", "job", *(Column(each, overflow="fold") for each in ("what", "reason"))
    )
    for line in quarantine.lines(config.load()):
        since, job = f"{line.since:%Y-%m-%d %H:%M:%S}", str(line.job_id or "")
        if as_json:
            typer.echo(json.dumps(vars(line) | {"since": line.since.isoformat()}))
        table.add_row(line.state, since, job, printable(line.what), printable(line.reason))
    if not as_json:
        log_view.console().print(table)


Patterns = Annotated[list[str], typer.Argument(help="What `weir spool ls` shows, or patterns such as '*'.")]


@spool_app.command("retry")
def spool_retry(patterns: Patterns) -> None:
    """Let the daemon try refused logs and manifests again."""
    from weir.agents import config
    from weir.shipping import quarantine

    _echo_all(quarantine.retry(config.load(), patterns), "nothing that was refused matches")


@spool_app.command("purge")
def spool_purge(patterns: Patterns) -> None:
    """Take what was refused off the list for good; the files stay where they are."""
    from weir.agents import config
    from weir.shipping import quarantine

    _echo_all(quarantine.purge(config.load(), patterns), "nothing that was refused matches")


Limit = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="A day in the center's time zone.")
]


@app.command("backfill")
def backfill_command(
    folder: Annotated[Path, typer.Argument(help="A directory of logs, at any depth.")],
    since: Limit = None,
    until: Limit = None,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Logs need not belong to their job's user: an archive.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Send those again that an earlier back-fill sent.")
    ] = False,
) -> None:
    """Publish logs of the past whose runs began from one day to another, both included.

    Can be stopped and started again, and run beside the live stream: it goes on where it was, and no row
    comes twice.

    Exit code 0: all was sent; 1: something was refused (it is told why, and a dead letter); 2: wrong usage.
    """
    from weir.agents import config, service
    from weir.kafka import Stopped
    from weir.progress import Progress
    from weir.shipping import backfill

    agent = config.load()
    start, end = backfill.days(agent.site, since.date() if since else None, until.date() if until else None)
    wanted = backfill.Wanted(folder.resolve(), start, end, trusted, again)
    try:
        with service.stopping() as stop, Progress("back-fill", "logs") as show:
            outcome = backfill.run(agent, wanted, show, stop)
    except Stopped:
        raise UserError("stopped; the same command goes on from here") from None
    told = {
        "damaged": outcome.damaged,
        "sent before": outcome.skipped,
        "of other days": outcome.outside,
        "still written": outcome.unfinished,
        "of processes whose run has its own log": outcome.of_ended_runs,
    }
    more = "".join(f", {count:,} {what}" for what, count in told.items() if count)
    typer.echo(f"{outcome.sent:,} sent{more}, {outcome.refused.total():,} refused")
    for reason, count in outcome.refused.most_common():
        typer.echo(f"{count:8,}  {reason}")
    sys.exit(1 if outcome.refused.total() else 0)


@app.command("replay")
def replay_command(
    folder: Annotated[Path, typer.Argument(help="A recorded center: a folder with center.yaml.")],
    speed: Annotated[float, typer.Option(help="Recorded seconds a second; event times do not change.")] = 8.0,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Drop the cluster's rows, choose a new shift.")
    ] = False,
    live: Annotated[bool, typer.Option("--live", help="Publish as live: messages to users follow.")] = False,
    wait: Annotated[float, typer.Option(help="Seconds to wait until everything has landed.")] = 180.0,
) -> None:
    """Publish a recorded center as if it were happening now; its last event falls on the first replay.

    Ends with what was sent and what landed, as ClickHouse has it, and with code 1 if that differs, be it less
    or more. What an earlier replay of the same recording sent counts once, so a second one waits for nothing.
    """
    from weir import center, clickhouse, ledger, replay, settings
    from weir.kafka import Publisher
    from weir.progress import Progress

    config = settings.load()
    with Progress("reading the recording") as show:
        recording = center.load(folder, show)
    cluster = recording.site["cluster"]
    memory = config.state_dir / f"replay-{cluster}.json"
    if fresh:
        ledger.drop_rows(clickhouse.connect(config, migrator=True), config.clickhouse_database, cluster)
        memory.unlink(missing_ok=True)
    shift = replay.shift_seconds(memory, recording, time.time())
    origin = "live" if live else "replay"
    with Progress("replaying") as show, Publisher(config.kafka, origin) as publisher:
        sent = replay.replay(recording, publisher, shift, speed, show)
    client = clickhouse.connect(config)
    ledger.write(client, cluster, sent)
    with Progress("landing") as show:
        balance = _await_landed(client, cluster, wait, show)
    _print_balance(balance)
    ledger.refuse_uneven(balance, cluster, wait)


def _await_landed(client: "Client", cluster: str, wait: float, show: "Progress") -> "Balance":
    from weir import ledger

    deadline = time.monotonic() + wait
    balance = ledger.balance(client, cluster)
    most = balance.awaited
    while balance.awaited and time.monotonic() < deadline:
        time.sleep(1)
        balance = ledger.balance(client, cluster)
        most = max(most, balance.awaited)
        show(most - balance.awaited, most)
    return balance


def _print_balance(balance: "Balance") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", "sent", "landed")
    for kind, landed in balance.landed.items():
        table.add_row(kind, str(balance.sent.get(kind, 0)), str(landed))
    table.add_row("settled job results", "", str(balance.settled))
    table.add_row("findings", "", str(balance.findings))
    Console().print(table)


@agent_app.command("scheduler")
def agent_scheduler() -> None:
    """Publish the states of jobs as Slurm's sacct or PBS's accounting files tell them."""
    from weir.agents import config, scheduler

    scheduler.run(config.load())


@agent_app.command("devices")
def agent_devices() -> None:
    """Publish what this server's block devices do, and what Lustre counts of its targets and jobs."""
    from weir.agents import config, devices

    devices.run(config.load())


@app.command("notify")
def notify_command() -> None:
    """Deliver the alerts on weir.alert to people, each at most once, until SIGTERM.

    Configured by notify.yaml (infra/agents/notify.example.yaml); only one may run at a time, and who starts
    last goes on.
    """
    from weir.notify import config, service

    service.main(config.load())


alerts_app = typer.Typer(no_args_is_help=True, help="Messages to users and operators.")
app.add_typer(alerts_app, name="alerts")

AlertId = Annotated[str, typer.Argument(help="Its id, or how it begins.", show_default=False)]
User = Annotated[str, typer.Argument(help="By the scheduler's name.", show_default=False)]
Cluster = Annotated[str | None, typer.Option(help="Where more than one has published a site file.")]
Since = Annotated[str, typer.Option(help="How far back: 36h or 7d.")]


@alerts_app.command("list")
def alerts_list(
    ambiguous: Annotated[bool, typer.Option("--ambiguous", help="Only those that may have arrived.")] = False,
    waiting: Annotated[bool, typer.Option("--waiting", help="Only those that are tried again.")] = False,
    failed: Annotated[bool, typer.Option("--failed", help="Only those that were given up.")] = False,
    user: Annotated[str | None, typer.Option(help="Only those to this user, or to operators.")] = None,
    since: Since = "7d",
) -> None:
    """List messages by what became of them, the newest first."""
    from rich.console import Console
    from rich.table import Table

    from weir import clickhouse, settings
    from weir.notify import history
    from weir.notify.delivery import State
    from weir.report.view import shown

    wanted = {State.ambiguous: ambiguous, State.waiting: waiting, State.failed: failed}
    states = [state for state, is_wanted in wanted.items() if is_wanted]
    begin = datetime.now(UTC) - _duration(since)
    table = Table("decided", "alert", "state", "kind", "recipient", "subject", "reason")
    for row in history.deliveries(clickhouse.connect(settings.load()), begin, states, user):
        reason = "; ".join(reason for *_, reason in row.channels if reason)
        names = (row.kind, row.recipient, row.subject, reason)
        table.add_row(f"{row.decided_at:%Y-%m-%d %H:%M}", row.alert[:12], row.state, *map(shown, names))
    Console(markup=False).print(table)


@alerts_app.command("show")
def alerts_show(alert: AlertId) -> None:
    """Show what became of one message, channel by channel, and the cases that it is about."""
    from weir import clickhouse, settings
    from weir.notify import history
    from weir.report.view import shown

    client = clickhouse.connect(settings.load())
    row = history.delivery(client, alert)
    for name in ("alert", "kind", "unit", "recipient", "mode", "state", "subject", "attempts"):
        typer.echo(f"{name:10} {shown(str(getattr(row, name)))}")
    typer.echo(
        f"{'decided':10} {row.decided_at:%Y-%m-%d %H:%M:%S}, last change {row.time:%Y-%m-%d %H:%M:%S} UTC"
    )
    for channel, address, state, reason in row.channels:
        typer.echo(f"{channel:10} {shown(' '.join(filter(None, (address, state, reason))))}")
    for program, rule, state, runs, lost in history.cases(client, row.alert):
        typer.echo(
            f"{'case':10} {shown(f'{program}: {rule}')}, {state}, {runs:,} runs, {lost:,.2f} node-hours"
        )


@alerts_app.command("mute")
def alerts_mute(
    user: User,
    subject: Annotated[str, typer.Argument(help="A case, a rule, or all.", show_default=False)],
    until: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="A day (UTC); for good if not given.")
    ] = None,
    cluster: Cluster = None,
) -> None:
    """Send a user no more messages about a case, about a rule, or at all."""
    from weir.notify import control

    end = until.replace(tzinfo=UTC) if until else None
    _say(cluster, lambda name, by, now: control.mute(name, user, subject, end, by, now))


@alerts_app.command("unmute")
def alerts_unmute(
    user: User,
    subject: Annotated[str, typer.Argument(help="As it was muted.", show_default=False)],
    cluster: Cluster = None,
) -> None:
    """End what `weir alerts mute`, or the link of a mail, began."""
    from weir.notify import control

    _say(cluster, lambda name, by, now: control.mute(name, user, subject, now, by, now))


@alerts_app.command("opt-in")
def alerts_opt_in(user: User, cluster: Cluster = None) -> None:
    """Send a user messages, whatever the site's default is."""
    from weir.notify import control

    _say(cluster, lambda name, by, now: control.opt(name, user, True, by, now))


@alerts_app.command("opt-out")
def alerts_opt_out(user: User, cluster: Cluster = None) -> None:
    """Send a user no messages, whatever the site's default is."""
    from weir.notify import control

    _say(cluster, lambda name, by, now: control.opt(name, user, False, by, now))


@alerts_app.command("wrong")
def alerts_wrong(
    alert: AlertId,
    rule: Annotated[str, typer.Argument(help="The rule that is wrong here.", show_default=False)],
    text: Annotated[str, typer.Option(help="What is wrong with it.")] = "",
    cluster: Cluster = None,
) -> None:
    """Note that a finding of a message is wrong; dashboards show such answers by rule."""
    from weir import clickhouse, settings
    from weir.notify import control, history

    row = history.delivery(clickhouse.connect(settings.load()), alert)
    subject = f"{row.alert} {rule}"
    _say(
        cluster or row.cluster,
        lambda name, by, now: control.wrong(name, row.recipient, subject, text, by, now),
    )


@alerts_app.command("resend")
def alerts_resend(alert: AlertId) -> None:
    """Have a message that failed or is ambiguous sent once more; a reader may then have it twice."""
    from weir import settings
    from weir.notify import history

    asked = history.ask_again(settings.load().kafka, alert, datetime.now(UTC))
    open_ = [each.address or each.channel for each in asked.channels if each.state == "waiting"]
    typer.echo(f"{asked.alert}: weir notify sends it again to {', '.join(open_)}")


@alerts_app.command("test")
def alerts_test(
    address: Annotated[str, typer.Argument(help="Who gets it.", show_default=False)],
) -> None:
    """Send a sample through the mail server of notify.yaml, and show what the server answered.

    Exit code 0: the server took it; 1: it did not, or nobody knows.
    """
    from weir.notify import config, sample

    typer.echo(sample.send(config.load(), address))


@alerts_app.command("preview")
def alerts_preview(
    since: Since = "7d",
    site_file: Annotated[
        Path | None, typer.Option("--site", help="A site file to try; the published one if not given.")
    ] = None,
    cluster: Cluster = None,
    user: Annotated[str | None, typer.Option(help="Only messages to this user.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Each message as it would be written.")] = False,
) -> None:
    """Show what would have been sent of past results by a site's policy: how many a day, and to whom.

    Decided again, of the results that Kafka keeps (30 days), by the code that decides on the stream. Nothing
    is sent, and no case is changed. It begins without cases: what had a message before --since counts as new.
    Addresses, templates and links are those of notify.yaml, where it can be read.
    """
    from weir import documents, settings
    from weir.notify import config, preview

    kafka = settings.load().kafka
    if site_file:
        site = documents.load_site(site_file)
    else:
        published = documents.in_force(kafka, "weir.site")
        site = json.loads(published[_one(cluster, sorted(published))]["content"])
    now = datetime.now(UTC)
    found = preview.preview(kafka, site, now - _duration(since), now)
    try:
        post = config.load()
    except UserError as error:
        complain(f"addresses and links are left out. {error}")
        post = None
    preview.show(found.of(user) if user else found, site, full, post)


@alerts_app.command("report")
def alerts_report(since: Since = "90d") -> None:
    """Show how many messages each user got."""
    from rich.console import Console
    from rich.table import Table

    from weir import clickhouse, settings
    from weir.notify import history
    from weir.report.view import shown

    table = Table("recipient", "sent", "failed", "ambiguous", "last")
    begin = datetime.now(UTC) - _duration(since)
    for recipient, sent, failed, ambiguous, last in history.by_user(
        clickhouse.connect(settings.load()), begin
    ):
        table.add_row(
            shown(recipient), f"{sent:,}", f"{failed:,}", f"{ambiguous:,}", f"{last:%Y-%m-%d}" if sent else ""
        )
    Console(markup=False).print(table)


def _say(cluster: str | None, record: "Callable[[str, str, datetime], dict[str, Any]]") -> None:
    """Put the control on the topic that `record` makes of cluster, login and time."""
    import getpass

    from weir import documents, settings
    from weir.notify import control

    kafka = settings.load().kafka
    known = sorted(documents.in_force(kafka, "weir.site"))
    said = record(cluster or _one(None, known), getpass.getuser(), datetime.now(UTC))
    control.publish(kafka, said)
    typer.echo(f"{said['kind']}: noted for {said['user']} on {said['cluster']}")


def _one(cluster: str | None, known: list[str]) -> str:
    """The cluster that is meant."""
    if cluster in known:
        return str(cluster)
    if cluster or len(known) != 1:
        raise UserError(
            f"--cluster: name one of {', '.join(known) or 'those that publish a site file: none did'}"
        )
    return known[0]
