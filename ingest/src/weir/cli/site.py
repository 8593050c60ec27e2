"""Commands `weir site ...`."""

from pathlib import Path
from typing import Annotated

import typer

from weir.cli import group
from weir.cli.options import echo_published

app = group("site")

SiteFile = Annotated[Path, typer.Argument(help="The site's YAML file.")]


@app.command("check")
def site_check(file: SiteFile) -> None:
    """Report everything that is wrong in a site file, with its line."""
    from weir import documents

    site = documents.load_site(file)
    typer.echo(f"{file}: cluster {site['cluster']}, {len(site['file_systems'])} file systems, no problem")


@app.command("publish")
def site_publish(file: SiteFile) -> None:
    """Check a site file and activate it."""
    from weir import documents, settings

    site = documents.load_site(file)
    done = documents.publish(settings.load().kafka, "weir.site", site["cluster"], site)
    echo_published(f"site {site['cluster']}", *done)
