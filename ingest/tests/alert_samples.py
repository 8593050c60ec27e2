"""Alerts as the alerting job writes them, whole enough for a mail, and text to put hostility into one."""

import json
from datetime import timedelta
from pathlib import Path

from notify_fakes import BEGIN, alert
from weir.notify.links import Links

REPORT = Path(__file__).parent / "data/notify/report.json"
"""A recorded run as the analysis reports it, with cost and times of a larger one."""
LINKS = Links("https://superset.example.org", "https://weir.example.org/n", "s" * 40)
CASE = "7083cd5c9a515727793b24eaa55783a7"
HOSTILE = {
    "header": "x\r\nBcc: victim@example.org\r\n\r\nbody",
    "bare newline": "x\nBcc: victim@example.org",
    "html": "<script src=//evil.example>alert(1)</script><img src=x onerror=alert(1)>\"'><b>",
    "terminal": "\x1b]0;owned\x07\x1b[31mred\x9b2J",
    "right to left": "\u202egpj.exe\u202c\u2066\u200f",
    "long": "A" * 100_000,
    "long words": "word " * 20_000,
    "jinja": "{{ 7 * 7 }}{% for a in b %}{# #}",
    "boundary": "--===============\r\nContent-Type: text/html\r\n\r\n<h1>",
    "odd": "\0\x7f\ud7ff\ufeff\u2028\u2029=?utf-8?q?a?= \U0001f4a9",
    "dot": ".\r\n.\r\nMAIL FROM:<x>",
}


def case(rule="small_io", title="Small requests", **more):
    return {
        "case": CASE,
        "program": "pat",
        "rule_id": rule,
        "title": title,
        "held_back": "",
        "runs": 7,
        "node_hours_lost": 80.25,
        "times_sent": 0,
        "retracted": [],
        **more,
    }


def run(report, **more):
    return {
        "log_id": report["log_id"],
        "program": "pat",
        "run_time_seconds": 3600.0,
        "io_time_seconds": 2460.0,
        "time_lost_seconds": 1640.0,
        "node_hours_lost": 12.5,
        "verdict": "application",
        "rules": ["small_io"],
        **more,
    }


def job(report, **more):
    return {
        "job_uid": "u",
        "job_display_id": "101",
        "job_name": "climate",
        "account": "phys",
        "partition": "batch",
        "nodes": 16,
        "start_time": BEGIN - timedelta(hours=1),
        "end_time": BEGIN,
        "runs": [run(report)],
        **more,
    }


def finding(report, kind="finding", **more):
    told = {"job_uid": "u", "log_id": report["log_id"], "report": json.dumps(report)}
    return alert(**{"kind": kind, "cases": [case()], "jobs": [job(report)], "reports": [told], **more})


def trouble(kind="silent", **more):
    subject = {
        "subject_kind": "server",
        "subject": "oss1",
        "server": "",
        "since": BEGIN,
        "ended": None,
        "cause": "",
        "numbers": {"silent_seconds": 75.0},
        **more,
    }
    told = {
        "group": "scratch",
        "kind": kind,
        "since": BEGIN,
        "until": None,
        "subjects_in_all": 1,
        "subjects": [subject],
    }
    return alert(recipient="operators", kind="trouble", trouble=told)


def silent_server(**more):
    """A storage event: oss1 sends no samples."""
    return {
        "cluster": "demo",
        "event_id": "e",
        "kind": "silent",
        "subject_kind": "server",
        "subject": "oss1",
        "server": "",
        "filesystem": "",
        "since": BEGIN,
        "ended": None,
        "state": "open",
        "in_maintenance": False,
        "names": ["silent_seconds"],
        "numbers": [75.0],
        "version": int(BEGIN.timestamp() * 1_000_000),
        "origin": "live",
        **more,
    }
