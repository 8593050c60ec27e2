"""Watches for new logs and spool entries, as the kernel reports them; sweeps find the rest (Lustre, NFS)."""

import errno
import os
from collections.abc import Iterable, Iterator

import structlog
from inotify_simple import INotify, flags

# links are not followed: users may write where Darshan's logs lie
_MASK = flags.CLOSE_WRITE | flags.MOVED_TO | flags.ONLYDIR | flags.DONT_FOLLOW


class Watch:
    """Watches folders, not what is below them; use it as a context manager."""

    def __init__(self) -> None:
        self._inotify = INotify()
        self._by_number: dict[int, bytes] = {}
        self._told: set[bytes] = set()
        self.overflowed = False
        """The kernel has dropped something; sweep, and set it back."""

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, *_: object) -> None:
        self._inotify.close()

    def set(self, folders: Iterable[bytes]) -> set[bytes]:
        """Watch these and no others; gives those that were not watched before."""
        wanted, present = set(folders), set(self._by_number.values())
        for number, folder in list(self._by_number.items()):
            if folder not in wanted:
                del self._by_number[number]
                self._inotify.rm_watch(number)
        new = set()
        for folder in wanted - present:
            try:
                self._by_number[self._inotify.add_watch(os.fsdecode(folder), _MASK)] = folder
                new.add(folder)
            except OSError as error:
                if error.errno not in (errno.ENOENT, errno.ENOTDIR) and folder not in self._told:
                    self._told.add(folder)
                    structlog.get_logger().warning(
                        "not watched, only swept", folder=os.fsdecode(folder), reason=error.strerror
                    )
        return new

    def wait(self, seconds: float) -> Iterator[tuple[bytes, bytes]]:
        """(folder, name) of files that came within `seconds`; ends with the first of them."""
        for event in self._inotify.read(timeout=int(seconds * 1000)):
            if event.mask & flags.Q_OVERFLOW:
                self.overflowed = True
            elif event.mask & flags.IGNORED:
                self._by_number.pop(event.wd, None)
            elif event.wd in self._by_number:
                yield self._by_number[event.wd], os.fsencode(event.name)
