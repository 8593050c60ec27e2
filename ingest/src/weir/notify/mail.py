"""Makes a mail of a rendered message, as every mail program and server takes it."""

import re
from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from typing import Any

from weir.identity import text_hash
from weir.notify.config import Smtp
from weir.notify.sending import Rendered
from weir.text import printable

_FURTHER = re.compile(r"\+\d+$")
"""Behind the unit of a further message about one trouble (schemas/README.md)."""


class _Whole(EmailPolicy):
    """Folds a header only where it has to be encoded.

    Python's own way encodes each word that is longer than a line, and no program follows an encoded link.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        return super(_Whole, self.clone(max_line_length=998) if value.isascii() else self).fold_binary(
            name, value
        )


_POLICY = _Whole(linesep=SMTP.linesep, cte_type="7bit")


def mail(
    config: Smtp,
    address: str,
    alert: Mapping[str, Any],
    rendered: Rendered,
    now: datetime,
    unsubscribe_url: str | None = None,
) -> bytes:
    """The whole mail in ASCII with CRLF.

    Its id is that of the alert, so that a mail program shows once what was sent again by hand. Mails about a
    case refer to one that nobody has, which makes a thread of them.
    """
    message = EmailMessage(policy=_POLICY)
    message["From"] = Address(config.sender_name, addr_spec=config.sender)
    message["To"] = Address(addr_spec=address)
    if config.reply_to:
        message["Reply-To"] = Address(addr_spec=config.reply_to)
    message["Subject"] = printable(rendered.subject)
    message["Date"] = format_datetime(now)
    domain = config.sender.rpartition("@")[2]
    message["Message-ID"] = f"<{_token(alert['alert'])}@weir.{domain}>"
    thread = " ".join(f"<case-{_token(about)}@weir.{domain}>" for about in _threads(alert))
    if thread:
        message["References"] = thread
        message["In-Reply-To"] = thread.partition(" ")[0]
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    if unsubscribe_url:
        message["List-Unsubscribe"] = f"<{unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(rendered.text, cte="quoted-printable")
    message.add_alternative(rendered.html, subtype="html", cte="quoted-printable")
    return message.as_bytes()


def _threads(alert: Mapping[str, Any]) -> list[str]:
    """What the mail goes on with: the weightiest cases; of operators what one trouble is."""
    if alert["trouble"]:
        return [_FURTHER.sub("", alert["unit"])]
    return [case["case"] for case in alert["cases"][:3]]


def _token(text: str) -> str:
    """A name as an id of a mail can hold it: ours is hex already."""
    return text if text.isalnum() and text.isascii() and len(text) <= 64 else text_hash(text.encode())
