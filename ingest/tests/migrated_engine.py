"""ClickHouse's engine in this process, with Weir's tables as the migrations make them."""

from chdb.session import Session
from weir.admin.migrations import all_migrations


def migrated(folder) -> Session:
    """A session whose database is `weir`, kept in the folder."""
    session = Session(str(folder))
    session.query("CREATE DATABASE weir ENGINE = Atomic")
    session.query("USE weir")
    for migration in all_migrations():
        for statement in migration.statements("up"):
            session.query(statement)
    return session
