"""What a rule would have said of stored runs: their features through the evaluator of the stream (Java)."""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Column, Table

from weir import documents
from weir.admin import rules
from weir.analyze import jvm
from weir.documents import Document, refuse_if
from weir.errors import UserError
from weir.kafka import Options
from weir.text import printable
from weir.views import log_view

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

# the proposed rule beside the active one, in one pass over the runs
PROPOSED = "proposed_rule"
MOST_SHOWN = 20
# at a time in memory
MOST_RUNS = 50_000
SERIOUS = ("notice", "warning", "critical")
# what judged features are made of; the features of logs come by their own names
COLUMNS = (
    "log_id, user, account, job_id, exe, origin, verdict, run_time_seconds, nodes, run_nodes, mib_per_second,"
    " mib_per_second_per_node, reference_mib_per_second_per_node, time_lost_seconds, node_hours_lost, slow,"
    " load_state, load_util_mean, load_util_max, load_device_bytes, load_own_bytes, others_bytes,"
    " load_busiest_device, load_busiest_util, load_busiest_bytes, load_busiest_others_bytes,"
    " baseline_runs, baseline_p10_mib_per_second, baseline_median_mib_per_second,"
    " evidence_classes, features_lacking_records"
)


@dataclass
class Held:
    """Runs that one version of the rule holds for, by log id, each with its `severity`."""

    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    unknowable: int = 0

    def take(self, rule_id: str, run: dict[str, Any], said: dict[str, Any]) -> None:
        """Note what was said of a run."""
        self.unknowable += rule_id in said["unknowable"]
        for finding in said["holds"]:
            if finding["id"] == rule_id:
                self.runs[run["log_id"]] = {**run, **finding, "id": rule_id}

    def alerted(self) -> set[str]:
        """Users who would get a message: of a live run, slow enough, and not by the storage's fault alone."""
        return {
            run["user"]
            for run in self.runs.values()
            if run["origin"] == "live"
            and run["severity"] in SERIOUS
            and run["user"]
            and run["verdict"] != "storage"
        }


@dataclass
class Comparison:
    """A proposed rule and the active one, which may not be there, over the same runs."""

    rule_id: str
    revision: int
    is_new: bool
    runs: int
    in_force: Held
    proposed: Held

    def added(self) -> list[dict[str, Any]]:
        """Runs that only the proposed rule holds for, those that lost most first."""
        return _only_in(self.proposed, self.in_force)

    def removed(self) -> list[dict[str, Any]]:
        """Runs that only the active rule holds for."""
        return _only_in(self.in_force, self.proposed)


def _only_in(one: Held, other: Held) -> list[dict[str, Any]]:
    runs = [run for log_id, run in one.runs.items() if log_id not in other.runs]
    return sorted(runs, key=lambda run: -(run["node_hours_lost"] or 0))


def proposed(rule: str, folder: Path | None) -> dict[str, Any]:
    """A rule by its file, or by its id in a folder; UserError where it is wrong or not there."""
    file = Path(rule)
    if file.suffix not in (".yaml", ".yml"):
        file = (folder or rules.SHIPPED) / f"{rule}.yaml"
    if not file.is_file():
        raise UserError(f"{file}: there is no such rule file. Give a file, or the id of a shipped rule.")
    document = Document(file, "rule")
    refuse_if(document.schema_problems())
    content: dict[str, Any] = document.content
    return content


def compare(
    client: "Client", kafka: Options, rule: dict[str, Any], since: datetime, cluster: str
) -> Comparison:
    """Both versions of `rule` over the runs of `cluster` that started at or after `since` (UTC)."""
    published = documents.in_force(kafka, "weir.rules").get(rules.RULE_SET)
    if published is None:
        raise UserError("no rules are active. Publish them: weir rules publish.")
    by_id = {each["id"]: each for each in json.loads(published["content"])["rules"]}
    is_new = rule["id"] not in by_id
    by_id[PROPOSED] = {**rule, "id": PROPOSED}
    needed = _closure(by_id, [PROPOSED] if is_new else [PROPOSED, rule["id"]])
    known = rules.features()
    read = [known[name] for name in sorted(known.keys() & set().union(*map(_identifiers, needed)))]
    result = Comparison(rule["id"], published["revision"], is_new, 0, Held(), Held())
    site = _site(kafka, cluster, rule, needed)
    runs = stored_runs(client, read, since, cluster)
    while chunk := list(islice(runs, MOST_RUNS)):
        for run, said in zip(chunk, evaluate(needed, site, chunk), strict=True):
            result.runs += 1
            result.in_force.take(rule["id"], run, said)
            result.proposed.take(PROPOSED, run, said)
    return result


def _identifiers(rule: dict[str, Any]) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", rule["condition"]))


def _closure(by_id: dict[str, dict[str, Any]], wanted: list[str]) -> list[dict[str, Any]]:
    """The wanted rules and all that their conditions read."""
    found: dict[str, dict[str, Any]] = {}
    while wanted:
        rule = by_id[wanted.pop()]
        if rule["id"] not in found:
            found[rule["id"]] = rule
            wanted += _identifiers(rule) & by_id.keys()
    return list(found.values())


def _site(kafka: Options, cluster: str, rule: dict[str, Any], needed: list[dict[str, Any]]) -> dict[str, Any]:
    """The thresholds that the cluster's site overrides, for the proposed rule too."""
    published = documents.in_force(kafka, "weir.site").get(cluster)
    if published is None:
        raise UserError(f"{cluster}: no such cluster's site is published. Publish it: weir site publish.")
    own = json.loads(published["content"]).get("rule_thresholds", {})
    own[PROPOSED] = own.get(rule["id"], {})
    thresholds = {}
    for each in needed:
        known = each.get("thresholds", {})
        thresholds[each["id"]] = {k: v for k, v in own.get(each["id"], {}).items() if k in known}
    return {"cluster": cluster, "rule_thresholds": thresholds}


def stored_runs(
    client: "Client", read: list[dict[str, Any]], since: datetime, cluster: str
) -> Iterator[dict[str, Any]]:
    """Rows of the view runs with what judged features are made of and the features read, oldest first."""
    of_log = [each["name"] for each in read if each["of_log"] and each["name"] not in COLUMNS.split(", ")]
    by_filesystem = [f"filesystem_{each['name']}" for each in read if each["by_filesystem"]]
    columns = ", ".join([COLUMNS, *of_log, "filesystems", *by_filesystem])
    # names of the catalog
    query = f"SELECT {columns} FROM runs "  # noqa: S608
    query += "WHERE cluster = {cluster:String} AND start_time >= {since:DateTime64(6, 'UTC')} "
    # nothing is found in a run that did not come to its end, unless what all processes did is known
    query += "AND (run_time_seconds IS NOT NULL OR log_state = 'killed') "
    query += "ORDER BY start_time, log_id"
    with client.query_row_block_stream(query, parameters={"cluster": cluster, "since": since}) as blocks:
        header = blocks.source.column_names
        for block in blocks:
            for row in block:
                yield dict(zip(header, row, strict=True))


def evaluate(
    needed: list[dict[str, Any]], site: dict[str, Any], runs: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """What the rules say of each run, in their order: `log_id`, `holds`, `unknowable`."""
    with tempfile.TemporaryDirectory() as folder:
        rule_file, site_file = Path(folder) / "rules.json", Path(folder) / "site.json"
        rule_file.write_text(json.dumps({"id": rules.RULE_SET, "rules": needed}))
        site_file.write_text(json.dumps(site))
        arguments = ["evaluate", "--rules", str(rule_file), "--site", str(site_file)]
        lines = (json.dumps(run).encode() + b"\n" for run in runs)
        _, said = jvm.run(arguments, lines)
    for line in said.splitlines():
        yield json.loads(line)


def as_object(found: Comparison) -> dict[str, Any]:
    """For JSON: counts of both versions, and the log ids that only one of them holds for."""
    return {
        "rule": found.rule_id,
        "revision_in_force": found.revision,
        "runs": found.runs,
        "in_force": None if found.is_new else _counts(found.in_force),
        "proposed": _counts(found.proposed),
        "added": [run["log_id"] for run in found.added()],
        "removed": [run["log_id"] for run in found.removed()],
    }


def _counts(held: Held) -> dict[str, Any]:
    severities = Counter(run["severity"] for run in held.runs.values())
    return {
        "holds": len(held.runs),
        "unknowable": held.unknowable,
        "severities": dict(severities),
        "users_alerted": sorted(held.alerted()),
    }


def show(found: Comparison, since: datetime) -> None:
    """Two tables: the counts side by side, and the runs that make the difference."""
    console = log_view.console()
    console.print(f"{found.rule_id} over {found.runs} runs since {since:%Y-%m-%d %H:%M} UTC")
    table = Table("", f"active (revision {found.revision})", "proposed")
    sides = [_counts(found.in_force), _counts(found.proposed)]
    for what in ("holds", "unknowable"):
        table.add_row(what, *(str(side[what]) for side in sides))
    for severity in ("info", *SERIOUS):
        table.add_row(f"  {severity}", *(str(side["severities"].get(severity, 0)) for side in sides))
    table.add_row(
        "users who would get a message", *(", ".join(side["users_alerted"]) or "none" for side in sides)
    )
    console.print(table)
    _show_runs(console, "Only the proposed rule holds for", found.added())
    _show_runs(console, "Only the active rule holds for", found.removed())


def _show_runs(console: Console, title: str, runs: list[dict[str, Any]]) -> None:
    if not runs:
        return
    shown = runs[:MOST_SHOWN]
    left = f"; {len(runs) - len(shown)} more" if len(runs) > len(shown) else ""
    log = Column("log", no_wrap=True)
    title = f"{title}{left}"
    table = Table(log, "job", "user", "executable", "severity", "node-hours lost", title=title)
    for run in shown:
        lost = "" if run["node_hours_lost"] is None else f"{run['node_hours_lost']:.3f}"
        who = printable(run["user"] or "(unknown)"), printable(run["exe"])
        table.add_row(run["log_id"], str(run["job_id"]), *who, run["severity"], lost)
    console.print(table)
