"""Finds the mail address of a user: in the user database, a domain, LDAP, or a map file."""

import pwd
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from weir.errors import UserError
from weir.notify.config import ADDRESS, Domain, Ldap, Map, NotifyConfig, Passwd, secret, user_map
from weir.notify.sending import Away

_PATIENCE_SECONDS = 30


class Directory(Protocol):
    """Finds the address of a user."""

    def address(self, user: str) -> str | None:
        """None of a user who has none; Away if it cannot be known now."""


class WatchedMap:
    """A YAML file of `name: text`, read again when it changes; a wrong one does not replace a good one."""

    def __init__(self, file: Path):
        self._file = file
        self._seen: tuple[int, int] | None = None
        self._content: dict[str, str] = {}
        self.refresh()

    def refresh(self) -> None:
        """Reads the file if it changed; UserError if it is wrong."""
        try:
            stat = self._file.stat()
        except OSError as error:
            raise UserError(f"{self._file}: {error.strerror}. Give a file that can be read.") from None
        if (stat.st_mtime_ns, stat.st_size) != self._seen:
            self._content = user_map(self._file)
            self._seen = (stat.st_mtime_ns, stat.st_size)

    def get(self, name: str) -> str | None:
        """Away while the file is wrong."""
        try:
            self.refresh()
        except UserError as error:
            raise Away(str(error)) from None
        return self._content.get(name)


class MapDirectory:
    """Addresses in a map file."""

    def __init__(self, config: Map):
        self._map = WatchedMap(config.file)

    def address(self, user: str) -> str | None:
        return usable(self._map.get(user))


class PasswdDirectory:
    """Addresses as the user database of this machine has them, through NSS."""

    def __init__(self, config: Passwd):
        self._domain = config.domain

    def address(self, user: str) -> str | None:
        try:
            entry = pwd.getpwnam(user)
        except (KeyError, ValueError, UnicodeError):  # the last two: of a name that no user can have
            return None
        own = (part for field in entry.pw_gecos.split(",") for part in field.split() if "@" in part)
        return usable(next(own, None)) or usable(f"{user}@{self._domain}")


class DomainDirectory:
    """Addresses by the users' names alone."""

    def __init__(self, config: Domain):
        self._domain = config.domain

    def address(self, user: str) -> str | None:
        return usable(f"{user}@{self._domain}")


class LdapDirectory:
    """Addresses in a directory server, over one connection that is made again when it fails."""

    def __init__(self, config: Ldap):
        self._config = config
        self._connection: Any = None

    def address(self, user: str) -> str | None:
        from ldap3.utils.conv import escape_filter_chars

        found = self._config.filter.replace("{user}", escape_filter_chars(user))
        for last in (False, True):
            try:
                return self._searched(found)
            except Exception as error:  # ldap3's own, the system's, and pyasn1's of a broken answer
                self._connection = None
                if last:
                    raise Away(f"{self._config.uri}: {error}") from None
        raise AssertionError

    def _searched(self, filter_: str) -> str | None:
        if self._connection is None:
            self._connection = self._connected()
        config = self._config
        self._connection.search(config.base, filter_, attributes=[config.attribute])
        entries = [each for each in self._connection.response if each["type"] == "searchResEntry"]
        if len(entries) != 1:  # of several it is unknown whose address it is
            return None
        values = entries[0]["attributes"].get(config.attribute) or []
        return usable(str(values[0] if isinstance(values, list) else values)) if values else None

    def _connected(self) -> Any:
        import ldap3

        config = self._config
        ca_file = str(config.ca_file) if config.ca_file else None
        tls = ldap3.Tls(validate=ssl.CERT_REQUIRED, ca_certs_file=ca_file)
        secured = config.uri.startswith("ldaps:") or config.without_tls
        return ldap3.Connection(
            ldap3.Server(config.uri, tls=tls, get_info=ldap3.NONE, connect_timeout=config.timeout_seconds),
            user=config.bind_dn,
            password=secret(config.password_file) if config.password_file else None,
            auto_bind=ldap3.AUTO_BIND_NO_TLS if secured else ldap3.AUTO_BIND_TLS_BEFORE_BIND,
            receive_timeout=config.timeout_seconds,
            read_only=True,
            raise_exceptions=True,
            check_names=False,  # without the server's schema there is nothing to check against
        )


class PatientDirectory:
    """Asks no directory that was away half a minute ago: each question may take its whole timeout."""

    def __init__(self, directory: Directory, clock: Callable[[], float] = time.monotonic):
        self._directory, self._clock = directory, clock
        self._until, self._reason = 0.0, ""

    def address(self, user: str) -> str | None:
        if self._clock() < self._until:
            raise Away(self._reason)
        try:
            return self._directory.address(user)
        except Away as away:
            self._until, self._reason = self._clock() + _PATIENCE_SECONDS, str(away)
            raise


def usable(address: str | None) -> str | None:
    """The address, if a mail can be sent to it: one that could end a line or name two is none."""
    return address if address and ADDRESS.fullmatch(address) else None


def of_config(config: NotifyConfig) -> Directory:
    """The one that the site has; UserError for a map file that is wrong."""
    if isinstance(config.directory, Ldap):
        return LdapDirectory(config.directory)
    if isinstance(config.directory, Map):
        return MapDirectory(config.directory)
    if isinstance(config.directory, Domain):
        return DomainDirectory(config.directory)
    return PasswdDirectory(config.directory)
