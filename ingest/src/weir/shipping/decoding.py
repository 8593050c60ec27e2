"""Logs decoded in processes of their own, which may die: what is hostile in a log ends there."""

import errno
import multiprocessing
import os
import resource
import signal
import struct
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import TimeoutError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from weir.errors import Refused
from weir.logs import darshan_log, log_messages, mapped_logs
from weir.logs.darshan_log import NotYet, Opened, Place, Source
from weir.logs.mapped_logs import MappedSet

MESSAGES_BYTES = 2 << 30  # of one log
MEMBERS = 50  # logs of killed processes that may take as long as any other log
TASKS = 1000  # of one process, against what may stay behind in it
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True)
class Earlier:
    """A log of the same name that was published before this one, and is retracted if it is the same run's."""

    log_id: str
    job_id: int
    owner_uid: int


@dataclass(frozen=True)
class Task:
    """A log to decode."""

    place: Place
    source: Source
    origin: str
    earlier: Earlier | None = None
    members: tuple[Place, ...] = ()
    """What killed processes of one run left, which is merged; `place` is that of their set then."""
    whole_only: bool = False
    """Whether `members` are refused as Incomplete unless every process has its log."""
    uid: int | None = None
    """The user id of the job of `members`, where the scheduler said that."""


@dataclass(frozen=True)
class Decoded:
    """A log whose messages lie in the file `messages`; times in Unix seconds."""

    task: Task
    log_id: str
    job_id: int
    uid: int
    start: float
    opened: Opened
    supersedes: str | None
    damage: tuple[Refused, ...]
    messages: Path

    def read(self) -> Iterator[bytes]:
        """The messages in order; then their file is gone."""
        with self.messages.open("rb") as file:
            while length := file.read(_LENGTH.size):
                yield file.read(*_LENGTH.unpack(length))
        self.messages.unlink()


@dataclass
class Decoder:
    """A pool of processes that decode logs into files of the folder `work`, which is emptied first.

    What takes more than `seconds`, or kills its process, is NotYet: a busy machine can be the reason, so that
    another try is due. `memory_bytes` are those of a process, beside its programs.
    """

    work: Path
    processes: int
    seconds: float
    memory_bytes: int = 512 << 20
    _number: int = field(default=0, init=False)

    def __enter__(self) -> Self:
        self.work.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in self.work.iterdir():
            left.unlink()
        self._pool = self._started()
        return self

    def _started(self) -> ProcessPool:
        # not fork: threads of librdkafka run here. The server has imported all when a process is needed
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])
        return ProcessPool(self.processes, TASKS, _limit, [self.memory_bytes], context)

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()

    def decode(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Decoded | Refused]]:
        """Each task with what became of it, in order; few are decoded ahead of the one that is taken.

        OSError where no process can be started: that is no log's fault.
        """
        if not self._pool.active:
            self._pool = self._started()
        running: deque[tuple[Task, Path, ProcessFuture[Decoded]]] = deque()
        try:
            for task in tasks:
                self._number += 1
                file = self.work / str(self._number)
                future = self._pool.schedule(_decode, args=(task, file), timeout=self._seconds(task))
                running.append((task, file, future))
                if len(running) > 2 * self.processes:
                    yield self._result(*running.popleft())
            while running:
                yield self._result(*running.popleft())
        finally:
            for task, file, future in running:  # that nobody asks for any more
                with suppress(OSError):
                    self._result(task, file, future)
                file.unlink(missing_ok=True)

    def _seconds(self, task: Task) -> float:
        return self.seconds * (1 + len(task.members) // MEMBERS)

    def _result(
        self, task: Task, file: Path, future: "ProcessFuture[Decoded]"
    ) -> tuple[Task, Decoded | Refused]:
        try:
            return task, future.result()
        except Refused as refused:
            failure = refused
        except TimeoutError:
            failure = NotYet(f"decoding took longer than {self._seconds(task):g} s")
        except ProcessExpired as error:
            failure = NotYet(f"the process that decoded it died (exit code {error.exitcode})")
        except BrokenProcessPool as error:
            raise OSError(f"no process that decodes can be started: {error}") from error
        except MemoryError:
            failure = Refused(f"decoding needs more than {self.memory_bytes >> 20} MB of memory")
        except Exception as error:
            # a fault of the decoder: this log waits in the quarantine, the others go on
            failure = Refused(f"the decoder failed: {type(error).__name__}: {error}")
        file.unlink(missing_ok=True)
        return task, failure


def _limit(memory_bytes: int) -> None:
    """Bound this process; Ctrl-C is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MESSAGES_BYTES, MESSAGES_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _decode(task: Task, file: Path) -> Decoded:
    if task.members:
        found = MappedSet(task.place, task.members)
        parts = mapped_logs.stream(found, task.source, task.uid, task.whole_only)
    else:
        parts = darshan_log.stream(task.place, task.source)
    header, earlier = parts.header, task.earlier
    # whoever may write into the directory must not have another user's run retracted
    if earlier and (earlier.job_id, earlier.owner_uid) == (header["job_id"], parts.opened.owner_uid):
        header["supersedes"] = earlier.log_id if earlier.log_id != parts.log_id else None
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out:
            for message in log_messages.messages(parts, parts.log_id, task.origin):
                _write(out, message)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise Refused(f"its messages have more than {MESSAGES_BYTES >> 30} GiB") from None
        raise NotYet(f"{file}: {error.strerror}") from None
    return Decoded(
        task,
        parts.log_id,
        header["job_id"],
        header["uid"],
        header["start_time"].timestamp(),
        parts.opened,
        header["supersedes"],
        (*parts.left_out, *darshan_log.damage(parts)),
        file,
    )


def _write(out: BinaryIO, message: bytes) -> None:
    out.write(_LENGTH.pack(len(message)))
    out.write(message)
