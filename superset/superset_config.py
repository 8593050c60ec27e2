"""Superset's configuration; everything that differs between places comes from the environment.

`WEIR_SUPERSET_HOME` (caches; required), `WEIR_SUPERSET_METADATA_URI` (default: SQLite in the home) or
`WEIR_SUPERSET_METADATA_URI_FILE`, `WEIR_SUPERSET_REDIS_URL_FILE` (caches in Redis instead of the home),
`WEIR_SUPERSET_SECRET_KEY_FILE` (required), `WEIR_SUPERSET_PORT` (default 8088), `WEIR_SUPERSET_HTTPS=1` where
a TLS proxy stands in front, `WEIR_SUPERSET_LOG_LEVEL` (default WARNING), `WEIR_SUPERSET_SIGN_IN_FILE` (a
directory whose people sign in, and who leads which project), `WEIR_SUPERSET_REPORTS` (the command that makes
reports of logs: `weir log report --site FILE`).
"""

import hashlib
import importlib
import logging
import os
import sys
import time
from contextlib import closing
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from cachelib.file import FileSystemCache
from flask import Flask, abort, current_app, g, redirect, request, session
from flask.typing import ResponseReturnValue
from flask_appbuilder.security.api import SecurityApi
from flask_appbuilder.security.views import AuthView
from flask_limiter.util import get_remote_address
from flask_login import current_user, user_logged_in
from redis import Redis
from sqlalchemy import create_engine
from sqlalchemy.engine import URL, Engine
from superset.utils.date_parser import datetime_parser
from superset.utils.log import AbstractEventLogger

sys.path.append(str(Path(__file__).parent))  # Superset reads this file alone
import weir_large_numbers
import weir_one_asker
import weir_reports
import weir_sign_in
import weir_sql_lab

# Two threads that load it with their first queries would see functions that it has not yet taken out.
importlib.import_module("sqlglot.dialects.clickhouse")

# Relative time ranges ("last day") and all times shown are UTC, wherever the process runs.
os.environ["TZ"] = "UTC"
time.tzset()


def _required(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise RuntimeError(f"{name} is not set; superset/README.md lists what Superset needs")
    return value


def _in_file(name: str) -> str:
    """What the file holds that a variable names; empty without the variable."""
    file = os.environ.get(name, "")
    return Path(file).read_text(encoding="utf-8").strip() if file else ""


HOME = Path(_required("WEIR_SUPERSET_HOME")).absolute()
REDIS_URL = _in_file("WEIR_SUPERSET_REDIS_URL_FILE")
HTTPS = os.environ.get("WEIR_SUPERSET_HTTPS", "0") == "1"

# Places ---------------------------------------------------------------------------------------------------
DATA_DIR = str(HOME)
SECRET_KEY = _in_file("WEIR_SUPERSET_SECRET_KEY_FILE") or _required("WEIR_SUPERSET_SECRET_KEY_FILE")
SQLALCHEMY_DATABASE_URI = (
    _in_file("WEIR_SUPERSET_METADATA_URI_FILE")
    or os.environ.get("WEIR_SUPERSET_METADATA_URI")
    or f"sqlite:///{HOME}/superset.db"
)
SUPERSET_WEBSERVER_ADDRESS = "127.0.0.1"
SUPERSET_WEBSERVER_PORT = int(os.environ.get("WEIR_SUPERSET_PORT", "8088"))
if SQLALCHEMY_DATABASE_URI.startswith("sqlite"):
    # Several workers share one file: wait for its lock instead of failing.
    SQLALCHEMY_ENGINE_OPTIONS = {"connect_args": {"timeout": 30}}

# Log ------------------------------------------------------------------------------------------------------
LOG_LEVEL = getattr(logging, os.environ.get("WEIR_SUPERSET_LOG_LEVEL", "WARNING").upper())
ALEMBIC_SKIP_LOG_CONFIG = True


class NoEventLog(AbstractEventLogger):
    """Keeps no row per drawn chart: dashboards that refresh by themselves would fill the metadata."""

    def log(self, *args: Any, **kwargs: Any) -> None:
        """Forget it."""


EVENT_LOGGER = NoEventLog()
SUPERSET_LOG_VIEW = False

# Who may do what ------------------------------------------------------------------------------------------
AUTH_USER_REGISTRATION = False
AUTH_USERNAME_CI = False  # names of users are the scheduler's, to which Ada and ada are two people
SIGN_IN = weir_sign_in.of_environment()
globals().update(SIGN_IN.settings())
CUSTOM_SECURITY_MANAGER = weir_sign_in.PeopleOfTheCenter
CUSTOM_SECURITY_MANAGER.sign_in = SIGN_IN
PROJECT_LEADS = weir_sign_in.ProjectLeads(SIGN_IN.project_leads)
PUBLIC_ROLE_LIKE = None
WTF_CSRF_ENABLED = True
FAB_API_SWAGGER_UI = False
PREVENT_UNSAFE_DB_CONNECTIONS = True
ENABLE_CORS = False
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
ENABLE_PROXY_FIX = HTTPS

# Sessions are kept here, not in the cookie: a cookie is worth nothing once its user has logged out.
SESSION_SERVER_SIDE = True
SESSION_REFRESH_EACH_REQUEST = False
if REDIS_URL:
    SESSION_TYPE = "redis"
    SESSION_REDIS = Redis.from_url(REDIS_URL)
else:
    SESSION_TYPE = "cachelib"
    # Visitors who have not signed in have sessions, too: so many that they cannot push out the others soon.
    SESSION_CACHELIB = FileSystemCache(str(HOME / "sessions"), threshold=50_000, mode=0o600)


def who_signs_in() -> str:
    """Name whose logins are counted together: an address and a user.

    A user of this machine has all addresses of the loopback interface, so they are one.
    """
    address = get_remote_address()
    named = request.form or request.get_json(silent=True)
    user = str(named.get("username")) if isinstance(named, dict) else ""
    place = "loopback" if ip_address(address).is_loopback else address
    return f"{place} {hashlib.sha256(user.encode()).hexdigest()}"


RATELIMIT_ENABLED = True
RATELIMIT_APPLICATION = None  # a dashboard asks for all of its charts at once
RATELIMIT_KEY_FUNC = who_signs_in
RATELIMIT_STORAGE_URI = REDIS_URL or "memory://"  # in memory each worker counts alone
LOGINS = "10 per minute"
HOME_PAGE = "/superset/dashboard/home/"
"""It leads each kind of reader to the dashboards for them, in place of Superset's list of all."""
OTHER_HOMES = {"Weir management": "/superset/dashboard/management/"}
"""Home of roles that may not see what the home page counts."""


ROWS_PAGE = "/weir/rows/"
ROWS_OF = {"run": ("runs", "log_id"), "job": ("job_results", "job_uid")}
"""Table and column of what its address names: /weir/rows/?run=... leads to the raw rows of a run."""
JOB_PAGE = "/weir/job/"
"""Leads to the page of a job: the addresses that a run's fact can link to differ in one word."""
DATABASE = "Weir"
"""The label of the connection in assets/databases."""

REPORTS = weir_reports.Reports(os.environ.get("WEIR_SUPERSET_REPORTS", ""), HOME)

SHIPPED = "Weir: "
"""Begins the label of a saved question, which an administrator loads."""


def FLASK_APP_MUTATOR(app: Flask) -> None:
    """Close what Superset leaves open and has no setting for."""
    # Superset's own AUTH_RATE_LIMIT holds for neither: the form goes to another view than the one it limits.
    for view in app.appbuilder.baseviews:
        if isinstance(view, AuthView | SecurityApi):
            app.appbuilder.sm.limiter.limit(LOGINS, methods=["POST"])(view.blueprint)

    def no_language(locale: str) -> None:
        abort(404)

    # There is one language, and Superset answers 500 for any other.
    app.view_functions["SupersetIndexView.patch_flask_locale"] = no_language
    user_logged_in.connect(_new_session, app)
    app.before_request(_take_no_events_of_nobody)
    app.before_request(_lead_home)
    app.before_request(_let_nobody_register)
    app.before_request(_lead_to_rows)
    app.before_request(_lead_to_job)
    app.before_request(REPORTS.show)
    # Two threads that read a time range first would both simplify its grammar, and one refuse the range.
    datetime_parser().streamline()
    _know_the_schema()
    weir_one_asker.install(TURN)
    weir_large_numbers.install()
    weir_sql_lab.install()
    _show_saved_questions(app.appbuilder.sm.user_model.roles.any(name=app.config["AUTH_ROLE_ADMIN"]))


def _take_no_events_of_nobody() -> ResponseReturnValue | None:
    """Answers the events that the page of the login form sends, which nobody reads, without a session.

    Superset would send them to the login, with a cookie. Where that came after the cookie of someone who
    signed in meanwhile, it took its place, and they were asked to sign in again.
    """
    if request.path == "/superset/log/" and not current_user.is_authenticated:
        return "", 204
    return None


def _lead_home() -> ResponseReturnValue | None:
    """Opens the home page in place of Superset's list of all that there is."""
    if request.path not in ("/", "/superset/welcome/"):
        return None
    roles = {role.name for role in current_app.appbuilder.sm.get_user_roles(current_user)}
    return redirect(next((page for role, page in OTHER_HOMES.items() if role in roles), HOME_PAGE))


def _lead_to_rows() -> ResponseReturnValue | None:
    """Opens SQL Lab, for those who may use it, with the question for all columns of one run or job."""
    if request.path != ROWS_PAGE:
        return None
    # Superset's models can only be loaded within its application.
    from superset.models.core import Database

    from superset import db

    for parameter, (table, column) in ROWS_OF.items():
        if name := request.args.get(parameter):
            quoted = name.replace("\\", "\\\\").replace("'", "\\'")
            database = db.session.query(Database.id).filter_by(database_name=DATABASE).scalar()
            sql = f"SELECT *\nFROM {table}\nWHERE {column} = '{quoted}'"
            return redirect(
                f"/sqllab?{urlencode({'dbid': database, 'name': f'The {parameter}', 'sql': sql})}"
            )
    abort(404)


def _lead_to_job() -> ResponseReturnValue | None:
    """Opens the page of the job that the address names."""
    if request.path != JOB_PAGE:
        return None
    return redirect(f"/superset/dashboard/job/?{urlencode({'job': request.args.get('job', '')})}")


def _let_nobody_register() -> None:
    """Close the pages on which people register themselves: Superset has them whatever its settings."""
    if request.path.startswith("/register"):
        abort(404)


def _know_the_schema() -> None:
    """Read the schema off the database's address: Superset asks for it several times for each chart.

    Each time it opens a connection, which costs four statements, even where the answer is in its cache.
    """
    # Superset's models can only be loaded within its application.
    from superset.db_engine_specs.clickhouse import ClickHouseConnectEngineSpec

    def of_address(_spec: Any, database: Any, catalog: str | None) -> str:
        return database.url_object.database or "default"

    ClickHouseConnectEngineSpec.get_default_schema = classmethod(of_address)


def _show_saved_questions(is_administrator: Any) -> None:
    """Let all who may use SQL Lab read the saved questions: Superset shows a saved query to its maker."""
    # Superset's models can only be loaded within its application.
    from superset.models.sql_lab import SavedQuery
    from superset.queries.saved_queries.filters import SavedQueryFilter

    own = SavedQueryFilter.apply

    def own_and_shipped(self: SavedQueryFilter, query: Any, value: Any) -> Any:
        if request.method != "GET":
            return own(self, query, value)
        is_shipped = SavedQuery.label.startswith(SHIPPED) & SavedQuery.created_by.has(is_administrator)
        return query.filter((SavedQuery.created_by == g.user) | is_shipped)

    SavedQueryFilter.apply = own_and_shipped


def _new_session(_app: Flask, **_: Any) -> None:
    """Give who signs in a session id that nobody knew before."""
    current_app.session_interface.regenerate(session)


class OwnPagesOnly:
    """Lets pages of other origins do no more than link to one of these: logging out would be theirs, too.

    Cookies know no ports, so requests of another server's pages on this machine come with the user's cookie,
    and an answer could replace it. Browsers say where a request is from; programs do not.
    """

    def __init__(self, app: Any) -> None:
        self.app = app

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Refuse before there is a session."""
        is_other = environ.get("HTTP_SEC_FETCH_SITE") in ("same-site", "cross-site")
        is_link = environ.get("HTTP_SEC_FETCH_DEST") == "document" and environ["REQUEST_METHOD"] == "GET"
        is_logout = environ["PATH_INFO"].startswith("/logout")
        if "HTTP_UPGRADE" in environ or (is_other and (is_logout or not is_link)):
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"Superset answers its own pages only."]
        return self.app(environ, start_response)


ADDITIONAL_MIDDLEWARE = [OwnPagesOnly]

# The policy holds on plain loopback http as well; only what needs TLS waits for it.
TALISMAN_ENABLED = True
TALISMAN_CONFIG = {
    "content_security_policy": {
        "base-uri": ["'self'"],
        "default-src": ["'self'"],
        "img-src": ["'self'", "blob:", "data:"],
        "worker-src": ["'self'", "blob:"],
        "connect-src": ["'self'"],
        "object-src": "'none'",
        "style-src": ["'self'", "'unsafe-inline'"],
        "font-src": ["'self'"],
        "script-src": ["'self'", "'strict-dynamic'"],
        "frame-ancestors": ["'self'"],
    },
    "content_security_policy_nonce_in": ["script-src"],
    "force_https": HTTPS,
    "strict_transport_security": HTTPS,
    "session_cookie_secure": HTTPS,
}

# Functions that the SQL of datasets calls -----------------------------------------------------------------
CENTERS_KEPT_SECONDS = 60
CENTERS_IN = {
    "runs_versions": "SELECT DISTINCT cluster FROM runs_versions LIMIT 2",
    "findings_versions": "SELECT DISTINCT cluster FROM findings_versions LIMIT 2",
    "job_results_versions": "SELECT DISTINCT cluster FROM job_results_versions LIMIT 2",
}


def centers_in(table: str) -> list[str]:
    """Names the centers of which a table has rows, two at most; a new one is known within a minute."""
    # Superset's models can only be loaded within its application.
    from superset.extensions import cache_manager
    from superset.models.core import Database

    from superset import db

    key = f"centers in {table}"
    centers = cache_manager.cache.get(key)
    if centers is None:
        weir = db.session.query(Database).filter_by(database_name=DATABASE).one()
        with weir.get_raw_connection() as connection, closing(connection.cursor()) as cursor:
            cursor.execute(CENTERS_IN[table])
            centers = [center for (center,) in cursor.fetchall()]
        cache_manager.cache.set(key, centers, timeout=CENTERS_KEPT_SECONDS)
    return centers


# Connections to ClickHouse ---------------------------------------------------------------------------------
KEPT_CONNECTION_SECONDS = 3600
_kept: dict[tuple[str, str], Engine] = {}


def DB_CONNECTION_MUTATOR(url: URL, params: dict[str, Any], *_: Any) -> tuple[URL, dict[str, Any]]:
    """Lets each chart use a connection that is open already, which knows the server's settings.

    Superset opens one for each, and asks for 1,400 settings before it asks for the chart. Connections have
    no session of the server: nothing that one user sets is there for the next.
    """
    if url.get_backend_name() == "clickhousedb":
        arguments = params.get("connect_args", {}) | {"autogenerate_session_id": False}
        place = url.render_as_string(hide_password=False), repr(arguments)
        if place not in _kept:
            pool = {"pool_size": 0, "max_overflow": -1, "pool_recycle": KEPT_CONNECTION_SECONDS}  # no limit
            _kept[place] = create_engine(url, connect_args=arguments, **pool)
        params = params | {"creator": _kept[place].raw_connection}
    return url, params


JINJA_CONTEXT_ADDONS = {
    "projects_led_by": PROJECT_LEADS.led_by,
    "centers_in": centers_in,
    "reports_can_be_made": REPORTS.can_be_made,
}

# Features -------------------------------------------------------------------------------------------------
FEATURE_FLAGS = {
    "ENABLE_TEMPLATE_PROCESSING": True,  # datasets choose their time grain from the dashboard's range
    "DASHBOARD_RBAC": True,
    "ALERT_REPORTS": False,
    "ALLOW_ADHOC_SUBQUERY": False,
    "EMBEDDED_SUPERSET": False,
    "TAGGING_SYSTEM": False,
}
LANGUAGES: dict[str, Any] = {}
DEFAULT_RELATIVE_START_TIME = "now"
DEFAULT_RELATIVE_END_TIME = "now"

# Limits: a chart never asks for more than a browser can draw ----------------------------------------------
ROW_LIMIT = 10_000
SQL_MAX_ROW = 50_000
SAMPLES_ROW_LIMIT = 200
DEFAULT_SQLLAB_LIMIT = 1_000
NATIVE_FILTER_DEFAULT_ROW_LIMIT = 1_000
SUPERSET_WEBSERVER_TIMEOUT = 60
SQLLAB_TIMEOUT = 30

# Caches: a chart's answer serves all viewers until the next refresh (weir_superset/bundle.py says how long) -
DASHBOARD_AUTO_REFRESH_MODE = "fetch"


def _cache(name: str, timeout: int) -> dict[str, Any]:
    if REDIS_URL:
        return {
            "CACHE_TYPE": "RedisCache",
            "CACHE_REDIS_URL": REDIS_URL,
            "CACHE_KEY_PREFIX": f"superset_{name}_",
            "CACHE_DEFAULT_TIMEOUT": timeout,
        }
    return {
        "CACHE_TYPE": "FileSystemCache",
        "CACHE_DIR": str(HOME / "cache" / name),
        "CACHE_THRESHOLD": 2_000,
        "CACHE_DEFAULT_TIMEOUT": timeout,
    }


CACHE_CONFIG = _cache("metadata", 3_600)
DATA_CACHE_CONFIG = _cache("data", 5)  # what is asked beside charts: shorter than any refresh
TURN = (
    weir_one_asker.in_redis(Redis.from_url(REDIS_URL))
    if REDIS_URL
    else weir_one_asker.in_files(HOME / "cache" / "asking")
)
FILTER_STATE_CACHE_CONFIG = _cache("filters", 90 * 86_400)
EXPLORE_FORM_DATA_CACHE_CONFIG = _cache("explore", 7 * 86_400)

# Looks ----------------------------------------------------------------------------------------------------
APP_NAME = "Weir"


def _icon(waves: str, name: str) -> str:
    return (
        "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='92' height='28'%3E"
        f"%3Cg fill='none' stroke='%23{waves}' stroke-width='2.6' stroke-linecap='round'%3E"
        "%3Cpath d='M2 9q4-4 8 0t8 0 8 0'/%3E%3Cpath d='M2 16q4-4 8 0t8 0 8 0'/%3E"
        "%3Cpath d='M2 23q4-4 8 0t8 0 8 0'/%3E"
        "%3C/g%3E%3Ctext x='33' y='21' font-family='Inter,Helvetica,Arial,sans-serif' font-size='20' "
        f"font-weight='600' fill='%23{name}'%3EWeir%3C/text%3E%3C/svg%3E"
    )


APP_ICON = _icon("1F5F8B", "263442")
THEME_DEFAULT = {
    "token": {
        "brandAppName": APP_NAME,
        "brandLogoAlt": APP_NAME,
        "brandLogoUrl": APP_ICON,
        "brandLogoHref": "/",
        "brandLogoHeight": "28px",
        "brandLogoMargin": "14px 0",
        "colorPrimary": "#1F5F8B",
        "colorLink": "#1F5F8B",
        "colorError": "#C0392B",
        "colorWarning": "#D99A1C",
        "colorSuccess": "#3B8B5A",
        "colorInfo": "#4C8FBF",
        "colorTextTertiary": "#66707A",
        "fontFamily": "Inter, Helvetica, Arial, sans-serif",
    },
    "algorithm": "default",
}
# A reader chooses between the two, or the browser does.
THEME_DARK = {
    "token": THEME_DEFAULT["token"]
    | {
        "brandLogoUrl": _icon("5BA4CF", "E6EDF3"),
        "colorTextTertiary": "#9AA5B1",
        "colorPrimary": "#5BA4CF",
        "colorLink": "#5BA4CF",
    },
    "algorithm": "dark",
}
ENABLE_UI_THEME_ADMINISTRATION = False
EXTRA_CATEGORICAL_COLOR_SCHEMES = [
    {
        "id": "weir",
        "description": "Twelve colors that stay apart in print, on black, and for color-blind readers",
        "label": "Weir",
        "isDefault": True,
        "colors": [
            "#246EA1", "#D67E26", "#3B8B5A", "#906CCC", "#4B9BCA", "#C0392B",
            "#8595A5", "#B4843C", "#608478", "#F0549C", "#606C78", "#78783C",
        ],
    }
]  # fmt: skip
EXTRA_SEQUENTIAL_COLOR_SCHEMES = [
    {
        "id": "weir_heat",
        "description": "Pale to deep: idle to saturated",
        "label": "Weir heat",
        "isDiverging": False,
        "isDefault": True,
        "colors": ["#F1F5F8", "#C5DAE8", "#86B3D1", "#E8B562", "#D9822B", "#B03A2E"],
    }
]
