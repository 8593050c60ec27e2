"""Names of the formats that files of records come in; without imports, as the command line lists them."""

from enum import StrEnum


class SchedulerFormat(StrEnum):
    """Formats of scheduler records; `pbs` are accounting files of PBS Pro, OpenPBS and Torque."""

    sacct = "sacct"
    sacct_json = "sacct-json"
    pbs = "pbs"


class DeviceFormat(StrEnum):
    """Formats of device samples; `lustre` are counters of a server's targets, as lctl get_param has them."""

    iostat = "iostat"
    iostat_json = "iostat-json"
    diskstats = "diskstats"
    lustre = "lustre"
