"""Generated passwords and keys, each in a file of mode 0600 that only its owner can reach."""

import os
import secrets

from weir_keeper import key

from weir_embedded.settings import KAFKA_LOGINS, LOGINS, Stack

NAMES = (
    *(f"clickhouse_{login}" for login in LOGINS),
    *(f"kafka_{login}" for login in KAFKA_LOGINS),
    "superset_admin",
    "superset_secret_key",
    "notify_key",
)


def generate_missing(stack: Stack) -> None:
    """Create every secret that does not exist yet; existing ones are kept and their modes tightened."""
    stack.secrets.mkdir(parents=True, exist_ok=True, mode=0o700)
    stack.secrets.chmod(0o700)
    for name in NAMES:
        file = stack.secret(name)
        if file.exists() and file.stat().st_size > 0:
            file.chmod(0o600)
            continue
        length = 48 if name.endswith("_key") else 18
        partial = file.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as output:
            output.write(secrets.token_urlsafe(length))
        partial.rename(file)
    for pem in (stack.flink_key, stack.kafka_key):
        key.make(stack.secrets, pem.stem)
