"""Creates Superset's administrator, or sets the password again: `python -P superset_admin.py NAME`.

Run by Superset's own Python.

`superset fab create-admin` would need the password on its command line, where every user of the machine
can read it.
"""

import os
import sys
from pathlib import Path

from superset.app import create_app


def main(name: str) -> None:
    """See that the administrator has the password that is in the file named by the environment."""
    password = Path(os.environ["WEIR_SUPERSET_ADMIN_PASSWORD_FILE"]).read_text().strip()
    app = create_app()
    with app.app_context():
        security = app.appbuilder.sm
        if known := security.find_user(name):
            security.reset_password(known.id, password)
            return
        role = security.find_role(security.auth_role_admin)
        if not security.add_user(name, "Weir", "Admin", "admin@localhost", role, password):
            sys.exit(f"Superset refused to create the user {name}.")


if __name__ == "__main__":
    main(sys.argv[1])
