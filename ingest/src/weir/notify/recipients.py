"""Who gets an alert, and through which channels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.notify.config import Chat
from weir.notify.delivery import Channel, State
from weir.notify.directory import Directory, usable
from weir.notify.sending import Away

OPERATORS = "operators"
REHEARSAL = "rehearsal"
MAIL, ALERTMANAGER = "mail", "alertmanager"


@dataclass(frozen=True)
class Recipients:
    """Finds the people who get an alert; `pi` gives the user who leads a project, by account."""

    directory: Directory
    chats: Sequence[Chat]
    by_mail: bool = True
    """Whether there is a mail server."""
    pi: Callable[[str], str | None] = lambda _account: None
    alertmanager: bool = False
    """Whether there is one: it gets what operators get."""

    def of(self, alert: Mapping[str, Any], site: Mapping[str, Any] | None) -> tuple[Channel, ...]:
        """The channels of an alert; a failed one where nobody is found. Away: that is not known now."""
        rules = (site or {}).get("alerts", {})
        if alert["recipient"] == OPERATORS:
            found = [*self._mails(rules.get("operators", [])), *self._chats("operators")]
            if self.alertmanager:
                found.append(Channel(ALERTMANAGER))
            return _or_nobody(
                found, site, "the site file has no alerts.operators, and no chat is for operators"
            )
        if alert["mode"] == REHEARSAL:
            return _or_nobody(self._mails(rules.get("staff", [])), site, "the site file has no alerts.staff")
        copies = rules.get("staff", []) if rules.get("copy_to_staff") else []
        return self._of_user(alert, copies)

    def _of_user(self, alert: Mapping[str, Any], staff: Sequence[str]) -> tuple[Channel, ...]:
        user = alert["recipient"]
        if not self.by_mail:
            return tuple(self._chats("users")) or _nobody("there is no mail server, and no chat is for users")
        address = self.directory.address(user)
        if address is None:
            return _nobody(f"no address of user {user!r} is known")
        accounts = sorted({job["account"] for job in alert["jobs"] if job["account"]})
        leaders = {pi for account in accounts if (pi := self.pi(account)) and pi != user}
        copies = [copy for pi in sorted(leaders) if (copy := self._address(pi))]
        return (*self._mails([address, *copies, *staff]), *self._chats("users"))

    def _address(self, pi: str) -> str | None:
        """A map may name a leader by an address, too."""
        return usable(pi) or self.directory.address(pi)

    def _mails(self, addresses: Iterable[str]) -> list[Channel]:
        """One to each address; a failed one where it is none."""
        return [
            Channel(MAIL, address)
            if usable(address)
            else Channel(MAIL).now(State.failed, f"{address!r} is no address")
            for address in (dict.fromkeys(addresses) if self.by_mail else ())
        ]

    def _chats(self, audience: str) -> list[Channel]:
        return [Channel(chat.name) for chat in self.chats if chat.audience == audience]


def is_unknown(channels: Iterable[Channel]) -> bool:
    """Whether nobody was found."""
    return all(each.channel == MAIL and not each.address for each in channels)


def _or_nobody(found: Sequence[Channel], site: object, reason: str) -> tuple[Channel, ...]:
    """Return these, or a failed one with the reason; Away if a usable site file could still name some."""
    if not found and site is None:
        raise Away("the cluster has no usable site file")
    return tuple(found) or _nobody(reason)


def _nobody(reason: str) -> tuple[Channel, ...]:
    return (Channel(MAIL).now(State.failed, reason),)
