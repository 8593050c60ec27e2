"""What the engine itself reads in a statement.

`parseQueryToJSON` is the engine's parser with its result as JSON: nothing in a quoted name or string can
forge a node, and several statements are a syntax error. A few kinds (DESCRIBE, EXISTS, SHOW CREATE) it cannot
print; for those EXPLAIN AST shows the kind.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from chdb.state.sqlitelike import Connection

from weir_clickhouse_front.errors import EngineError, FrontError, bad_request, refused
from weir_clickhouse_front.lexer import SPACE, escaped, split_at_format, without_json_arguments

NOT_PRINTABLE = "does not support JSON serialization"
JSON_ARGUMENTS = "'ASTObjectTypeArgument' does not support JSON serialization"
DESCRIBE = re.compile(r"\s*DESC(?:RIBE)?\s+(?:TABLE\s+)?", re.IGNORECASE)
IN_FUNCTION = re.compile(r"(?:global)?(?:not)?(?:null)?in(?:ignoreset)?")


@dataclass
class Statement:
    """The facts of one statement that the gate judges. Function names are in lower case.

    `passed` are bare names given to functions that may call them. `body` and `tail` are the text before and
    behind FORMAT, without the semicolon at the end.
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
    body: str = ""
    tail: str = ""


def parse(connection: Connection, sql: str) -> Statement:
    """The facts of exactly one statement; EngineError (62 and others) if it is not one."""
    if "\0" in sql:
        raise bad_request("The statement holds a NUL character")
    try:
        statement = _judged(connection, sql)
        statement.body, statement.tail = split_at_format(connection, sql, statement.format)
    except RuntimeError as error:
        raise EngineError(error) from None
    return statement


def _judged(connection: Connection, sql: str) -> Statement:
    try:
        text = connection.query(
            "SELECT parseQueryToJSON({sql:String})", "TSVRaw", params={"sql": escaped(sql)}
        ).data()
    except RuntimeError as error:
        if JSON_ARGUMENTS in str(error):
            return _with_json_types(connection, sql)
        if NOT_PRINTABLE in str(error):
            return _from_explain(connection, sql)
        raise
    try:
        return _from_json(json.loads(text))
    except RecursionError:
        raise FrontError(306, "TOO_DEEP_RECURSION", "The statement is nested too deeply") from None


def _with_json_types(connection: Connection, sql: str) -> Statement:
    """A statement of which only the arguments of types JSON(...) cannot be printed: judged without them."""
    plain, names = without_json_arguments(connection, sql)
    if plain == sql:
        raise refused("This form of the type JSON cannot be checked, so it is refused.")
    statement = _judged(connection, plain)
    statement.functions |= names
    return statement


def _from_explain(connection: Connection, sql: str) -> Statement:
    """Kinds that only look. What they look at is a table expression or plain names, else they are refused."""
    kind = _root(connection, sql)
    if kind == "DescribeQuery" and (start := DESCRIBE.match(sql)):
        described = _judged(connection, "SELECT * FROM " + sql[start.end() :])  # noqa: S608  only parsed
        return replace(described, kind=kind)
    if "(" in sql or not kind.startswith(("Show", "Exists")):
        raise refused(f"{kind}: this form cannot be checked, so it is refused.")
    words = sql.rstrip(SPACE + ";").rsplit(None, 2)
    return Statement(kind=kind, format=words[2] if len(words) == 3 and words[1].upper() == "FORMAT" else "")


def _root(connection: Connection, sql: str) -> str:
    """The name of the statement's root node."""
    text: str = connection.query(f"EXPLAIN AST {sql}", "TSVRaw").data()
    return text.split(None, 1)[0]


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
        statement.tables.update(_looked_in(node))
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


def _looked_in(call: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """A table that an IN names bare: `x IN t` reads it."""
    if IN_FUNCTION.fullmatch(call["name"].lower()):
        for argument in (call.get("arguments") or {}).get("children", [])[1:]:
            if argument.get("type") == "Identifier":
                yield _parts(argument)


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
