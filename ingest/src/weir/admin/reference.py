"""Reference rates: what comparable runs of the last 30 closed days reached, published once a day."""

import json
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from weir import documents
from weir.kafka import Options, Publisher

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

TOPIC = "weir.reference"
DAYS = 30
# what lands late belongs to a day that must be closed when it is read
CLOSED_AFTER = timedelta(hours=1)
RATES = """
SELECT filesystem, direction, toInt32(floor(log10(run_nodes))) AS nodes_decade, count() AS runs,
    quantileExactInclusive(0.75)(mib_per_second / run_nodes) AS mib_per_second_per_node_p75
FROM runs
WHERE cluster = {cluster:String} AND end_time >= {since:DateTime64(6, 'UTC')}
    AND end_time < {until:DateTime64(6, 'UTC')}
    AND log_state = 'complete' AND filesystem != '' AND run_nodes > 0 AND mib_per_second > 0
    AND site_bytes >= 16777216
    AND application_bytes IS NOT NULL  -- older rows have a rate of another meaning
    AND evidence_classes['mib_per_second'] = ''  -- exact; below HDF5 it is an upper bound
GROUP BY filesystem, direction, nodes_decade
HAVING runs >= 20
ORDER BY filesystem, direction, nodes_decade
"""


def rates(client: "Client", cluster: str, day: date, zone: ZoneInfo) -> list[dict[str, Any]]:
    """Records of `Reference` as of `day`: the 75th percentile by file system, direction and decade of nodes.

    Of complete runs of 16 MiB and more that ended on the 30 days before `day`, whose bounds are those of
    the site's time zone; a class with fewer than 20 runs has none. MiB/s per run node.
    """
    bounds = {"since": _midnight(day - timedelta(days=DAYS), zone), "until": _midnight(day, zone)}
    found = client.query(RATES, parameters={"cluster": cluster, **bounds})
    return [{"cluster": cluster, "day": day, **row} for row in found.named_results()]


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time_of_day(), zone).astimezone(UTC).replace(tzinfo=None)


def publish(publisher: Publisher, references: list[dict[str, Any]]) -> None:
    """Send each to weir.reference; a later one of the same class and day replaces it."""
    for each in references:
        of_class = f"{each['filesystem']}:{each['direction']}:{each['nodes_decade']}"
        publisher.send(TOPIC, f"{each['cluster']}/{of_class}/{each['day']}", "Reference", each)
    publisher.flush()


def zones(kafka: Options) -> dict[str, ZoneInfo]:
    """Time zone of each cluster whose site is published."""
    published = documents.in_force(kafka, "weir.site").values()
    return {each["id"]: documents.time_zone(json.loads(each["content"])) for each in published}


def closed_day(zone: ZoneInfo) -> date:
    """The newest day whose 30 days before it are closed."""
    return (datetime.now(zone) - CLOSED_AFTER).date()
