"""Commands `weir agent ...`."""

from weir.cli import group

app = group("agent")


@app.command("ship")
def agent_ship() -> None:
    """Publish the logs of jobs that have ended, and any others that come; see agent.yaml, section ship."""
    from weir.agents import config
    from weir.shipping import daemon

    daemon.main(config.load())


@app.command("scheduler")
def agent_scheduler() -> None:
    """Publish the states of jobs as Slurm's sacct or PBS's accounting files report them."""
    from weir.agents import config, scheduler_source

    scheduler_source.run(config.load())


@app.command("devices")
def agent_devices() -> None:
    """Publish what this server's block devices do, and what Lustre counts of its targets and jobs."""
    from weir.agents import config, device_sampler

    device_sampler.run(config.load())
