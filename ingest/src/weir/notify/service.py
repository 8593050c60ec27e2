"""The command `weir notify`: puts the parts together and runs until SIGTERM."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Event
from typing import Any

import structlog
from confluent_kafka import KafkaException

from weir import documents
from weir.agents import service
from weir.kafka import Options, Stopped
from weir.notify import alertmanager, directory, facts, ledger, mail, page
from weir.notify.alertmanager import Alertmanager, AlertmanagerSender
from weir.notify.chat import ChatSender
from weir.notify.config import NotifyConfig
from weir.notify.delivery import Channel
from weir.notify.facts import Reader
from weir.notify.inbox import KafkaInbox
from weir.notify.ledger import KafkaLedger
from weir.notify.links import Links
from weir.notify.notifier import Notifier
from weir.notify.operators import OperatorsDesk
from weir.notify.recipients import ALERTMANAGER, MAIL, OPERATORS, REHEARSAL, Recipients
from weir.notify.render import Renderer
from weir.notify.sending import Rendered, Sender
from weir.notify.smtp import SmtpSender
from weir.notify.watch import Watch

_ALIVE_SECONDS = 600  # a round sends up to 50 messages, each of which may take its timeout
_FETCH_SECONDS = 0.2
_SITES = "weir.site"
_SITES_ARE_NEW = timedelta(minutes=1)
_FAILURE_SECONDS, _FAILURE_SECONDS_MOST = 5, 60


class Sites:
    """The active site documents, by cluster; read again every minute. A wrong one replaces no good one."""

    def __init__(self, kafka: Options, clock: Callable[[], datetime]):
        self._kafka, self._clock = kafka, clock
        self._read_at: datetime | None = None
        self._sites: dict[str, dict[str, Any]] = {}

    def refresh(self) -> None:
        """KafkaException while Kafka is away."""
        now = self._clock()
        if self._read_at is None or now - self._read_at > _SITES_ARE_NEW:
            for cluster, published in documents.in_force(self._kafka, _SITES).items():
                site = json.loads(published["content"])
                if problem := documents.problem_of_site(site):
                    structlog.get_logger().error("a site is passed over", cluster=cluster, reason=problem)
                else:
                    self._sites[cluster] = site
            self._sites[""] = of_all(self.all())
            self._read_at = now

    def of(self, cluster: str) -> dict[str, Any] | None:
        """None of a cluster that has published none; for the pipeline, which is of no cluster, `of_all`."""
        return self._sites.get(cluster)

    def all(self) -> list[dict[str, Any]]:
        """Returns the site files of all clusters."""
        return [site for cluster, site in self._sites.items() if cluster]


def of_all(sites: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What stands for a site where a trouble is of all clusters: the operators of each."""
    found = {address: None for site in sites for address in site.get("alerts", {}).get("operators", [])}
    return {"alerts": {"operators": list(found)}}


class Writer:
    """Writes each alert for each of its readers."""

    def __init__(
        self,
        config: NotifyConfig,
        recipients: Recipients,
        site: Callable[[str], Mapping[str, Any] | None],
        clock: Callable[[], datetime],
    ):
        """UserError for a template or a secret that cannot be used."""
        self._config, self._recipients, self._site, self._clock = config, recipients, site, clock
        self._links = Links.of_config(config)
        self._renderer = Renderer(config.templates)

    def channels(self, alert: Mapping[str, Any]) -> tuple[Channel, ...]:
        return self._recipients.of(alert, self._site(alert["cluster"]))

    def subject(self, alert: Mapping[str, Any]) -> str:
        return self.rendered(alert, Reader(rehearsal=is_rehearsal(alert))).subject

    def message(self, alert: Mapping[str, Any], channels: Sequence[Channel], i: int) -> bytes:
        channel = channels[i]
        if channel.channel == ALERTMANAGER:
            return alertmanager.body(alertmanager.of_trouble(alert))
        is_chat = channel.channel != MAIL
        is_copy = i > 0 and not is_chat and alert["recipient"] != OPERATORS
        reader = Reader(is_rehearsal(alert), is_copy, is_chat)
        rendered = self.rendered(alert, reader)
        if is_chat:
            return f"{rendered.subject}\n{rendered.text}".encode()
        assert self._config.smtp
        url = None
        if reader.is_user and alert["recipient"] != OPERATORS:
            url = self._links.mute(alert["cluster"], alert["recipient"], "all")
        return mail.mail(self._config.smtp, channel.address, alert, rendered, self._clock(), url)

    def rendered(self, alert: Mapping[str, Any], reader: Reader) -> Rendered:
        """In words."""
        message = facts.message(alert, self._site(alert["cluster"]), self._links, reader)
        return self._renderer.rendered(message)


def is_rehearsal(alert: Mapping[str, Any]) -> bool:
    """Whether it goes to staff instead of the user."""
    return bool(alert["mode"] == REHEARSAL and alert["recipient"] != OPERATORS)


def senders(config: NotifyConfig) -> dict[str, Sender]:
    """Makes the sender of each channel; UserError for what cannot be used."""
    found: dict[str, Sender] = {chat.name: ChatSender(chat) for chat in config.chats}
    if config.smtp:
        _ = config.smtp.password  # a file that is not there is reported now
        found[MAIL] = SmtpSender(config.smtp)
    if manager := manager_of(config):
        found[ALERTMANAGER] = AlertmanagerSender(manager)
    return found


def manager_of(config: NotifyConfig) -> Alertmanager | None:
    """The center's Alertmanager, if it has one."""
    known = config.alertmanager
    return Alertmanager(known.url, known.authorization_file, known.ca_file) if known else None


def recipients(config: NotifyConfig) -> Recipients:
    """UserError for a map file that is wrong."""
    people = directory.PatientDirectory(directory.of_config(config))
    found = Recipients(
        people, config.chats, config.smtp is not None, alertmanager=config.alertmanager is not None
    )
    if config.principal_investigators:
        return replace(found, pi=directory.WatchedMap(config.principal_investigators).get)
    return found


def main(config: NotifyConfig) -> None:
    """The command `weir notify`."""
    with service.running("notify", config.metrics_port) as stop:
        sites = Sites(config.kafka, ledger.now)
        writer = Writer(config, recipients(config), sites.of, ledger.now)
        channels = senders(config)
        with page.serving(config):
            _run(config, sites, writer, channels, stop)


def _run(
    config: NotifyConfig, sites: Sites, writer: Writer, channels: Mapping[str, Sender], stop: Event
) -> None:
    """The same notifier goes on after Kafka was away: it knows what it sent and could not write."""
    failures = 0
    parts: tuple[Notifier, Watch] | None = None
    log = structlog.get_logger()
    while not stop.is_set():
        try:
            sites.refresh()
            if parts is None:
                parts = _started(config, writer, channels, stop)
            notifier, watch = parts
            watch.look(sites.all())
            notifier.round(_FETCH_SECONDS if notifier.waits else 0)
            failures = 0
            service.well()
            config.alive_for(_ALIVE_SECONDS)
            if not notifier.room and notifier.waits:
                stop.wait(1)
        except Stopped:
            log.info("stopped before Kafka had answered")
        except KafkaException as error:
            reason = error.args[0].str()
            service.failing(reason)
            log.error("a round failed and is repeated", reason=reason)
            stop.wait(min(_FAILURE_SECONDS * 2**failures, _FAILURE_SECONDS_MOST))
            failures += 1


def _started(
    config: NotifyConfig, writer: Writer, channels: Mapping[str, Sender], stop: Event
) -> tuple[Notifier, Watch]:
    desk = OperatorsDesk()
    book = KafkaLedger(config.kafka, stop, ledger.now, lambda entry: desk.remember(vars(entry)))
    notifier = Notifier(book, KafkaInbox(config.kafka), writer, channels, ledger.now)
    notifier.start()
    return notifier, Watch(config.kafka, desk, book.publish, manager_of(config), ledger.now)
