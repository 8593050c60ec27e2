"""What became of messages, as ClickHouse has it; and how staff have one sent again."""

import getpass
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from weir import wire
from weir.errors import UserError
from weir.kafka import Options, Publisher, read_to_end
from weir.notify.delivery import FINAL, SCHEMA, TOO_OLD, Delivery, State
from weir.notify.ledger import TOPIC

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

_COLUMNS = (
    "alert, cluster, kind, unit, recipient, mode, state, subject, attempts, channels, "
    "settled_at, decided_at, time"
)
_LIST = f"""
SELECT {_COLUMNS} FROM deliveries
WHERE decided_at >= {{since:DateTime64(6, 'UTC')}}
  AND (empty({{states:Array(String)}}) OR state IN {{states:Array(String)}})
  AND ({{user:String}} = '' OR recipient = {{user:String}})
ORDER BY decided_at DESC LIMIT 1000
"""  # noqa: S608 the columns are its own
_SHOW = f"SELECT {_COLUMNS} FROM deliveries WHERE startsWith(alert, {{alert:String}}) LIMIT 2"  # noqa: S608
_CASES = """
SELECT program, rule_id, state, runs, node_hours_lost FROM cases
WHERE case_id IN (SELECT arrayJoin(cases) FROM deliveries WHERE alert = {alert:String})
ORDER BY node_hours_lost DESC
"""
_REPORT = """
SELECT recipient, countIf(state = 'sent') AS sent, countIf(state = 'failed') AS failed,
       countIf(state = 'ambiguous') AS ambiguous, maxIf(decided_at, state = 'sent') AS last
FROM deliveries WHERE decided_at >= {since:DateTime64(6, 'UTC')}
GROUP BY recipient ORDER BY sent DESC, recipient
"""


@dataclass(frozen=True)
class Row:
    """A delivery."""

    alert: str
    cluster: str
    kind: str
    unit: str
    recipient: str
    mode: str
    state: str
    subject: str
    attempts: int
    channels: Sequence[tuple[str, str, str, str]]
    """Channel, address, state and reason of each."""
    settled_at: datetime | None
    decided_at: datetime
    time: datetime


def deliveries(client: "Client", since: datetime, states: Sequence[State], user: str | None) -> list[Row]:
    """The newest thousand, the newest first."""
    parameters = {"since": since, "states": [state.value for state in states], "user": user or ""}
    return [Row(*row) for row in client.query(_LIST, parameters=parameters).result_rows]


def delivery(client: "Client", alert: str) -> Row:
    """The one whose id begins so; UserError if there is none or several."""
    rows = client.query(_SHOW, parameters={"alert": alert}).result_rows
    if len(rows) != 1:
        many = "more than one delivery begins" if rows else "no delivery begins"
        raise UserError(f"{alert}: {many} with this id. See weir alerts list.")
    return Row(*rows[0])


def cases(client: "Client", alert: str) -> list[Sequence[Any]]:
    """Program, rule, state, runs and node-hours lost of each case that an alert is about."""
    return list(client.query(_CASES, parameters={"alert": alert}).result_rows)


def by_user(client: "Client", since: datetime) -> list[Sequence[Any]]:
    """Recipient, messages sent, failed and ambiguous, and when the last was decided."""
    return list(client.query(_REPORT, parameters={"since": since}).result_rows)


def ask_again(kafka: Options, alert: str, now: datetime) -> Delivery:
    """Have the notifier send what failed or is ambiguous once more; the entry by which it is asked.

    UserError for what was sent, is still tried, or is so old that it would not be sent.
    """
    seen = _newest(kafka, alert)
    if seen.state not in FINAL:
        raise UserError(f"{seen.alert}: is {seen.state.value}, so the notifier will see to it by itself.")
    if seen.state == State.sent:
        raise UserError(f"{seen.alert}: was sent to all. It is not sent twice.")
    if seen.is_too_old(now):
        raise UserError(
            f"{seen.alert}: decided more than {TOO_OLD.days} days ago. That is too old to be sent."
        )
    asked = replace(seen.again(getpass.getuser()), time=max(now, seen.time + timedelta(microseconds=1)))
    with Publisher(kafka, "live") as publisher:
        publisher.send(TOPIC, asked.alert, SCHEMA, asked.record())
    return asked


def _newest(kafka: Options, alert: str) -> Delivery:
    found = [each for key, message in read_to_end(kafka, TOPIC).items() if key.startswith(alert)
             for each in _decoded(message)]  # fmt: skip
    if len(found) != 1:
        many = "more than one delivery begins" if found else "no delivery begins"
        raise UserError(f"{alert}: {many} with this id. See weir alerts list.")
    return found[0]


def _decoded(message: bytes) -> Iterator[Delivery]:
    """None of what is no delivery."""
    try:
        name, record = wire.decode(message)
        if name == SCHEMA:
            yield Delivery.of_record(record)
    except ValueError:
        return
