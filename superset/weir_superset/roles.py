"""Who sees which rows: roles, and one rule on every dataset that names users.

The rule holds for whoever has no role that is exempt: a role made by hand opens no rows of others.
"""

from typing import Any

from weir_superset.assets import Assets, Role
from weir_superset.client import Superset
from weir_superset.identity import asset_uuid

PERSONAL = "user"
"""The column of a dataset that names whose row it is."""
RULE = "Own rows"
OWN_ROWS = f"{PERSONAL} IN {{{{ [current_username()] | where_in }}}}"
ADMINISTRATORS = "Admin"


def personal(assets: Assets) -> list[str]:
    """Names of the datasets whose rows belong to users."""
    return [
        name
        for name, dataset in assets.datasets.items()
        if PERSONAL in {column.name for column in dataset.columns}
    ]


def load(assets: Assets, superset: Superset) -> None:
    """Create or replace the roles and the rule; the datasets must be there."""
    numbers = superset.ids("dataset")
    ids = {name: numbers[str(asset_uuid("datasets", name))] for name in assets.datasets}
    exempt = [superset.role(ADMINISTRATORS)]
    # First the rule: no role may open a dataset before it.
    exempt += [superset.role(role.title) for role in assets.roles.values() if role.everybody]
    superset.put_row_level_security(RULE, _rule([ids[name] for name in personal(assets)], exempt))
    access = superset.dataset_access()
    for role in assets.roles.values():
        superset.set_permissions(
            superset.role(role.title), [access[ids[name]] for name in seen(role, assets)]
        )


def seen(role: Role, assets: Assets) -> list[str]:
    """Names of the datasets that a role opens."""
    return list(assets.datasets) if role.everybody else role.datasets


def _rule(tables: list[int], exempt: list[int]) -> dict[str, Any]:
    return {
        "description": "Rows of other users are seen by administrators and Weir staff only.",
        "filter_type": "Base",
        "tables": tables,
        "roles": exempt,
        "clause": OWN_ROWS,
    }
