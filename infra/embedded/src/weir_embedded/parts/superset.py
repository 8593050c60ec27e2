"""Superset: gunicorn with threads over a SQLite database of its own."""

import shlex
import shutil
import time
from pathlib import Path

from weir_embedded import guard
from weir_embedded.commands import run
from weir_embedded.parts.part import NotReady, Part, get
from weir_embedded.progress import Step
from weir_embedded.settings import LOOPBACK, Stack

ADMIN = "admin"
# Longer than any client keeps a connection that it may use again, proxies (60 s) among them: whoever sends a
# question on a connection while gunicorn closes it, by default after 2 s, has no answer.
KEEP_ALIVE_SECONDS = 75


def part(stack: Stack) -> Part:
    """Superset as a supervised program."""
    return Part(
        name="superset",
        title="Superset",
        argv=(
            str(stack.superset_venv / "bin" / "gunicorn"),
            *("--config", guard.__file__),
            *("--bind", f"{LOOPBACK}:{stack.ports['superset']}"),
            *("--workers", str(stack.superset_workers)),
            *("--threads", str(stack.superset_threads)),
            *("--worker-class", "gthread"),
            *("--timeout", "120"),
            *("--keep-alive", str(KEEP_ALIVE_SECONDS)),
            *("--pid", str(stack.run / "superset.pid")),
            "--preload",
            "superset.app:create_app()",
        ),
        env={**env(stack), guard.ANSWERED: str(_answered(stack))},
        check=lambda: check(stack),
        version=lambda: _version(stack),
        start_seconds=120,
        wave=1,
    )


def check(stack: Stack) -> None:
    """Healthy when a worker answers this, or others meanwhile: of many who look at once each waits."""
    asked = time.time()
    try:
        get(f"{stack.superset_url}/health")
    except NotReady:
        answered = _answered(stack)
        if not (answered.exists() and answered.stat().st_mtime > asked):
            raise


def _answered(stack: Stack) -> Path:
    return stack.run / "superset.answered"


def env(stack: Stack) -> dict[str, str]:
    """Everything that superset_config.py reads."""
    sign_in = stack.superset_sign_in_file
    return {
        **({"WEIR_SUPERSET_SIGN_IN_FILE": str(sign_in)} if sign_in != Path() else {}),
        "SUPERSET_CONFIG_PATH": str(stack.root / "superset" / "superset_config.py"),
        "FLASK_APP": "superset.app:create_app()",
        "WEIR_SUPERSET_HOME": str(_database(stack).parent),
        "WEIR_SUPERSET_METADATA_URI": f"sqlite:///{_database(stack)}",
        "WEIR_SUPERSET_SECRET_KEY_FILE": str(stack.secret("superset_secret_key")),
        "WEIR_SUPERSET_PORT": str(stack.ports["superset"]),
        "WEIR_SUPERSET_REPORTS": shlex.join(
            [str(stack.venv / "bin" / "weir"), "log", "report", "--site", str(stack.site)]
        ),
        "WEIR_CONFIG": str(stack.weir_config),
    }


def preparation(stack: Stack) -> list[str | Path]:
    """The command that prepares a metadata database, without what it shall do."""
    return [stack.superset_venv / "bin" / "python", "-P", Path(__file__).with_name("superset_prepare.py")]


def is_prepared(stack: Stack) -> bool:
    """Whether this stack's metadata database exists."""
    return _database(stack).exists()


def prepare(stack: Stack, step: Step) -> None:
    """Make the metadata database from the initialized template and create the administrator."""
    database = _database(stack)
    database.parent.mkdir(parents=True, exist_ok=True)
    partial = database.with_suffix(".partial")
    shutil.copyfile(stack.superset_template, partial)
    partial.chmod(0o600)
    run(
        [*preparation(stack), "admin"],
        log=stack.logs / "setup-superset-admin.log",
        step=step,
        env={
            **env(stack),
            "WEIR_SUPERSET_METADATA_URI": f"sqlite:///{partial}",
            "WEIR_SUPERSET_ADMIN_PASSWORD_FILE": str(stack.secret("superset_admin")),
        },
    )
    partial.rename(database)


def _database(stack: Stack) -> Path:
    return stack.data / "superset" / "superset.db"


def _version(stack: Stack) -> str:
    info = next(stack.superset_venv.glob("lib/python3*/site-packages/apache_superset-[0-9]*.dist-info"), None)
    return info.name.removeprefix("apache_superset-").removesuffix(".dist-info") if info else "?"
