"""What a site file says, or where it is silent the defaults of its schema."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from weir.schemas_dir import SCHEMAS


def setting(site: Mapping[str, Any], name: str) -> Any:
    """Return a field at the top of a site file, or else its default."""
    return site.get(name, schema()["properties"][name]["default"])


@cache
def schema() -> dict[str, Any]:
    """Return the JSON schema of site files."""
    found: dict[str, Any] = json.loads((SCHEMAS / "site.schema.json").read_text())
    return found
