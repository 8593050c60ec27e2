"""Messages that wait on disk for Kafka, oldest first, within a quota."""

import json
import os
import time
from collections import OrderedDict
from itertools import islice
from pathlib import Path
from typing import NamedTuple


class Message(NamedTuple):
    """What Kafka is to take."""

    topic: str
    key: str
    value: bytes


class MessageSpool:
    """A folder with a file a message, named by when it came; one process at a time uses it.

    A file is written under another name, synced and renamed, so a reader never sees half of one. Over the
    quota the oldest messages give way: `dropped` counts them. Names and sizes are held in memory, messages
    are not.
    """

    def __init__(self, folder: Path, quota_bytes: int):
        self._folder, self._quota = folder, quota_bytes
        folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        for torn in folder.glob("*.part"):
            torn.unlink()
        files = sorted(
            (int(file.name), file.stat().st_size) for file in folder.iterdir() if file.name.isdigit()
        )
        self._sizes = OrderedDict(files)
        self.bytes = sum(self._sizes.values())
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._sizes)

    def add(self, message: Message) -> None:
        """Keep a message; OSError where the disk does not take it."""
        head = json.dumps({"topic": message.topic, "key": message.key}).encode() + b"\n"
        size = len(head) + len(message.value)
        # a clock that was set back must not put the new before the old
        number = max(time.time_ns(), next(reversed(self._sizes), 0) + 1)
        part = self._file(number).with_suffix(".part")
        try:
            with part.open("xb") as out:
                out.write(head)
                out.write(message.value)
                out.flush()
                os.fsync(out.fileno())
            part.rename(self._file(number))
        except OSError:
            part.unlink(missing_ok=True)
            raise
        self._sizes[number] = size
        self.bytes += size
        while self.bytes > self._quota and len(self) > 1:
            self.remove(next(iter(self._sizes)))
            self.dropped += 1

    def oldest(self, most: int) -> list[int]:
        """Numbers of at most so many messages, for `read` and `remove`."""
        return list(islice(self._sizes, max(0, most)))

    def read(self, number: int) -> Message | None:
        """None where the file is gone or no whole message; then it is removed and counted as dropped."""
        try:
            head, _, value = self._file(number).read_bytes().partition(b"\n")
            fields = json.loads(head)
            return Message(fields["topic"], fields["key"], value)
        except (OSError, ValueError, KeyError, TypeError):
            self.remove(number)
            self.dropped += 1
            return None

    def remove(self, number: int) -> None:
        """Forget a message, if it is still there."""
        self.bytes -= self._sizes.pop(number, 0)
        self._file(number).unlink(missing_ok=True)

    def _file(self, number: int) -> Path:
        return self._folder / f"{number:020d}"
