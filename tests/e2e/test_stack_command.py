"""`weir-stack` beside a stack that runs, and what that stack listens on."""

import ipaddress
import json
import re
import subprocess
import sys
from pathlib import Path

import psutil
from weir_embedded import supervisor
from weir_embedded.parts import all_parts
from weir_keeper import declared_jobs


def weir_stack(*words):
    """The command, done: its exit code and what it printed."""
    program = Path(sys.executable).with_name("weir-stack")
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


def is_loopback(ip):
    """Also where a JVM listens on an IPv6 socket for an address of IPv4."""
    address = ipaddress.ip_address(ip)
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def test_status_shows_every_part_and_job_healthy(stack, eventually):
    def status():
        done = weir_stack("status")  # 3 while a part is too busy to answer its health check
        return done.stdout if done.returncode == 0 else None

    table = eventually(status)
    for part in all_parts(stack).values():
        assert re.search(rf"│ {re.escape(part.title)} +│ healthy +│", table), table
    for job in declared_jobs(stack):
        assert re.search(rf"│ +job {re.escape(job.name)} +│ RUNNING +│", table), table
    assert "messages behind" in table  # of a job that has read something: what `weir pipeline show` counted


def test_the_pipeline_is_shown_to_programs_too(weir, sql, eventually):
    def shown():
        readings = [json.loads(line) for line in weir("pipeline", "show", "--json").splitlines()]
        found = {(each["metric"], each["job"], each["part"]): each["value"] for each in readings}
        answers = {value for (metric, _, _), value in found.items() if metric == "answers"}
        return found if answers == {1} else None  # 0 while a part is too busy to answer

    found = eventually(shown)
    written = sql.rows(
        "SELECT DISTINCT metric, job, part FROM pipeline_metrics WHERE metric IN ('lag_messages', 'restarts')"
    )
    assert {(row["metric"], row["job"], row["part"]) for row in written} <= set(found)


def test_check_takes_the_ports_of_the_running_stack_for_its_own(stack):
    done = weir_stack("check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "has what the stack needs" in done.stdout


def test_logs_are_the_newest_lines_of_a_part(stack):
    shown = weir_stack("logs", "clickhouse", "--no-follow", "--lines", "3").stdout.splitlines()
    written = (stack.logs / "clickhouse.log").read_text().splitlines()
    assert len(shown) == 3
    assert set(shown) <= set(written)
    refused = weir_stack("logs", "kafak")
    assert refused.returncode == 2
    assert all(name in refused.stderr for name in all_parts(stack))


def test_every_process_listens_on_loopback_only(stack):
    supervised = psutil.Process(supervisor.api(stack).getPID())
    family = {supervised, *supervised.children(recursive=True), *supervisor.stack_processes(stack)}
    listening = {
        connection.laddr
        for process in family
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert {address.port for address in listening} == set(stack.ports.values())
    assert {address for address in listening if not is_loopback(address.ip)} == set()
