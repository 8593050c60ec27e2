"""Lists the logins of Kafka and ClickHouse, and keeps the passwords that are made for them."""

import secrets
from pathlib import Path

KAFKA_USERS = ("admin", "agent", "flink", "reference", "metrics", "notify")
CLICKHOUSE_USERS = ("migrator", "writer", "alert", "reader")

# Of the official server; the embedded engine has these rights built in.
GRANTS = {
    "migrator": "GRANT ALL ON weir.*",
    "writer": "GRANT SELECT, INSERT ON weir.*",
    "alert": "GRANT SELECT ON weir.*",
    "reader": "GRANT SELECT ON weir.*",
}


class Kept:
    """What is made once: a folder of root's."""

    def __init__(self, folder: Path):
        folder.mkdir(mode=0o700, exist_ok=True)
        self.folder = folder

    def secret(self, name: str) -> str:
        """A password of this name."""
        return self.value(name, secrets.token_urlsafe(24))

    def value(self, name: str, first: str) -> str:
        """What was kept under this name; `first` the first time."""
        file = self.folder / name
        if not file.exists():
            partial = file.with_suffix(".partial")
            partial.write_text(first)
            partial.rename(file)
        return file.read_text()
