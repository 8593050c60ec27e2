"""Hands mails to a server over SMTP, one recipient at a time, and knows what became of each."""

import re
import smtplib
import ssl

from weir.errors import UserError
from weir.notify.config import Smtp
from weir.notify.delivery import State
from weir.notify.sending import SENT, Away, Outcome

_MAILS_A_CONNECTION = 100  # servers end connections that send more
_ERRORS = (smtplib.SMTPException, OSError)


class SmtpSender:
    """Keeps one connection, over which many mails go.

    A mail to several people is sent to each of them alone, so that a refusal of one is nothing to the others.
    """

    def __init__(self, config: Smtp):
        """UserError for certificates that cannot be read."""
        self._config = config
        self._tls = _tls(config)
        self._server: smtplib.SMTP | None = None
        self._mails = 0

    def ready(self) -> None:
        """Connects, if there is no connection that still answers."""
        if self._server and self._mails < _MAILS_A_CONNECTION and self._answers():
            return
        self.close()
        self._mails = 0
        try:
            self._server = self._connected()
        except (*_ERRORS, UserError) as error:  # UserError: the password's file
            raise Away(_shown(error)) from None

    def send(self, address: str, message: bytes) -> Outcome:
        """Up to the end of DATA everything that goes wrong is known not to be delivered."""
        server = self._server
        if server is None:
            return Outcome(State.waiting, "no connection")
        self._mails += 1
        try:
            refused = self._offered(server, address)
            if refused:
                server.rset()
                return refused
            server.send(_stuffed(message))
        except _ERRORS as error:
            self.close()
            return Outcome(State.waiting, _shown(error))
        try:
            server.send(b".\r\n")
            code, reply = server.getreply()
        except _ERRORS as error:
            self.close()
            return Outcome(State.ambiguous, f"no answer after the whole mail was sent: {_shown(error)}")
        return _final(code, reply)

    def close(self) -> None:
        """Ends the connection, if there is one."""
        server, self._server = self._server, None
        if server:
            try:
                server.quit()
            except _ERRORS:
                server.close()

    def _answers(self) -> bool:
        try:
            return self._server is not None and self._server.noop()[0] == 250
        except _ERRORS:
            return False

    def _connected(self) -> smtplib.SMTP:
        config = self._config
        server: smtplib.SMTP
        if config.security == "tls":
            server = smtplib.SMTP_SSL(
                config.host, config.port, timeout=config.timeout_seconds, context=self._tls
            )
        else:
            server = smtplib.SMTP(config.host, config.port, timeout=config.timeout_seconds)
        try:
            server.ehlo_or_helo_if_needed()
            if config.security == "starttls":
                server.starttls(context=self._tls)
                server.ehlo()
            if config.user:
                server.login(config.user, config.password)
        except BaseException:
            server.close()
            raise
        return server

    def _offered(self, server: smtplib.SMTP, address: str) -> Outcome | None:
        """What the server refuses before it takes the mail itself."""
        code, reply = server.mail(self._config.sender)
        if code != 250:  # of us, and nothing of the recipient
            return Outcome(State.waiting, _answer(code, reply))
        code, reply = server.rcpt(address)
        if code not in (250, 251):
            return Outcome(State.failed if 500 <= code < 600 else State.waiting, _answer(code, reply))
        code, reply = server.docmd("DATA")
        if code != 354:
            return Outcome(State.waiting, _answer(code, reply))
        return None


def _final(code: int, reply: bytes) -> Outcome:
    if 200 <= code < 300:
        return SENT
    if 400 <= code < 500:
        return Outcome(State.waiting, _answer(code, reply))
    if 500 <= code < 600:
        return Outcome(State.failed, _answer(code, reply))
    return Outcome(State.ambiguous, f"an answer that is none: {_answer(code, reply)}")


def _stuffed(message: bytes) -> bytes:
    """Returns the message as DATA has it: lines end with CRLF, a dot at their begin is doubled."""
    return re.sub(rb"(?m)^\.", b"..", message)


def _tls(config: Smtp) -> ssl.SSLContext | None:
    if config.security == "none":
        return None
    try:
        return ssl.create_default_context(cafile=str(config.ca_file) if config.ca_file else None)
    except OSError as error:  # of TLS too
        raise UserError(
            f"smtp.ca_file {config.ca_file}: {error.strerror or error}. Give a file of PEM certificates."
        ) from None


def _answer(code: int, reply: bytes) -> str:
    return f"{code} {reply.decode(errors='replace')}".replace("\n", " ")


def _shown(error: Exception) -> str:
    """What the server or the system said."""
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        return _answer(error.smtp_code, reply if isinstance(reply, bytes) else reply.encode())
    return str(error) or type(error).__name__
