"""`weir doctor`: what is wrong with the agents of this machine, and how to mend it."""

import grp
import math
import os
import pwd
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from prometheus_client.parser import text_string_to_metric_families

from weir import documents
from weir.agents import clock, lustre_live
from weir.agents.config import AgentConfig
from weir.errors import UserError
from weir.shipping import directories, quarantine
from weir.shipping.directories import LogDirectory, Span
from weir.shipping.job_spool import JobSpool

ROOT = Path("/")
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
    yield Check(
        "user",
        _user(os.geteuid()),
        "" if os.geteuid() else "run it as the user of the agents, such as weir",
    )
    try:
        site = documents.site_of_agents(config.site, *agents)
        yield Check(f"site {config.site}", f"cluster {site['cluster']}")
    except UserError as error:
        yield Check(f"site {config.site}", str(error), "weir site check tells each problem with its line")
        return
    yield _clock()
    yield from _kafka(config, agents)
    yield _writable(
        "state", config.state, f"the unit makes it; else install -d -o weir -m 750 {config.state}"
    )
    yield _writable("spool", config.spool, "systemd-tmpfiles --create weir.conf (infra/agents/README.md)")
    for agent in agents:
        yield _answers(agent, getattr(config, agent).metrics_port)
        yield from _OF_AGENT[agent](config, site)


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"{number} (no such user here)"


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return f"{number} (no such group here)"


def _clock() -> Check:
    error = clock.error_seconds()
    if math.isnan(error):
        return Check(
            "clock",
            "not synchronized",
            "run chronyd, ntpd or systemd-timesyncd here: times of jobs, logs and samples are compared",
        )
    return Check("clock", f"synchronized, off by at most {error:.3f} s")


def _kafka(config: AgentConfig, agents: list[str]) -> Iterator[Check]:
    subject = f"Kafka {config.kafka.get('bootstrap.servers', '(bootstrap.servers is missing)')}"
    try:
        listed = AdminClient({**config.kafka, "log_level": 0}).list_topics(timeout=KAFKA_SECONDS)
    except KafkaException as error:
        yield Check(subject, error.args[0].str(), "is the address right, and may this machine reach it?")
        return
    yield Check(subject, f"{len(listed.brokers)} brokers")
    topics = {topic for agent in agents for topic in TOPICS[agent]}
    if "devices" in agents and config.devices.lustre_seconds:
        topics |= {"weir.job.live", "weir.target.live"}
    for topic in sorted(topics):
        there = topic in listed.topics and not listed.topics[topic].error
        yield Check(f"topic {topic}", "there" if there else "not there", "" if there else "weir topics apply")


def _writable(what: str, folder: Path, made: str) -> Check:
    subject = f"{what} {folder}"
    if not folder.is_dir():
        return Check(subject, "no directory", made)
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        return Check(subject, "not writable by this user", f"run as user weir; {made}")
    free = os.statvfs(folder)
    share = free.f_bavail / max(free.f_blocks, 1)
    return Check(
        subject, f"{share:.0%} free", "" if share > 0.05 else "make room: nothing is kept when it is full"
    )


def _answers(agent: str, port: int) -> Check:
    subject = f"agent {agent}"
    if not port:
        return Check(subject, "has no metrics_port, so nobody can ask")
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            metrics = text_string_to_metric_families(answer.read().decode())
    except (urllib.error.URLError, OSError) as error:
        return Check(
            subject, f"does not answer on port {port}: {error}", f"systemctl start weir-agent@{agent}"
        )
    for family in metrics:
        for sample in family.samples:
            if sample.name == "weir_agent_failing":
                reason = sample.labels["reason"]
                return Check(subject, f"runs, but can't go on: {reason}", _way_out(reason))
    return Check(subject, f"runs, metrics on port {port}")


def _way_out(reason: str) -> str:
    if "uthorization" in reason:
        return "let the user of `kafka` write to the topic (ACL); the agent tries again by itself"
    if "nknown topic" in reason:
        return "weir topics apply; the agent tries again by itself"
    if "timestamp" in reason:
        return "set this machine's clock; the agent tries again by itself"
    return "journalctl -u 'weir-agent@*'; the agent tries again by itself"


def _ship(config: AgentConfig, site: dict[str, Any]) -> Iterator[Check]:
    yield _hook_spool(JobSpool(config.jobs_spool))
    if refused := quarantine.by_kafka(config):
        yield Check(
            "refused by Kafka",
            f"{len(refused)}, such as {refused[0]}",
            "is max.message.bytes of the topic as in weir topics apply? Then: weir spool retry '*'",
        )
    for directory in directories.of_site(site, documents.time_zone(site), config.site.parent):
        yield _logs_of_today(directory)


def _hook_spool(spool: JobSpool) -> Check:
    subject = f"hook's spool {spool.folder}"
    try:
        spool.check()
    except UserError as error:
        return Check(subject, str(error), "see infra/agents/README.md, Job end")
    found = spool.folder.stat()
    owner, group = _user(found.st_uid), _group(found.st_gid)
    seen = f"of user {owner} and group {group}, mode {stat.S_IMODE(found.st_mode):o}"
    if not os.access(spool.folder, os.R_OK | os.W_OK | os.X_OK):
        return Check(subject, seen, "the agent's user must be in its group, and its mode 2770")
    if spool.dropped():
        return Check(
            subject, f"{spool.dropped()} ends of jobs were dropped", "see syslog of the hook's nodes"
        )
    oldest = spool.oldest()
    if oldest is not None and time.time() - oldest > WAITING_SECONDS:
        minutes = (time.time() - oldest) / 60
        return Check(
            subject, f"an entry waits for {minutes:.0f} minutes", "weir spool ls, and the agent's log"
        )
    return Check(subject, seen)


def _logs_of_today(directory: LogDirectory) -> Check:
    subject = f"logs {os.fsdecode(directory.root)}"
    if not os.access(directory.root, os.R_OK | os.X_OK):
        return Check(
            subject, "no directory that can be read", "mount it here, in a group of the agent's user"
        )
    now, logs, closed = time.time(), 0, []
    for folder in directory.folders(Span(now, now)):
        for name in directory.logs(folder):
            logs += 1
            path = directory.place(folder, name).path
            if not os.access(path, os.R_OK):
                closed.append(os.fsdecode(path))
    if closed:
        return Check(
            subject,
            f"{len(closed)} of {logs} can't be read, such as {closed[0]}",
            "group-readable logs: infra/agents/README.md",
        )
    return Check(subject, f"{logs} of today")


def _scheduler(config: AgentConfig, site: dict[str, Any]) -> Iterator[Check]:
    if site["scheduler"] == "slurm":
        sacct = config.scheduler.sacct
        there = os.access(sacct, os.X_OK)
        yield Check(str(sacct), "there" if there else "not there", "" if there else "install slurm-client")
    else:
        folder = config.scheduler.accounting
        there = os.access(folder, os.R_OK | os.X_OK)
        yield Check(
            str(folder), "readable" if there else "not readable", "" if there else "scheduler.accounting"
        )


def _devices(config: AgentConfig, site: dict[str, Any]) -> Iterator[Check]:
    server = config.devices.server or os.uname().nodename
    known = [each["name"] for each in site["servers"]]
    yield Check(
        f"server {server}",
        "in the site file" if server in known else "not in the site file",
        "" if server in known else f"devices.server must be one of: {', '.join(known[:10])}",
    )
    if config.devices.lustre_seconds:
        kinds = (lustre_live.STATS, lustre_live.BRW_STATS, lustre_live.JOB_STATS)
        stats, brw_stats, job_stats = (len(lustre_live.files(ROOT, kind)) for kind in kinds)
        yield Check(
            "Lustre's counters",
            f"stats of {stats} targets, brw_stats of {brw_stats}, job_stats of {job_stats}",
            ""
            if stats and brw_stats
            else "mount a target, or let user weir read debugfs (infra/agents/README.md)",
        )


_OF_AGENT: dict[str, Callable[[AgentConfig, dict[str, Any]], Iterator[Check]]] = {
    "ship": _ship,
    "scheduler": _scheduler,
    "devices": _devices,
}
