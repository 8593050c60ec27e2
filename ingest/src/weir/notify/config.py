"""Settings of the notifier: notify.yaml, each key overridable by WEIR_NOTIFY_<KEY>, nested ones by __."""

import os
import re
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from weir import config_file
from weir.config_file import LastingSettings, Section
from weir.errors import UserError

_WAY_OUT = "Copy infra/agents/notify.example.yaml, or name another: WEIR_NOTIFY_CONFIG."
DEFAULT_FILE = Path("/etc/weir/notify.yaml")
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")
"""The address of a mail, as far as it can be handed to every server."""
_LEAST_SECRET = 32


def _address(text: str) -> str:
    if not ADDRESS.fullmatch(text):
        raise ValueError(f"{text!r} is no address, such as io-support@example.org")
    return text


class Smtp(Section):
    """The server that takes the mails."""

    host: str
    port: Annotated[int, Field(ge=1, le=65535)] = 587
    security: Literal["starttls", "tls", "none"] = "starttls"
    ca_file: Path | None = Field(
        None, description="who signed its certificate; by default whom the system trusts"
    )
    user: str | None = None
    password_file: Path | None = None
    sender: str = Field(description="address that mails are from; bounces go there")
    sender_name: str = "Weir"
    reply_to: str | None = Field(None, description="the support desk: a reply opens a ticket")
    timeout_seconds: Annotated[float, Field(gt=0)] = 30

    _addresses = field_validator("sender")(_address)

    @field_validator("reply_to")
    @classmethod
    def _reply_to(cls, text: str | None) -> str | None:
        return _address(text) if text else None

    @model_validator(mode="after")
    def _together(self) -> "Smtp":
        if (self.user is None) != (self.password_file is None):
            raise ValueError("user and password_file belong together")
        if self.user and self.security == "none" and self.host not in ("localhost", "127.0.0.1", "::1"):
            raise ValueError("a password is not sent without TLS: choose security starttls or tls")
        return self

    @property
    def password(self) -> str:
        """The password, read again for each connection, so that it can be changed."""
        return secret(self.password_file) if self.password_file else ""


class Passwd(Section):
    """Addresses as the machine's own user database has them (NSS), an address in GECOS first."""

    kind: Literal["passwd"] = "passwd"
    domain: str = Field(description="of user@domain, for users without an address in GECOS")


class Domain(Section):
    """Every user has an address in one domain, by the scheduler's name."""

    kind: Literal["domain"]
    domain: str = Field(description="of user@domain")


class Ldap(Section):
    """Addresses in a directory server."""

    kind: Literal["ldap"]
    uri: str = Field(pattern=r"^ldaps?://[^/]+$", description="ldap:// is secured by StartTLS")
    base: str
    filter: str = Field("(uid={user})", description="{user} stands for the user's name")
    attribute: str = "mail"
    bind_dn: str | None = None
    password_file: Path | None = None
    ca_file: Path | None = None
    timeout_seconds: Annotated[float, Field(gt=0)] = 10
    without_tls: bool = Field(False, description="only for a server on this machine")

    @field_validator("filter")
    @classmethod
    def _of_a_user(cls, text: str) -> str:
        if text.count("{user}") < 1:
            raise ValueError("has no {user}, so it would find everybody")
        return text


class Map(Section):
    """Addresses in a YAML file of `user: address`; read again when it changes."""

    kind: Literal["map"]
    file: Path


class Chat(Section):
    """A chat or webhook, as an Apprise URL."""

    name: str = Field(pattern=r"^[a-z0-9_-]{1,40}$")
    audience: Literal["users", "operators"]
    url_file: Path = Field(description="holds the URL, which is a secret")

    @field_validator("name")
    @classmethod
    def _not_taken(cls, name: str) -> str:
        if name in ("mail", "alertmanager"):
            raise ValueError(f"{name} is a channel of its own: choose another name")
        return name


class Page(Section):
    """The page on which users mute messages or call them wrong."""

    url: str = Field(pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$", description="its address for users")
    secret_file: Path = Field(description="at least 32 bytes that sign its links")
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 9412


class Manager(Section):
    """A Prometheus Alertmanager that gets what operators should know, instead of mails and chats."""

    url: str = Field(pattern=r"^https?://[^\s?#]+$")
    authorization_file: Path | None = Field(None, description="holds the header, such as Bearer ...")
    ca_file: Path | None = None


class NotifyConfig(LastingSettings):
    """The file."""

    model_config = SettingsConfigDict(
        env_prefix="WEIR_NOTIFY_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    kafka: dict[str, str] = Field(
        min_length=1,
        description="librdkafka's own settings: bootstrap.servers, and security.protocol and so on",
    )
    smtp: Smtp | None = Field(None, description="none: then only chats are used")
    directory: Annotated[Passwd | Domain | Ldap | Map, Field(discriminator="kind")]
    principal_investigators: Path | None = Field(
        None, description="YAML file of `account: user`: who also gets what is sent about jobs of the account"
    )
    superset_url: str | None = Field(None, pattern=r"^https?://[^\s?#]+$")
    page: Page | None = None
    chats: list[Chat] = Field([])
    alertmanager: Manager | None = None
    templates: Path | None = Field(None, description="folder of templates instead of those that ship")
    metrics_port: Annotated[int, Field(ge=0, le=65535)] = 9411

    @model_validator(mode="after")
    def _any_way(self) -> "NotifyConfig":
        names = [chat.name for chat in self.chats]
        if len(names) != len(set(names)):
            raise ValueError("chats: a name stands there more than once")
        if not self.smtp and not self.chats:
            raise ValueError("neither smtp nor chats: nothing could be sent")
        return self

    @cached_property
    def signing_secret(self) -> str:
        """The secret that signs the page's links; UserError if there is none or it can be guessed."""
        assert self.page
        text = secret(self.page.secret_file)
        if len(text) < _LEAST_SECRET:
            raise UserError(
                f"{self.page.secret_file}: shorter than {_LEAST_SECRET} characters. "
                "Write a better one: openssl rand -hex 32"
            )
        return text

    @classmethod
    def file(cls) -> Path:
        """Returns the file that $WEIR_NOTIFY_CONFIG names, else /etc/weir/notify.yaml."""
        return Path(os.environ.get("WEIR_NOTIFY_CONFIG") or DEFAULT_FILE)


def secret(file: Path) -> str:
    """The content of a file of one secret."""
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file}: {error}. It holds a secret: for user weir, mode 400.") from None


def user_map(file: Path) -> dict[str, str]:
    """A YAML file of `name: text`; UserError if it is none."""
    try:
        content: Any = yaml.safe_load(file.read_text())
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}. Give a file that can be read.") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: of a date that is none, too
        raise UserError(f"{file}: not YAML: {' '.join(str(error).split())}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise UserError(f"{file}: not of the form `ada: ada@example.org`, a line each.")
    return {str(name): str(text) for name, text in content.items()}


def load() -> NotifyConfig:
    """Read the active configuration; UserError that names all that is missing or wrong at once."""
    return config_file.load(NotifyConfig, _WAY_OUT)
