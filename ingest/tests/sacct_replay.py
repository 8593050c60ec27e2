"""Stands where sacct stands: a recorded `sacct --parsable2` as it would have been at --endtime.

What is selected follows as_mysql_jobacct_process.c: without states, jobs that were eligible before --endtime
and had not ended by --starttime; with --jobs, those. A job whose recorded start or end lies after --endtime
is shown as it was then: RUNNING or PENDING. `late.json` beside the recording tells what slurmdbd learned
later: {"12": 1795248000} hides the end of job 12 until that Unix second; `down` there makes it fail, `now`
is the --endtime of calls that give none.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path


def second(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() if text[:1].isdigit() else None


def main(recording, *arguments):
    options = dict(each.partition("=")[::2] for each in arguments)
    extra = Path(recording).parent / "late.json"
    late = json.loads(extra.read_text()) if extra.exists() else {}
    with (Path(recording).parent / "calls.jsonl").open("a") as calls:
        calls.write(json.dumps(options) + "\n")
    if "down" in late:
        sys.exit("sacct: error: Problem talking to the database: Connection refused")
    assert {"--allusers", "--allocations", "--duplicates", "--parsable2"} <= options.keys()
    now = second(options.get("--endtime", late.get("now", "2100-01-01T00:00:00")))
    since = second(options.get("--starttime", "1970-01-01T00:00:00"))
    asked = options["--jobs"].split(",") if "--jobs" in options else None
    lines = Path(recording).read_text().splitlines()
    names, fields = lines[0].split("|"), options["--format"].split(",")
    print("|".join(fields))
    for line in lines[1:]:
        row = dict(zip(names, line.split("|", len(names) - 1), strict=True))
        eligible, start, end = (second(row[name]) for name in ("Eligible", "Start", "End"))
        known_end = end is not None and end <= now and late.get(row["JobIDRaw"], 0) <= now
        in_window = eligible < now and (not known_end or end >= since)
        if row["Cluster"] != options["--clusters"] or not (row["JobIDRaw"] in asked if asked else in_window):
            continue
        if not known_end:
            running = start is not None and start <= now
            row |= {"End": "Unknown", "ExitCode": "0:0", "State": "RUNNING" if running else "PENDING"}
            if not running:
                row |= {"Start": "Unknown", "NodeList": "None assigned"}
        print("|".join(row.get(field, "") for field in fields))


if __name__ == "__main__":
    main(*sys.argv[1:])
