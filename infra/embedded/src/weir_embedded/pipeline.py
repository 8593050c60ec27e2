"""What `weir pipeline show` says of the Flink jobs: messages they have not read, partitions they paused."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from weir_embedded.errors import StackError
from weir_embedded.settings import Stack


@dataclass(frozen=True)
class Pipeline:
    """One look at the pipeline.

    `behind` counts messages between what a consumer group has committed and the end of a topic, by group; a
    group that has committed nothing is not in it. `paused` counts, by job, partitions whose next message has
    a schema that the job does not know.
    """

    kafka_answers: bool = False
    behind: Counter[str] = field(default_factory=Counter)
    paused: Counter[str] = field(default_factory=Counter)

    def lag(self, group_prefix: str) -> int | None:
        """Adds up the lag of the groups whose names begin so; None where it is unknown."""
        found = [messages for group, messages in self.behind.items() if group.startswith(group_prefix)]
        return sum(found) if found else None


def look(stack: Stack) -> Pipeline:
    """Asks the command; `StackError` where it fails."""
    asked = subprocess.run(
        [Path(sys.executable).with_name("weir"), "pipeline", "show", "--json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "WEIR_CONFIG": str(stack.weir_config)},
    )
    if asked.returncode != 0:
        raise StackError("weir pipeline show failed:", asked.stderr or asked.stdout)
    return read(asked.stdout)


def read(lines: str) -> Pipeline:
    """Reads what the command printed: an object with metric, job, part and value on each line."""
    answers, behind, paused = False, Counter[str](), Counter[str]()
    for reading in map(json.loads, lines.splitlines()):
        value = int(reading["value"])
        match reading["metric"], reading["part"]:
            case "lag_messages", _:
                behind[reading["job"]] += value
            case "partitions_paused", _:
                paused[reading["job"]] += value
            case "answers", "kafka":
                answers = bool(value)
    return Pipeline(answers, behind, paused)
