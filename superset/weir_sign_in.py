"""How people sign in to Superset, and who leads which project, as the site's file says.

`WEIR_SUPERSET_SIGN_IN_FILE` names the file, which docs/how-to/sign-in.md describes: a directory (LDAP) or a
provider (OpenID Connect), never both. Without it accounts are Superset's own, and nobody leads a project.
"""

import logging
import os
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import yaml
from flask_appbuilder.security.manager import AUTH_LDAP, AUTH_OAUTH
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from superset.security import SupersetSecurityManager

LOG = logging.getLogger(__name__)
ADMINISTRATOR = "admin"
"""The account that Weir's own tools use; nobody of a directory may become it."""
EVERYBODY = ("Gamma", "Weir user")
"""Roles of whoever signs in: to look at pages, and to see own rows there."""
PROVIDER = "sso"
"""In the address that a provider sends people back to: /oauth-authorized/sso."""


def _is_here(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class Strict(BaseModel):
    """Refuses fields it does not know, so that a misspelt one is seen."""

    model_config = ConfigDict(extra="forbid")


class Ldap(Strict):
    """A directory server; `bind_dn` is an account that may search it and read groups."""

    uri: str = Field(pattern=r"^ldaps?://[^/]+$", description="ldap:// is secured by StartTLS")
    base: str = Field(min_length=1)
    bind_dn: str = Field(min_length=1)
    password_file: Path
    filter: str = ""
    user_attribute: str = "uid"
    group_attribute: str = "memberOf"
    ca_file: Path | None = None
    without_tls: bool = Field(False, description="only for a server on this machine")

    @model_validator(mode="after")
    def _secured(self) -> "Ldap":
        if self.without_tls and (self.uri.startswith("ldaps:") or not _is_here(self.uri)):
            raise ValueError(
                "without_tls is for an ldap:// server on this machine: passwords would be readable"
            )
        return self

    def settings(self) -> dict[str, Any]:
        """Superset's settings."""
        return {
            "AUTH_TYPE": AUTH_LDAP,
            "AUTH_LDAP_SERVER": self.uri,
            "AUTH_LDAP_USE_TLS": self.uri.startswith("ldap:") and not self.without_tls,
            "AUTH_LDAP_TLS_DEMAND": True,
            "AUTH_LDAP_TLS_CACERTFILE": str(self.ca_file or ""),
            "AUTH_LDAP_SEARCH": self.base,
            "AUTH_LDAP_SEARCH_FILTER": self.filter,
            "AUTH_LDAP_UID_FIELD": self.user_attribute,
            # Superset keeps a text of each user that no other has, and calls it an address. Two people may
            # share an address, and never a name, which is asked for by this as well.
            "AUTH_LDAP_EMAIL_FIELD": self.user_attribute,
            "AUTH_LDAP_GROUP_FIELD": self.group_attribute,
            "AUTH_LDAP_BIND_USER": self.bind_dn,
            "AUTH_LDAP_BIND_PASSWORD": _secret(self.password_file),
        }


class Oidc(Strict):
    """A provider of OpenID Connect, which describes itself below its address."""

    issuer: str = Field(pattern=r"^https?://[^\s?#]+$")
    client_id: str
    client_secret_file: Path
    user_claim: str = "preferred_username"
    group_claim: str = "groups"
    scope: str = "openid profile email"
    ca_file: Path | None = None

    @field_validator("issuer")
    @classmethod
    def _secured(cls, issuer: str) -> str:
        if not issuer.startswith("https:") and not _is_here(issuer):
            raise ValueError("http:// is for a provider on this machine: write https://")
        return issuer.rstrip("/")

    def settings(self) -> dict[str, Any]:
        """Superset's settings."""
        remote = {
            "client_id": self.client_id,
            "client_secret": _secret(self.client_secret_file),
            "server_metadata_url": f"{self.issuer}/.well-known/openid-configuration",
            "client_kwargs": {
                "scope": self.scope,
                "code_challenge_method": "S256",
                "verify": str(self.ca_file) if self.ca_file else True,
            },
        }
        provider = {"name": PROVIDER, "icon": "fa-key", "token_key": "access_token", "remote_app": remote}
        return {"AUTH_TYPE": AUTH_OAUTH, "OAUTH_PROVIDERS": [provider]}


class SignIn(Strict):
    """The site's file."""

    ldap: Ldap | None = None
    oidc: Oidc | None = None
    roles: dict[str, list[str]] = Field({}, description="group as the directory writes it: titles of roles")
    session_hours: Annotated[float, Field(gt=0, le=744)] = 12
    project_leads: Path | None = Field(None, description="YAML file of `account: user`, as of notify.yaml")

    @model_validator(mode="after")
    def _one_way(self) -> "SignIn":
        if self.ldap and self.oidc:
            raise ValueError("give either ldap or oidc: the same name could be two people")
        return self

    def settings(self) -> dict[str, Any]:
        """Superset's settings; empty where accounts are its own."""
        way = self.ldap or self.oidc
        if way is None:
            return {}
        return {
            "AUTH_USER_REGISTRATION_ROLE": EVERYBODY[-1],
            "AUTH_ROLES_MAPPING": self.roles,
            # Who has left a group has lost its roles at the next login, which is due within so many hours.
            "AUTH_ROLES_SYNC_AT_LOGIN": True,
            "PERMANENT_SESSION_LIFETIME": timedelta(hours=self.session_hours),
            # The account of Weir's tools keeps its password, which is asked for by the API alone.
            "AUTH_API_LOGIN_ALLOW_MULTIPLE_PROVIDERS": True,
            **way.settings(),
        }


def _secret(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip()


def of_environment() -> SignIn:
    """The site's file; all that is wrong in it at once, as Superset's start fails."""
    file = os.environ.get("WEIR_SUPERSET_SIGN_IN_FILE", "")
    return SignIn.model_validate(yaml.safe_load(Path(file).read_text(encoding="utf-8"))) if file else SignIn()


class ProjectLeads:
    """Who leads which project. A change of the file holds at once; one that cannot be read opens nothing."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    def led_by(self, user: str | None) -> list[str]:
        """Accounts of the projects that a user leads."""
        if self._file is None or not user:
            return []
        try:
            leads = yaml.safe_load(self._file.read_text(encoding="utf-8")) or {}
            return sorted(str(account) for account, lead in leads.items() if lead == user)
        except (OSError, ValueError, AttributeError, RecursionError, yaml.YAMLError) as error:
            LOG.error(
                "%s: not of lines `account: user`, so that nobody leads a project: %s", self._file, error
            )
            return []


class PeopleOfTheCenter(SupersetSecurityManager):
    """Makes one user of each person of a directory, with the name that the scheduler knows, and their roles.

    Rows are shown by that name. So it is taken as the directory writes it, and two people never share it.
    """

    sign_in = SignIn()

    @property
    def auth_user_registration(self) -> bool:
        """Whether who signs in for the first time becomes a user.

        The setting of this name stays off: with it Superset offers a page where people register themselves.
        """
        return bool(self.sign_in.ldap or self.sign_in.oidc)

    def auth_user_ldap(self, username: str, password: str) -> Any:
        """The user, if the directory knows both."""
        # Without a password a directory may answer that nobody was signed in, which looks like success.
        if self.sign_in.ldap is None or not password or username == ADMINISTRATOR:
            return None
        return super().auth_user_ldap(username, password)

    def _search_ldap(self, ldap: Any, con: Any, username: str) -> Any:
        """Refuses a name that is another one to the scheduler: to a directory `Ada` and `ada ` are `ada`."""
        found, attributes = super()._search_ldap(ldap, con, username)
        if found is None:
            return None, None
        if self.ldap_extract_list(attributes, self.auth_ldap_uid_field) != [username]:
            LOG.warning("%s signs in as %r, which is not its only name", found, username)
            return None, None
        return found, attributes

    def _ldap_calculate_user_roles(self, user_attributes: Any) -> list[Any]:
        return self._with_pages(super()._ldap_calculate_user_roles(user_attributes))

    def _oauth_calculate_user_roles(self, userinfo: Any) -> list[Any]:
        return self._with_pages(super()._oauth_calculate_user_roles(userinfo))

    def _with_pages(self, roles: list[Any]) -> list[Any]:
        """Adds the role without which no page can be looked at; Superset itself gives new users one role."""
        return list({*roles, self.find_role(EVERYBODY[0])})

    def get_oauth_user_info(self, provider: str, resp: dict[str, Any]) -> dict[str, Any]:
        """What the signed token says; where that has no user or groups, what the provider answers as well."""
        oidc = self.sign_in.oidc
        assert oidc is not None, provider
        claims = dict(resp["userinfo"])
        if not {oidc.user_claim, oidc.group_claim} <= claims.keys():
            more = self.oauth_remotes[provider].userinfo(token=resp)
            # It is not signed, and may be about somebody else.
            if more["sub"] == claims["sub"]:
                claims = {**more, **claims}
        groups = claims.get(oidc.group_claim) or []
        return {
            "username": claims.get(oidc.user_claim) or "",
            "first_name": claims.get("given_name") or "",
            "last_name": claims.get("family_name") or "",
            # The one thing that a provider never gives to another person. Superset has no field for it, and
            # no use for addresses here.
            "email": f"{claims['sub']}@{urlsplit(oidc.issuer).hostname}",
            "role_keys": [groups] if isinstance(groups, str) else list(groups),
        }

    def auth_user_oauth(self, userinfo: dict[str, Any]) -> Any:
        """The user, unless the name is that of another account: a provider may let people choose it."""
        name = userinfo["username"]
        known = self.find_user(username=name) if name else None
        if not name or name == ADMINISTRATOR or (known and known.email != userinfo["email"]):
            LOG.warning("%s signs in as %r, who is somebody else", userinfo["email"], name)
            return None
        return super().auth_user_oauth(userinfo)
