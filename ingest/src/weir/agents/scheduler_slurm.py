"""Slurm's accounting as a live source: sacct, asked again and again.

Without states, sacct shows the jobs that were eligible before --endtime and had not ended by --starttime
(as_mysql_jobacct_process.c), whatever their state now. So a window from the last look on shows every job
that waits, runs or has ended since. An end that slurmdbd learns late, or while clocks disagree, is caught by
a look a day back every hour, and by asking then for the jobs by id whose end is still not known.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from weir.agents.config import Scheduler
from weir.agents.scheduler_memory import SchedulerMemory
from weir.errors import Refused, UserError
from weir.formats import sacct, sacct_json
from weir.identity import text_hash

# JobName last, as it may hold the delimiter
FIELDS = (
    "JobID,JobIDRaw,Cluster,User,UID,Account,Partition,QOS,State,ExitCode,Submit,Start,End,Elapsed,NNodes,NCPUS,"
    "NodeList,Timelimit,JobName"
)
_HOUR, _DAY = 3600, 86_400
_IDS = 500  # a command
SOURCE = "sacct"


class SacctFailed(Exception):
    """sacct did not answer; the next look asks for the same again."""


class Slurm:
    """Looks at sacct, from where the last look that `memory` kept ended."""

    source = SOURCE

    def __init__(self, own: Scheduler, cluster: str, memory: SchedulerMemory, scratch: Path):
        if not own.sacct.is_absolute():
            raise UserError(f"scheduler.sacct: {own.sacct}: give the absolute path.")
        self._own, self._cluster, self._memory, self._scratch = own, cluster, memory, scratch
        self.file = str(own.sacct)

    def look(self, now: float) -> Iterator[dict[str, Any] | Refused]:
        """Jobs and refusals; SacctFailed where sacct failed."""
        at = self._memory.position(SOURCE) or {}
        sweeps = now - at.get("sweep", 0) >= _HOUR
        last = at.get("until", now - self._own.lookback_seconds)
        start = last - self._own.overlap_seconds
        if sweeps:
            start = min(start, now - _DAY)
        start = max(start, now - self._own.lookback_seconds)
        yield from self._asked(f"--starttime={_time(start)}", f"--endtime={_time(now)}")
        if sweeps:
            unseen = self._memory.open_jobs(int(now))
            for first in range(0, len(unseen), _IDS):
                yield from self._asked(f"--jobs={','.join(map(str, unseen[first : first + _IDS]))}")
        self._memory.set_position(SOURCE, {"until": now, "sweep": now if sweeps else at["sweep"]})

    def _asked(self, *which: str) -> Iterator[dict[str, Any] | Refused]:
        form = ["--json"] if self._own.sacct_json else ["--parsable2", f"--format={FIELDS}"]
        # every submit of a requeued job is a job of its own
        command = [str(self._own.sacct), "--allusers", "--allocations", "--duplicates"]
        command += [f"--clusters={self._cluster}", *form, *which]
        # in UTC no hour comes twice, neither in what is asked nor in the answer
        environment = {
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            "SLURM_TIME_FORMAT": "standard",
        }
        if self._own.slurm_conf:
            environment["SLURM_CONF"] = str(self._own.slurm_conf)
        with tempfile.NamedTemporaryFile(dir=self._scratch, prefix="sacct-") as out:
            try:
                subprocess.run(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.PIPE,
                    env=environment,
                    cwd="/",
                    timeout=self._own.sacct_seconds,
                    check=True,
                )
            except subprocess.CalledProcessError as error:
                said = error.stderr.decode(errors="replace").strip()
                raise SacctFailed(f"{self.file}: exit code {error.returncode}: {said[-1000:]}") from None
            except subprocess.TimeoutExpired:
                raise SacctFailed(f"{self.file}: no answer within {self._own.sacct_seconds} s") from None
            except OSError as error:
                raise SacctFailed(f"{self.file}: {error.strerror}") from None
            yield from self._read(Path(out.name))

    def _read(self, file: Path) -> Iterator[dict[str, Any] | Refused]:
        try:
            for each in sacct_json.read(file) if self._own.sacct_json else sacct.read(file, UTC):
                if isinstance(each, Refused):
                    # a place in the output is another at the next look
                    yield Refused(
                        each.reason, f"record {text_hash(each.data or each.reason.encode())}", each.data
                    )
                elif each["array_id"] is None or each["array_index"] is not None:
                    # tasks of an array that wait have no id yet and are published when they start
                    yield each
        except UserError as error:
            raise SacctFailed(str(error).replace(str(file), self.file)) from None


def _time(second: float) -> str:
    return datetime.fromtimestamp(int(second), UTC).strftime("%Y-%m-%dT%H:%M:%S")
