"""B7: how long each saved question takes over a history (history.py), and how many rows it reads.

    .weir/venv/bin/python -m bench.questions FOLDER [--ranges DAYS,...] [--turns N] [--landing]
        [--questions NAME,...] [--set NAME=VALUE ...]

The engine alone. Parameters are their defaults or what is set; a name without one is that of nobody. Prints
a Markdown table, of each range the median of the turns in milliseconds, the rows read in thousands and the
rows of the answer. A question about columns of runs that the history leaves out, as no chart reads them, has
none. With `--landing` what the center sends goes on beside, as for charts.
"""

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.charts import Landing, measured
from bench.history import migrated
from weir.sql import questions


def main() -> None:
    """Asks each question and prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--ranges", default="0,365", help="days before the end; 0 are those of the question")
    options.add_argument("--until", type=datetime.fromisoformat, default=datetime(2026, 11, 1))
    options.add_argument("--turns", type=int, default=3)
    options.add_argument("--landing", action="store_true")
    options.add_argument("--questions", default="")
    options.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    given = options.parse_args()
    engine, until = migrated(given.folder), given.until.replace(tzinfo=UTC)
    landing = Landing(given.folder, until) if given.landing else None
    if landing:
        landing.start()
    ranges = [float(days) for days in given.ranges.split(",")]
    head = "".join(f" {days:g} d, ms | read, k | rows |" for days in ranges)
    print(f"| question |{head}\n|---|{'---|---|---|' * len(ranges)}")
    values = dict(each.split("=", 1) for each in given.set)
    for name, question in questions.saved().items():
        if given.questions and name not in given.questions.split(","):
            continue
        line = ""
        for days in ranges:
            sql = asked(question, until - timedelta(days=days or question.days), until, values)
            try:
                took, read, rows = measured(engine, sql, given.turns)
            except RuntimeError as error:
                if "UNKNOWN_IDENTIFIER" not in str(error):
                    raise
                line += " - | - | - |"
            else:
                line += f" {took:,.0f} | {read / 1000:,.0f} | {rows:,} |"
        print(f"| {name} |{line}", flush=True)
    if landing:
        landing.stop()


def asked(question: questions.Question, since: datetime, until: datetime, values: dict[str, str]) -> str:
    """Returns the SQL of a question over a range, with those of the values that it has parameters for."""
    for parameter in question.parameters.keys() & values.keys():
        question.parameters[parameter].default = values[parameter]
    span = {"since": since, "until": until}
    return question.statement(
        {name: f"toDateTime64('{time:%F %T}', 6, 'UTC')" for name, time in span.items()}
    )


if __name__ == "__main__":
    main()
