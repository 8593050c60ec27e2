"""A sample mail, so that staff can see whether the mail server takes mails and how they look."""

from weir.errors import UserError
from weir.notify import ledger, mail, trouble
from weir.notify.config import NotifyConfig
from weir.notify.delivery import State
from weir.notify.directory import usable
from weir.notify.facts import Reader, message
from weir.notify.links import Links
from weir.notify.render import Renderer
from weir.notify.sending import Away
from weir.notify.smtp import SmtpSender


def send(config: NotifyConfig, address: str) -> str:
    """What the server said, in a line; UserError if it did not take the mail."""
    if config.smtp is None:
        raise UserError("notify.yaml has no smtp section: there is no mail server to be tested.")
    if not usable(address):
        raise UserError(f"{address!r} is no address, such as ada@example.org.")
    now = ledger.now()
    alert = trouble.alert(
        "test", "test", f"test {now.isoformat()}", "weir alerts test", "This is a test.", now
    )
    rendered = Renderer(config.templates).rendered(message(alert, None, Links(), Reader()))
    sender = SmtpSender(config.smtp)
    place = f"{config.smtp.host}:{config.smtp.port}"
    try:
        sender.ready()
        outcome = sender.send(address, mail.mail(config.smtp, address, alert, rendered, now))
    except Away as away:
        raise UserError(f"{place}: {away}. See smtp in notify.yaml.") from None
    finally:
        sender.close()
    if outcome.state != State.sent:
        raise UserError(f"{place}: {outcome.state.value}: {outcome.reason}")
    return f"{place} took the mail to {address}"
