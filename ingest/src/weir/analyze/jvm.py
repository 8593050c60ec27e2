"""The analysis (Java, flink-jobs/analysis) as a program: features, rules and verdict are its business.

Imports nothing slow, since it is started before all else that `weir analyze` does.
"""

import atexit
import contextlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from weir.analyze.class_archive import ClassArchive
from weir.errors import UserError
from weir.logs import log_files
from weir.schemas_dir import SCHEMAS

BUNDLED = Path(__file__).parents[1] / "analysis-cli.jar"
_BUILT = SCHEMAS.resolve().parent / "flink-jobs/analysis-cli/target/analysis-cli.jar"
# the JVM starts in half the time without what only a long-running program gains from: the second compiler,
# and machine code of what runs only a few hundred times (more than twofold costs a thousand logs dearly)
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=2", "-XX:+UseSerialGC", "-Xshare:auto")


def find_jar() -> Path:
    """$WEIR_ANALYSIS_JAR, the jar that the wheel brought along, or the one built in this checkout."""
    path = os.environ.get("WEIR_ANALYSIS_JAR")
    candidates = [Path(path)] if path else [BUNDLED, _BUILT]
    for jar in candidates:
        if jar.is_file():
            return jar
    raise UserError(
        f"{candidates[-1]}: the analysis is not there. Build it (in the repository: mvn -f flink-jobs -pl "
        "wire,analysis -am package), install a wheel that was built after it, or set WEIR_ANALYSIS_JAR."
    )


def framed(content: bytes) -> bytes:
    """Returns the content as the program reads it: behind its length."""
    return len(content).to_bytes(4, "big") + content


class Program:
    """Runs the analysis once; it starts beside what the caller does meanwhile, such as decoding a log.

    A start that failed is reported when the program is used, so that nobody without a log needs Java.
    """

    def __init__(self, arguments: Iterable[str], archive: bool = False):
        """`archive`: leave an archive of its classes behind if there is none."""
        self.arguments = list(arguments)
        self._problem: UserError | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 closed with the program
        try:
            self._java, jar = _java(), find_jar()
            self._archive = ClassArchive(Path(self._java).resolve(), jar, archive)
            command = [self._java, *_QUICK, *self._archive.options, "-jar", str(jar), *self.arguments]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=1 << 16
            )
        except UserError as error:
            self._problem = error

    def stop(self) -> None:
        """Ends it, if it runs; nothing that it said is wanted."""
        if self._problem is None and self._process.returncode is None:
            self._process.kill()
            self._process.wait()
            self._archive.settle(False)

    def run(
        self, messages: Iterable[bytes] = (), meanwhile: Callable[[], object] = lambda: None
    ) -> tuple[int, bytes]:
        """Exit status and output, after `messages` were written to it; `meanwhile` is called as it works.

        UserError where there is no Java 17, or where the analysis refuses its input or fails.
        """
        try:
            return self._run(messages, meanwhile)
        finally:
            self.stop()

    def _run(self, messages: Iterable[bytes], meanwhile: Callable[[], object]) -> tuple[int, bytes]:
        if self._problem:
            raise self._problem
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        output: list[bytes] = []
        # beside the writing: some commands answer while they read
        reader = threading.Thread(target=lambda: output.append(stdout.read()), daemon=True)
        reader.start()
        with contextlib.suppress(BrokenPipeError), stdin:  # it says why on stderr
            for message in messages:
                stdin.write(message)
        meanwhile()
        reader.join()
        status = self._process.wait()
        self._archive.settle(status == 0)
        if status == 0 or (status == 1 and output[0]):
            return status, output[0]
        self._errors.seek(0)
        complaint = _complaint(self._errors.read().decode(errors="replace"))
        if "UnsupportedClassVersionError" in complaint:
            raise UserError(f"{self._java}: too old. The analysis needs Java 17 or newer.")
        if status == 1 and complaint:
            raise UserError(complaint)  # the input is wrong, and it says where
        dropped = self._archive.drop() if status < 0 or status > 2 else ""
        raise UserError(f"the analysis failed: {complaint or f'exit status {status}'}{dropped}")


_begun: Program | None = None


def begin(arguments: Sequence[str]) -> None:
    """Starts the analysis for `weir analyze` with these arguments, if one of them is a log.

    What reads a command line takes half as long to import as the JVM to start.
    """
    global _begun
    if any(log_files.begins_as_log(Path(each)) for each in arguments):
        sites = [value for option, value in pairwise(arguments) if option == "--site"]
        _begun = Program(_judging(Path(sites[-1]) if sites else None), archive=True)
        atexit.register(_begun.stop)


def judging(site_file: Path | None) -> Program:
    """Starts the analysis of logs, by the rules that ship, or gives the one that has begun if it fits."""
    global _begun
    arguments = _judging(site_file)
    begun, _begun = _begun, None
    if begun and begun.arguments == arguments:
        return begun
    if begun:
        begun.stop()
    return Program(arguments, archive=True)


def _judging(site_file: Path | None) -> list[str]:
    site = ["--site", str(site_file)] if site_file else []
    return ["analyze", "--rules", str(SCHEMAS / "rules"), *site]


def run(arguments: Iterable[str], messages: Iterable[bytes] = ()) -> tuple[int, bytes]:
    """Runs the analysis as Program.run does, from its start."""
    return Program(arguments).run(messages)


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
    """Returns the text without the lines in which a library says that it has no log to write to."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("SLF4J:")).strip()
