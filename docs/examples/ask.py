"""Asks Weir's tables from Python: a saved question, and a statement of one's own.

    pip install clickhouse-connect
    export WEIR_CLICKHOUSE_URL=https://weir.example.org:8443 WEIR_READER_PASSWORD_FILE=reader.password
    python ask.py PROJECT [DAYS]

The variables are those of `weir sql`. WEIR_READER_USER and WEIR_CLICKHOUSE_DATABASE need a value only where
the center has other names than `reader` and `weir`, WEIR_CLICKHOUSE_CA_FILE where it signs its certificates
itself.
"""

import json
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import clickhouse_connect

QUERIES = Path(__file__).parents[2] / "schemas/queries"
"""The saved questions: a copy of this file elsewhere needs a copy of them, too."""

PROGRAMS = """
SELECT
    cluster,
    program,
    count() AS runs,
    round(sum(bytes_moved) / pow(1024, 4), 3) AS tib_moved,
    round(median(mib_per_second), 1) AS median_mib_per_second,
    max(start_time) AS last_start
FROM runs
WHERE account = {project:String}
    AND start_time >= {since:DateTime64(6, 'UTC')} AND start_time < {until:DateTime64(6, 'UTC')}
GROUP BY cluster, program
ORDER BY runs DESC, cluster, program
"""


def connect():
    """Return a client of the login that may read everything and change nothing."""
    try:
        url, password_file = os.environ["WEIR_CLICKHOUSE_URL"], os.environ["WEIR_READER_PASSWORD_FILE"]
    except KeyError as missing:
        raise SystemExit(f"{missing.args[0]} is not set: {Path(__file__).name} begins with how.") from None
    return clickhouse_connect.get_client(
        dsn=url,
        secure=url.startswith("https:"),  # of the URL the client takes only host and port
        username=os.environ.get("WEIR_READER_USER", "reader"),
        password=Path(password_file).read_text().strip(),
        database=os.environ.get("WEIR_CLICKHOUSE_DATABASE", "weir"),
        ca_cert=os.environ.get("WEIR_CLICKHOUSE_CA_FILE"),
        tz_mode="aware",  # times say that they are in UTC
    )


def ask(client, statement, **values):
    """Return the answer as a list with a dictionary for each row.

    Values take the places `{name:Type}` of the statement. The server puts them there, so that no name has to
    be quoted.
    """
    return list(client.query(statement, parameters=values).named_results())


def saved(name):
    """Return the statement of a saved question; what describes it and its parameters is a comment in it."""
    return (QUERIES / f"{name}.sql").read_text(encoding="utf-8")


def last(days):
    """Return the values of `since` and `until` for the last days, as texts in UTC."""
    until = datetime.now(UTC)
    return {"since": f"{until - timedelta(days=days):%F %T}", "until": f"{until:%F %T}"}


def show(question, rows):
    """Print the rows as JSON, in which the names that come from users and logs cannot command a terminal."""
    print(question)
    for row in rows:
        print(json.dumps(row, default=str))


def main(project, days="30"):
    """Ask which projects move most, and what the programs of one of them do."""
    client = connect()
    limits = last(int(days))
    show("Which projects move most?", ask(client, saved("io_by_project"), cluster="", limit=5, **limits))
    show(f"What do the programs of {project} do?", ask(client, PROGRAMS, project=project, **limits))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
