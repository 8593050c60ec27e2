"""Shows the report of a run or job, which `weir log report` makes of its logs, to those who may see its page.

Superset need not be able to read logs: the command may run as somebody who is, by sudo.
"""

import logging
import shlex
import subprocess
from pathlib import Path
from urllib.parse import urlencode

from filelock import FileLock, Timeout
from flask import Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

PAGE = "/weir/report/"
"""/weir/report/?run=... is the report of one log, /weir/report/?job=... that of all logs of a job."""
DATASET = "shown_runs"
"""Its rows are the runs that the address names, as far as the reader may see them."""
MAKE_SECONDS = 45
"""Less than a request may take (SUPERSET_WEBSERVER_TIMEOUT)."""
AGAIN_SECONDS = 2
MOST_LOGS = 500
NEVER_CACHED = -1

log = logging.getLogger(__name__)


class Reports:
    """Makes one report at a time; who comes meanwhile holds no thread, but tries again by itself."""

    def __init__(self, command: str, folder: Path):
        """`command` is `weir log report --site ...`, without the logs; empty where no report can be made."""
        self._command = shlex.split(command)
        self._turn = folder / "report.lock"

    def can_be_made(self) -> bool:
        """Whether pages shall have a link to reports."""
        return bool(self._command)

    def show(self) -> ResponseReturnValue | None:
        """Answer a request for a report; of what the reader may not see as if it were not there."""
        if request.path != PAGE:
            return None
        if not current_user.is_authenticated:
            return redirect(f"/login/?{urlencode({'next': request.full_path})}")
        if not self._command or not (request.args.get("run") or request.args.get("job")):
            abort(404)
        logs = _logs_of_reader()
        if not logs:
            abort(404)
        if len(logs) > MOST_LOGS:
            return _said(f"There are more than {MOST_LOGS} logs. weir analyze makes a report of them.", 413)
        try:
            with FileLock(self._turn, blocking=False):
                command = [*self._command, "--within", str(MAKE_SECONDS), *logs]
                made = subprocess.run(command, capture_output=True, check=True)
        except Timeout:
            again = _said("Another report is being made. This page tries again by itself.", 503)
            again.headers["Refresh"] = again.headers["Retry-After"] = str(AGAIN_SECONDS)
            return again
        except (OSError, subprocess.CalledProcessError) as error:
            said = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error).encode()
            log.warning("no report of %s: %s", logs[0], said.decode(errors="replace").strip())
            return _said(
                "There is no report: the log is no longer where Darshan wrote it, cannot be read, or takes "
                f"longer than {MAKE_SECONDS} s. weir analyze makes one where the log is.",
                503,
            )
        return Response(made.stdout, mimetype="text/html")


def _logs_of_reader() -> list[str]:
    """Returns ids of logs, asked for as a chart asks for its rows: the rules of the reader's roles hold."""
    # Superset's models can only be loaded within its application.
    from superset.commands.chart.data.get_data_command import ChartDataCommand
    from superset.common.query_context_factory import QueryContextFactory
    from superset.connectors.sqla.models import SqlaTable
    from superset.exceptions import SupersetSecurityException

    from superset import db

    dataset = db.session.query(SqlaTable.id).filter_by(table_name=DATASET).scalar()
    command = ChartDataCommand(
        QueryContextFactory().create(
            datasource={"id": dataset, "type": "table"},
            queries=[{"columns": ["log_id"], "metrics": [], "row_limit": MOST_LOGS + 1}],
            # the key of an answer would not have the address in it
            force=True,
            custom_cache_timeout=NEVER_CACHED,
        )
    )
    try:
        command.validate()
    except SupersetSecurityException:
        return []
    return [row["log_id"] for row in command.run()["queries"][0]["data"]]


def _said(text: str, status: int) -> Response:
    return Response(text, status, mimetype="text/plain")
