"""Makes results of jobs as job-analysis publishes them: each of one run that lost time and has just ended."""

import hashlib
from datetime import UTC, datetime, timedelta

from sim import views
from weir import documents, identity
from weir.kafka import Publisher

RULE = "small_io"
NODE_HOURS = 2.0
"""Lost by each run."""


def publish_site(stack, cluster, **alerts):
    """Activate a site, live and with no threshold; each job's result is then reason for a message.

    It is noon there, so that no day ends in a test.
    """
    site = {
        "cluster": cluster,
        "time_zone": f"Etc/GMT{datetime.now(UTC).hour - 12:+d}",
        "cores_per_node": {"default": 64},
        "file_systems": [{"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"]}],
        "alerts": {
            "mode": "live",
            "staff": ["staff@center.invalid"],
            "least_severity": "info",
            "least_node_hours": 0,
            "least_share": 0,
            **alerts,
        },
    }
    documents.publish(stack.kafka, "weir.site", cluster, site)
    views.await_read(stack, [f"{group}-control" for group in views.GROUPS])


def slow_job(report, cluster, user, number, program="ior", array_id=None):
    """The result of one job; `number` tells it from the others of its cluster."""
    uid = identity.job_uid(cluster, number, None, 0)
    log_id = identity.log_id(uid.encode())
    end = datetime.now(UTC)
    run = {
        "log_id": log_id,
        "program": program,
        "end_time": end,
        "log_state": "complete",
        "owner_check": "strict",
        "run_time_seconds": 3600.0,
        "io_time_seconds": 2000.0,
        "site_bytes": 1e10,
        "time_lost_seconds": 1800.0,
        "node_hours_lost": NODE_HOURS,
        "verdict": "application",
        "unknowable": [],
        "report": report,
    }
    finding = {
        "rule_id": RULE,
        "log_id": log_id,
        "severity": "warning",
        "evidence_class": "exact",
        "evidence": "{}",
        "advice": [],
        "title": "Many small requests",
    }
    return {
        "cluster": cluster,
        "job_uid": uid,
        "job_id": number,
        "user": user,
        "state": "COMPLETED",
        "start_time": end - timedelta(hours=1),
        "end_time": end,
        "settled": True,
        "logs_analysed": 1,
        "logs_expected": 1,
        "verdict": "application",
        "verdict_reason": "",
        "node_hours_lost": NODE_HOURS,
        "findings": [finding],
        "version": 1,
        "origin": "live",
        "job_display_id": str(number),
        "job_name": f"step{number}",
        "array_id": array_id,
        "nodes": 4,
        "runs": [run],
    }


def publish(stack, results):
    """Send results as fast as Kafka takes them; every one is acknowledged."""
    with Publisher(stack.kafka, "live") as publisher:
        for each in results:
            publisher.send("weir.job.result", f"{each['cluster']}/{each['user']}", "JobResult", each)
    assert publisher.acknowledged == publisher.sent


def unit(result):
    """What its message is about."""
    array = result["array_id"]
    return f"array {result['cluster']} {array}" if array else f"job {result['job_uid']}"


def case_id(cluster, user, program):
    """Of the one cause that these results have, as schemas/README.md says."""
    parts = "\0".join((cluster, user, program, RULE))
    return hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()
