"""Logins: who may come in, and as which profile."""

import hmac
import stat
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, model_validator

from weir_clickhouse_front.errors import FrontError, StartError
from weir_clickhouse_front.profiles import ProfileName


class User(BaseModel):
    """One login. Its password is given here or in a file of its own (first line)."""

    model_config = ConfigDict(extra="forbid")

    profile: ProfileName
    password: str | None = None
    password_file: Path | None = None

    @model_validator(mode="after")
    def one_password(self) -> "User":
        if (self.password is None) == (self.password_file is None):
            raise ValueError("give either password or password_file")
        return self


class Users:
    """The logins of one users file; checks passwords in constant time."""

    def __init__(self, profiles: dict[str, ProfileName], passwords: dict[str, str]):
        self._profiles = profiles
        self._passwords = passwords

    @property
    def profiles(self) -> dict[str, ProfileName]:
        """The profile of each login."""
        return self._profiles

    def authenticate(self, login: str, password: str) -> ProfileName:
        """The profile of the login; FrontError 516 if login or password is wrong."""
        expected = self._passwords.get(login, "")
        right = hmac.compare_digest(expected.encode(), password.encode("utf-8", "surrogateescape"))
        if not (right and login in self._profiles):
            raise FrontError(
                516,
                "AUTHENTICATION_FAILED",
                f"{login}: Authentication failed: password is incorrect, or there is no user with such name.",
            )
        return self._profiles[login]


def load_users(path: Path) -> Users:
    """Reads the users file; StartError if it is open to others, unreadable or wrong."""
    raw = _read_private(path)
    try:
        users = TypeAdapter(dict[str, User]).validate_python(yaml.safe_load(raw))
    except yaml.YAMLError as error:
        # The error's own text can quote a password: only its place is reported.
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}" if mark else ""
        raise StartError(f"users file {path} is not YAML or JSON{place}: correct it") from None
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise StartError(f"users file {path}: {wrong}. Each login needs a profile and a password") from None
    passwords = {login: _password(path, login, user) for login, user in users.items()}
    return Users({login: user.profile for login, user in users.items()}, passwords)


def _password(path: Path, login: str, user: User) -> str:
    password = user.password
    if user.password_file is not None:
        password = _read_private(path.parent / user.password_file).split("\n", 1)[0]
    if not password:
        raise StartError(f"users file {path}: login {login} has an empty password: give it one")
    return password


def _read_private(path: Path) -> str:
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            raise StartError(f"{path} has mode {mode:04o}, others can read the passwords: chmod 600 {path}")
        return path.read_text()
    except OSError as error:
        raise StartError(f"{path} cannot be read ({error.strerror}): create it with mode 0600") from None
    except UnicodeDecodeError:
        raise StartError(f"{path} is not UTF-8 text: write it again") from None
