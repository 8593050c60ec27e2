"""Brings Superset's metadata database to its version: `python -P superset_prepare.py [tables] [admin]`.

Run by Superset's own Python; one process does all, as each of Superset's starts takes seconds.
"""

import os
import sys
from pathlib import Path

from flask import Flask
from flask.cli import ScriptInfo
from superset.app import create_app
from superset.cli.main import superset


def tables(info: ScriptInfo) -> None:
    """The database's tables, roles and permissions."""
    for words in (["db", "upgrade"], ["init"]):
        superset.main(words, obj=info, standalone_mode=False)


def admin(app: Flask) -> None:
    """Create the administrator, or set the password again: that in the file named by the environment.

    `superset fab create-admin` would need the password on its command line, where every user of the machine
    can read it.
    """
    password = Path(os.environ["WEIR_SUPERSET_ADMIN_PASSWORD_FILE"]).read_text().strip()
    with app.app_context():
        security = app.appbuilder.sm
        if known := security.find_user("admin"):
            security.reset_password(known.id, password)
            return
        role = security.find_role(security.auth_role_admin)
        if not security.add_user("admin", "Weir", "Admin", "admin@localhost", role, password):
            sys.exit("Superset refused to create the user admin.")


if __name__ == "__main__":
    program = ScriptInfo(create_app=create_app)
    if "tables" in sys.argv[1:]:
        tables(program)
    if "admin" in sys.argv[1:]:
        admin(program.load_app())
