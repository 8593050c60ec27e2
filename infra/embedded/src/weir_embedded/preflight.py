"""What must hold before anything is started; every problem is one line that names the way out."""

import os
import platform
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
from weir_keeper.declared import NAMES as JOBS

from weir_embedded.settings import LOOPBACK, Stack

JAVA_VERSIONS = range(17, 22)
MEMORY_MB = 4500
SETUP_DISK_MB = 2600  # machine.sh asks for more, as the Python packages are not there yet
RUN_DISK_MB = 1000


def machine_problems() -> Iterator[str]:
    """The operating system and its processor."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        yield (
            f"This machine is {platform.system()} {platform.machine()}; the embedded stack needs "
            "Linux x86-64. Use the Compose or cluster deployment, or a Linux machine."
        )


def path_problems(stack: Stack) -> Iterator[str]:
    """Folders whose names the shell scripts of Flink cannot handle."""
    for name in ("root", "home", "packages"):
        path = getattr(stack, name)
        if re.search(r"[\s'\"$`\\%]", str(path)):
            yield f"The path {path} has a blank or a quote in it, which Flink's scripts cannot take: move it."


def find_java() -> Path | None:
    """The folder of the JDK: JAVA_HOME, else where `javac` on the path leads to."""
    if os.environ.get("JAVA_HOME"):
        return Path(os.environ["JAVA_HOME"])
    compiler = shutil.which("javac")
    return Path(compiler).resolve().parents[1] if compiler else None


def java_problems(java_home: Path | None) -> Iterator[str]:
    """A JDK (not only a runtime) of a version that Kafka and Flink both support."""
    way_out = "Install JDK 17 (Debian: apt-get install openjdk-17-jdk-headless) or point JAVA_HOME to one."
    if java_home is None:
        yield f"No JDK found: there is no `javac` on the PATH and JAVA_HOME is not set. {way_out}"
        return
    if not (java_home / "bin" / "javac").exists():
        yield f"{java_home} is not a JDK: it has no bin/javac. {way_out}"
        return
    version = java_version(java_home)
    if version not in JAVA_VERSIONS:
        yield f"The JDK in {java_home} is version {version}; Weir needs 17 to 21. {way_out}"


def java_version(java_home: Path) -> int:
    """Returns the major version that `javac -version` prints; 0 if it cannot be understood."""
    told = subprocess.run(
        [java_home / "bin" / "javac", "-version"], capture_output=True, text=True, check=False
    )
    match = re.search(r"javac (?:1\.)?(\d+)", told.stdout + told.stderr)
    return int(match.group(1)) if match else 0


def maven_problems() -> Iterator[str]:
    """Maven fetches Kafka and builds the Flink jobs."""
    if shutil.which("mvn") is None:
        yield "No `mvn` on the PATH: install Maven 3.8 or later (Debian: apt-get install maven)."


def openssl_problems() -> Iterator[str]:
    """The parts know each other by keys that openssl makes."""
    if shutil.which("openssl") is None:
        yield "No `openssl` on the PATH: install it (Debian: apt-get install openssl)."


def memory_problems(available_mb: int) -> Iterator[str]:
    """Memory for the whole stack and a little room."""
    if available_mb < MEMORY_MB:
        yield (
            f"Only {available_mb:,} MB of memory are available, the stack needs {MEMORY_MB:,} MB: "
            "stop other programs or use a larger machine."
        )


def available_memory_mb(group: Path = Path("/sys/fs/cgroup")) -> int:
    """What is available on the machine or left in the control group, whichever is less."""
    available = psutil.virtual_memory().available
    try:
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        # the page cache counts as used, though the kernel takes back what nobody has read lately
        available = min(available, limit - used + int(stat["inactive_file"]))
    except (OSError, ValueError):
        pass  # no control group or no limit ("max")
    return available // 2**20


def disk_problems(folder: Path, needed_mb: int, free_mb: int) -> Iterator[str]:
    """Room for the downloads or, once these are there, for data."""
    if free_mb < needed_mb:
        yield (
            f"Only {free_mb:,} MB are free where {folder} is, {needed_mb:,} MB are needed: free some space, "
            "or set WEIR_HOME and WEIR_PACKAGES to folders on a larger disk."
        )


def free_disk_mb(folder: Path) -> int:
    """Free space at a folder that may not exist yet."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free // 2**20


def port_problems(ports: dict[str, int], offset: int = 0) -> Iterator[str]:
    """Ports that somebody else listens on, all in one line: it is mostly one program that holds them."""
    taken = [
        f"{port} ({name.replace('_', ' ')}){_owner(port)}" for name, port in ports.items() if _is_taken(port)
    ]
    if taken:
        yield (
            f"Taken: port {', '.join(taken)}. Stop that program, or move all ports of Weir, "
            f"for example with WEIR_PORT_OFFSET={offset + 1000}."
        )


def kept_problems(variable: str, wanted: int, kept: int | None) -> Iterator[str]:
    """A running stack cannot move its ports, nor change its slots."""
    if kept is not None and wanted != kept:
        yield f"The stack is running with {variable}={kept}, not {wanted}: stop it first (make down)."


def slot_problems(parallelism: int, slots: int) -> Iterator[str]:
    """Every job takes a slot for each of its parallel parts."""
    needed = parallelism * len(JOBS)
    if slots < needed:
        yield (
            f"With WEIR_PARALLELISM={parallelism} the Flink jobs take {needed} slots, there are {slots}: "
            f"stop the stack (make down) and start it with WEIR_TASK_SLOTS={needed} too."
        )


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return True
    return False


def _owner(port: int) -> str:
    try:
        connections = psutil.net_connections("tcp")
    except psutil.AccessDenied:
        return ""
    for connection in connections:
        if (
            connection.status == psutil.CONN_LISTEN
            and connection.laddr
            and connection.laddr.port == port
            and connection.pid
        ):
            return f" by {psutil.Process(connection.pid).name()} (process {connection.pid})"
    return ""


def setup_problems(stack: Stack) -> list[str]:
    """What keeps the stack from being set up."""
    needed = RUN_DISK_MB if stack.superset_template.exists() else SETUP_DISK_MB
    return [
        *machine_problems(),
        *path_problems(stack),
        *java_problems(find_java()),
        *maven_problems(),
        *openssl_problems(),
        *disk_problems(stack.packages, needed, free_disk_mb(stack.packages)),
    ]


def start_problems(stack: Stack, is_running: bool) -> list[str]:
    """What keeps the stack from being started; what already runs holds its ports and memory rightly."""
    slots = slot_problems(stack.parallelism, stack.task_slots)
    if is_running:
        return [
            *slots,
            *kept_problems("WEIR_PORT_OFFSET", stack.port_offset, stack.kept_port_offset),
            *kept_problems("WEIR_TASK_SLOTS", stack.task_slots, stack.kept_task_slots),
        ]
    return [
        *slots,
        *memory_problems(available_memory_mb()),
        *disk_problems(stack.home, RUN_DISK_MB, free_disk_mb(stack.home)),
        *port_problems(stack.ports, stack.port_offset),
    ]
