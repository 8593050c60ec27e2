"""Feeds the operators' desk with events from Kafka, and puts what it decides on weir.alert.

Where the center has an Alertmanager, that gets it instead, and groups and repeats as it is set up to.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

import structlog

from weir.errors import UserError
from weir.kafka import Options
from weir.notify import alertmanager
from weir.notify.alertmanager import Alertmanager
from weir.notify.ledger import HOLDER
from weir.notify.operators import OperatorsDesk
from weir.notify.tail import Tail

_EVENTS = {"weir.storage.event": "StorageEvent", "weir.pipeline.event": "PipelineEvent"}
_EVERY = timedelta(seconds=5)

Publish = Callable[[Iterable[Mapping[str, Any]]], None]
"""Puts alerts on weir.alert; KafkaException if it could not."""


class Watch:
    """Decides every few seconds what operators should know."""

    def __init__(
        self,
        kafka: Options,
        desk: OperatorsDesk,
        publish: Publish,
        manager: Alertmanager | None,
        clock: Callable[[], datetime],
    ):
        """The desk knows earlier messages. Reads all events there are: KafkaException if Kafka is away."""
        self._desk, self._publish, self._manager, self._clock = desk, publish, manager, clock
        self._events = Tail(kafka, f"{HOLDER}-events", _EVENTS)
        self._due: datetime | None = None
        self._decided: list[dict[str, Any]] = []  # and not on the topic yet: the desk decides nothing twice
        for record in self._events.to_end():
            self._take(record)

    def look(self, sites: Iterable[Mapping[str, Any]]) -> None:
        """Publish what is due, if it is time to look again."""
        now = self._clock()
        if self._due and now < self._due:
            return
        for record in self._events.more():
            self._take(record)
        for site in sites:
            self._use(site)
        if self._manager:
            self._post(self._manager, now)
            self._due = now + alertmanager.EVERY
        else:
            self._decided += self._desk.decide(now)
            if self._decided:
                self._publish(self._decided)
                self._decided = []
            self._due = now + _EVERY

    def _post(self, manager: Alertmanager, now: datetime) -> None:
        self._desk.decide(now)  # it forgets what is over
        try:
            manager.post(self._desk.subjects(now), now)
        except UserError as error:
            structlog.get_logger().error("the Alertmanager did not take it", reason=str(error))

    def _use(self, site: Mapping[str, Any]) -> None:
        try:
            self._desk.site(site)
        except (ValueError, TypeError) as error:  # a time that is none, or of no zone
            structlog.get_logger().error("a site is passed over", cluster=site["cluster"], reason=str(error))

    def _take(self, record: Mapping[str, Any]) -> None:
        try:
            self._desk.take(record)
        except ValueError as error:
            structlog.get_logger().error("an event is passed over", reason=str(error))
