"""Who sees which rows: roles, a rule on every dataset that names users, and one on those that name a mode.

A rule holds for whoever has no role that is exempt from it: a role made by hand opens no rows of others.
"""

from typing import Any

from weir_superset.assets import ALL, Assets, Role, Rows
from weir_superset.client import Superset
from weir_superset.identity import asset_uuid

PERSONAL = "user"
"""The column of a dataset that names whose row it is."""
PROJECT = "account"
"""The column of a dataset that names the project of a row."""
OWN_ROWS = f"{PERSONAL} IN {{{{ [current_username()] | where_in }}}}"
MODE = "mode"
"""The column of a dataset that says whether a message went to its user: only those of mode live did."""
LIVE_RULE = "Live messages"
LIVE_ROWS = f"{MODE} = 'live'"
ADMINISTRATORS = "Admin"
OWN_RULE = "Own rows"
"""Begins the name of each rule about users."""

IMPERSONAL = frozenset(
    [
        "account",
        "age_seconds",
        "backpressured_share",
        "bucket",
        "bucket_seconds",
        "busiest",
        "busy_hours",
        "busy_seconds",
        "busy_share",
        "bytes",
        "bytes_read",
        "bytes_written",
        "checkpoint_seconds",
        "clock",
        "cluster",
        "coverage",
        "device",
        "device_id",
        "direction",
        "ended",
        "filesystem",
        "highest_mib_per_second",
        "hours",
        "idle_period",
        "idle_seconds",
        "ios",
        "is_idle",
        "jobs",
        "max_delay_seconds",
        "mean_request_kib",
        "messages",
        "metadata_per_second",
        "mib_per_second",
        "most_jobs",
        "node_hours",
        "node_hours_lost",
        "number",
        "bytes_per_second",
        "period",
        "phase",
        "rate_mib_per_second",
        "read_bytes",
        "read_mib_per_second",
        "read_requests",
        "read_wait",
        "requests",
        "requests_per_second",
        "rows",
        "sampled_seconds",
        "seconds",
        "server",
        "servers",
        "share_from",
        "state",
        "state_rank",
        "statistic",
        "step",
        "stripes",
        "target",
        "target_ios",
        "targets_expected",
        "targets_in_use",
        "targets_known",
        "task",
        "time",
        "topic",
        "up_to_kib",
        "util",
        "util_max",
        "util_mean",
        "wait_seconds",
        "write_mib_per_second",
        "write_requests",
        "write_wait",
        "written_bytes",
    ]
)
"""Columns that name no person and lead to none: all that a dataset without the column `user` may have."""


def personal(assets: Assets) -> list[str]:
    """Names of the datasets whose rows belong to users."""
    return [name for name in assets.datasets if PERSONAL in columns(assets, name)]


def with_mode(assets: Assets) -> list[str]:
    """Names of the datasets whose rows of another mode than live are for staff."""
    return [name for name in assets.datasets if MODE in columns(assets, name)]


def columns(assets: Assets, dataset: str) -> set[str]:
    """Names of the columns of a dataset."""
    return {column.name for column in assets.datasets[dataset].columns}


def load(assets: Assets, superset: Superset) -> None:
    """Create or replace the roles and the rules; the datasets must be there."""
    numbers = superset.ids("dataset")
    ids = {name: numbers[str(asset_uuid("datasets", name))] for name in assets.datasets}
    # First the rules: no role may open a dataset before them.
    wanted = rules(assets)
    for name, rule in wanted.items():
        tables = [ids[dataset] for dataset in rule.pop("datasets")]
        exempt = [superset.role(title) for title in rule.pop("exempt")]
        superset.put_row_level_security(name, rule | {"tables": tables, "roles": exempt})
    superset.drop_row_level_security(lambda name: name.startswith(OWN_RULE) and name not in wanted)
    access = superset.dataset_access()
    for role in assets.roles.values():
        superset.set_permissions(
            superset.role(role.title), [access[ids[name]] for name in opened(role, assets)]
        )


def opened(role: Role, assets: Assets) -> list[str]:
    """Names of the datasets that a role opens: all that its pages ask for, charts and filters."""
    if role.pages == ALL:
        return list(assets.datasets)
    pages = [assets.dashboards[name] for name in role.pages]
    asked = {assets.charts[chart].dataset for page in pages for chart in page.charts()}
    asked |= {item.dataset for page in pages for item in page.filters if item.dataset}
    return sorted(asked)


def rules(assets: Assets) -> dict[str, dict[str, Any]]:
    """The rules by name, with the titles of the roles that are exempt from each.

    People have several roles, so each dataset has a rule of its own: who sees everybody's running jobs by one
    role, and own runs by another, must not see everybody's runs.
    """
    titles = [role.title for role in assets.roles.values() if role.pages == ALL]
    live = {"clause": LIVE_ROWS, "datasets": with_mode(assets), "exempt": [ADMINISTRATORS, *titles]}
    found = {LIVE_RULE: _rule("Messages that did not go to their user", live)}
    for name in personal(assets):
        seers = [
            role.title
            for role in assets.roles.values()
            if role.rows == Rows.all and name in opened(role, assets)
        ]
        own = {
            "clause": clause(assets, name),
            "datasets": [name],
            "exempt": [ADMINISTRATORS, *seers],
        }
        found[f"{OWN_RULE}: {name}"] = _rule("Rows of other users", own)
    return found


def clause(assets: Assets, dataset: str) -> str:
    """What is seen of a dataset by who is not exempt: own rows, and those of projects that the user leads."""
    leads = [
        role.title
        for role in assets.roles.values()
        if role.rows == Rows.led and dataset in opened(role, assets)
    ]
    if not leads or PROJECT not in columns(assets, dataset):
        return OWN_ROWS  # messages have no project, and stay their user's
    # Both are needed, the role and the site's file of who leads what, which superset_config.py reads.
    has_role = " or ".join(f"'{title}' in (current_user_roles() or [])" for title in leads)
    return (
        f"{OWN_ROWS}{{% set led = projects_led_by(current_username()) if {has_role} else [] %}}"
        f"{{% if led %}} OR {PROJECT} IN {{{{ led | where_in }}}}{{% endif %}}"
    )


def _rule(what: str, rule: dict[str, Any]) -> dict[str, Any]:
    exempt = ", ".join(rule["exempt"])
    return rule | {"description": f"{what} are seen by {exempt} only.", "filter_type": "Base"}
