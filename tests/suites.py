"""The suites: what each runs, what must be set up for it, and how many seconds it may take.

The one place for all of this: run.py runs them, README.md shows the table, and a test compares the two.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from weir_embedded.setup import Part

ROOT = Path(__file__).parents[1]
RUFF = str(Path(sys.executable).with_name("ruff"))
SHELLCHECK = str(Path(sys.executable).with_name("shellcheck"))
YAMLLINT = str(Path(sys.executable).with_name("yamllint"))
LINT_IMPORTS = str(Path(sys.executable).with_name("lint-imports"))
MYPY = (sys.executable, "-m", "mypy")
BRIEFLY = (sys.executable, "-m", "pytest", "-q", "-ra", "--color=no", "-p", "no:cacheprovider")
PYTEST = (sys.executable, "-m", "pytest", "-ra", "--color=no", "--durations=25", "-p", "no:cacheprovider")
ON_A_STACK = (*PYTEST, "-v")
QUICK, SLOW = ("-m", "not slow"), ("-m", "slow")
# Nothing is compiled again that the set-up has compiled, only since the classes lie in folders now.
SIDE_BY_SIDE = ("-T2", "--fail-at-end", "-Dmaven.compiler.useIncrementalCompilation=false")
MAVEN = ("mvn", "--batch-mode", "--no-transfer-progress", "-Dstyle.color=never")


@dataclass(frozen=True)
class Suite:
    """A command, where it runs, what it adds to the environment and what it needs.

    `budget` is in seconds, on slow cores beside the suites of the same stage; the end names who exceeded it.
    """

    name: str
    command: tuple[str, ...]
    budget: int
    folder: str = "."
    env: dict[str, str] = field(default_factory=dict)
    needs: tuple[Part, ...] = ()  # set up before it runs
    engine: bool = False  # left out where no container engine answers


Lane = tuple[Suite, ...]
Stage = tuple[Lane, ...]

JOBS = (Part.JOBS,)
STACK = tuple(Part)
DAMAGE = "tests/test_darshan_mutations.py"
JAVA_ENV = {"WEIR_TEST_PYTHON": sys.executable}
# Tests of clusters of Flink, too, but without making jars: other suites read meanwhile those of the set-up.
WHOLE_JAVA = ("test", "failsafe:integration-test", "failsafe:verify")
SUPERSET_ENV = {"PYTHONPATH": str(ROOT / "superset")}
OTHER_FOLDERS = ("../keeper/tests", "../compose/configure/tests")
ANOTHER_STACK = {"WEIR_TEST_HOME": str(ROOT / ".weir/test-faults"), "WEIR_TEST_PORT_OFFSET": "3000"}
CONTAINERS_ENV = {"WEIR_TEST_STACK": "containers", "TESTCONTAINERS_RYUK_DISABLED": "true"}
TIMED_TEST = "faults/test_flink_killed.py"
PARTS_TEST = "faults/test_kill_stack_parts.py"
OTHER_FAULTS = [
    file
    for file in sorted(ROOT.glob("tests/faults/*.py"))
    if f"faults/{file.name}" not in (TIMED_TEST, PARTS_TEST)
]
# In the long run alone: beside other suites the load of a run settles later than the ledger is waited for.
BURST_TEST = "faults/test_pressure.py::test_a_burst_of_a_hundred_times_the_rate_is_worked_off"

# By their first line: most have a name without an ending.
SHELL_SCRIPTS = tuple(
    str(file.relative_to(ROOT))
    for file in (ROOT / ".ci/run", *sorted(ROOT.glob("infra/**/*")))
    if file.is_file() and file.read_bytes().startswith((b"#!/bin/sh", b"#!/bin/bash"))
)

# What the files alone say.
LINT: Lane = (
    Suite("lint: format", (RUFF, "format", "--check", "."), 5),
    Suite("lint: rules", (RUFF, "check", "--output-format", "concise", "."), 5),
    Suite("lint: types of ingest", MYPY, 60, "ingest"),
    Suite("lint: types of infra", MYPY, 60, "infra/embedded"),
    Suite("lint: types of the ClickHouse front", MYPY, 60, "infra/clickhouse-front"),
    Suite("lint: types of keeper and containers", MYPY, 60, "infra/keeper"),
    Suite("lint: types of Superset's assets", (*MYPY, "--strict", "weir_superset"), 60, "superset"),
    Suite("lint: shell scripts", (SHELLCHECK, "--severity=warning", *SHELL_SCRIPTS), 10),
    Suite("lint: YAML", (YAMLLINT, "--strict", "."), 15),
    Suite("lint: order of packages", (LINT_IMPORTS,), 15, "ingest"),
    Suite("lint: imports of infra", (LINT_IMPORTS,), 15, "infra/embedded"),
    Suite("lint: documents and suites", (*BRIEFLY, "--noconftest", "lint"), 90, "tests"),
    Suite("lint: schemas", (*BRIEFLY, "tests/test_wire.py", "tests/test_documents.py"), 20, "ingest"),
    Suite("lint: dashboards", (*BRIEFLY, "tests/test_lint.py"), 130, "superset", SUPERSET_ENV),
    Suite("lint: format of Java", (*MAVEN, "-q", "spotless:check"), 60, "flink-jobs"),
)

# What needs no running service, and what starts processes of its own and waits for them: "slow" is what
# conftest.py of the two folders calls so, and a tag of Java's tests.
JAVA_UNIT = Suite(
    "unit: flink-jobs",
    (*MAVEN, *SIDE_BY_SIDE, "test", "-DexcludedGroups=slow"),
    110,
    "flink-jobs",
    JAVA_ENV,
    JOBS,
)
JAVA = Suite("flink-jobs", (*MAVEN, *SIDE_BY_SIDE, *WHOLE_JAVA), 700, "flink-jobs", JAVA_ENV, JOBS)
INGEST = Suite("unit: ingest and schemas", (*PYTEST, *QUICK, "tests"), 400, "ingest", needs=JOBS)
# Those run agents as processes, which wait more than they work.
AGENTS = ("test_agent*.py", "test_ship*.py", "test_outbox.py", "test_kafka_away.py")
AGENT_TESTS = [f"tests/{file.name}" for each in AGENTS for file in sorted(ROOT.glob(f"ingest/tests/{each}"))]
INGEST_AGENTS = Suite("ingest: agents", (*PYTEST, *SLOW, *AGENT_TESTS), 250, "ingest")
# Those rewrite every table for each of their persons, or start a notifier or a JVM for each of their cases.
ERASURE_TEST = "tests/test_person.py"
NOTIFIER_TESTS = (
    "tests/test_notify_service.py",
    "tests/test_notify_commands.py",
    "tests/test_alert_decisions.py",
)
ERASURE = Suite("ingest: erasure", (*PYTEST, ERASURE_TEST), 150, "ingest", needs=JOBS)
NOTIFIER = Suite("ingest: notifier", (*PYTEST, *NOTIFIER_TESTS), 150, "ingest", needs=JOBS)
ELSEWHERE = (DAMAGE, *AGENT_TESTS, ERASURE_TEST, *NOTIFIER_TESTS)
INGEST_SLOW = Suite(
    "ingest: commands",
    (*PYTEST, *SLOW, *(f"--ignore={each}" for each in ELSEWHERE), "tests"),
    1000,
    "ingest",
    needs=JOBS,
)
INGEST_DAMAGE = Suite("ingest: damaged logs", (*PYTEST, DAMAGE), 200, "ingest")
INFRA = Suite("unit: infra", (*PYTEST, *QUICK, "tests", *OTHER_FOLDERS), 80, "infra/embedded")
BOMBS_TEST = "tests/test_bombs.py"
INFRA_SLOW = Suite(
    "infra: services",
    (*PYTEST, *SLOW, "tests", f"--ignore={BOMBS_TEST}"),
    100,
    "infra/embedded",
    needs=(Part.KAFKA, Part.JOBS),
)
BOMBS = Suite("infra: bombs", (*PYTEST, BOMBS_TEST), 200, "infra/embedded", needs=(Part.KAFKA,))
# Almost every test starts or queries a front process, so none is part of `make unit`.
KILLED_TEST = "tests/test_migrations_killed.py"
FRONT = Suite(
    "infra: ClickHouse front",
    (*PYTEST, "tests", f"--ignore={KILLED_TEST}"),
    800,
    "infra/clickhouse-front",
)
KILLED = Suite("infra: killed migrations", (*PYTEST, KILLED_TEST), 250, "infra/clickhouse-front")
SUPERSET = Suite("unit: superset", (*PYTEST, "tests"), 700, "superset", SUPERSET_ENV)
# A Superset of its own over a small center, a real slapd and a real provider of OpenID Connect.
SIGN_IN = Suite("superset: sign-in", (*PYTEST, "sign_in"), 240, "tests", SUPERSET_ENV, (Part.SUPERSET,))
READS = Suite("unit: what charts read", (*PYTEST, "bench/test_reads.py"), 450, "tests", SUPERSET_ENV)
SIM = Suite("unit: sim", (*PYTEST, "sim"), 40, "tests", needs=JOBS)
SET_UP = Suite("set-up", ("true",), 150, needs=STACK)

IMAGES = Suite("images", ("infra/images/build", "--jars-of-checkout"), 480, needs=JOBS, engine=True)
KEYS = Suite("images: keys", (*PYTEST, "containers/test_images.py"), 60, "tests", engine=True)
COMPOSE = Suite(
    "compose",
    (*ON_A_STACK, "containers/test_compose.py"),
    260,
    "tests",
    CONTAINERS_ENV,
    engine=True,
)
CONTAINERS = Suite(
    "containers",
    (*ON_A_STACK, "e2e/test_center.py", "e2e/test_replay_twice.py", "containers/test_containers.py"),
    530,
    "tests",
    CONTAINERS_ENV,
    engine=True,
)
# From a result to a message that is answered, a storm of alerts, lost state, a notifier that is killed.
ALERT_TESTS = tuple(f"e2e/test_{name}.py" for name in ("alerts", "alert_memory", "alert_storm", "notifier"))
ALERTS = Suite("alerts", (*ON_A_STACK, *ALERT_TESTS), 1000, "tests", needs=STACK)
END_TO_END = Suite(
    "stack: end to end",
    (*ON_A_STACK, "e2e", *(f"--ignore={each}" for each in ALERT_TESTS)),
    1700,
    "tests",
    needs=STACK,
)
REPLAYED_TEST = "ledger/test_replayed.py"
LEDGER = Suite(
    "stack: ledger, Slurm",
    (*ON_A_STACK, "ledger", "slurm", f"--ignore={REPLAYED_TEST}"),
    1300,
    "tests",
    ANOTHER_STACK,
    STACK,
)
PAGES_TEST = "browser/test_pages.py"
TWO_USERS_TEST = "browser/test_two_users.py"
OTHER_BROWSER_FILES = [
    file
    for file in sorted(ROOT.glob("tests/browser/*.py"))
    if f"browser/{file.name}" not in (PAGES_TEST, TWO_USERS_TEST)
]
BROWSER = Suite(
    "browser: dashboards",
    (*ON_A_STACK, "browser", f"--ignore={PAGES_TEST}", f"--ignore={TWO_USERS_TEST}"),
    2400,
    "tests",
    ANOTHER_STACK,
    STACK,
)
LOOKS = Suite("browser: one look", (*ON_A_STACK, PAGES_TEST), 450, "tests", ANOTHER_STACK, STACK)
TWO_USERS = Suite("browser: two users", (*ON_A_STACK, TWO_USERS_TEST), 700, "tests", ANOTHER_STACK, STACK)
REPLAYED = Suite("stack: read again", (*ON_A_STACK, REPLAYED_TEST), 480, "tests", needs=STACK)
DEMO = Suite("stack: demo", (*ON_A_STACK, "demo"), 450, "tests", needs=STACK)
PARTS = Suite("faults: parts", (*ON_A_STACK, PARTS_TEST), 700, "tests", needs=STACK)
# All other faults: for seconds what the long runs of outages and the attack do for minutes and hours.
HOSTILE = Suite(
    "faults: all others",
    (
        *(*ON_A_STACK, "faults", f"--ignore={TIMED_TEST}", f"--ignore={PARTS_TEST}"),
        f"--deselect={BURST_TEST}",
    ),
    1300,
    "tests",
    ANOTHER_STACK,
    STACK,
)
TIMED = Suite("faults: timed", (*ON_A_STACK, TIMED_TEST), 450, "tests", needs=STACK)
# Property tests that try as many cases as this says: few in `make test`, many in the long run.
CASES = "WEIR_PROPERTY_CASES"
PROPERTY_TESTS = tuple(
    str(file.relative_to(ROOT / "ingest"))
    for file in sorted(ROOT.glob("ingest/tests/test_*.py"))
    if CASES in file.read_text()
)
# Faults that last as long as these say: seconds in `make test`, minutes and hours in the long runs.
ATTACK = Suite(
    "faults: attack",
    (*ON_A_STACK, "faults/test_mixed_attack.py"),
    8500,
    "tests",
    {"WEIR_ATTACK_SECONDS": "7200"},
    STACK,
)
OUTAGES = Suite(
    "faults: outages",
    (*ON_A_STACK, "-s", "faults/test_pressure.py", "faults/test_random_stops.py"),
    3600,
    "tests",
    {"WEIR_NARROW_SECONDS": "180", "WEIR_BURST_SECONDS": "300", "WEIR_STOPS": "10"},
    STACK,
)
AWAY = Suite(
    "faults: Kafka away",
    (*PYTEST, "-s", "tests/test_kafka_away.py"),
    800,
    "ingest",
    {"WEIR_AWAY_SECONDS": "600"},
)
PAGES = Suite(
    "browser: every look",
    (*ON_A_STACK, PAGES_TEST),
    3600,
    "tests",
    {"WEIR_EVERY_LOOK": "1"},
    STACK,
)
PROPERTY = Suite(
    "property", (*PYTEST, *(PROPERTY_TESTS or ("none reads it",))), 3600, "ingest", {CASES: "50000"}, JOBS
)
DAMAGED = Suite("damaged logs", (sys.executable, "tests/darshan_long_run.py"), 2400, "ingest")
FUZZ_MESSAGES = Suite(
    "fuzz: messages",
    (*MAVEN, "--projects", "wire", "test", "-Dtest=WireCodecFuzzTest"),
    3800,
    "flink-jobs",
    {"JAZZER_FUZZ": "1"},
    JOBS,
)
FUZZ_LOGS = Suite("fuzz: logs", (sys.executable, "tests/fuzz_logs.py", "3600"), 3800, "ingest")

# Lanes run side by side, their suites one after the other. Each lane with a stack has one of its own, as
# their tests mostly wait for something to come back. From the third stage on there are parts of long runs
# alone; the shortest of these stand in the first. Dashboards have the machine for themselves, as beside other
# work their tests wait too long for a browser, and so has the test with a bound of time.
CONTINUOUS: tuple[Stage, ...] = (
    (
        (JAVA, LINT[-1], INGEST_DAMAGE, INGEST_AGENTS, SIM),
        (*LINT[:-1], INFRA, SUPERSET),
        (SET_UP, INFRA_SLOW, FRONT, READS, INGEST),
        (INGEST_SLOW,),
    ),
    ((END_TO_END,), (LEDGER,)),
    ((BROWSER,),),
    (
        (DEMO, REPLAYED, PARTS, ALERTS, IMAGES, KEYS, COMPOSE),
        (LOOKS, TWO_USERS, SIGN_IN, ERASURE, NOTIFIER, HOSTILE, BOMBS, KILLED),
    ),
    ((TIMED,),),
    ((CONTAINERS,),),
)


@dataclass(frozen=True)
class LongRun:
    """Suites whose last result is kept in `long_runs/NAME.json`, and the files that they are about.

    What else they run is tested in every run of `make test`; only what is about their `subject` needs them.
    """

    name: str
    suites: Lane
    subject: tuple[str, ...]
    figures: str  # what of their output is kept
    in_test: bool = False  # `make test` repeats it where its subject has changed


FIGURES_TOLD = r"=+ (\d+ passed.*?) =+$|(\S.*\b(?:within|attacks|MiB|KB a second|waited|stop \d+)\b.*)"
FUZZ_FIGURES = r".*?(#\d+\s+DONE.*|Done \d+ runs in .*)"
PYTEST_FIGURES = r"=+ (\d+ passed.*?) =+$|((?:\w+ killed|\d+ of \d+ rows).*)"
JOBS_SOURCES = (
    "flink-jobs/common/src/main",
    "flink-jobs/*-analysis/src/main",
    "flink-jobs/load/src/main",
    "flink-jobs/alerting/src/main",
    "flink-jobs/pom.xml",
    "flink-jobs/*/pom.xml",
)
STACK_SOURCES = (
    *("infra/common", "infra/clickhouse-front/src", "infra/keeper/src", "infra/embedded/src"),
    *("infra/embedded/flink", "infra/embedded/kafka"),
)
ASSETS = ("superset/assets", "superset/sql", "superset/weir_superset")
PAGES_SUBJECT = (
    *(*ASSETS, "superset/superset_config.py"),
    *(f"tests/{PAGES_TEST}", "tests/browser/unreadable.js"),
)
LONG_RUNS = (
    LongRun(
        "containers",
        (IMAGES, KEYS, COMPOSE, CONTAINERS),
        (
            *(*STACK_SOURCES, "infra/images", "infra/compose", "tests/containers"),
            *("superset/superset_config.py", "superset/weir_*.py", "schemas/topics.yaml"),
            *("flink-jobs/pom.xml", "flink-jobs/*/pom.xml"),
        ),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "parts",
        (PARTS,),
        (*STACK_SOURCES, f"tests/{PARTS_TEST}"),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "faults",
        (TIMED,),
        (*JOBS_SOURCES, *STACK_SOURCES, f"tests/{TIMED_TEST}", "tests/faults/cluster.py"),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "hostile",
        (HOSTILE,),
        (
            *(*JOBS_SOURCES, *STACK_SOURCES),
            *("flink-jobs/wire/src/main", "schemas/avro", "schemas/topics.yaml"),
            *(f"tests/faults/{file.name}" for file in OTHER_FAULTS),
        ),
        FIGURES_TOLD,
        in_test=True,
    ),
    LongRun(
        "attack",
        (ATTACK,),
        (*JOBS_SOURCES, *STACK_SOURCES, "tests/faults/attack.py", "tests/faults/test_mixed_attack.py"),
        FIGURES_TOLD,
    ),
    LongRun(
        "outages",
        (OUTAGES,),
        (
            *(*JOBS_SOURCES, *STACK_SOURCES),
            *("tests/faults/test_pressure.py", "tests/faults/test_random_stops.py"),
        ),
        FIGURES_TOLD,
    ),
    LongRun(
        "away",
        (AWAY,),
        (
            *("ingest/hook", "ingest/src/weir/agents", "ingest/src/weir/shipping"),
            "ingest/tests/test_kafka_away.py",
        ),
        FIGURES_TOLD,
    ),
    LongRun(
        "alerts",
        (ALERTS,),
        (
            *("flink-jobs/alerting/src/main", "flink-jobs/alerts/src/main"),
            *("ingest/src/weir/notify", "tests/e2e/job_results.py"),
            *(f"tests/{test}" for test in ALERT_TESTS),
        ),
        FIGURES_TOLD,
        in_test=True,
    ),
    LongRun(
        "notifier",
        (NOTIFIER,),
        ("ingest/src/weir/notify", *(f"ingest/{test}" for test in NOTIFIER_TESTS)),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "privacy",
        (SIGN_IN, TWO_USERS, ERASURE),
        (
            *(*ASSETS, "superset/*.py", "schemas/clickhouse/*.sql", "infra/clickhouse-front/src"),
            *("tests/sign_in", f"tests/{TWO_USERS_TEST}", "tests/browser/accounts.py"),
            *("ingest/src/weir/admin/person*.py", f"ingest/{ERASURE_TEST}"),
        ),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "demo",
        (DEMO,),
        (*STACK_SOURCES, "ingest/src/weir/replay", "tests/data/center", "tests/demo"),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "replayed",
        (REPLAYED,),
        (*JOBS_SOURCES, *STACK_SOURCES, "tests/sim", f"tests/{REPLAYED_TEST}"),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "bombs",
        (BOMBS,),
        (
            *("infra/common", "infra/embedded/kafka", "infra/embedded/src/weir_embedded/parts/kafka.py"),
            *("ingest/src/weir/kafka.py", "schemas/topics.yaml", f"infra/embedded/{BOMBS_TEST}"),
        ),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "front",
        (FRONT,),
        (
            *("infra/clickhouse-front", "infra/common", "infra/embedded/requirements*.lock"),
            *("docs/examples", "schemas/clickhouse/*.sql", "schemas/queries", "ingest/src/weir/admin"),
        ),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "mutations",
        (INGEST_DAMAGE,),
        (
            *("schemas/darshan", "schemas/avro", "ingest/src/weir/darshan", "ingest/src/weir/logs"),
            *("ingest/src/weir/wire.py", "ingest/src/weir/views", "ingest/src/weir/errors.py"),
            *(f"ingest/{DAMAGE}", "ingest/tests/darshan_*.py"),
        ),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "migrations",
        (KILLED,),
        (
            *("schemas/clickhouse/*.sql", "ingest/src/weir/admin/migrations.py"),
            *("infra/clickhouse-front/src", f"infra/clickhouse-front/{KILLED_TEST}"),
        ),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun(
        "dashboards",
        (BROWSER,),
        (
            *(*ASSETS, "superset/*.py", "infra/embedded/superset*"),
            "infra/embedded/src/weir_embedded/parts/superset.py",
            *("schemas/clickhouse/*.sql", "schemas/queries", "infra/clickhouse-front/src"),
            *("ingest/src/weir/notify", "ingest/src/weir/report", "ingest/tests/alert_samples.py"),
            *(f"tests/browser/{file.name}" for file in OTHER_BROWSER_FILES),
        ),
        PYTEST_FIGURES,
        in_test=True,
    ),
    LongRun("looks", (LOOKS,), PAGES_SUBJECT, PYTEST_FIGURES, in_test=True),
    LongRun("pages", (PAGES,), PAGES_SUBJECT, PYTEST_FIGURES),
    LongRun(
        "property",
        (PROPERTY,),
        (
            *("schemas/darshan", "ingest/src/weir/darshan", "ingest/src/weir/logs"),
            *("flink-jobs/analysis/src/main", "schemas/rules"),
            *(f"ingest/{test}" for test in PROPERTY_TESTS),
        ),
        PYTEST_FIGURES,
    ),
    LongRun(
        "damaged",
        (DAMAGED,),
        ("schemas/darshan", "ingest/src/weir/darshan", "ingest/src/weir/logs", "ingest/tests/darshan_*.py"),
        r"(.*broken promises.*)",
    ),
    LongRun(
        "fuzz_messages",
        (FUZZ_MESSAGES,),
        (
            *("flink-jobs/wire/src/main", "schemas/avro/history"),
            "flink-jobs/wire/src/test/java/org/weir/wire/WireCodecFuzzTest.java",
        ),
        FUZZ_FIGURES,
    ),
    LongRun(
        "fuzz_logs",
        (FUZZ_LOGS,),
        ("schemas/darshan", "ingest/src/weir/darshan", "ingest/src/weir/logs", "ingest/tests/fuzz_logs.py"),
        FUZZ_FIGURES,
    ),
)


# `make test` begins no suite of a long run after so many seconds: the longest takes half an hour more, and on
# a slow machine all would not end in the 90 minutes that CI has. What was not begun stays due.
LONG_BEGIN_BY = 2400


def every_stage() -> Iterator[Stage]:
    """Those of `make test`, then the long runs that are not part of it."""
    yield from CONTINUOUS
    for run in LONG_RUNS:
        if not run.in_test:
            yield (run.suites,)


def unit() -> Stage:
    """`make unit`: two lanes of like length."""
    return ((JAVA_UNIT, INFRA, SUPERSET, SIM), (INGEST, READS))


def lint() -> Stage:
    """`make lint`: the checkers side by side."""
    return (LINT[:3], LINT[3:-1], LINT[-1:])
