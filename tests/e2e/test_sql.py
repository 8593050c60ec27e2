"""`weir sql` on a stack: what staff ask, in each format, and what is refused."""

import csv
import io
import json

import pytest

pytestmark = pytest.mark.usefixtures("center")
JOBS = "SELECT count() AS jobs FROM scheduler_jobs WHERE cluster LIKE 'labcluster%'"


@pytest.fixture(scope="module")
def recorded(center):
    """How many jobs the recorded accounting has: its lines are jobs, and steps with a dot in their id."""
    lines = (center / "sacct.psv").read_text().splitlines()
    place = lines[0].split("|").index("JobIDRaw")
    return len({line.split("|")[place] for line in lines[1:] if "." not in line.split("|")[place]})


def test_a_statement_in_each_format(weir, recorded, tmp_path):
    assert f" {recorded} " in weir("sql", JOBS)
    assert list(csv.DictReader(io.StringIO(weir("sql", JOBS, "--format", "csv")))) == [
        {"jobs": str(recorded)}
    ]
    assert json.loads(weir("sql", JOBS, "--format", "json")) == {"jobs": recorded}
    file = tmp_path / "jobs.parquet"
    weir("sql", JOBS, "--format", "parquet", "--output", file)
    assert file.read_bytes()[:4] == file.read_bytes()[-4:] == b"PAR1"


def test_saved_questions_are_listed_and_asked(weir):
    assert "lost_by_rule" in weir("sql", "list")
    lines = weir("sql", "interfaces", "--since", "36h", "--format", "json").splitlines()
    used = {row["module"]: row for row in map(json.loads, lines)}
    assert used["POSIX"]["share"] == pytest.approx(max(row["share"] for row in used.values()))
    assert set(used) > {"POSIX", "MPI-IO", "STDIO"}


def test_a_question_is_asked_of_one_cluster_or_of_all(weir):
    def clusters(*words):
        lines = weir("sql", "growth", *words, "--format", "json").splitlines()
        return {
            json.loads(line)["cluster"] for line in lines if line.startswith("{")
        }  # or that there is none

    assert "labcluster" in clusters()
    assert clusters("--cluster", "labcluster") == clusters("--set", "cluster=labcluster") == {"labcluster"}
    assert clusters("--cluster", "labcluster", "--set", "until=2000-01-01 00:00:00") == set()


def test_tables_and_columns_say_what_they_mean(weir):
    assert "job_results" in weir("sql", "schema")
    assert "from the scheduler, never from the log" in weir("sql", "schema", "runs")


def test_a_reader_changes_nothing(weir, sql):
    before = sql.one("SELECT count() FROM landings")
    assert "not enough rights" in weir("sql", "INSERT INTO landings (rows) VALUES (1)", code=1)
    assert "not enough rights" in weir("sql", "DROP TABLE landings", code=1)
    assert sql.one("SELECT count() FROM landings") >= before


def test_what_is_wrong_is_said(weir):
    assert "Unknown expression identifier `nobody`" in weir("sql", "SELECT nobody FROM runs", code=1)
    assert "no such parameter. There are: limit, since, until, cluster." in weir(
        "sql", "io_by_user", "--set", "x=1", code=1
    )
    assert "There are: " in weir("sql", "schema", "nothing", code=1)
