"""Commands `weir devices ...`."""

import sys
from functools import partial
from typing import Annotated

import typer

from weir.cli import group
from weir.cli.options import AsLines, Records, ZoneName, zone_named
from weir.formats import DeviceFormat

app = group("devices")


@app.command("parse")
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
        bool,
        typer.Option("--day-first", help="03/04/26 is in April, where no date of the file shows the order."),
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
    from weir.formats import devices
    from weir.views import file_views, parse_view

    how = devices.How(zone_named(zone), form, interval, day_first, server, since_boot)
    objects, summary = partial(devices.objects, how=how), partial(file_views.of_devices, how=how)
    sys.exit(parse_view.print_files(files, as_json, objects, summary))
