"""What `docs/examples` show, run as they are: over HTTP, as a reader, over rows written by hand."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import clickhouse_connect
import nbformat
import pytest
from front_process import FrontProcess, password
from nbclient import NotebookClient
from weir.admin.migrations import Migrator

EXAMPLES = Path(__file__).parents[3] / "docs/examples"
NOTEBOOK = EXAMPLES / "io_of_my_project.ipynb"
DATABASE = "examples"
GIB, TIB = 2**30, 2**40
OCEAN = r"$\ocean$"
"""A program, of whose name matplotlib would make a formula that does not exist."""
NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)

Row = dict[str, Any]


def noon(days_ago: int) -> str:
    """As the tables have it; no run lies where a range begins that is asked for, whatever the hour is."""
    return f"{NOON - timedelta(days=days_ago):%F %T}"


def run(log: str, days_ago: int, **more: Any) -> Row:
    row = {"cluster": "c", "log_id": log, "job_uid": f"job of {log}", "account": "climate"}
    row |= {"program": OCEAN, "start_time": noon(days_ago), "version": 1}
    return row | more


def job(log: str, days_ago: int, account: str = "climate") -> Row:
    row = {"cluster": "c", "job_uid": f"job of {log}", "account": account, "coverage": "instrumented"}
    return row | {"submit_time": noon(days_ago), "start_time": noon(days_ago), "version": 1}


def moved(read: int, written: int) -> Row:
    return {"bytes_read": read, "bytes_written": written, "bytes_moved": read + written}


def finding(log: str, rule: str, days_ago: int, lost: float | None, account: str = "climate") -> Row:
    row = {"cluster": "c", "log_id": log, "rule_id": rule, "title": f"Title of {rule}", "account": account}
    return row | {"start_time": noon(days_ago), "node_hours_lost": lost, "version": 1}


def posix(log: str, days_ago: int, rank: int, name: str, read: int, written: int) -> Row:
    row = {"cluster": "c", "log_id": log, "start_time": noon(days_ago), "rank": rank, "name": name}
    row |= {"record_id": len(name), "version": 1}
    return row | {"POSIX_BYTES_READ": read, "POSIX_BYTES_WRITTEN": written}


def stdio(log: str, days_ago: int, name: str, written: int) -> Row:
    row = {"cluster": "c", "log_id": log, "start_time": noon(days_ago), "rank": 0, "name": name}
    row |= {"record_id": len(name), "version": 1}
    return row | {"STDIO_BYTES_READ": 0, "STDIO_BYTES_WRITTEN": written}


ROWS = {
    "runs_versions": [
        run("a", 2, mib_per_second=100, io_share=0.25, node_hours_lost=1.5, **moved(0, TIB)),
        run("b", 5, mib_per_second=300, io_share=0.75, node_hours_lost=0.5, **moved(TIB, TIB)),
        run("c", 8, mib_per_second=1, io_share=0.01, node_hours_lost=90, **moved(9 * TIB, 0)),
        run("c", 8, mib_per_second=200, io_share=1.4, node_hours_lost=2, version=2, **moved(TIB, 0)),
        # A run that was killed: what it moved is known, and no time.
        run("d", 29, program="post", **moved(0, TIB // 2)),
        # None of these are the project's runs of the last 30 days.
        run("other", 3, account="fusion", mib_per_second=7, io_share=0.5, **moved(0, 9 * TIB)),
        run("old", 31, mib_per_second=7, io_share=0.5, node_hours_lost=50, **moved(TIB, TIB)),
        run("taken back", 3, mib_per_second=7, is_deleted=1, **moved(TIB, TIB)),
    ],
    "findings_versions": [
        finding("a", "small_io", 2, 1.5),
        finding("a", "many_opens", 2, 1.5),
        finding("b", "small_io", 5, 0.5),
        finding("d", "small_io", 29, None),
        finding("other", "small_io", 3, 8, "fusion"),
        finding("old", "small_io", 31, 50),
    ],
    "job_results_versions": [
        *(job(log, days_ago) for log, days_ago in (("a", 2), ("b", 5), ("c", 8), ("d", 29), ("old", 31))),
        job("other", 3, "fusion"),
    ],
    "posix_records_versions": [
        posix("a", 2, 0, "/s/in", 10 * GIB, 0),
        posix("a", 2, 1, "/s/in", 5 * GIB, 0),
        posix("b", 5, -1, "/s/in", 5 * GIB, GIB),
        posix("c", 8, -1, "/s/out", 0, 8 * GIB),
        posix("other", 3, -1, "/s/fusion", 99 * GIB, 0),
        posix("old", 31, -1, "/s/in", 99 * GIB, 0),
    ],
    "stdio_records_versions": [stdio("d", 29, "/s/log", GIB // 2)],
}


@pytest.fixture(scope="module", autouse=True)
def tables(front: FrontProcess) -> Iterator[None]:
    client = clickhouse_connect.get_client(
        host="127.0.0.1", port=front.port, username="migrator", password=password("migrator")
    )
    list(Migrator(client, DATABASE).up())
    for table, rows in ROWS.items():
        lines = "\n".join(map(json.dumps, rows))
        client.raw_insert(f"{DATABASE}.{table}", insert_block=lines, fmt="JSONEachRow")
    yield
    client.command(f"DROP DATABASE {DATABASE}")


@pytest.fixture(autouse=True)
def settings(front: FrontProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a reader, and nothing that the user of this machine has set for Jupyter."""
    (tmp_path / "password").write_text(password("reader") + "\n")
    given = {
        "WEIR_CLICKHOUSE_URL": front.url,
        "WEIR_CLICKHOUSE_DATABASE": DATABASE,
        "WEIR_READER_USER": "reader",
        "WEIR_READER_PASSWORD_FILE": str(tmp_path / "password"),
    }
    own = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    for name, value in (given | {each: str(tmp_path / each) for each in own}).items():
        monkeypatch.setenv(name, value)
    for name in ("WEIR_CLICKHOUSE_CA_FILE", "MPLBACKEND"):
        monkeypatch.delenv(name, raising=False)


def ask(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "ask.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def answers(*words: str) -> list[Row]:
    done = ask(*words)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def program(name: str, runs: int, tib: float, median: float | None, days_ago: int) -> Row:
    row = {"cluster": "c", "program": name, "runs": runs, "tib_moved": tib, "median_mib_per_second": median}
    return row | {"last_start": f"{noon(days_ago)}+00:00"}


def project(name: str, jobs: int, tib: float, read_share: float) -> Row:
    row = {"cluster": "c", "account": name, "jobs": jobs, "runs": jobs}
    return row | {"tib_moved": tib, "read_share": read_share}


def test_the_script_asks_a_saved_question_and_a_statement_of_its_own() -> None:
    # Of 4.5 TiB the project read two.
    projects = [project("fusion", 1, 9, 0), project("climate", 4, 4.5, 0.444)]
    programs = [program(OCEAN, 3, 4, 200, 2), program("post", 1, 0.5, None, 29)]
    assert answers("climate") == [*projects, *programs]


def test_the_script_looks_as_far_back_as_it_is_told() -> None:
    # The first and the second run, of three TiB one of which was read.
    projects = [project("fusion", 1, 9, 0), project("climate", 2, 3, 0.333)]
    assert answers("climate", "6") == [*projects, program(OCEAN, 2, 3, 200, 2)]


def test_the_script_says_what_is_not_set_and_how_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEIR_READER_PASSWORD_FILE")
    assert ask("climate").stderr == "WEIR_READER_PASSWORD_FILE is not set: ask.py begins with how.\n"
    assert "ask.py PROJECT [DAYS]" in ask().stderr


DRAWN = """
import json

print(json.dumps({
    "rates": sorted(rate for points in rate_axes.collections for _, rate in points.get_offsets().tolist()),
    "programs": [text.get_text() for text in rate_axes.get_legend().get_texts()],
    "shares": [float(bar.get_height()) for bar in share_axes.patches],
    "findings": [float(bar.get_width()) for bar in finding_axes.patches],
}))
"""
"""What the plots of the notebook show, asked of matplotlib."""


def executed(more: str, **changed: str) -> dict[str, Any]:
    """The cells of the notebook by name after all have run; those that are changed have other code."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    for cell in notebook.cells:
        cell.source = changed.get(cell.id, cell.source)
    notebook.cells.append(nbformat.v4.new_code_cell(more, id="more"))
    where = {"metadata": {"path": str(EXAMPLES)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where).execute()
    return {cell.id: cell for cell in notebook.cells}


def printed(cell: Any) -> list[str]:
    assert [each.text for each in cell.outputs if each.get("name") == "stderr"] == []
    return "".join(each.text for each in cell.outputs if each.get("name") == "stdout").splitlines()


def test_the_notebook_shows_the_runs_of_a_project() -> None:
    cells = executed(DRAWN)
    assert printed(cells["runs"]) == ["4 runs of 2 programs moved 4.500 TiB and lost 4.00 node-hours."]
    assert printed(cells["rate"]) == [f"{OCEAN}: the median rate of 3 runs is 200.0 MiB/s."]
    assert printed(cells["share"]) == [
        "More than half of the time was I/O in 2 of 3 runs.",
        "The share of 1 runs is not known.",
    ]
    assert printed(cells["findings"]) == [
        "small_io: 3 times, 2.00 node-hours: Title of small_io",
        "many_opens: 1 times, 1.50 node-hours: Title of many_opens",
    ]
    assert printed(cells["files"]) == [
        "/s/in: 20.0 GiB read, 1.0 GiB written, in 2 runs",
        "/s/out: 0.0 GiB read, 8.0 GiB written, in 1 runs",
        "/s/log: 0.0 GiB read, 0.5 GiB written, in 1 runs",
    ]
    (drawn,) = printed(cells["more"])
    assert json.loads(drawn) == {
        "rates": [100, 200, 300],
        "programs": [OCEAN],
        "shares": [0, 0, 1, 0, 0, 0, 0, 1, 0, 1],
        "findings": [3, 1],
    }
    for name in ("rate", "share", "findings"):
        assert [each.data["image/png"][:8] for each in cells[name].outputs if "data" in each] == ["iVBORw0K"]


def test_the_notebook_of_a_project_without_runs_is_empty() -> None:
    cells = executed("print(len(files))", project='PROJECT = "nobody\'s"\nDAYS = 30')
    assert printed(cells["runs"]) == ["0 runs of 0 programs moved 0.000 TiB and lost 0.00 node-hours."]
    assert printed(cells["findings"]) == []
    assert printed(cells["more"]) == ["0"]
