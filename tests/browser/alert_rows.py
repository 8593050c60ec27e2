"""Cases, messages and their delivery of a cluster of their own, as the alerting job writes them.

Its runs are older than a day, so that they are on no other dashboard.
"""

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from clients import clickhouse

CLUSTER = "shown-alerts"
USER, OTHER = "hpcuser1", "hpcuser2"
TABLES = ("cases", "alerts", "deliveries", "alert_controls", "runs")


@contextmanager
def shown(stack):
    """They are there meanwhile."""
    writer = clickhouse(stack, "writer")
    for table, rows in _rows(datetime.now(UTC)).items():
        for row in rows:
            row |= {"cluster": CLUSTER, "version": 1, "is_deleted": 0, "origin": "live"}
            writer.insert(f"{table}_versions", [list(row.values())], column_names=list(row))
    owner = clickhouse(stack, "migrator")
    for command in ("REFRESH", "WAIT"):  # else the effects of messages come within five minutes
        owner.command(f"SYSTEM {command} VIEW message_effects_build")
    yield
    for table in TABLES:
        sql = f"ALTER TABLE {table}_versions DELETE WHERE cluster = '{CLUSTER}'"
        owner.command(sql, settings={"mutations_sync": 1})


def _rows(now):
    """By table: an open and a fixed case; messages of each mode, one held back, one ambiguous, one failed."""
    mailed = now - timedelta(days=10)
    sent = [
        _alert("a1", USER, "live", mailed, ["k1"]),
        _alert("a2", USER, "live", now - timedelta(days=2), ["k1"], kind="fixed"),
        _alert("a3", OTHER, "shadow", mailed - timedelta(days=5), ["k2"]),
        _alert("a4", OTHER, "live", mailed, ["k2"]),
        _alert("a5", OTHER, "live", mailed + timedelta(days=1), ["k2"], kind="reminder"),
    ]
    held = [
        _alert("", USER, "live", mailed, ["k1"], unit=f"job {why}", held=why) for why in ("limit", "muted")
    ]
    return {
        "cases": [
            _case("k1", USER, "shown-app", "small_writes", "fixed", mailed),
            _case("k2", OTHER, "<b>shown-sim</b>", "many_opens", "open", mailed) | {"changed_at": now},
        ],
        "alerts": sent + held,
        "deliveries": [
            _delivery(sent[0], USER, "sent", ""),
            _delivery(sent[1], USER, "sent", ""),
            _delivery(sent[3], OTHER, "failed", "550 5.1.1 no such user <i>here</i>"),
            _delivery(sent[4], OTHER, "ambiguous", "the connection ended after the mail"),
        ],
        "alert_controls": [
            {"user": USER, "kind": "wrong", "subject": "a1 small_writes", "text": "It is <u>meant</u> to."}
            | {"alert": "a1", "rule_id": "small_writes"}
            | {"said_by": "link", "time": now - timedelta(days=9)}
        ],
        "runs": [
            _run("r1", mailed - timedelta(days=2), 4.0),
            _run("r2", mailed + timedelta(days=2), 1.0),
            # Without a user: the total of everybody would round to that of its user.
            _run("r3", mailed, 0.0)
            | {"user": None, "bytes_read": 2**62, "bytes_written": 1024, "mib_per_second": 2.0**42 / 3600},
        ],
    }


def _case(name, user, program, rule, state, mailed):
    row = {
        "case_id": name,
        "user": user,
        "program": program,
        "rule_id": rule,
        "title": rule.replace("_", " "),
    }
    row |= {"state": state, "runs": 3, "node_hours_lost": 4.5, "times_sent": 1, "sent_in": "live"}
    return row | {"sent_at": mailed, "changed_at": mailed, "retracted": []}


def _alert(name, user, mode, decided_at, cases, **more):
    row = {"user": user, "kind": "finding", "unit": f"job {name}", "alert": name, "mode": mode, "held": ""}
    row |= {"cases": cases, "jobs": 1, "node_hours_lost": 4.0, "decided_at": decided_at}
    return row | {"settled_at": decided_at - timedelta(seconds=20)} | more


def _delivery(alert, user, state, reason):
    copied = ("alert", "kind", "unit", "mode", "cases", "settled_at", "decided_at")
    row = {name: alert[name] for name in copied} | {"recipient": user, "state": state, "attempts": 1}
    row |= {"subject": f"About {alert['alert']}", "time": alert["decided_at"] + timedelta(seconds=3)}
    row |= {"channel_names": ["mail"], "channel_addresses": [""]}
    return row | {"channel_states": [state], "channel_reasons": [reason]}


def _run(log, start, lost):
    row = {"log_id": log, "user": USER, "exe": "shown-app", "run_nodes": 8, "nodes": 8, "nprocs": 8}
    row |= {"start_time": start, "end_time": start + timedelta(hours=1), "run_time_seconds": 3600.0}
    return row | {"node_hours_lost": lost}
