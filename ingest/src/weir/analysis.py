"""The analysis (Java, flink-jobs/analysis) as a program: features, rules and verdict are its business."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
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


def run(arguments: Iterable[str], messages: Iterable[bytes] = ()) -> tuple[int, bytes]:
    """Exit status and output of the analysis; `messages` are written to it while it starts.

    UserError where there is no Java 17, or where the analysis refuses its input or fails.
    """
    java = _java()
    command = [java, *_QUICK, "-jar", str(find_jar()), *arguments]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=1 << 16
        )
        try:
            assert process.stdin is not None
            for message in messages:
                process.stdin.write(message)
        except BrokenPipeError:
            pass  # it says why on stderr
        except BaseException:
            process.kill()
            process.communicate()
            raise
        output, _ = process.communicate()
        errors.seek(0)
        complaint = _complaint(errors.read().decode(errors="replace"))
    if process.returncode == 0 or (process.returncode == 1 and output):
        return process.returncode, output
    if "UnsupportedClassVersionError" in complaint:
        raise UserError(f"{java}: too old. The analysis needs Java 17 or newer.")
    if process.returncode == 1 and complaint:
        raise UserError(complaint)  # the input is wrong, and it says where
    raise UserError(f"the analysis failed: {complaint or f'exit status {process.returncode}'}")


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
