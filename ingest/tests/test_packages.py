"""The packages of `weir` use one another in one direction only."""

import ast
from pathlib import Path

import weir

HERE = Path(weir.__file__).parent
# each line uses itself and those below
ORDER = (
    ("__main__",),
    ("cli",),
    ("doctor", "notify"),
    ("admin", "shipping"),
    ("agents", "replay", "views"),
    ("report",),
    ("analyze",),
    ("logs", "formats"),
    ("clickhouse", "darshan", "documents", "privacy"),
    ("kafka", "settings"),
    ("config_file", "identity", "progress", "site_file", "wire"),
    ("errors", "schemas_dir"),
    ("text",),
)


def parts():
    """Each package, or module of none, and those that it imports anywhere but for types."""
    used = {}
    for file in HERE.rglob("*.py"):
        path = file.relative_to(HERE)
        if path.parts[0] == "schemas" or path == Path("__init__.py"):
            continue
        own = used.setdefault(path.parts[0].removesuffix(".py"), set())
        for node in ast.walk(_without_types(ast.parse(file.read_text()))):
            if isinstance(node, ast.ImportFrom) and node.module == "weir":
                own |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("weir."):
                own.add(node.module.split(".")[1])
    return used


def _without_types(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    return tree


def test_each_package_has_its_place_and_uses_only_those_below():
    used, level = parts(), {name: place for place, line in enumerate(ORDER) for name in line}
    assert used.keys() == level.keys()
    upward = {
        f"{name} uses {other}"
        for name, others in used.items()
        for other in others - {name}
        if level[other] <= level[name]
    }
    assert upward == set()
