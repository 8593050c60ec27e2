"""Command `weir notify`."""

from weir.cli import alone

app = alone()


@app.command("notify")
def notify_command() -> None:
    """Deliver the alerts on weir.alert to people, each at most once, until SIGTERM.

    Configured by notify.yaml (infra/agents/notify.example.yaml); only one may run at a time, and who starts
    last goes on.
    """
    from weir.notify import config, service

    service.main(config.load())
