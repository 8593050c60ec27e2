"""What is kept of Flink's metrics: lines as Flink 2.2.1 writes them, sums by hand."""

from datetime import UTC, datetime

import pytest
from weir.admin import pipeline

NOW = datetime(2026, 5, 4, tzinfo=UTC)
SCRAPE = """\
# HELP flink_jobmanager_job_numRestarts numRestarts (scope: jobmanager_job)
# TYPE flink_jobmanager_job_numRestarts gauge
flink_jobmanager_job_numRestarts{job_id="be0e",host="127_0_0_1",job_name="job-analysis",} 2.0
# TYPE flink_jobmanager_job_lastCheckpointDuration gauge
flink_jobmanager_job_lastCheckpointDuration{job_id="be0e",host="127_0_0_1",job_name="job-analysis",} 182.0
# TYPE flink_taskmanager_job_task_operator_insertRetries gauge
flink_taskmanager_job_task_operator_insertRetries{operator_name="land_load: Writer",job_name="a",} 3.0
flink_taskmanager_job_task_operator_insertRetries{operator_name="land_load: Writer",job_name="a",n="2",} 4.0
flink_taskmanager_job_task_operator_insertRetries{operator_name="land_runs: Writer",job_name="a",} 5.0
# TYPE flink_taskmanager_job_task_busyTimeMsPerSecond gauge
flink_taskmanager_job_task_busyTimeMsPerSecond{task_name="assemble",job_name="a",} 250.0
flink_taskmanager_job_task_busyTimeMsPerSecond{task_name="assemble",job_name="a",n="2",} 125.0
flink_taskmanager_job_task_busyTimeMsPerSecond{task_name="Source: logs",job_name="a",} NaN
# TYPE flink_taskmanager_Status_JVM_CPU_Load gauge
flink_taskmanager_Status_JVM_CPU_Load{host="127_0_0_1",tm_id="tm",} 0.5
"""


def test_subtasks_are_added_or_the_highest_kept_and_what_is_no_number_left_out():
    assert {(r.metric, r.job, r.part): r.value for r in pipeline.readings(SCRAPE, NOW)} == {
        ("restarts", "job-analysis", ""): 2.0,
        ("checkpoint_seconds", "job-analysis", ""): 0.182,
        ("insert_retries", "a", "land_load: Writer"): 7.0,
        ("insert_retries", "a", "land_runs: Writer"): 5.0,
        ("busy_share", "a", "assemble"): 0.25,
    }


@pytest.mark.slow
def test_what_does_not_answer_is_told():
    found = pipeline.read(["http://127.0.0.1:1/metrics"], {"bootstrap.servers": "127.0.0.1:1"})
    assert [(r.metric, r.part, r.value) for r in found] == [
        ("answers", "http://127.0.0.1:1/metrics", 0.0),
        ("answers", "kafka", 0.0),
    ]


def test_restarts_are_those_that_the_keeper_noted_and_lines_that_are_none_are_left_out(tmp_path):
    file = tmp_path / "restarts.jsonl"
    assert pipeline.restarts(file) == []
    noted = b'{"time": 1777852800.5, "part": "kafka", "cause": "OutOfMemoryError"}\n'
    file.write_bytes(b'[]\n\xff\n{"time": 1e300, "part": "x", "cause": ""}\n' + noted + noted[:40])
    at = NOW.replace(microsecond=500_000)
    assert pipeline.restarts(file) == [pipeline.Restart(at, "kafka", "OutOfMemoryError")]
