"""`weir doctor`: what is wrong with the agents of this machine, and how to mend it."""

import grp
import os
import pwd
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from weir import documents
from weir.agents.config import AgentConfig
from weir.agents.log_directories import day_folders
from weir.errors import UserError

KAFKA_SECONDS = 10
WAITING_SECONDS = 600  # an entry that is older means that nothing ships
TOPICS = {
    "ship": ("weir.darshan.log", "weir.job.manifest", "weir.dead-letter"),
    "scheduler": ("weir.scheduler.job", "weir.dead-letter"),
    "devices": ("weir.device.sample",),
}


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: what was seen, and what to do where that is wrong."""

    subject: str
    seen: str
    way_out: str = ""

    @property
    def good(self) -> bool:
        return not self.way_out


def examine(config: AgentConfig, agents: list[str]) -> Iterator[Check]:
    """Everything that these agents need, in the order in which they need it."""
    user = pwd.getpwuid(os.geteuid())
    yield Check("user", user.pw_name, "" if user.pw_uid else "run it as the user of the agents, such as weir")
    try:
        site = documents.load_site(config.site)
        yield Check(f"site {config.site}", f"cluster {site['cluster']}")
    except UserError as error:
        yield Check(f"site {config.site}", str(error), "weir site check tells each problem with its line")
        return
    yield from _kafka(config, agents)
    yield _writable("state", config.state)
    yield _writable("spool", config.spool)
    for agent in agents:
        yield _answers(agent, getattr(config, agent).metrics_port)
        yield from _OF_AGENT[agent](config, site)


def _kafka(config: AgentConfig, agents: list[str]) -> Iterator[Check]:
    subject = f"Kafka {config.kafka.get('bootstrap.servers', '(bootstrap.servers is missing)')}"
    try:
        listed = AdminClient({**config.kafka, "log_level": 0}).list_topics(timeout=KAFKA_SECONDS)
    except KafkaException as error:
        yield Check(subject, error.args[0].str(), "is the address right, and may this machine reach it?")
        return
    yield Check(subject, f"{len(listed.brokers)} brokers")
    for topic in sorted({topic for agent in agents for topic in TOPICS[agent]}):
        there = topic in listed.topics and not listed.topics[topic].error
        yield Check(f"topic {topic}", "there" if there else "not there", "" if there else "weir topics apply")


def _writable(what: str, folder: Path) -> Check:
    subject = f"{what} {folder}"
    if not folder.is_dir():
        return Check(subject, "no directory", f"create it: install -d -g weir -m 2770 {folder}")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Check(subject, "not writable by this user", "chgrp weir and chmod 2770, or run as its user")
    free = os.statvfs(folder)
    share = free.f_bavail / max(free.f_blocks, 1)
    return Check(subject, f"{share:.0%} free", "" if share > 0.05 else "make room: nothing is kept when it is full")


def _answers(agent: str, port: int) -> Check:
    subject = f"agent {agent}"
    if not port:
        return Check(subject, "has no metrics_port, so nobody can ask")
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5):
            return Check(subject, f"runs, metrics on port {port}")
    except (urllib.error.URLError, OSError) as error:
        return Check(subject, f"does not answer on port {port}: {error}", f"systemctl start weir-agent@{agent}")


def _ship(config: AgentConfig, site: dict[str, Any]) -> Iterator[Check]:
    yield _hook_directory(config.spool / "jobs")
    for listed in site["log_directories"]:
        yield from _log_directory(listed, site)


def _hook_directory(folder: Path) -> Check:
    subject = f"hook's spool {folder}"
    try:
        found = folder.lstat()
    except OSError as error:
        return Check(subject, error.strerror or str(error), f"install -d -g weir -m 2770 {folder}")
    seen = f"{pwd.getpwuid(found.st_uid).pw_name}:{grp.getgrgid(found.st_gid).gr_name} {found.st_mode & 0o7777:o}"
    if not stat.S_ISDIR(found.st_mode) or found.st_mode & stat.S_IWOTH:
        return Check(subject, seen, "it must be a directory, no link, and not writable by all: the hook refuses it")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Check(subject, seen, "the agent must be in its group, and its mode 2770")
    oldest = min((entry.stat().st_mtime for entry in folder.glob("*.json")), default=None)
    if oldest is not None and time.time() - oldest > WAITING_SECONDS:
        minutes = (time.time() - oldest) / 60
        return Check(subject, f"an entry waits for {minutes:.0f} minutes", "weir spool ls, and the agent's log")
    return Check(subject, seen)


def _log_directory(listed: dict[str, Any], site: dict[str, Any]) -> Iterator[Check]:
    subject, root = f"logs {listed['path']}", Path(listed["path"])
    if not os.access(root, os.R_OK | os.X_OK):
        yield Check(subject, "not readable", "mount it here, and put the agent's user into its group")
        return
    now = datetime.now(documents.time_zone(site)).date()
    folders = [folder for folder in day_folders(root, listed["layout"], now, now) if folder.is_dir()]
    logs = [entry for folder in folders for entry in os.scandir(folder) if entry.name.endswith(".darshan")]
    unreadable = [entry.name for entry in logs if not os.access(entry.path, os.R_OK)]
    if unreadable:
        yield Check(
            subject,
            f"{len(unreadable)} of {len(logs)} of today's logs are not readable, such as {unreadable[0]}",
            "have Darshan write them group-readable, in a directory with the group's sticky bit (README)",
        )
    else:
        yield Check(subject, f"{len(logs)} logs of today")


def _scheduler(config: AgentConfig, site: dict[str, Any]) -> Iterator[Check]:
    if site["scheduler"] == "slurm":
        sacct = config.scheduler.sacct
        there = os.access(sacct, os.X_OK)
        yield Check(str(sacct), "there" if there else "not there", "" if there else "install slurm-client")
    else:
        folder = config.scheduler.accounting
        there = os.access(folder, os.R_OK | os.X_OK)
        yield Check(str(folder), "readable" if there else "not readable", "" if there else "scheduler.accounting")


def _devices(config: AgentConfig, site: dict[str, Any]) -> Iterator[Check]:
    server = config.devices.server or os.uname().nodename
    known = [each["name"] for each in site["servers"]]
    yield Check(
        f"server {server}",
        "in the site file" if server in known else "not in the site file",
        "" if server in known else f"devices.server must be one of: {', '.join(known[:10])}",
    )


_OF_AGENT: dict[str, Callable[[AgentConfig, dict[str, Any]], Iterator[Check]]] = {
    "ship": _ship,
    "scheduler": _scheduler,
    "devices": _devices,
}
