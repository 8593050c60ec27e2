"""What the stack records of itself, against Flink's own interface and Kafka's."""

from weir_keeper import FlinkRest, JobState, declared_jobs
from weir_keeper.declared import NAMES

LATEST = "SELECT argMax(value, time) FROM pipeline_metrics WHERE metric = {m:String} AND job = {j:String}"


def test_the_size_of_the_state_is_that_of_a_checkpoint(stack, center, sql, eventually):
    def is_one_of_the_history(job):
        path = f"/jobs/{JobState.load(stack, job.name).job_id}/checkpoints"
        sizes = {each["state_size"] for each in FlinkRest(stack).client.get(path).json()["history"]}
        return sql.one(LATEST, m="state_bytes", j=job.name) in sizes

    for job in declared_jobs(stack):
        eventually(lambda job=job: is_one_of_the_history(job))


def test_nothing_is_left_to_read(center, drained, sql, eventually):
    drained()
    for job in NAMES:
        eventually(lambda job=job: sql.one(LATEST, m="lag_messages", j=f"weir-{job}") == 0)
    assert sql.one("SELECT max(value) FROM pipeline_metrics WHERE metric = 'lag_messages'") > 0


def test_each_process_answers(center, sql, eventually):
    answers = "SELECT argMax(value, time) FROM pipeline_metrics WHERE metric = 'answers' GROUP BY part"
    eventually(lambda: sql.rows(answers) == [{"argMax(value, time)": 1.0}] * 3)
