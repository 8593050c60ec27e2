"""The analysis (Java, flink-jobs/analysis) as a program: features, rules and verdict are its business."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from weir.errors import UserError
from weir.schemas_dir import SCHEMAS

BUNDLED = Path(__file__).parent / "analysis-cli.jar"
_BUILT = SCHEMAS.resolve().parent / "flink-jobs/analysis/target/analysis-cli.jar"
# the JVM starts in half the time without what only a long-running program gains from
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")


def find_jar() -> Path:
    """$WEIR_ANALYSIS_JAR, the jar that the wheel brought along, or the one built in this checkout."""
    told = os.environ.get("WEIR_ANALYSIS_JAR")
    candidates = [Path(told)] if told else [BUNDLED, _BUILT]
    for jar in candidates:
        if jar.is_file():
            return jar
    raise UserError(
        f"{candidates[-1]}: the analysis is not there. Build it (in the repository: mvn -f flink-jobs -pl "
        "wire,analysis -am package), install a wheel that was built after it, or set WEIR_ANALYSIS_JAR."
    )


class Program:
    """Runs the analysis once; it starts beside what the caller does meanwhile, such as decoding a log.

    A start that failed is reported when the program is used, so that nobody without a log needs Java.
    """

    def __init__(self, arguments: Iterable[str], archive: bool = False):
        """`archive`: leave an archive of its classes behind if there is none; see `_sharing`."""
        self._problem: UserError | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 closed with the program
        self._new: tuple[Path, Path] | None = None
        try:
            self._java, jar = _java(), find_jar()
            options, self._new = _sharing(Path(self._java), jar, archive)
            command = [self._java, *_QUICK, *options, "-jar", str(jar), *arguments]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=1 << 16
            )
        except UserError as error:
            self._problem = error

    def stop(self) -> None:
        """Ends it, if it runs; nothing that it said is wanted."""
        if self._problem is None and self._process.returncode is None:
            self._process.kill()
            self._process.communicate()
            self._settle(False)

    def run(self, messages: Iterable[bytes] = ()) -> tuple[int, bytes]:
        """Exit status and output, after `messages` have been written to it.

        UserError where there is no Java 17, or where the analysis refuses its input or fails.
        """
        try:
            return self._run(messages)
        finally:
            self.stop()

    def _run(self, messages: Iterable[bytes]) -> tuple[int, bytes]:
        if self._problem:
            raise self._problem
        assert self._process.stdin is not None
        try:
            for message in messages:
                self._process.stdin.write(message)
        except BrokenPipeError:
            pass  # it says why on stderr
        output, _ = self._process.communicate()
        status = self._process.returncode
        self._settle(status == 0)
        if status == 0 or (status == 1 and output):
            return status, output
        self._errors.seek(0)
        complaint = _complaint(self._errors.read().decode(errors="replace"))
        if "UnsupportedClassVersionError" in complaint:
            raise UserError(f"{self._java}: too old. The analysis needs Java 17 or newer.")
        if status == 1 and complaint:
            raise UserError(complaint)  # the input is wrong, and it says where
        raise UserError(f"the analysis failed: {complaint or f'exit status {status}'}")

    def _settle(self, good: bool) -> None:
        """Puts a new archive of classes in its place, whole; one of a run that failed is dropped."""
        if self._new:
            written, place = self._new
            with contextlib.suppress(OSError):
                written.replace(place) if good else written.unlink()


def judging(site_file: Path | None) -> Program:
    """Starts the analysis of logs, by the rules that ship."""
    site = ["--site", str(site_file)] if site_file else []
    return Program(["analyze", "--rules", str(SCHEMAS / "rules"), *site], archive=True)


def run(arguments: Iterable[str], messages: Iterable[bytes] = ()) -> tuple[int, bytes]:
    """Runs the analysis as Program.run does, from its start."""
    return Program(arguments).run(messages)


def _sharing(java: Path, jar: Path, may_write: bool) -> tuple[list[str], tuple[Path, Path] | None]:
    """Options for an archive of loaded classes (AppCDS), and where a new one is written and belongs.

    It fits one JVM and one jar, which its name says; it lies in the user's cache, as the JVM trusts it.
    """
    quiet = ["-Xlog:disable", "-Xlog:all=error:stderr"]  # an archive that does not fit is passed over
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weir"
    try:
        parts = [
            (str(file), (seen := file.stat()).st_size, seen.st_mtime_ns) for file in (java.resolve(), jar)
        ]
        archive = cache / f"analysis-{blake2b(repr(parts).encode(), digest_size=8).hexdigest()}.jsa"
        if archive.is_file():
            return [f"-XX:SharedArchiveFile={archive}", *quiet], None
        if not may_write:
            return quiet, None
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in cache.glob("analysis-*.jsa"):
            old.unlink(missing_ok=True)
        if not os.access(cache, os.W_OK):
            return quiet, None
    except (OSError, RuntimeError):  # no home
        return quiet, None
    written = archive.with_suffix(f".{os.getpid()}")
    return [f"-XX:ArchiveClassesAtExit={written}", *quiet], (written, archive)


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    of_home = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    java = of_home or shutil.which("java")
    if java is None:
        raise UserError(
            "java: not found. The analysis needs Java 17 or newer; install a JRE (no JDK needed)."
        )
    return java


def _complaint(text: str) -> str:
    """Without the lines in which a library says that it has no log to write to."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("SLF4J:")).strip()
