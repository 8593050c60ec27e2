"""The services of infra/compose, each a container that Testcontainers starts, on a network of their own.

What a service is stays in compose.yaml, read through the compose command itself; what is started when, and
waited for how, is its `depends_on`.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import docker
import yaml
from testcontainers.core.container import DockerContainer
from testcontainers.core.network import Network
from testcontainers.core.wait_strategies import HealthcheckWaitStrategy
from weir_embedded.settings import Stack

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "infra/compose/compose.yaml"
LOGS = ROOT / ".weir/container-logs"
HEALTHY_SECONDS = 300
ONCE_SECONDS = 300
OURS = ("kafka", "flink", "keeper", "weir", "clickhouse", "superset", "postgres", "redis", "gateway")


def why_not() -> str:
    """Why containers cannot be tested here; empty if they can."""
    if not shutil.which("docker-compose") and not _has_compose_plugin():
        return "there is no docker-compose"
    try:
        engine = docker.from_env()
        images = {tag for image in engine.images.list() for tag in image.tags}
    except docker.errors.DockerException as problem:
        return f"no container engine answers: {problem}"
    absent = [name for name in OURS if f"weir/{name}:dev" not in images]
    return f"images are not built: {', '.join(absent)} (make images)" if absent else ""


class Containers:
    """The running services; answers what the tests ask of an embedded stack, too."""

    def __init__(self, folder: Path, environment: dict[str, str]):
        """`folder` is for what clients outside need; `environment` is that of compose.yaml."""
        self.engine = docker.from_env()
        self.folder = folder
        self.environment = environment
        self.prefix = f"weir-test-{secrets.token_hex(4)}"
        self.services: dict[str, Any] = _read(environment)["services"]
        self.running: dict[str, DockerContainer] = {}

    @contextmanager
    def started(self, settings: dict[str, str]) -> Iterator["Containers"]:
        """All services, with `settings` in the environment of each. Logs stay in `.weir/container-logs`."""
        with ExitStack() as ends:
            network = ends.enter_context(Network())
            ends.callback(self._remove_volumes)
            ends.callback(self._stop_all)
            with ThreadPoolExecutor(len(self.services)) as beside:
                futures: dict[str, Future[None]] = {}
                for name in _in_order(self.services):
                    start = self._starter(name, network, settings, futures)
                    futures[name] = beside.submit(start)
                for future in futures.values():
                    future.result()
            self._export()
            yield self

    def _starter(
        self, name: str, network: Network, settings: dict[str, str], futures: dict[str, Future[None]]
    ) -> Callable[[], None]:
        service = self.services[name]
        needed = [futures[each] for each in service.get("depends_on", {})]
        asked = {
            each["depends_on"][name]["condition"]
            for each in self.services.values()
            if name in each.get("depends_on", {})
        }

        def start() -> None:
            for future in needed:
                future.result()
            container = self._container(name, service, network, settings)
            if "service_healthy" in asked:
                strategy = HealthcheckWaitStrategy().with_startup_timeout(HEALTHY_SECONDS)
                container.waiting_for(strategy)
            try:
                container.start()
            finally:
                if container._container:  # also one that did not become healthy has a log
                    self.running[name] = container
            if "service_completed_successfully" in asked:
                code = container.get_wrapped_container().wait(timeout=ONCE_SECONDS)["StatusCode"]
                assert code == 0, (
                    f"{name} ended with {code}: {container.get_wrapped_container().logs().decode()}"
                )

        return start

    def _container(
        self, name: str, service: dict[str, Any], network: Network, settings: dict[str, str]
    ) -> DockerContainer:
        container = DockerContainer(service["image"]).with_name(f"{self.prefix}-{name}")
        told = {k: str(v) for k, v in service.get("environment", {}).items() if v is not None}
        container.with_envs(**told | settings)
        if service.get("network_mode") != "none":
            container.with_network(network).with_network_aliases(name)
        for volume in service.get("volumes", ()):
            source, target, mode = _mount(volume)
            host = source if source.startswith("/") else f"{self.prefix}_{source}"
            container.with_volume_mapping(host, target, mode)
        for port in service.get("ports", ()):
            bind, outside, inside = str(port).rsplit(":", 2)
            container.ports[inside] = (bind, int(outside))
        for mount in service["tmpfs"]:
            path, _, how = mount.partition(":")
            container.with_tmpfs_mount(path, how)
        restarts = service["restart"] == "unless-stopped"
        options = {
            "read_only": service["read_only"],
            "cap_drop": service["cap_drop"],
            "cap_add": service.get("cap_add"),
            "security_opt": service["security_opt"],
            "user": service.get("user"),
            "init": service["init"],
            "hostname": service.get("hostname"),
            "entrypoint": service.get("entrypoint"),
            "restart_policy": {"Name": "unless-stopped"} if restarts else None,
            "network_mode": service.get("network_mode"),
            "healthcheck": _health_check(service.get("healthcheck")),
        }
        container.with_kwargs(**{key: value for key, value in options.items() if value is not None})
        if "command" in service:
            container.with_command(service["command"])
        return container

    def _export(self) -> None:
        """What a machine outside is given."""
        subprocess.run(
            [COMPOSE.with_name("weir"), "client", self.folder],
            env=os.environ | {"COMPOSE_PROJECT_NAME": self.prefix},
            stdout=subprocess.DEVNULL,
            check=True,
        )

    def tool(self, image: str, command: list[str], **options: Any) -> str:
        """What a command of root's printed, in a container of its own."""
        words = {"entrypoint": command[:1], "command": command[1:], "user": "0", "remove": True}
        return self.engine.containers.run(image, **words, **options).decode()

    def container(self, name: str) -> Any:
        """The engine's object of a service, as it is now."""
        wrapped = self.running[name].get_wrapped_container()
        wrapped.reload()
        return wrapped

    def kill(self, name: str) -> None:
        """kill -9 of its first process: the engine's own `kill` counts as a wish to stop."""
        pid = self.container(name).attrs["State"]["Pid"]
        self.tool("weir/redis:dev", ["sh", "-c", f"kill -9 {pid}"], pid_mode="host")

    def is_healthy(self, name: str) -> bool:
        """Running, and well by its own health check where it has one."""
        state = self.container(name).attrs["State"]
        return state["Running"] and state.get("Health", {}).get("Status", "healthy") == "healthy"

    def address(self, name: str) -> str:
        """Of a container on its network, which this machine reaches."""
        (network,) = self.container(name).attrs["NetworkSettings"]["Networks"].values()
        return network["IPAddress"]

    def _stop_all(self) -> None:
        LOGS.mkdir(parents=True, exist_ok=True)
        for name, container in self.running.items():
            (LOGS / f"{name}.log").write_bytes(container.get_wrapped_container().logs())
            container.stop()

    def _remove_volumes(self) -> None:
        for volume in self.engine.volumes.list(filters={"name": self.prefix}):
            volume.remove(force=True)

    # What the tests ask of an embedded stack

    @property
    def weir_config(self) -> Path:
        return self.folder / "weir.yaml"

    @property
    def venv(self) -> Path:
        return Stack().venv

    @property
    def data(self) -> Path:
        """Its folder `weir` is the command's state."""
        return self.folder

    @property
    def kafka(self) -> dict[str, str]:
        return yaml.safe_load(self.weir_config.read_text())["kafka"]

    @property
    def clickhouse_url(self) -> str:
        return yaml.safe_load(self.weir_config.read_text())["clickhouse_url"]

    @property
    def clickhouse_ca(self) -> str:
        return str(self.folder / "ca.pem")

    @property
    def superset_url(self) -> str:
        return f"https://localhost:{self.environment['WEIR_SUPERSET_PORT']}"

    @property
    def flink_url(self) -> str:
        return f"https://{self.address('jobmanager')}:8081"

    @property
    def flink_key(self) -> Path:
        """The keeper's, which no client outside is given."""
        file = self.folder / "flink.pem"
        if not file.exists():
            file.write_bytes(self.container("keeper").exec_run("cat /config/flink/flink.pem").output)
        return file

    def clickhouse_secret(self, login: str) -> Path:
        return self.folder / f"clickhouse_{login}"


def free_ports(number: int) -> list[int]:
    """Ports that nothing listens on."""
    with ExitStack() as sockets:
        found = [sockets.enter_context(socket.socket()) for _ in range(number)]
        for each in found:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in found]


def _health_check(of: dict[str, Any] | None) -> dict[str, Any] | None:
    """What the engine takes, whose times are in nanoseconds; without one the check of the image counts."""
    return of and {"test": of["test"], "interval": 10**9 * int(of["interval"].removesuffix("s"))}


def _read(environment: dict[str, str]) -> dict[str, Any]:
    compose = ["docker", "compose"] if _has_compose_plugin() else ["docker-compose"]
    profile = ["--profile", "brokers-3"] if environment.get("WEIR_BROKERS") == "3" else []
    command = [*compose, "-f", str(COMPOSE), *profile, "config"]
    told = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    found = yaml.safe_load(told.stdout)
    wanted = {"brokers-3"} if profile else set()
    found["services"] = {
        name: service
        for name, service in found["services"].items()
        if set(service.get("profiles", ())) <= wanted
    }
    return json.loads(json.dumps(found))


def _has_compose_plugin() -> bool:
    if not shutil.which("docker"):
        return False
    return subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0


def _in_order(services: dict[str, Any]) -> list[str]:
    """Each after those that it depends on."""
    found: list[str] = []

    def add(name: str) -> None:
        for needed in services[name].get("depends_on", {}):
            add(needed)
        if name not in found:
            found.append(name)

    for name in services:
        add(name)
    return found


def _mount(volume: str | dict[str, Any]) -> tuple[str, str, str]:
    """(source, target, mode) of either spelling."""
    if isinstance(volume, dict):
        return volume["source"], volume["target"], "ro" if volume.get("read_only") else "rw"
    source, target, *mode = volume.split(":")
    return source, target, mode[0] if mode else "rw"
