"""The gate: which statements a login may run. Judges the engine's own parse, never the text."""

from collections import OrderedDict
from threading import Lock

from weir_clickhouse_front.allowed import (
    ENGINES,
    KINDS,
    REFUSED_FUNCTIONS,
    SELECT,
    SYSTEM_COMMANDS,
    SYSTEM_TABLES,
    TABLE_FUNCTIONS,
    WRITER_DATABASE,
    words,
)
from weir_clickhouse_front.engine import Engine, run
from weir_clickhouse_front.errors import FrontError, bad_request, refused
from weir_clickhouse_front.parse import Statement, parse
from weir_clickhouse_front.profiles import Profile, ProfileName
from weir_clickhouse_front.statement import MAX_STATEMENT_BYTES

CACHED_STATEMENTS = 1000
CACHED_STATEMENT_CHARS = 4_000
REMOTE_SOURCE_KEYS = words("host port secure user password name")
# Table functions may stand where scalar ones do (`x IN url(...)`); those that are both are judged as scalar.
ONLY_TABLE_FUNCTIONS = """
SELECT lower(name) FROM system.table_functions
WHERE lower(name) NOT IN (SELECT lower(name) FROM system.functions)
"""


class Gate:
    """Parses each statement once, keeps the newest parses, and judges them for a profile."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._cache: OrderedDict[str, Statement] = OrderedDict()
        self._lock = Lock()
        with engine.connect() as connection:
            self._foreign = frozenset(run(connection, ONLY_TABLE_FUNCTIONS).split()) - TABLE_FUNCTIONS

    def admit(self, profile: Profile, sql: str, database: str, params: dict[str, str]) -> Statement:
        """The statement's facts if the profile may run it in this database; FrontError if not."""
        statement = self._parsed(sql)
        judge(profile, statement, self._foreign, database, params)
        return statement

    def _parsed(self, sql: str) -> Statement:
        with self._lock:
            if sql in self._cache:
                self._cache.move_to_end(sql)
                return self._cache[sql]
        with self._engine.connect({"max_query_size": str(MAX_STATEMENT_BYTES)}, read_only=True) as connection:
            statement = parse(connection, sql)
        if len(sql) <= CACHED_STATEMENT_CHARS:
            with self._lock:
                self._cache[sql] = statement
                if len(self._cache) > CACHED_STATEMENTS:
                    self._cache.popitem(last=False)
        return statement


def judge(
    profile: Profile, statement: Statement, foreign: frozenset[str], database: str, params: dict[str, str]
) -> None:
    """FrontError 497 (or of the setting concerned) if the profile may not run the statement."""
    _check_kind(profile, statement)
    _check_functions(profile, statement, foreign)
    _check_reach(statement)
    if profile.name is not ProfileName.MIGRATOR:
        _check_system_tables(profile, statement, database, params)
    for setting in statement.settings:
        _check_clause(profile, setting)
    for setting in statement.assigned:
        profile.check_setting(setting)
    if profile.name is ProfileName.WRITER and statement.kind == "InsertQuery":
        target = _resolve(statement.target[0], params) or database
        if target != WRITER_DATABASE:
            raise refused(f"A writer inserts into database {WRITER_DATABASE} only, not into {target}.")


def _check_kind(profile: Profile, statement: Statement) -> None:
    if statement.kind not in KINDS[profile.name]:
        raise refused(f"{profile.name}: not enough rights for this kind of statement ({statement.kind}).")
    if statement.kind == "ExplainQuery" and statement.explained != SELECT:
        raise refused("EXPLAIN is for SELECT only here.")
    if statement.kind == "SystemQuery" and statement.system_command not in SYSTEM_COMMANDS:
        raise refused(
            f"SYSTEM {statement.system_command.replace('_', ' ')} is refused by the embedded front."
        )


def _check_functions(profile: Profile, statement: Statement, foreign: frozenset[str]) -> None:
    """Functions by call, by APPLY, and by bare name where another function would call it."""
    if called := sorted((statement.functions | statement.passed) & REFUSED_FUNCTIONS):
        raise refused(f"{called[0]}: this function is refused (if it is a column, write table.{called[0]}).")
    if tables := sorted((statement.table_functions - TABLE_FUNCTIONS) | (statement.functions & foreign)):
        allowed = ", ".join(sorted(TABLE_FUNCTIONS))
        raise refused(f"{tables[0]}: this table function is refused; allowed are {allowed}.")


def _check_reach(statement: Statement) -> None:
    """Nothing reaches outside the engine's store, whoever asks: it leaks, or the store opens no more."""
    if foreign := sorted(statement.engines - ENGINES):
        raise refused(f"ENGINE = {foreign[0]} is refused; allowed are {', '.join(sorted(ENGINES))}.")
    for source, keys in statement.dictionary_sources:
        if source not in ("clickhouse", "null") or keys & REMOTE_SOURCE_KEYS:
            raise refused(
                f"A dictionary's SOURCE is local here: SOURCE(CLICKHOUSE(TABLE or QUERY ...)), not {source}."
            )
    if statement.reads_or_writes_files:
        raise refused("INTO OUTFILE and FROM INFILE are refused: files stay on the client's side.")
    if statement.from_path:
        raise refused("ATTACH FROM a path is refused.")
    if statement.temporary:
        raise FrontError(
            48, "NOT_IMPLEMENTED", "Temporary tables do not outlive a request here; use a CTE or a table."
        )


def _check_system_tables(
    profile: Profile, statement: Statement, database: str, params: dict[str, str]
) -> None:
    for name in statement.tables | statement.names:
        parts = [_resolve(part, params) for part in name]
        if len(parts) == 1 and database == "system" and name in statement.tables:
            parts.insert(0, "system")
        if len(parts) > 1 and parts[0].lower() == "system" and parts[1] not in SYSTEM_TABLES:
            raise refused(f"{profile.name}: not enough rights for table system.{parts[1]}.")


def _resolve(part: str, params: dict[str, str]) -> str:
    """A name, or the value of the parameter that stands for it."""
    if not (part.startswith("{") and part.endswith("}")):
        return part
    if part[1:-1] not in params:
        raise bad_request(f"Query parameter {part[1:-1]} is not set")
    return params[part[1:-1]]


def _check_clause(profile: Profile, setting: str) -> None:
    """SETTINGS inside a statement: in a subquery the engine lets them lift a reader's limits."""
    if profile.read_only:
        raise FrontError(
            164,
            "READONLY",
            f"SETTINGS {setting} inside a statement is refused for a {profile.name}; "
            "pass settings as URL parameters (in a client: its settings argument).",
        )
    profile.check_setting(setting)
