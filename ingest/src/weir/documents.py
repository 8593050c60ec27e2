"""Site and rule files: checked with all errors at once, each with file, line and reason, then published."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import yaml
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match

from weir import wire
from weir.errors import UserError
from weir.kafka import Options, Publisher, read_to_end
from weir.schemas_dir import SCHEMAS
from weir.site_file import schema, setting
from weir.text import printable, shortened

_LONGEST_PROBLEM = 300
_MOST_REVISION = 0xFFFF  # in the versions of rows it has 16 bits


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong in a file."""

    file: Path
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.field or 'file'}: {self.reason}"


class _Loader(yaml.SafeLoader):
    """Leaves a time the text that the schemas want, quoted or not."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class Document:
    """A YAML file that remembers at which line each field stands."""

    def __init__(self, file: Path, schema_name: str):
        self.file = file
        try:
            text = file.read_text()
            self.content: Any = yaml.load(text, _Loader)  # noqa: S506 it is a SafeLoader
            self._tree = yaml.compose(text, _Loader)
        except OSError as error:
            raise UserError(f"{file}: {error.strerror}. Give the path of a file that can be read.") from None
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise UserError(f"{file}: not YAML: {' '.join(str(error).split())}") from None
        self._schema = json.loads((SCHEMAS / f"{schema_name}.schema.json").read_text())

    def problem(self, path: list[str | int], reason: str) -> Problem:
        """`reason` at the field that `path` leads to, or at the nearest field above it that exists."""
        node = self._tree
        for step in path:
            below = _child(node, step)
            if below is None:
                break
            node = below
        line = node.start_mark.line + 1 if node else 1
        return Problem(self.file, line, ".".join(map(str, path)), reason)

    def is_block(self, field: str) -> bool:
        """Whether the text of a top-level field begins on the line below it."""
        node = _child(self._tree, field)
        return isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")

    def schema_problems(self) -> list[Problem]:
        """What the JSON Schema refuses, in the file's order."""
        check = Draft202012Validator(self._schema, format_checker=FormatChecker())
        problems = [self.problem(list(e.absolute_path), e.message) for e in check.iter_errors(self.content)]
        return sorted(problems, key=lambda p: (p.line, p.field))


def _child(node: yaml.Node | None, step: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(step)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step]
    return None


def refuse_if(problems: list[Problem]) -> None:
    """UserError with a line per problem, if there is one."""
    if problems:
        raise UserError("\n".join(map(str, problems)))


def problem_of_site(content: Any) -> str | None:
    """Says where a site from Kafka, which others may have written, has not the shape of a site file.

    A key that is not known is no problem: a newer Weir may have published it.
    """
    check = Draft202012Validator(schema())
    try:
        errors = (each for each in check.iter_errors(content) if each.validator != "additionalProperties")
        error = best_match(errors)
    except RecursionError:
        return "it is nested too deeply"
    if error is None:
        return None
    place = ".".join(map(str, error.absolute_path)) or "site"
    return shortened(printable(f"{place}: {error.message}"), _LONGEST_PROBLEM)


def load_site(file: Path) -> dict[str, Any]:
    """The checked content of a site file; UserError with all its problems."""
    document = Document(file, "site")
    problems = document.schema_problems()
    refuse_if(problems or list(_site_problems(document)))
    return document.content


# what the stream and weir analyze can do without
_OF_AGENTS = {"ship": "log_directories", "scheduler": "scheduler", "devices": "servers"}


def site_of_agents(file: Path, *agents: str) -> dict[str, Any]:
    """The checked content of a site file with all that these agents need; UserError names what is missing."""
    site = load_site(file)
    refuse_if(
        [
            Problem(
                file, 1, key, f"is missing, which weir agent {agent} needs (infra/agents/site.example.yaml)"
            )
            for agent in agents
            if not site.get(key := _OF_AGENTS[agent])
        ]
    )
    return site


def _site_problems(document: Document) -> Iterator[Problem]:
    """What a schema can't say; only called for a file of the right shape."""
    site = document.content
    if site["time_zone"] not in available_timezones():
        yield document.problem(
            ["time_zone"], f"{site['time_zone']!r} is no IANA time zone, such as Europe/Berlin"
        )
    listed = site.get("servers", [])
    servers = {server["name"] for server in listed}
    bucket = setting(site, "load_bucket_seconds")
    for i, server in enumerate(listed):
        if server["sample_interval_seconds"] > bucket:
            reason = f"longer than load_bucket_seconds ({bucket}): raise that one"
            yield document.problem(["servers", i, "sample_interval_seconds"], reason)
    yield from _repeated(document, ["servers"], [server["name"] for server in listed])
    yield from _repeated(document, ["file_systems"], [fs["id"] for fs in site["file_systems"]])
    prefixes = [prefix for fs in site["file_systems"] for prefix in fs["mount_prefixes"]]
    yield from _repeated(document, ["file_systems"], prefixes)
    for i, fs in enumerate(site["file_systems"]):
        yield from _device_problems(document, ["file_systems", i], fs, servers)
    alerts = site.get("alerts", {})
    if alerts.get("mode", "shadow") != "shadow" and not alerts.get("staff"):
        reason = "is empty: a mode other than shadow needs somebody who gets rehearsals"
        yield document.problem(["alerts", "staff"], reason)
    file_systems = {fs["id"] for fs in site["file_systems"]}
    for i, window in enumerate(site.get("maintenance_windows", [])):
        path: list[str | int] = ["maintenance_windows", i]
        for kind, known in (("servers", servers), ("file_systems", file_systems)):
            for name in sorted(set(window.get(kind, [])) - known):
                yield document.problem([*path, kind], f"{name!r} is not listed under {kind}")
        try:
            if datetime.fromisoformat(window["from"]) >= datetime.fromisoformat(window["to"]):
                yield document.problem([*path, "to"], f"{window['to']} is not after {window['from']}")
        except ValueError as error:
            yield document.problem(path, str(error))


def _device_problems(
    document: Document, path: list[str | int], fs: dict[str, Any], servers: set[str]
) -> Iterator[Problem]:
    of_servers = fs.get("devices", {})
    devices = {device for listed in of_servers.values() for device in listed}
    for server in sorted(set(of_servers) - servers):
        yield document.problem([*path, "devices", server], f"server {server!r} is not listed under servers")
    for target, device in fs.get("targets", {}).items():
        if devices and device not in devices:
            reason = f"device {device!r} is under no server of devices: its load would be nobody's"
            yield document.problem([*path, "targets", target], reason)
    for server, shared in fs.get("shared_devices", {}).items():
        field = [*path, "shared_devices", server]
        if server not in of_servers:
            yield document.problem(field, f"server {server!r} has no devices of this file system")
        for device in sorted(set(shared) & devices):
            reason = f"{device!r} stands under devices too: its bytes would count twice, take it from there"
            yield document.problem(field, reason)


def _repeated(document: Document, path: list[str | int], values: list[str]) -> Iterator[Problem]:
    for value in sorted({v for v in values if values.count(v) > 1}):
        yield document.problem(path, f"{value!r} stands here more than once")


def time_zone(site: dict[str, Any]) -> ZoneInfo:
    """The zone of the scheduler's local times."""
    return ZoneInfo(site["time_zone"])


def publish(kafka: Options, topic: str, key: str, content: Any) -> tuple[int, bool]:
    """Activate `content`: (its revision, whether it changed). The same content again changes nothing."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    revision = 1
    if present := in_force(kafka, topic).get(key):
        if present["content"] == canonical:
            return present["revision"], False
        revision += present["revision"]
    with Publisher(kafka, "live") as publisher:
        publisher.send(topic, key, "Published", {"id": key, "revision": revision, "content": canonical})
    return revision, True


def in_force(kafka: Options, topic: str) -> dict[str, dict[str, Any]]:
    """Reads the publications (`Published`) on weir.site or weir.rules, by id.

    One that can't be used is reported and passed over, as the jobs do it: what was active before stays.
    """
    return {key: wire.decode(message)[1] for key, message in read_to_end(kafka, topic, _check).items()}


def _check(key: str, message: bytes) -> None:
    """Raises ValueError for what no `weir ... publish` wrote."""
    name, record = wire.decode(message)
    if name != "Published" or record["id"] != key:
        raise ValueError(f"a {name} of {record.get('id')!r} with the key {key!r}")
    if not 0 < record["revision"] <= _MOST_REVISION:
        raise ValueError(f"revision {record['revision']}, expected 1 to {_MOST_REVISION}")
    try:
        content = json.loads(record["content"])
    except RecursionError as error:
        raise ValueError("its content is nested too deeply") from error
    if not isinstance(content, dict):
        raise ValueError("its content is no object")
    zone = content.get("time_zone", "UTC")
    if not isinstance(zone, str) or zone not in available_timezones():
        raise ValueError(f"time_zone {zone!r} is not known")
