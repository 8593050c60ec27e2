"""What the engine itself reads in a statement.

`parseQueryToJSON` is the engine's parser with its result as JSON: nothing in a quoted name or string can
forge a node, and several statements are a syntax error. A few kinds (DESCRIBE, EXISTS, SHOW CREATE) it cannot
print; for those EXPLAIN AST, which prints every kind as indented lines, is read instead.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from chdb.state.sqlitelike import Connection

from weir_embedded.front.errors import EngineError, bad_request

NOT_PRINTABLE = "does not support JSON serialization"
AST_FUNCTION = re.compile(r"^ *Function (\S+)", re.MULTILINE)
AST_NAME = re.compile(r"^ *(?:Table)?Identifier (\S+)", re.MULTILINE)
TRAILING_FORMAT = re.compile(r"\bFORMAT\s+(\w+)\s*;?\s*$", re.IGNORECASE)


@dataclass
class Statement:
    """The facts of one statement that the gate judges. Function names are in lower case.

    `passed` are bare names given to functions that may call them.
    """

    kind: str
    explained: str = ""
    format: str = ""
    functions: set[str] = field(default_factory=set)
    table_functions: set[str] = field(default_factory=set)
    engines: set[str] = field(default_factory=set)
    dictionary_sources: list[tuple[str, set[str]]] = field(default_factory=list)
    passed: set[str] = field(default_factory=set)
    names: set[tuple[str, ...]] = field(default_factory=set)
    tables: set[tuple[str, ...]] = field(default_factory=set)
    settings: set[str] = field(default_factory=set)
    assigned: dict[str, str] = field(default_factory=dict)
    target: tuple[str, str] = ("", "")
    uses: str = ""
    system_command: str = ""
    reads_or_writes_files: bool = False
    from_path: bool = False
    temporary: bool = False


def parse(connection: Connection, sql: str) -> Statement:
    """The facts of exactly one statement; EngineError (62 and others) if it is not one."""
    if "\0" in sql:
        raise bad_request("The statement holds a NUL character")
    try:
        text = connection.query(
            "SELECT parseQueryToJSON({sql:String})", "TSVRaw", params={"sql": _escaped(sql)}
        ).data()
    except RuntimeError as error:
        if NOT_PRINTABLE not in str(error):
            raise EngineError(error) from None
        return _from_explain(connection, sql)
    return _from_json(json.loads(text))


def _escaped(text: str) -> str:
    """As a String parameter's value: TSV escapes."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def _from_explain(connection: Connection, sql: str) -> Statement:
    """From EXPLAIN AST. A quoted name can add lines to it but never hide one, and facts only ever refuse."""
    try:
        text = connection.query(f"EXPLAIN AST {sql}", "TSVRaw").data()
    except RuntimeError as error:
        raise EngineError(error) from None
    names = {tuple(name.split(".")) for name in AST_NAME.findall(text)}
    found = TRAILING_FORMAT.search(sql)
    return Statement(
        kind=text.split(None, 1)[0],
        format=found[1] if found else "",
        functions={name.lower() for name in AST_FUNCTION.findall(text)},
        passed={name[0].lower() for name in names if len(name) == 1},
        names=names,
        settings={"SETTINGS"} if re.search(r"^ *Set\b", text, re.MULTILINE) else set(),
        reads_or_writes_files=bool(re.search(r"\b(?:OUTFILE|INFILE)\b", sql, re.IGNORECASE)),
    )


def _from_json(root: dict[str, Any]) -> Statement:
    query = root.get("query") or {}
    statement = Statement(kind=root["type"], explained=query.get("type", ""))
    statement.format = root.get("format") or _name(
        (query or root).get("format_ast") or root.get("format_ast")
    )
    statement.system_command = root.get("query_type", "") if root["type"] == "SystemQuery" else ""
    statement.target = (_text_or_name(root.get("database")), _text_or_name(root.get("table")))
    if root["type"] == "SetQuery":
        statement.assigned = {c["name"]: _literal(c["value"]) for c in root.get("changes", [])}
    if root["type"] == "UseQuery":
        statement.uses = _name(root["database"])
    statement.temporary = bool(root.get("is_temporary") or root.get("temporary"))
    for node in _nodes(root):
        _note(statement, node)
    return statement


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of the tree, whatever it hangs on."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            yield item
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)


def _note(statement: Statement, node: dict[str, Any]) -> None:
    """Adds one node's facts."""
    kind = node.get("type", "")
    if kind == "Function" and node.get("kind") in ("TABLE_ENGINE", "DATABASE_ENGINE"):
        statement.engines.add(node["name"])
    elif kind == "Function":
        statement.functions.add(node["name"].lower())
        statement.passed.update(_passed(node))
    if isinstance(node.get("table_function"), dict):
        statement.table_functions.add(node["table_function"].get("name", "").lower())
    if isinstance(node.get("as_table_function"), dict):
        statement.table_functions.add(node["as_table_function"].get("name", "").lower())
    if isinstance(node.get("func_name"), str):
        statement.functions.add(node["func_name"].lower())
    if kind in ("Identifier", "TableIdentifier"):
        (statement.tables if kind == "TableIdentifier" else statement.names).add(_parts(node))
    if kind == "SetQuery" and not node.get("is_standalone"):
        statement.settings.update(change["name"] for change in node.get("changes", []))
    if kind == "FunctionWithKeyValueArguments":
        keys = {n["first"].lower() for n in _nodes(node) if n.get("type") == "Pair"}
        statement.dictionary_sources.append((node["name"].lower(), keys))
    statement.reads_or_writes_files |= "out_file" in node or "infile" in node
    statement.from_path |= bool(node.get("has_attach_from_path"))


def _passed(call: dict[str, Any]) -> Iterator[str]:
    """Bare names given to a higher-order function: `arrayMap(file, ...)` calls file for each element."""
    if call["name"].lower().startswith(("array", "map")):
        for argument in (call.get("arguments") or {}).get("children", []):
            if argument.get("type") == "Identifier":
                yield argument["name"].lower()


def _parts(node: dict[str, Any]) -> tuple[str, ...]:
    """The parts of a name; a `{name:Identifier}` parameter stands as itself in braces."""
    params = iter([f"{{{child['name']}}}" for child in node.get("children", []) if "name" in child])
    parts = node.get("name_parts") or [node["name"]]
    return tuple(part if part else next(params, "{}") for part in parts)


def _name(node: dict[str, Any] | None) -> str:
    return ".".join(_parts(node)) if node else ""


def _text_or_name(value: Any) -> str:
    """Some nodes hold a name as text, some as an Identifier node."""
    return value if isinstance(value, str) else _name(value)


def _literal(value: Any) -> str:
    """A setting's value as the text SET takes."""
    inner = value.get("value") if isinstance(value, dict) else value
    return str(int(inner)) if isinstance(inner, bool) else str(inner)
