"""What can come of sending, whatever the channel."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from weir.notify.delivery import State


class Away(Exception):
    """Nothing can be sent through a channel now: its server does not answer, or refuses everybody."""


class Outcome(NamedTuple):
    """The outcome of one attempt; the reason is the answer of a refusal."""

    state: State
    reason: str = ""


SENT = Outcome(State.sent)


@dataclass(frozen=True)
class Rendered:
    """A message in words."""

    subject: str
    text: str
    html: str


class Sender(Protocol):
    """One channel."""

    def ready(self) -> None:
        """Nothing leaves yet; Away if nothing could."""

    def send(self, address: str, message: bytes) -> Outcome:
        """Sends it, and never raises: what is not known to have been refused is ambiguous."""
