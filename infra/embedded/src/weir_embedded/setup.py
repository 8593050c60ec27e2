"""Setting up: fetch Kafka, Flink, Superset, build the jobs; each step only when its inputs have changed."""

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection
from enum import StrEnum
from pathlib import Path

from weir_embedded import passwords, poms
from weir_embedded.commands import run
from weir_embedded.errors import StackError
from weir_embedded.parts import superset
from weir_embedded.preflight import find_java
from weir_embedded.programs import built_jars
from weir_embedded.progress import Board, Step, in_parallel
from weir_embedded.settings import Stack
from weir_embedded.stamps import Stamp, fingerprint
from weir_embedded.templates import COMMON


class Part(StrEnum):
    """What can be set up alone."""

    KAFKA = "kafka"
    JOBS = "jobs"
    FLINK = "flink"
    SUPERSET = "superset"


def set_up(stack: Stack, board: Board, parts: Collection[Part] = tuple(Part)) -> None:
    """Bring what must be fetched or built for these parts up to date, Maven's work beside Python's."""
    stack.packages.mkdir(parents=True, exist_ok=True)
    passwords.generate_missing(stack)
    lanes = (
        {Part.KAFKA: (fetch_kafka,), Part.JOBS: (build_jobs,)},
        {Part.FLINK: (fetch_flink,), Part.SUPERSET: (install_superset, initialize_superset)},
    )
    in_parallel(
        [
            [
                functools.partial(step, stack, board)
                for part, steps in lane.items()
                if part in parts
                for step in steps
            ]
            for lane in lanes
        ]
    )


def once(
    stack: Stack, board: Board, title: str, inputs: str, work: Callable[[Step], None], *results: Path
) -> None:
    """Do a step unless its results exist and were made from the same inputs; raise if it leaves one out."""
    stamp = Stamp(stack.packages / "stamps" / results[0].name)
    if all(result.exists() for result in results) and stamp.is_fresh(inputs):
        board.skipped(title, "unchanged")
        return
    with board.step(title) as step:
        work(step)
    missing = [str(result) for result in results if not result.exists()]
    if missing:
        raise StackError(f"{title}: it ended without an error, but there is no {', '.join(missing)}.")
    stamp.renew(inputs)


def fetch_kafka(stack: Stack, board: Board) -> None:
    """The broker's jars, resolved by Maven."""
    pom = _embedded(stack) / "kafka" / "pom.xml"

    def fetch(step: Step) -> None:
        partial = _empty(stack.kafka_jars.with_suffix(".partial"))
        run(
            _maven(
                pom, "dependency:copy-dependencies", f"-DoutputDirectory={partial}", "-DincludeScope=runtime"
            ),
            log=stack.logs / "setup-kafka.log",
            step=step,
            env=java_environment(),
        )
        _replace(partial, stack.kafka_jars)

    once(stack, board, "Fetch Kafka", fingerprint([pom]), fetch, stack.kafka_jars)


def fetch_flink(stack: Stack, board: Board) -> None:
    """The Flink distribution, which comes in two Python wheels, and the reporter compiled against it."""
    reporter = _embedded(stack) / "flink"
    target = stack.packages / "flink"

    def fetch(step: Step) -> None:
        partial = _empty(target.with_suffix(".partial"))
        wheels = ("--require-hashes", "-r", reporter / "flink.lock")
        run(
            [*_uv_pip_install(), "--no-deps", "--only-binary", ":all:", "--target", partial, *wheels],
            log=stack.logs / "setup-flink.log",
            step=step,
        )
        for script in (partial / "pyflink" / "bin").glob("*.sh"):
            script.chmod(0o755)
        step.note("compiling the metrics reporter")
        _compile_reporter(reporter, partial / "pyflink")
        _replace(partial, target)

    once(stack, board, "Fetch Flink", fingerprint([reporter]), fetch, target)


def _compile_reporter(source: Path, flink: Path) -> None:
    """Put the loopback reporter beside the plugin that it extends: one folder is one class loader."""
    plugin = flink / "plugins" / "metrics-prometheus"
    classes = plugin / "classes"
    java = find_java()
    classpath = ":".join(str(jar) for jar in [*plugin.glob("*.jar"), *(flink / "lib").glob("*.jar")])
    services = classes / "META-INF" / "services" / "org.apache.flink.metrics.reporter.MetricReporterFactory"
    services.parent.mkdir(parents=True)
    services.write_text("org.apache.flink.metrics.prometheus.LoopbackPrometheusReporter$Factory\n")
    jar = plugin / "loopback-reporter.jar"
    for command in (
        [
            f"{java}/bin/javac",
            "--release",
            "17",
            "-cp",
            classpath,
            "-d",
            str(classes),
            *map(str, source.glob("*.java")),
        ],
        [f"{java}/bin/jar", "--create", "--file", str(jar), "-C", str(classes), "."],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise StackError("The metrics reporter could not be compiled:", done.stderr)
    shutil.rmtree(classes)


def install_superset(stack: Stack, board: Board) -> None:
    """Superset in a virtual environment of its own."""
    lock = _embedded(stack) / "superset.lock"
    without_telemetry = COMMON / "superset-without-telemetry"

    def install(step: Step) -> None:
        venv = stack.superset_venv
        shutil.rmtree(venv, ignore_errors=True)
        run(
            [*_uv("venv"), "--python", sys.executable, venv], log=stack.logs / "setup-superset.log", step=step
        )
        run(
            [*_uv_pip_install(), "--python", venv / "bin" / "python", "--require-hashes", "-r", lock],
            log=stack.logs / "setup-superset.log",
            step=step,
        )
        (packages,) = venv.glob("lib/python3*/site-packages")
        run([without_telemetry, packages], log=stack.logs / "setup-superset.log", step=step)

    inputs = fingerprint([lock, without_telemetry])
    once(stack, board, "Install Superset", inputs, install, stack.superset_venv)


def initialize_superset(stack: Stack, board: Board) -> None:
    """Create Superset's tables, roles and permissions once; every stack copies the result."""
    config = stack.root / "superset" / "superset_config.py"
    script = superset.preparation(stack)[-1]
    inputs = fingerprint([_embedded(stack) / "superset.lock", config, Path(script)])

    def initialize(step: Step) -> None:
        partial = stack.superset_template.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        env = {**superset.env(stack), "WEIR_SUPERSET_METADATA_URI": f"sqlite:///{partial}"}
        log = stack.logs / "setup-superset-tables.log"
        run([*superset.preparation(stack), "tables"], log=log, step=step, env=env)
        partial.rename(stack.superset_template)

    once(stack, board, "Create Superset's tables and roles", inputs, initialize, stack.superset_template)


def build_jobs(stack: Stack, board: Board) -> None:
    """The Flink jobs' jars; their tests belong to `make test`."""
    project = stack.root / "flink-jobs"
    inputs = fingerprint(poms.read_by_build(project))

    def build(step: Step) -> None:
        run(
            _maven(project / "pom.xml", "package", "-DskipTests"),
            log=stack.logs / "setup-flink-jobs.log",
            step=step,
            env=java_environment(),
        )

    once(stack, board, "Build the Flink jobs", inputs, build, *built_jars(stack))


def java_environment() -> dict[str, str]:
    """Makes Maven use the JDK that was checked."""
    return {"JAVA_HOME": str(find_java())}


def _maven(pom: Path, *words: str) -> list[str | Path]:
    return ["mvn", "--batch-mode", "--no-transfer-progress", "-Dstyle.color=never", "--file", pom, *words]


def _uv(*words: str) -> list[str | Path]:
    """The system's certificates are trusted, as pip does: a site may have a CA of its own."""
    return [Path(sys.executable).with_name("uv"), "--system-certs", *words]


def _uv_pip_install() -> list[str | Path]:
    """Returns the command that installs packages, from the index that the site has configured for pip."""
    pip = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    index = (
        os.environ.get("PIP_INDEX_URL")
        or subprocess.run(pip, capture_output=True, text=True, check=False).stdout.strip()
    )
    return [*_uv("pip", "install"), *(["--default-index", index] if index else [])]


def _embedded(stack: Stack) -> Path:
    return stack.root / "infra" / "embedded"


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _replace(partial: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)
