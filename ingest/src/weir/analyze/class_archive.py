"""An archive of loaded classes (AppCDS), from which the JVM of the analysis starts in half the time."""

import contextlib
import os
from hashlib import blake2b
from pathlib import Path

_KEPT = 3
# an archive that does not fit is passed over, and no report is left in the working directory if the JVM dies
_QUIET = ["-Xlog:disable", "-Xlog:all=error:stderr", "-XX:ErrorFile=/dev/null"]


class ClassArchive:
    """Finds the archive for a JVM and a jar, or has one written; both may fail without harm.

    It fits one JVM and one jar, which its name says, and lies in the user's cache, since the JVM trusts it.
    The name has its length too: of one that was cut, as by a full disk, the JVM would die.
    """

    def __init__(self, java: Path, jar: Path, may_write: bool):
        self.options = _QUIET
        self._used: Path | None = None
        self._written: Path | None = None
        with contextlib.suppress(OSError, RuntimeError):  # no home
            self._cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weir"
            parts = [(str(each), (seen := each.stat()).st_size, seen.st_mtime_ns) for each in (java, jar)]
            self._stem = f"analysis-{blake2b(repr(parts).encode(), digest_size=8).hexdigest()}"
            self._used = next(filter(self._is_sound, self._cache.glob(f"{self._stem}-*.jsa")), None)
            if self._used:
                self.options = [f"-XX:SharedArchiveFile={self._used}", *_QUIET]
            elif may_write:
                self._cache.mkdir(mode=0o700, parents=True, exist_ok=True)
                if os.access(self._cache, os.W_OK):
                    self._written = self._cache / f"{self._stem}.{os.getpid()}"
                    self.options = [f"-XX:ArchiveClassesAtExit={self._written}", *_QUIET]

    def settle(self, good: bool) -> None:
        """Puts a new archive in its place, whole, after a run that was good; else drops it."""
        if not self._written:
            return
        with contextlib.suppress(OSError):
            if good:
                self._written.replace(self._place(self._written))
                every = sorted(self._cache.glob("analysis-*"), key=lambda each: each.stat().st_mtime)
                for old in every[:-_KEPT]:
                    old.unlink()
            else:
                self._written.unlink()

    def drop(self) -> str:
        """Removes the archive that was used, after the JVM died; says so, or nothing where there was none."""
        if not self._used:
            return ""
        with contextlib.suppress(OSError):
            self._used.unlink()
        return f". {self._used} may have been damaged and was removed: try again"

    def _is_sound(self, archive: Path) -> bool:
        """Whether it is this user's and has its whole length."""
        return archive.stat().st_uid == os.geteuid() and archive == self._place(archive)

    def _place(self, archive: Path) -> Path:
        return self._cache / f"{self._stem}-{archive.stat().st_size}.jsa"
