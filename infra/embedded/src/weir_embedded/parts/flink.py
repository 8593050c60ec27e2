"""Flink: a JobManager and a TaskManager, checkpoints on disk, Prometheus metrics on loopback."""

import shutil
from typing import Any

import yaml
from weir_keeper import checkpoints, key

from weir_embedded import templates
from weir_embedded.parts.part import NotReady, Part, get
from weir_embedded.preflight import find_java
from weir_embedded.settings import LOOPBACK, Stack

# Smaller thread pools and code caches than the defaults for servers: two cores, two small jobs.
JVM_OPTIONS = "-XX:+UseG1GC -XX:ReservedCodeCacheSize=96m -XX:+ExitOnOutOfMemoryError"


def jobmanager(stack: Stack) -> Part:
    """The JobManager with Flink's REST interface."""
    return Part(
        name="jobmanager",
        title="Flink JobManager",
        argv=_argv(stack, "jobmanager.sh", stack.ports["prometheus_jm"], stack.ports["flink_query_jm"]),
        env=_env(stack),
        check=lambda: _check_jobmanager(stack),
        version=lambda: version(stack),
    )


def taskmanager(stack: Stack) -> Part:
    """The TaskManager, healthy when the JobManager counts its slots."""
    return Part(
        name="taskmanager",
        title="Flink TaskManager",
        argv=_argv(stack, "taskmanager.sh", stack.ports["prometheus_tm"], stack.ports["flink_query_tm"]),
        env=_env(stack),
        check=lambda: _check_taskmanager(stack),
        needs=("jobmanager",),
        version=lambda: version(stack),
    )


def prepare(stack: Stack) -> None:
    """Write the configuration of both."""
    folder = stack.flink_config.parent
    templates.write(
        stack.flink_config,
        "flink-config.yaml.j2",
        stack=stack,
        settings=stack,
        host=LOOPBACK,
        state=checkpoints(stack).parent,
        tmp=stack.data / "flink" / "tmp",
        rest_url=stack.flink_url,
        keystore=stack.flink_key.with_suffix(".p12"),
        keystore_password=key.KEYSTORE_PASSWORD,
        module_options=_module_options(stack),
        jvm_options=JVM_OPTIONS,
    )
    templates.write(folder / "log4j-console.properties", "flink-log4j.properties")
    for name in ("checkpoints", "savepoints", "tmp"):
        (stack.data / "flink" / name).mkdir(parents=True, exist_ok=True)
    shutil.rmtree(stack.data / "flink" / "upload", ignore_errors=True)
    (stack.data / "flink" / "upload").mkdir()


def version(stack: Stack) -> str:
    """The version of the distribution."""
    jar = next((stack.flink_home / "lib").glob("flink-dist-*.jar"), None)
    return jar.stem.removeprefix("flink-dist-") if jar else "?"


def _check_jobmanager(stack: Stack) -> None:
    _overview(stack)


def _check_taskmanager(stack: Stack) -> None:
    slots = _overview(stack)["slots-total"]
    if slots < stack.task_slots:
        raise NotReady(f"{slots} of {stack.task_slots} slots are registered")


def _overview(stack: Stack) -> Any:
    return get(f"{stack.flink_url}/overview", verify=key.context(stack.flink_key)).json()


def _argv(stack: Stack, script: str, metrics_port: int, query_port: int) -> tuple[str, ...]:
    return (
        str(stack.flink_home / "bin" / script),
        "start-foreground",
        *("-D", f"metrics.reporter.prom.port={metrics_port}"),
        *("-D", f"metrics.internal.query-service.port={query_port}"),
    )


def _env(stack: Stack) -> dict[str, str]:
    return {
        "JAVA_HOME": str(find_java()),
        "FLINK_HOME": str(stack.flink_home),
        "FLINK_CONF_DIR": str(stack.conf / "flink"),
        "FLINK_LOG_DIR": str(stack.logs),
        "FLINK_PID_DIR": str(stack.run),
    }


def _module_options(stack: Stack) -> str:
    """The `--add-opens` of the configuration that Flink ships: they belong to its version."""

    shipped = yaml.safe_load((stack.flink_home / "conf" / "config.yaml").read_text())
    return str(shipped["env"]["java"]["opts"]["all"])
