"""Stable ids: the same kind and file name give the same uuid on every machine."""

from uuid import NAMESPACE_URL, UUID, uuid5

NAMESPACE = uuid5(NAMESPACE_URL, "weir/superset/assets")


def asset_uuid(kind: str, name: str) -> UUID:
    """Id of one object; `kind` is its folder (`charts`), `name` its file name without suffix."""
    return uuid5(NAMESPACE, f"{kind}/{name}")
