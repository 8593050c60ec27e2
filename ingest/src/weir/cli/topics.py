"""Commands `weir topics ...`."""

from pathlib import Path
from typing import Annotated

import typer

from weir.cli import group

app = group("topics")


@app.command("apply")
def topics_apply(replication: int = 1, min_insync: int = 1) -> None:
    """Create what is missing and mend what differs."""
    from weir import settings
    from weir.admin import topics

    changes = list(topics.apply(settings.load().kafka, replication, min_insync))
    typer.echo("\n".join(changes) or "topics are as declared")


@app.command("logins")
def topics_logins(
    files: Annotated[list[Path], typer.Argument(help="configuration files of other parts")],
) -> None:
    """Give the Kafka logins of other parts the passwords that their configuration files hold."""
    import yaml

    from weir import settings
    from weir.admin import topics

    found = [yaml.safe_load(file.read_text())["kafka"] for file in files]
    topics.set_logins(settings.load().kafka, {each["sasl.username"]: each["sasl.password"] for each in found})


@app.command("grant")
def topics_grant(
    agents: Annotated[str, typer.Option(help="the agents' user")] = "agent",
    jobs: Annotated[str, typer.Option(help="the Flink jobs' user")] = "flink",
    reference: Annotated[str, typer.Option(help="that of `weir reference publish`")] = "reference",
    metrics: Annotated[str, typer.Option(help="that of `weir pipeline record`")] = "metrics",
    notify: Annotated[str, typer.Option(help="that of `weir notify`")] = "notify",
) -> None:
    """Allow each part what it needs, on a cluster that asks who may do what."""
    from weir import settings
    from weir.admin import topics

    users = {"agents": agents, "jobs": jobs, "reference": reference, "metrics": metrics, "notify": notify}
    typer.echo("\n".join(topics.grant(settings.load().kafka, users)))
