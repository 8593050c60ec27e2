"""Commands `weir alerts ...`."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import group
from weir.cli.options import Cluster, Since, duration
from weir.errors import UserError, complain

if TYPE_CHECKING:
    from collections.abc import Callable

app = group("alerts")

AlertId = Annotated[str, typer.Argument(help="Its id, or how it begins.", show_default=False)]
User = Annotated[str, typer.Argument(help="By the scheduler's name.", show_default=False)]


@app.command("list")
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
    begin = datetime.now(UTC) - duration(since)
    table = Table("decided", "alert", "state", "kind", "recipient", "subject", "reason")
    for row in history.deliveries(clickhouse.connect(settings.load()), begin, states, user):
        reason = "; ".join(reason for *_, reason in row.channels if reason)
        names = (row.kind, row.recipient, row.subject, reason)
        table.add_row(f"{row.decided_at:%Y-%m-%d %H:%M}", row.alert[:12], row.state, *map(shown, names))
    Console(markup=False).print(table)


@app.command("show")
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


@app.command("mute")
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


@app.command("unmute")
def alerts_unmute(
    user: User,
    subject: Annotated[str, typer.Argument(help="As it was muted.", show_default=False)],
    cluster: Cluster = None,
) -> None:
    """End what `weir alerts mute`, or the link of a mail, began."""
    from weir.notify import control

    _say(cluster, lambda name, by, now: control.mute(name, user, subject, now, by, now))


@app.command("opt-in")
def alerts_opt_in(user: User, cluster: Cluster = None) -> None:
    """Send a user messages, whatever the site's default is."""
    from weir.notify import control

    _say(cluster, lambda name, by, now: control.opt(name, user, True, by, now))


@app.command("opt-out")
def alerts_opt_out(user: User, cluster: Cluster = None) -> None:
    """Send a user no messages, whatever the site's default is."""
    from weir.notify import control

    _say(cluster, lambda name, by, now: control.opt(name, user, False, by, now))


@app.command("wrong")
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


@app.command("resend")
def alerts_resend(alert: AlertId) -> None:
    """Have a message that failed or is ambiguous sent once more; a reader may then have it twice."""
    from weir import settings
    from weir.notify import history

    asked = history.ask_again(settings.load().kafka, alert, datetime.now(UTC))
    open_ = [each.address or each.channel for each in asked.channels if each.state == "waiting"]
    typer.echo(f"{asked.alert}: weir notify sends it again to {', '.join(open_)}")


@app.command("test")
def alerts_test(
    address: Annotated[str, typer.Argument(help="Who gets it.", show_default=False)],
) -> None:
    """Send a sample through the mail server of notify.yaml, and show what the server answered.

    Exit code 0: the server took it; 1: it did not, or that is unknown.
    """
    from weir.notify import config, sample

    typer.echo(sample.send(config.load(), address))


@app.command("preview")
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
    found = preview.preview(kafka, site, now - duration(since), now)
    try:
        post = config.load()
    except UserError as error:
        complain(f"addresses and links are left out. {error}")
        post = None
    preview.show(found.of(user) if user else found, site, full, post)


@app.command("report")
def alerts_report(since: Since = "90d") -> None:
    """Show how many messages each user got."""
    from rich.console import Console
    from rich.table import Table

    from weir import clickhouse, settings
    from weir.notify import history
    from weir.report.view import shown

    table = Table("recipient", "sent", "failed", "ambiguous", "last")
    begin = datetime.now(UTC) - duration(since)
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
