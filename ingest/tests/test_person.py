"""One person's rows, among those of another, on ClickHouse's engine: found, exported, erased."""

import json
import stat
from datetime import UTC, datetime, timedelta

import mock_kafka
import pytest
from engine_client import EngineClient
from typer.testing import CliRunner
from weir import clickhouse
from weir.admin import person as persons
from weir.admin import person_export
from weir.admin.person import BY_COLUMN, NOBODY, PersonRows
from weir.cli import app
from weir.errors import UserError

ALICE, BOB = "alice", "bob"
BEGIN = f"toDateTime64('{datetime.now(UTC) - timedelta(days=3):%Y-%m-%d %H:%M:%S}', 6, 'UTC')"
END = f"{BEGIN} + INTERVAL 1 HOUR"
PEOPLE = {
    "user",
    "uid",
    "recipient",
    "owner",
    "mail",
    "email",
    "login",
    "address",
    "said_by",
    "channel_addresses",
}
"""Words by which columns name people. An account is a project's."""
RECORDS = ("posix", "mpiio", "stdio", "h5f", "h5d", "pnetcdf_file", "pnetcdf_var", "dfs", "daos")
LOG_TABLES = [*(f"{module}_records" for module in RECORDS), "heatmap_bins", "lustre_stripes"]
PER_PERSON = {
    "scheduler_jobs": 1,
    "job_results": 1,
    "job_manifests": 3,  # of the job, one before the job was known, one that names a log alone
    "runs": 3,  # joined, never joined, and the retraction of the log that was replaced
    "findings": 3,  # of the joined run, of the unjoined one, of the job
    "log_modules": 4,  # of the three logs, and of one that only a manifest names
    "superseded_logs": 1,
    "job_live": 1,
    "cases": 1,
    "alerts": 1,
    "alert_controls": 1,
    "deliveries": 2,  # to the person, and to operators about the person
    "message_effects": 1,
    "user_file_totals": 1,
    "file_reader_totals": 1,
    "dead_letters": 2,
    **dict.fromkeys(LOG_TABLES, 2),  # of the joined log and the replaced one
}


OTHER_WORDS = dict.fromkeys(("dead_letters", "dead_letters_open", "dead_letters_versions"), 1)
"""In what is nobody's the name is a part of other words."""


class Sql(str):
    """Is no text but an expression."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """Tables with what both people left, and what is nobody's."""
    client = EngineClient(tmp_path_factory.mktemp("engine"))
    client.command("SYSTEM STOP VIEW message_effects_build")  # it would replace what is written here
    for name, uid, job_id in ((ALICE, 1001, 11), (BOB, 1002, 22)):
        fill(client, name, uid, job_id)
    fill_nobody(client)
    yield client
    client.close()


@pytest.fixture
def client(engine, monkeypatch):
    monkeypatch.setattr(persons, "POLL_SECONDS", 0.01)
    yield engine
    assert engine.rows("SELECT name FROM system.tables WHERE startsWith(name, 'person_keys_')") == []


@pytest.fixture
def erasable(client):
    """Gives back what is erased of Alice."""
    yield client
    assert erase(client) == []
    fill(client, ALICE, 1001, 11)


def tables(client):
    listed = (
        "SELECT name FROM system.tables WHERE database = 'weir' AND engine LIKE '%MergeTree' ORDER BY name"
    )
    return [name for (name,) in client.rows(listed)]


def put(client, table, **values):
    """Insert a row; texts as parameters, as names are hostile."""
    texts = {f"p{n}": each for n, each in enumerate(values.values()) if type(each) is str}
    given = [
        f"{{p{n}:String}}" if type(each) is str else "NULL" if each is None else str(each)
        for n, each in enumerate(values.values())
    ]
    client.command(
        f"INSERT INTO {table}_versions ({', '.join(values)}, version) SELECT {', '.join(given)}, 1", texts
    )


def fill(client, name, uid, job_id, cluster="c"):
    job = {"cluster": cluster, "job_id": job_id}
    begin, end = BEGIN, END
    owner = {"user": name, "uid": uid, "job_uid": f"job of {job_id}"}

    def insert(table, **values):
        put(client, table, **job, **values)

    def insert_other(table, **values):
        put(client, table, cluster=cluster, **values)

    job_times = {"submit_time": Sql(begin), "start_time": Sql(begin)}
    insert("scheduler_jobs", **owner, **job_times, end_time=Sql(end), job_name=f"{name}'s job")
    insert("scheduler_jobs", **owner, **job_times)
    insert("job_results", user=name, job_uid=f"job of {job_id}", submit_time=Sql(begin))
    joined, unjoined, replaced, named = (
        f"{kind} {job_id}" for kind in ("joined", "unjoined", "replaced", "named")
    )
    insert(
        "job_manifests",
        job_uid=f"job of {job_id}",
        scan_time=Sql(end),
        log_ids=Sql(f"['{joined}', '{named}']"),
    )
    insert("job_manifests", job_uid=None, scan_time=Sql(f"{begin} + 60"))
    names_log = {"job_uid": None, "scan_time": Sql("now64(6)"), "log_ids": Sql(f"['{unjoined}']")}
    insert_other("job_manifests", job_id=job_id + 1, **names_log)
    run = {"user": name, "job_uid": f"job of {job_id}", "start_time": Sql(begin), "uid": uid}
    insert("runs", log_id=joined, **run | {"user": None, "job_uid": None})
    insert("runs", log_id=joined, **run)
    insert(
        "runs", log_id=unjoined, user=None, uid=uid, start_time=Sql(begin), file_name=f"{name}_ior.darshan"
    )
    insert("runs", log_id=replaced, start_time=Sql(begin), is_deleted=1)
    insert_other("superseded_logs", log_id=replaced, superseded_by=joined, start_time=Sql(begin))
    for log in (joined, unjoined, replaced, named):
        insert_other("log_modules", log_id=log, start_time=Sql(begin), module="POSIX")
    insert("findings", log_id=joined, user=name, start_time=Sql(begin))
    insert("findings", log_id=unjoined, start_time=Sql(begin))
    insert("findings", job_uid=f"job of {job_id}", start_time=Sql(begin))
    for table in LOG_TABLES:
        for log in (joined, replaced):
            insert(table, log_id=log, start_time=Sql(begin), name=f"/home/{name}/data")
    insert("job_live", time=Sql(f"{begin} + 60"), job_key=str(job_id), target="t")
    insert_other("cases", case_id=f"case {name}", user=name, changed_at=Sql(end))
    insert_other("alerts", user=name, kind="finding", decided_at=Sql(end))
    insert_other("alert_controls", user=name, kind="mute", subject="all", time=Sql(end), said_by=name)
    totals = {"message_effects": "first_at", "user_file_totals": "hour", "file_reader_totals": "hour"}
    for table, time in totals.items():
        client.command(
            f"INSERT INTO {table}_versions (cluster, user, {time}) SELECT '{cluster}', {{p:String}}, {end}",
            {"p": name},
        )
    times = {"decided_at": Sql(end), "time": Sql(end)}
    insert_other("deliveries", alert=f"to {name}", recipient=name, unit=f"job of {job_id}", **times)
    about = {
        "recipient": "operators",
        "unit": f"no_address {cluster}/{name}",
        "subject": f"No address for {name}",
    }
    insert_other("deliveries", alert=f"about {name}", **about, **times)
    insert_other(
        "dead_letters", source="scheduler", id=f"1 {name}", bytes=f"{job_id}|{name}|x", time=Sql(end)
    )
    raw = Sql(f"unhex('ff80{name.encode().hex()}ff00')")
    insert_other("dead_letters", source="darshan", id=f"2 {name}", bytes=raw, time=Sql(end))
    for table in ("scheduler_jobs", "runs"):  # both have a row that another version replaced
        client.command(f"OPTIMIZE TABLE {table}_versions FINAL")


def fill_nobody(client):
    """What has no person, and what has the ids of one at another time or on another cluster."""
    late = Sql(f"{BEGIN} - INTERVAL 9 DAY")
    put(client, "job_live", cluster="c", job_id=11, time=late, job_key="11", target="later, other job")
    put(client, "job_live", cluster="d", job_id=11, time=late, job_key="11", target="elsewhere")
    put(client, "job_manifests", cluster="c", job_id=11, job_uid="later", scan_time=late)
    put(client, "runs", cluster="c", log_id="of no job", user=None, uid=7777, start_time=late)
    put(client, "runs", cluster="d", log_id="of another cluster", user=None, uid=1001, start_time=late)
    put(client, "dead_letters", cluster="c", source="s", id="other", bytes="malice alicexy 1alice", time=late)
    put(
        client,
        "deliveries",
        cluster="c",
        alert="trouble",
        recipient="operators",
        subject="oss1",
        time=late,
        decided_at=late,
    )
    put(client, "device_load", cluster="c", device_id="d", bucket_start=late)
    client.command(f"INSERT INTO landings (cluster, table, rows, landed_at) VALUES ('c', 'runs', 9, {late})")


def opened(client, name=ALICE, cluster=None):
    return PersonRows(client, "weir", name, cluster)


def erase(client, name=ALICE, cluster=None):
    with opened(client, name, cluster) as person:
        for table, _ in person.held():
            person.erase(table)
        return person.held()


def holding(client, text):
    """Tables and views in which the text stands in any column."""
    columns = client.rows(
        "SELECT table, groupArray(name) FROM system.columns "
        "WHERE database = 'weir' AND type LIKE '%String%' AND table NOT LIKE '%_by_hour' GROUP BY table"
    )
    found = {}
    for table, names in columns:
        texts = ", ".join(f"ifNull(toString(`{name}`), '')" for name in names)
        where = f"position(concatWithSeparator(' ', '', {texts}), {{text:String}}) > 0"
        if rows := client.one(f"SELECT count() FROM {table} WHERE {where}", text=text):
            found[table] = rows
    return found


def contents(client):
    """Each table's rows as text."""
    return {
        table: sorted(map(str, client.rows(f"SELECT * FROM {table}")))
        for table in tables(client)
        # states of aggregates are no text; when a day last landed is merged when it will; hashes stay
        if table
        not in ("landings_hourly", "days_of_totals", "hours_of_totals", "times_of_ids", "times_of_files")
    }


def test_every_row_of_the_person_is_found_and_no_other(client):
    with opened(client) as person:
        assert {table.removesuffix("_versions"): rows for table, rows in person.held()} == PER_PERSON
        assert (person.shared_uids(), person.unknown) == ([], [])


def test_after_the_erasure_nothing_of_the_person_is_left_and_all_else_is_as_it_was(erasable):
    before = contents(erasable)
    assert erase(erasable) == []
    assert holding(erasable, ALICE) == OTHER_WORDS
    for what in ("job of", "joined", "unjoined", "replaced", "named"):
        assert holding(erasable, f"{what} 11") == {}
    after = contents(erasable)
    gone = {table: len(rows) - len(after[table]) for table, rows in before.items() if rows != after[table]}
    assert {table.removesuffix("_versions"): rows for table, rows in gone.items()} == PER_PERSON
    assert all(set(after[table]) <= set(rows) for table, rows in before.items())
    with opened(erasable, BOB) as other:
        assert {table.removesuffix("_versions"): rows for table, rows in other.held()} == PER_PERSON


def test_dead_letters_go_by_the_name_as_a_word(erasable):
    erase(erasable)
    letters = erasable.rows("SELECT id FROM dead_letters_versions ORDER BY id")
    assert letters == [("1 bob",), ("2 bob",), ("other",)]


def test_an_erasure_can_be_repeated_and_finds_what_landed_again(erasable):
    erase(erasable)
    with opened(erasable) as person:
        assert person.held() == []
    fill(erasable, ALICE, 1001, 11)
    with opened(erasable) as person:
        assert {table.removesuffix("_versions"): rows for table, rows in person.held()} == PER_PERSON


def test_only_the_cluster_that_is_named(erasable):
    fill(erasable, ALICE, 1001, 11, cluster="d")
    assert erase(erasable, cluster="d") == []
    with opened(erasable) as person:
        assert {table.removesuffix("_versions"): rows for table, rows in person.held()} == PER_PERSON
    fill(erasable, ALICE, 1001, 11, cluster="d")
    assert erase(erasable) == []
    assert holding(erasable, ALICE) == OTHER_WORDS


def test_counts_of_what_landed_stay_true(erasable):
    erase(erasable)
    assert erasable.rows("SELECT rows FROM landings") == [(9,)]
    assert erasable.rows("SELECT sum(rows) FROM landings_hourly") == [(9,)]


def test_a_user_id_that_two_have_makes_no_run_anybodys(client):
    put(client, "scheduler_jobs", cluster="c", job_uid="x", user=BOB, uid=1001, submit_time=Sql("now()"))
    with opened(client) as person:
        assert person.shared_uids() == [("c", 1001)]
        held = {table.removesuffix("_versions"): rows for table, rows in person.held()}
    assert (held["runs"], held["findings"]) == (2, 2)
    client.command(
        "ALTER TABLE scheduler_jobs_versions DELETE WHERE job_uid = 'x' SETTINGS mutations_sync = 1"
    )


HOSTILE = (
    "x' OR 1 = 1 --",
    "back\\slash",
    "tab\tand\nline",
    "\u202eevil",
    "{name:String}",
    "%",
    "über",
    "a.*b",
    "`",
)


def test_hostile_names_are_names(client):
    before = contents(client)
    for name in HOSTILE:
        put(client, "cases", cluster="c", case_id="1", user=name, changed_at=Sql(END))
        put(client, "scheduler_jobs", cluster="c", job_uid="1", user=name, uid=3003, submit_time=Sql(BEGIN))
        put(client, "runs", cluster="c", log_id="1", user=None, uid=3003, start_time=Sql(BEGIN))
        put(client, "dead_letters", cluster="c", source="s", id="1", bytes=f"a,{name},b", time=Sql(END))
        with opened(client, name) as person:
            held = person.held()
            assert [rows for _, rows in held] == [1, 1, 1, 1], name
            for table, _ in held:
                person.erase(table)
            assert person.held() == [], name
    assert contents(client) == before


@pytest.mark.parametrize("name", ["", " ", "operators", "(unknown)"])
def test_nobodys_name_is_refused(client, name):
    with pytest.raises(UserError):
        opened(client, name)


def test_the_name_stays_in_no_list_of_mutations(erasable):
    erase(erasable)
    assert erasable.one("SELECT count() FROM system.mutations WHERE position(command, 'alice') > 0") == 0


def test_what_cannot_be_deleted_is_reported_and_nothing_waits_for_it(client, monkeypatch):
    with opened(client) as person:
        keys = person._keys
        monkeypatch.setitem(
            person.conditions, "cases_versions", person.conditions["cases_versions"] + " AND throwIf(1) = 0"
        )
        with pytest.raises(UserError, match="cases_versions: rows could not be deleted: "):
            person.erase("cases_versions")
    waiting = (
        "SELECT count() FROM system.mutations WHERE NOT is_done AND position(command, {keys:String}) > 0"
    )
    assert client.one(waiting, keys=keys) == 0
    assert erase(client) == []


def test_keys_that_a_killed_command_left_are_dropped(client, monkeypatch):
    client.command("CREATE TABLE person_keys_left (a String) ENGINE = MergeTree ORDER BY a")
    with opened(client):
        assert client.one("EXISTS TABLE person_keys_left") == 1  # it may be at work
    monkeypatch.setattr(persons, "LEFT_OVER_SECONDS", 0)
    with opened(client):
        assert client.one("EXISTS TABLE person_keys_left") == 0


def test_a_table_that_weir_did_not_make_is_reported_or_erased_by_its_columns(erasable):
    erasable.command("CREATE TABLE notes (text String) ENGINE = MergeTree ORDER BY text")
    erasable.command(
        "CREATE TABLE `their own` (cluster String, user String) ENGINE = MergeTree ORDER BY user"
    )
    erasable.command("INSERT INTO `their own` VALUES ('c', 'alice'), ('c', 'bob')")
    with opened(erasable) as person:
        assert person.unknown == ["notes"]
    erase(erasable)
    assert erasable.rows("SELECT user FROM `their own`") == [("bob",)]
    erasable.command("DROP TABLE notes SYNC")
    erasable.command("DROP TABLE `their own` SYNC")


def test_each_table_is_known_to_hold_people_or_nobody(engine):
    covered = set(opened(engine).conditions)
    assert covered | NOBODY == {*tables(engine), "migrations"}
    assert covered & NOBODY == set()


def test_no_column_that_names_people_is_overlooked(engine):
    columns = engine.rows(
        "SELECT table, name FROM system.columns WHERE database = 'weir' ORDER BY table, name"
    )
    naming = {(table, name) for table, name in columns if PEOPLE & {name, *name.split("_")}}
    beside = {(table, name) for table, name in naming if table in tables(engine) and name not in BY_COLUMN}
    # All but said_by stand in rows that are the person's by other columns; said_by may be of another's row.
    assert beside == {
        ("alert_controls_versions", "said_by"),
        ("deliveries_versions", "channel_addresses"),
        ("runs_versions", "uid"),
        ("scheduler_jobs_versions", "uid"),
    }


def test_an_export_has_every_row_and_what_the_columns_mean(client, tmp_path):
    folder = tmp_path / "alice"
    with opened(client) as person:
        written = {each.file.stem: each.rows for each in person_export.export(client, person, folder)}
    assert written == PER_PERSON
    files = {file.stem: file.read_text().splitlines() for file in folder.glob("*.jsonl")}
    assert {stem: len(lines) for stem, lines in files.items()} == PER_PERSON
    rows = {stem: [json.loads(line) for line in lines] for stem, lines in files.items()}
    assert [row["name"] for row in rows["posix_records"]] == ["/home/alice/data"] * 2
    assert {row["bytes"] for row in rows["dead_letters"]} == {"MTF8YWxpY2V8eA==", "/4BhbGljZf8A"}
    assert BOB not in str(rows)
    page = (folder / "README.md").read_text()
    assert "# What Weir holds of alice" in page
    assert "## runs.jsonl: 3 rows" in page
    assert "| `user` | LowCardinality(Nullable(String)) | from the scheduler, never from the log |" in page
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    with opened(client) as person, pytest.raises(UserError, match="Name a folder that is not there yet"):
        list(person_export.export(client, person, folder))


@pytest.fixture
def weir(client, tmp_path, monkeypatch):
    """Runs `weir person` against the tables and an empty Kafka."""
    with mock_kafka.running() as kafka:
        for topic in ("weir.control", "weir.delivery"):
            kafka.make(topic)
        settings = {
            "kafka": kafka.options,
            "clickhouse_url": "http://127.0.0.1:1",
            "clickhouse_password_file": "/dev/null",
            "migrator_password_file": "/dev/null",
            "state_dir": str(tmp_path),
        }
        (tmp_path / "weir.yaml").write_text(json.dumps(settings))
        monkeypatch.setenv("WEIR_CONFIG", str(tmp_path / "weir.yaml"))
        monkeypatch.setattr(clickhouse, "connect", lambda _settings, migrator: migrator and client)

        def run(*words, typed=""):
            answer = CliRunner().invoke(app, ["person", *words], input=typed)
            if isinstance(answer.exception, UserError):
                return 1, str(answer.exception)
            if answer.exception and not isinstance(answer.exception, SystemExit):
                raise answer.exception
            return answer.exit_code, answer.stdout

        yield run


def test_totals_that_have_runs_of_an_unknown_user_are_read_no_more(erasable):
    """A day has a run of Alice by her user id alone, another one of nobody's: totals of both are there."""
    hers, nobody_s = (f"{BEGIN} - INTERVAL {days} DAY" for days in (20, 10))
    for log, uid, begin in (("by id", 1001, hers), ("nobody's", 7777, nobody_s)):
        named = {"cluster": "c", "log_id": log, "start_time": Sql(begin)}
        put(erasable, "runs", **named, user=None, uid=uid)
        put(erasable, "findings", **named)
        put(erasable, "posix_records", **named, name="/lib/of/all")
    built = "now64(6, 'UTC') + INTERVAL 1 HOUR"
    totals = ["findings", "run_io", "runs", "targets"]
    for begin in (hers, nobody_s):
        days = f"SELECT arrayJoin({totals}), toDate({begin}), {built}"
        erasable.command(f"INSERT INTO days_of_totals (table, day, built_at) {days}")
        erasable.command(
            f"INSERT INTO hours_of_totals (hour, built_at) SELECT toStartOfHour({begin}), {built}"
        )

    def read(begin):
        day = f"SELECT table FROM days_with_totals WHERE is_current AND day = toDate({begin}) ORDER BY table"
        hour = f"SELECT count() FROM hours_with_totals WHERE is_current AND hour = toStartOfHour({begin})"
        return [table for (table,) in erasable.rows(day)], erasable.one(hour)

    assert read(hers) == read(nobody_s) == (totals, 1)
    erase(erasable)
    assert (read(hers), read(nobody_s)) == (([], 0), (totals, 1))


def test_erase_shows_and_asks_first_and_says_what_stays(weir, erasable):
    code, said = weir("erase", ALICE, typed="n\n")
    assert code == 1
    assert "runs_versions: 3 rows\n" in said
    assert "Delete them for good?" in said
    with opened(erasable) as person:
        assert len(person.held()) == len(PER_PERSON)
    code, said = weir("erase", ALICE, "--yes")
    assert code == 0
    assert "deleted\n" in said
    for part in (
        "This stays",
        "weir.darshan.log",
        "Flink's state",
        "Backups",
        "Run this again after 38 days",
    ):
        assert part in said
    assert holding(erasable, ALICE) == OTHER_WORDS
    assert weir("erase", ALICE, "--yes")[0] == 1


def test_who_is_not_there_is_reported(weir, tmp_path):
    nobody = "there is nothing of alcie on cluster c. Names are the scheduler's, upper and lower case apart."
    assert weir("erase", "alcie", "--cluster", "c", "--yes") == (1, nobody)
    assert weir("export", "alcie", "--cluster", "c", "--output", str(tmp_path / "out")) == (1, nobody)
    assert not (tmp_path / "out").exists()
    assert weir("erase", "", "--yes")[0] == 1


def test_export_lists_its_files(weir, tmp_path):
    code, said = weir("export", ALICE, "--output", str(tmp_path / "out"))
    assert code == 0
    assert f"{tmp_path / 'out/runs.jsonl'}: 3 rows\n" in said
    assert (tmp_path / "out/README.md").exists()


def test_rows_that_come_meanwhile_are_reported(weir, erasable, monkeypatch):
    erase_of_table = PersonRows.erase

    def erase_and_land(person, table):
        erase_of_table(person, table)
        if table == "scheduler_jobs_versions":
            put(erasable, "cases", cluster="c", case_id="late", user=ALICE, changed_at=Sql(END))

    monkeypatch.setattr(PersonRows, "erase", erase_and_land)
    code, said = weir("erase", ALICE, "--yes")
    assert code == 1
    assert said == "rows came while others were deleted: cases_versions 1. Run this again."
