"""Sends to chats and webhooks through Apprise."""

import logging
import re
from collections.abc import Sequence
from typing import Any

import apprise

from weir.errors import UserError
from weir.notify.config import Chat, secret
from weir.notify.delivery import State
from weir.notify.sending import SENT, Outcome

_LOG = logging.getLogger("apprise")
_LOG.setLevel(logging.DEBUG)  # only there it logs why there was no connection
_LOG.propagate = False  # its lines hold the URL, which is a secret
_LOG.addHandler(logging.NullHandler())
_STATUS = re.compile(r"\berror=(\d{3})\b")
# what the libraries below Apprise say when no connection came about, so that nothing can have left
_NEVER_CONNECTED = ("Failed to establish a new connection", "NameResolutionError", "ConnectTimeoutError")


class ChatSender:
    """One chat. Apprise returns only whether it worked; what did not is read from what it logs."""

    def __init__(self, config: Chat):
        """UserError where the URL is none that Apprise knows; it is a secret and never shown."""
        self._chat = apprise.Apprise()
        if not self._chat.add(secret(config.url_file)):
            raise UserError(
                f"{config.url_file}: not a URL that Apprise understands. "
                "See https://appriseit.com/services for those of your chat, such as slack://..."
            )

    def ready(self) -> None:
        """Apprise connects when it sends."""

    def send(self, address: str, message: bytes) -> Outcome:
        """Title on the first line of the message, text below it."""
        title, _, text = message.decode().partition("\n")
        logged: list[str] = []

        def keep(entry: Any, _plugin: Any) -> None:
            logged.append(str(entry.message))

        try:
            is_sent = self._chat.notify(
                body=text,
                title=title,
                body_format=apprise.NotifyFormat.TEXT,
                log_callback=keep,
                log_level=logging.DEBUG,
            )
        except Exception as error:  # of a plugin; whether it had sent by then is not known
            return Outcome(State.ambiguous, type(error).__name__)
        return SENT if is_sent else outcome(logged)


def outcome(logged: Sequence[str]) -> Outcome:
    """What a failure means for the message; none of the texts is shown, since a URL in them is a secret."""
    said = "\n".join(logged)
    if any(phrase in said for phrase in _NEVER_CONNECTED):
        return Outcome(State.waiting, "no connection to the chat's server")
    if status := _STATUS.search(said):
        code = int(status[1])
        if code == 429:
            return Outcome(State.waiting, "429: too many messages")
        if 400 <= code < 500:
            return Outcome(State.failed, f"the chat's server refused it: {code}")
        return Outcome(State.ambiguous, f"the chat's server answered {code}")
    return Outcome(State.ambiguous, "no answer of the chat's server")
