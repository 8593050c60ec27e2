"""What each login is refused. Many of these attacks were seen to work on the engine without the gate."""

import pytest
from front_process import FrontProcess

REFUSED, READONLY, SYNTAX = 497, 164, 62

READER_ATTACKS = {
    "several statements": ("SELECT 1; DROP TABLE weir.t", SYNTAX),
    "several statements behind a comment": ("SELECT 1 /* ; */; -- \nDROP TABLE weir.t", SYNTAX),
    "drop": ("DROP TABLE weir.t", REFUSED),
    "insert": ("INSERT INTO weir.t VALUES (1, 'x')", REFUSED),
    "insert select": ("INSERT INTO weir.t SELECT 1, 'x'", REFUSED),
    "insert behind a CTE": ("WITH 1 AS k INSERT INTO weir.t SELECT k, 'x'", REFUSED),
    "kill": ("KILL QUERY WHERE 1", REFUSED),
    "kill in comments": ("/**/KILL/**/QUERY/**/WHERE/**/1", REFUSED),
    "kill mutation": ("KILL MUTATION WHERE 1", REFUSED),
    "system": ("SYSTEM STOP MERGES", REFUSED),
    "shutdown": ("SYSTEM SHUTDOWN", REFUSED),
    "processes of others": ("SHOW PROCESSLIST", REFUSED),
    "lift a limit by SET": ("SET max_memory_usage_for_user = 0", READONLY),
    "leave readonly": ("SET readonly = 0", READONLY),
    "lift a limit by clause": ("SELECT 1 SETTINGS max_execution_time = 0", READONLY),
    "lift a limit in a subquery": ("SELECT * FROM (SELECT 1 SETTINGS max_threads = 64)", READONLY),
    "lift a limit in EXPLAIN": ("EXPLAIN SELECT * FROM (SELECT 1 SETTINGS max_threads = 64)", READONLY),
    "settings after the format": ("SELECT 1 FORMAT TSV SETTINGS max_threads = 64", READONLY),
    "template file": ("SELECT 1 FORMAT Template SETTINGS format_template_row = '/etc/passwd'", READONLY),
    "write a file": ("SELECT 1 INTO OUTFILE '/tmp/weir-front-test' FORMAT CSV", REFUSED),
    "read a file": ("SELECT * FROM file('/etc/passwd', 'LineAsString')", REFUSED),
    "read a file, scalar": ("SELECT file('/etc/passwd')", REFUSED),
    "read a file, quoted name": ("SELECT `file` /* */ ('/etc/passwd')", REFUSED),
    "read a file by APPLY": ("SELECT * APPLY(file) FROM (SELECT '/etc/passwd' AS a)", REFUSED),
    "read a file by lambda APPLY": ("SELECT * APPLY(x -> file(x)) FROM (SELECT '/etc/passwd' AS a)", REFUSED),
    "read a file by name": ("SELECT arrayMap(file, ['/etc/passwd'])", REFUSED),
    "read a file in a window": ("SELECT sum(1) OVER (PARTITION BY file('/etc/passwd'))", REFUSED),
    "read a file in ORDER BY": ("SELECT 1 ORDER BY file('/etc/passwd')", REFUSED),
    "table function in a CTE": ("WITH f AS (SELECT * FROM file('/etc/passwd')) SELECT * FROM f", REFUSED),
    "table function in IN": (
        "SELECT 1 IN (SELECT 1 FROM url('http://127.0.0.1:1/', 'CSV', 'x Int8'))",
        REFUSED,
    ),
    "table function beside IN": ("SELECT 1 IN url('http://127.0.0.1:1/', 'CSV', 'x Int8')", REFUSED),
    "table function in view()": ("SELECT * FROM view(SELECT * FROM file('/etc/passwd'))", REFUSED),
    "table function in EXPLAIN": ("EXPLAIN SELECT * FROM file('/etc/passwd')", REFUSED),
    "table function in EXPLAIN as a table": ("SELECT * FROM (EXPLAIN SELECT * FROM file('/etc/x'))", REFUSED),
    "table function in DESCRIBE": ("DESCRIBE (SELECT * FROM url('http://127.0.0.1:1/', 'CSV'))", REFUSED),
    "settings in DESCRIBE": ("DESCRIBE (SELECT 1 SETTINGS max_threads = 64)", READONLY),
    "function in SHOW": ("SHOW TABLES FROM weir WHERE file('/etc/passwd') LIKE 'r%'", REFUSED),
    "function in SHOW INDEX": ("SHOW INDEX FROM weir.t WHERE file('/etc/passwd') LIKE 'r%'", REFUSED),
    "APPLY in DESCRIBE": ("DESCRIBE (SELECT * APPLY(file) FROM (SELECT '/etc/passwd' AS a))", REFUSED),
    "describe a file": ("DESCRIBE TABLE file('/etc/passwd')", REFUSED),
    "table function in a JOIN": ("SELECT 1 FROM numbers(1) AS n, file('/etc/passwd') AS f", REFUSED),
    "case of a table function": ("SELECT * FROM FiLe('/etc/passwd')", REFUSED),
    "python objects": ("SELECT * FROM Python(settings)", REFUSED),
    "SQL from text": ("SELECT * FROM eval('DROP TABLE weir.t')", REFUSED),
    "other servers": ("SELECT * FROM remote('127.0.0.1:1', system.one)", REFUSED),
    "cluster": ("SELECT * FROM cluster('default', system.one)", REFUSED),
    "s3": ("SELECT * FROM s3('http://127.0.0.1:1/b/f.csv')", REFUSED),
    "mysql": ("SELECT * FROM mysql('127.0.0.1:1', 'd', 't', 'u', 'p')", REFUSED),
    "executable": ("SELECT * FROM executable('x', 'TSV', 'a String')", REFUSED),
    "sqlite": ("SELECT * FROM sqlite('/tmp/x.db', 't')", REFUSED),
    "merge over all databases": ("SELECT * FROM merge(REGEXP('.*'), '.*')", REFUSED),
    "connect by a scalar": ("SELECT hasColumnInTable('127.0.0.1:1', 'u', 'p', 'd', 't', 'c')", REFUSED),
    "AI services": ("SELECT aiGenerate('x')", REFUSED),
    "hold a thread": ("SELECT sleep(3)", REFUSED),
    "queries of others": ("SELECT query FROM system.query_log", REFUSED),
    "queries of others, quoted": ("SELECT query FROM `system`.`query_log`", REFUSED),
    "queries of others in IN": ("SELECT 1 IN system.processes", REFUSED),
    "queries of others in EXPLAIN": ("EXPLAIN SELECT * FROM system.processes", REFUSED),
    "explain a kill": ("EXPLAIN AST KILL QUERY WHERE 1", REFUSED),
    "explain an insert": ("EXPLAIN INSERT INTO weir.t SELECT 1, 'x'", REFUSED),
    "explain a foreign table": (
        "EXPLAIN TABLE OVERRIDE mysql('127.0.0.1:1', 'd', 't', 'u', 'p') COLUMNS (a Int8)",
        REFUSED,
    ),
    "temporary table": ("CREATE TEMPORARY TABLE x (a Int8)", REFUSED),
    "backup": ("BACKUP TABLE weir.t TO File('/tmp/x')", REFUSED),
    "attach": ("ATTACH TABLE weir.x FROM '/tmp/x' (a Int8) ENGINE = Memory", REFUSED),
    "user": ("CREATE USER x", REFUSED),
    "as another": ("EXECUTE AS default SELECT 1", REFUSED),
    "in parallel": ("SELECT 1 PARALLEL WITH DROP TABLE weir.t", REFUSED),
    "word of the command line client": ("exit", SYNTAX),
    "only words": ("version()", SYNTAX),
    "NUL": ("SELECT 1\0; DROP TABLE weir.t", 36),
}


@pytest.mark.parametrize("login", ["reader", "alert"])
@pytest.mark.parametrize("attack", READER_ATTACKS)
def test_reader_attacks_are_refused(front: FrontProcess, table: str, login: str, attack: str) -> None:
    sql, code = READER_ATTACKS[attack]
    front.ask("writer", f"INSERT INTO {table} VALUES (1, 'one')")
    response = front.post(login, sql)
    assert response.headers.get("X-ClickHouse-Exception-Code") == str(code), response.text
    assert front.ask("reader", f"SELECT * FROM {table}") == "1\tone"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM t PREWHERE {}",
        "SELECT 1 FROM t GROUP BY GROUPING SETS (({}))",
        "SELECT 1 FROM t GROUP BY k HAVING {}",
        "SELECT 1 FROM t QUALIFY {}",
        "SELECT 1 FROM t ARRAY JOIN [{}] AS y",
        "SELECT 1 FROM t JOIN t AS u ON t.k = {}",
        "SELECT 1 FROM t LIMIT 1 BY {}",
        "SELECT 1 FROM t LIMIT length({})",
        "SELECT 1 FROM t ORDER BY k WITH FILL FROM length({})",
        "SELECT 1 AS k ORDER BY k WITH FILL INTERPOLATE (v AS {})",
        "SELECT sum(1) OVER w FROM t WINDOW w AS (ORDER BY {})",
        "SELECT * REPLACE ({} AS v) FROM t",
        "SELECT CASE {} WHEN 1 THEN 2 END",
        "SELECT [{}][1], ({}).1, {}::String, EXISTS(SELECT {})",
        "SELECT * FROM values('a String', ({}))",
        "SELECT * FROM numbers(length({}))",
        "WITH RECURSIVE r AS (SELECT {}) SELECT * FROM r",
        "SELECT 1 UNION ALL (SELECT 2 INTERSECT SELECT {})",
    ],
)
def test_a_refused_function_is_seen_wherever_it_stands(front: FrontProcess, sql: str) -> None:
    assert front.error_code("reader", sql.replace("{}", "file('/etc/passwd')"), database="weir") == REFUSED


def test_parameters_cannot_name_a_refused_table(front: FrontProcess) -> None:
    sql = "SELECT count() > 0 FROM {db:Identifier}.{table:Identifier}"
    assert front.ask("reader", sql, param_db="system", param_table="databases") == "1"
    assert front.error_code("reader", sql, param_db="system", param_table="query_log") == REFUSED
    assert front.error_code("reader", "SELECT query FROM query_log", database="system") == REFUSED
    assert (
        front.error_code("reader", "SELECT query FROM {t:Identifier}", database="system", param_t="processes")
        == 497
    )


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT ('a', 'b') IN macros",
        "SELECT ('a', 'b') NOT IN `macros`",
        "SELECT ('a', 'b') GLOBAL IN (macros)",
        "SELECT arrayMap(x -> x IN macros, [('a', 'b')])",
        "WITH macros AS m SELECT ('a', 'b') IN m",
        "SELECT in(('a', 'b'), {t:Identifier})",
    ],
)
def test_a_bare_name_behind_in_is_a_table_of_the_database(front: FrontProcess, sql: str) -> None:
    assert front.error_code("reader", sql, database="system", param_t="macros") == REFUSED
    assert front.ask("reader", "SELECT 0 IN one", database="system") == "1"


def test_json_columns_are_the_migrators(front: FrontProcess, table: str) -> None:
    front.ask("migrator", "DROP TABLE IF EXISTS weir.j")
    front.ask(
        "migrator",
        "CREATE TABLE weir.j (j JSON(max_dynamic_paths = 3, a.b UInt8, SKIP c, SKIP REGEXP '^d[(]'), "
        "k UInt8) ENGINE = MergeTree ORDER BY k",
    )
    front.ask("migrator", "ALTER TABLE weir.j ADD COLUMN l Array(JSON(a Array(JSON(b UInt8)))) DEFAULT []")
    front.ask(
        "writer", 'INSERT INTO weir.j (j, k) FORMAT JSONEachRow {"j": {"a": {"b": 3}, "x": "y"}, "k": 1}'
    )
    assert front.ask("reader", "SELECT j.a.b, j.x, j.c, k FROM weir.j") == "3\ty\t\\N\t1"
    for sql in (
        "CREATE TABLE weir.x (j JSON(a UInt8), s String DEFAULT file('/etc/passwd')) ENGINE = Memory",
        "CREATE TABLE weir.x (j JSON(a UInt8)) ENGINE = File(CSV)",
        "CREATE TABLE weir.x (j JSON(a UInt8)) ENGINE = Memory AS SELECT file('/etc/passwd')",
        "CREATE TABLE weir.x (s String DEFAULT JSON(file('/etc/passwd')), j JSON(a UInt8)) ENGINE = Memory",
        "CREATE TABLE weir.x (s String DEFAULT '\\' JSON(', j JSON(a UInt8), "
        "z String DEFAULT file('/etc/passwd')) ENGINE = Memory",
    ):
        assert front.error_code("migrator", sql) in (REFUSED, SYNTAX), sql
    assert front.error_code("reader", "CREATE TABLE weir.x (j JSON(a UInt8)) ENGINE = Memory") == REFUSED


def test_a_statement_nested_too_deeply_is_named(front: FrontProcess) -> None:
    for sql in ("SELECT " + "[" * 900 + "1" + "]" * 900, "SELECT " + "(" * 3000 + "1" + ")" * 3000):
        assert front.error_code("reader", sql) == 306


def test_function_hidden_behind_an_alias_is_not_called(front: FrontProcess) -> None:
    assert front.error_code("reader", "WITH file AS f SELECT arrayMap(f, ['/etc/hostname'])") != 0


@pytest.mark.parametrize(
    "injected",
    ["1, readonly = 0", "1&readonly=0", "1' , readonly = '0", "1\\', readonly = 0 --", "1%26readonly%3D0"],
)
def test_a_settings_value_is_never_sql(front: FrontProcess, injected: str) -> None:
    asked = "SELECT getSetting('readonly')"
    answers = [
        front.post("reader", asked, max_threads=injected),
        front.post("reader", asked, session_timezone=injected),
        front.post("reader", asked, database=injected),
        front.post("reader", asked, param_x=injected),
        front.post("reader", asked, query_id=injected),
        front.post("reader", asked, default_format=injected),
    ]
    assert {answer.text.strip() for answer in answers if answer.status_code == 200} <= {"1"}
    assert front.error_code("reader", asked, **{f"max_threads = 1, {injected}": "1"}) != 0


@pytest.mark.parametrize(
    ("name", "asked", "granted"),
    [
        ("max_execution_time", "5", "5"),
        ("max_execution_time", "0", "60"),
        ("max_execution_time", "86400", "60"),
        ("max_threads", "64", "2"),
        ("max_memory_usage", "0", str((1 << 30) * 3 // 8)),
        ("readonly", "0", "1"),
    ],
)
def test_reader_limits_are_clamped(front: FrontProcess, name: str, asked: str, granted: str) -> None:
    assert front.ask("reader", f"SELECT getSetting('{name}')", **{name: asked}) == granted


def test_reader_may_choose_formats_but_no_other_settings(front: FrontProcess) -> None:
    answer = front.ask(
        "reader", "SELECT toUInt64(1) AS x FORMAT JSONEachRow", output_format_json_quote_64bit_integers="1"
    )
    assert answer == '{"x":"1"}'
    assert (
        front.ask("reader", "SELECT 1", wait_end_of_query="1", http_headers_progress_interval_ms="9") == "1"
    )
    assert front.error_code("reader", "SELECT 1", max_bytes_to_read="0") == READONLY
    assert front.error_code("reader", "SELECT 1", dialect="prql") == 452


@pytest.mark.parametrize(
    "sql",
    [
        "SHOW DATABASES",
        "SHOW TABLES FROM weir",
        "SHOW CREATE TABLE weir.t",
        "DESCRIBE TABLE weir.t",
        "DESCRIBE (SELECT sum(k) FROM weir.t)",
        "EXISTS TABLE weir.t",
        "EXPLAIN SELECT count() FROM weir.t",
        "SELECT currentUser(), version(), currentDatabase()",
        "SELECT count() FROM information_schema.columns",
        "WITH x AS (SELECT number AS n FROM numbers(3)) SELECT sum(n) FROM x WHERE n IN (SELECT 1)",
        "SELECT arrayMap(x -> x + 1, [1]), file FROM (SELECT 'a' AS file)",
        "SELECT 'DROP TABLE weir.t; KILL QUERY' -- SYSTEM SHUTDOWN",
        "(SELECT 1) UNION ALL (SELECT 2);",
    ],
)
def test_reader_may_look(front: FrontProcess, table: str, sql: str) -> None:
    assert front.ask("reader", sql)


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("CREATE TABLE weir.x (a Int8) ENGINE = Memory", REFUSED),
        ("ALTER TABLE weir.t DELETE WHERE 1", REFUSED),
        ("TRUNCATE TABLE weir.t", REFUSED),
        ("OPTIMIZE TABLE weir.t", REFUSED),
        ("KILL QUERY WHERE 1", REFUSED),
        ("SYSTEM STOP MERGES", REFUSED),
        ("INSERT INTO default.x VALUES (1)", REFUSED),
        ("INSERT INTO x VALUES (1)", REFUSED),
        ("INSERT INTO system.query_log SELECT * FROM system.query_log", REFUSED),
        ("INSERT INTO FUNCTION file('/tmp/x.csv') VALUES (1)", REFUSED),
        ("INSERT INTO weir.t SELECT 1, file('/etc/passwd')", REFUSED),
        ("INSERT INTO weir.t FROM INFILE '/etc/passwd' FORMAT CSV", REFUSED),
        ("INSERT INTO weir.t VALUES (1, file('/etc/passwd'))", 344),
        (
            "INSERT INTO weir.t SETTINGS input_format_values_interpret_expressions = 1 "
            "VALUES (1, file('/etc/passwd'))",
            452,
        ),
    ],
)
def test_writer_only_inserts_into_weir(front: FrontProcess, table: str, sql: str, code: int) -> None:
    response = front.post("writer", sql)
    assert response.headers.get("X-ClickHouse-Exception-Code") == str(code), response.text
    assert front.ask("reader", f"SELECT count() FROM {table}") == "0"


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE weir.x (a Int8) ENGINE = Kafka SETTINGS kafka_broker_list = 'x'",
        "CREATE TABLE weir.x (a Int8) ENGINE = File(CSV)",
        "CREATE TABLE weir.x (a Int8) ENGINE = URL('http://127.0.0.1:1/', CSV)",
        "CREATE TABLE weir.x (a Int8) ENGINE = S3('http://127.0.0.1:1/x.csv')",
        "CREATE TABLE weir.x (a Int8) ENGINE = MySQL('127.0.0.1:1', 'd', 't', 'u', 'p')",
        "CREATE TABLE weir.x (a Int8) ENGINE = Distributed(c, d, t)",
        "CREATE TABLE weir.x AS file('/etc/passwd')",
        "CREATE VIEW weir.x AS SELECT * FROM url('http://127.0.0.1:1/', CSV, 'a Int8')",
        "CREATE MATERIALIZED VIEW weir.x REFRESH EVERY 1 HOUR TO weir.t "
        "AS SELECT 1 AS k, file('/etc/passwd') AS v",
        "CREATE TABLE weir.x (a String DEFAULT file('/etc/passwd')) ENGINE = Memory",
        "CREATE DATABASE x ENGINE = MySQL('127.0.0.1:1', 'd', 'u', 'p')",
        "CREATE DICTIONARY weir.x (a UInt64) PRIMARY KEY a SOURCE(FILE(path '/etc/passwd' format CSV)) "
        "LAYOUT(FLAT()) LIFETIME(0)",
        "CREATE DICTIONARY weir.x (a UInt64) PRIMARY KEY a "
        "SOURCE(CLICKHOUSE(host '127.0.0.1' port 1 table 't')) LAYOUT(FLAT()) LIFETIME(0)",
        "CREATE FUNCTION x AS (f) -> arrayMap(f, ['/etc/passwd'])",
        "SYSTEM SHUTDOWN",
        "SYSTEM KILL",
        "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    ],
)
def test_nobody_reaches_outside_the_store(front: FrontProcess, table: str, sql: str) -> None:
    response = front.post("migrator", sql)
    assert response.headers.get("X-ClickHouse-Exception-Code") == "497", response.text
    assert front.ask("reader", "EXISTS TABLE weir.x") == "0"


def test_disks_cannot_be_declared_in_a_statement(front: FrontProcess) -> None:
    disk = "disk(type = s3, endpoint = 'http://127.0.0.1:1/b/', access_key_id = 'x', secret_access_key = 'x')"
    sql = f"CREATE TABLE weir.x (a Int8) ENGINE = MergeTree ORDER BY a SETTINGS disk = {disk}"
    assert front.error_code("migrator", sql) == 452


def test_migrator_changes_tables_and_rows(front: FrontProcess) -> None:
    for sql in (
        "CREATE OR REPLACE TABLE weir.m (k UInt64, v String CODEC(ZSTD), "
        "PROJECTION p (SELECT v, count() GROUP BY v)) ENGINE = MergeTree ORDER BY k "
        "TTL toDate('2030-01-01') + INTERVAL k DAY SETTINGS index_granularity = 1024",
        "ALTER TABLE weir.m ADD COLUMN w UInt8 DEFAULT 7",
        "ALTER TABLE weir.m DROP PROJECTION p",
        "INSERT INTO weir.m (k, v) VALUES (1, toString(1 + 1)), (2, 'x')",
        "ALTER TABLE weir.m DELETE WHERE k = 2 SETTINGS mutations_sync = 1",
        "OPTIMIZE TABLE weir.m FINAL",
        "CREATE OR REPLACE VIEW weir.mv AS SELECT k, v, w FROM weir.m",
        "CREATE OR REPLACE DICTIONARY weir.d (k UInt64, v String) PRIMARY KEY k "
        "SOURCE(CLICKHOUSE(TABLE 'm' DB 'weir')) LAYOUT(HASHED()) LIFETIME(0)",
        "SYSTEM FLUSH LOGS",
        "KILL QUERY WHERE 0",
    ):
        front.ask("migrator", sql)
    assert front.ask("reader", "SELECT k, v, w, dictGet('weir.d', 'v', k) FROM weir.mv") == "1\t2\t7\t2"
    assert int(front.ask("migrator", "SELECT count() FROM system.query_log")) > 0
