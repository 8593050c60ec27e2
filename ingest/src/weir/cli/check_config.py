"""Command `weir check-config`."""

import typer

from weir.cli import alone

app = alone()


@app.command("check-config")
def check_config() -> None:
    """Report everything that is wrong in the agents' file and the site file that it names."""
    from weir import documents
    from weir.agents import config

    found = config.load()
    site = documents.site_of_agents(found.site, *found.agents)
    agents = ", ".join(found.agents) or "no agent (a section, if only an empty one, says that one runs here)"
    typer.echo(f"{config.AgentConfig.file()}: {agents}; {found.site}: cluster {site['cluster']}; no problem")
