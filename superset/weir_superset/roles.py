"""Who sees which rows: roles, one rule on every dataset that names users, and one on those that name a mode.

The rules hold for whoever has no role that is exempt: a role made by hand opens no rows of others.
"""

from typing import Any

from weir_superset.assets import Assets, Role
from weir_superset.client import Superset
from weir_superset.identity import asset_uuid

PERSONAL = "user"
"""The column of a dataset that names whose row it is."""
RULE = "Own rows"
OWN_ROWS = f"{PERSONAL} IN {{{{ [current_username()] | where_in }}}}"
MODE = "mode"
"""The column of a dataset that says whether a message went to its user: only those of mode live did."""
LIVE_RULE = "Live messages"
LIVE_ROWS = f"{MODE} = 'live'"
ADMINISTRATORS = "Admin"


def personal(assets: Assets) -> list[str]:
    """Names of the datasets whose rows belong to users."""
    return _with_column(assets, PERSONAL)


def with_mode(assets: Assets) -> list[str]:
    """Names of the datasets whose rows of another mode than live are for staff."""
    return _with_column(assets, MODE)


def _with_column(assets: Assets, column: str) -> list[str]:
    return [
        name for name, dataset in assets.datasets.items() if column in {each.name for each in dataset.columns}
    ]


def load(assets: Assets, superset: Superset) -> None:
    """Create or replace the roles and the rules; the datasets must be there."""
    numbers = superset.ids("dataset")
    ids = {name: numbers[str(asset_uuid("datasets", name))] for name in assets.datasets}
    exempt = [superset.role(ADMINISTRATORS)]
    # First the rules: no role may open a dataset before them.
    exempt += [superset.role(role.title) for role in assets.roles.values() if role.everybody]
    for rule, clause, why, names in (
        (RULE, OWN_ROWS, "Rows of other users", personal(assets)),
        (LIVE_RULE, LIVE_ROWS, "Messages that did not go to their user", with_mode(assets)),
    ):
        superset.put_row_level_security(rule, _rule(clause, why, [ids[name] for name in names], exempt))
    access = superset.dataset_access()
    for role in assets.roles.values():
        superset.set_permissions(
            superset.role(role.title), [access[ids[name]] for name in seen(role, assets)]
        )


def seen(role: Role, assets: Assets) -> list[str]:
    """Names of the datasets that a role opens."""
    return list(assets.datasets) if role.everybody else role.datasets


def _rule(clause: str, what: str, tables: list[int], exempt: list[int]) -> dict[str, Any]:
    return {
        "description": f"{what} are seen by administrators and Weir staff only.",
        "filter_type": "Base",
        "tables": tables,
        "roles": exempt,
        "clause": clause,
    }
