"""Address and logins of the Superset that is looked at."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Site:
    """One Superset; the database's address is known only for a stack of our own."""

    url: str
    user: str
    password_file: Path
    database_uri: str | None = None
    database_password_file: Path | None = None

    @classmethod
    def from_environment(cls):
        """Each field from WEIR_TEST_SUPERSET_ and its name; without a database nothing is loaded."""
        given = {
            name: os.environ.get(f"WEIR_TEST_SUPERSET_{name.upper()}") for name in cls.__dataclass_fields__
        }
        for name in ("password_file", "database_password_file"):
            given[name] = Path(given[name]) if given[name] else None
        return cls(**(given | {"user": given["user"] or "admin"}))

    @classmethod
    def from_stack(cls, stack):
        """The Superset of an embedded stack."""
        return cls(
            url=stack.superset_url,
            user="admin",
            password_file=stack.secret("superset_admin"),
            database_uri=f"clickhousedb://reader@127.0.0.1:{stack.ports['clickhouse']}/weir",
            database_password_file=stack.clickhouse_secret("reader"),
        )

    @property
    def password(self):
        """The user's password."""
        return self.password_file.read_text().strip()

    def load(self):
        """Load the assets as an operator would."""
        subprocess.run(
            [sys.executable, "-m", "weir_superset", "load"],
            check=True,
            env=os.environ
            | {
                "PYTHONPATH": str(ROOT / "superset"),
                "WEIR_SUPERSET_URL": self.url,
                "WEIR_SUPERSET_USER": self.user,
                "WEIR_SUPERSET_PASSWORD_FILE": str(self.password_file),
                "WEIR_SUPERSET_DATABASE_URI": self.database_uri,
                "WEIR_SUPERSET_DATABASE_PASSWORD_FILE": str(self.database_password_file),
            },
        )


def replay(stack):
    """Fill the stack with the recorded center; replaying again doubles nothing."""
    center = ROOT / "tests/data/center"
    subprocess.run(
        [stack.venv / "bin/weir", "replay", center, "--speed", "1000000", "--wait", "600"],
        check=True,
        env=os.environ | {"WEIR_CONFIG": str(stack.weir_config)},
    )


def need_ours():
    """Only the Superset of our own stack surely has data of a Lustre server, and messages."""
    if os.environ.get("WEIR_TEST_SUPERSET_URL"):
        pytest.skip("this Superset's data are not ours")
