"""What operators should know about deliveries: alerts that the notifier itself puts on weir.alert."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from weir import identity
from weir.notify.delivery import Delivery, State
from weir.notify.recipients import OPERATORS, is_unknown

GROUP = "pipeline"
NO_ADDRESS = "no_address"
AMBIGUOUS = "ambiguous_delivery"


def of_delivery(entry: Delivery, now: datetime) -> list[dict[str, Any]]:
    """Alerts about a delivery that just ended; none about one to operators, which would take the same way.

    There is one about each user without an address and one a day about ambiguous deliveries: by their ids.
    """
    if entry.recipient == OPERATORS:
        return []
    if entry.state == State.failed and is_unknown(entry.channels) and not entry.is_too_old(now):
        unit = f"{NO_ADDRESS} {entry.cluster}/{entry.recipient}"
        return [alert(entry.cluster, NO_ADDRESS, unit, entry.recipient, entry.channels[0].reason, now)]
    if entry.state == State.ambiguous:
        unit = f"{AMBIGUOUS} {entry.cluster}/{now.date()}"
        reason = next(each.reason for each in entry.channels if each.state == State.ambiguous)
        return [alert(entry.cluster, AMBIGUOUS, unit, entry.alert, reason, now)]
    return []


def alert(cluster: str, kind: str, unit: str, subject: str, cause: str, now: datetime) -> dict[str, Any]:
    """A record of `Alert` about one part of the notifier's own."""
    of_subject = {
        "subject_kind": "part",
        "subject": subject,
        "server": "",
        "since": now,
        "ended": None,
        "cause": cause,
        "numbers": {},
    }
    trouble = {
        "group": GROUP,
        "kind": kind,
        "since": now,
        "until": None,
        "subjects_in_all": 1,
        "subjects": [of_subject],
    }
    return to_operators("trouble", cluster, unit, trouble, now)


def to_operators(
    kind: str, cluster: str, unit: str, trouble: Mapping[str, Any], now: datetime
) -> dict[str, Any]:
    """A record of `Alert` with a trouble."""
    return {
        "alert": identity.alert_id(kind, unit, OPERATORS),
        "cluster": cluster,
        "kind": kind,
        "unit": unit,
        "recipient": OPERATORS,
        "mode": "live",
        "decided_at": now,
        "settled_at": None,
        "node_hours_lost": 0.0,
        "cases": [],
        "jobs_in_all": 0,
        "jobs": [],
        "reports": [],
        "trouble": dict(trouble),
    }
