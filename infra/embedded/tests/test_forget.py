import pytest
from weir_embedded import forget, pipeline

GROUPS = ["weir-storage-analysis", "weir-job-analysis"]
NOTHING_LEFT = """\
{"time": "2026-05-01T10:00:00", "metric": "answers", "job": "", "part": "kafka", "value": 1.0}
{"time": "2026-05-01T10:00:00", "metric": "lag_messages", "job": "weir-job-analysis", "part": "a", "value": 0}
{"time": "2026-05-01T10:00:00", "metric": "lag_messages", "job": "weir-notify", "part": "d", "value": 5}
"""
AWAY = NOTHING_LEFT.splitlines()[0].replace("1.0", "0.0")


def lag(group, topic, messages):
    line = NOTHING_LEFT.splitlines()[1]
    return (
        line.replace("weir-job-analysis", group).replace('"a"', f'"{topic}"').replace(" 0}", f" {messages}}}")
    )


@pytest.mark.parametrize(
    ("lines", "read"),
    [
        (NOTHING_LEFT, True),
        (NOTHING_LEFT.splitlines()[0], True),  # no group has read anything
        (NOTHING_LEFT + lag("weir-job-analysis", "b", 3), False),
        (NOTHING_LEFT + lag("weir-job-analysis-control", "b", 3), False),
        (AWAY, False),
        ("", False),
    ],
)
def test_all_is_read_when_kafka_answers_and_no_group_lags(lines, read):
    assert forget.is_read_to_the_end(pipeline.read(lines), GROUPS) is read


def test_what_a_group_and_its_kin_have_not_read_is_added_up():
    seen = pipeline.read(
        "\n".join((lag("weir-a", "x", 2), lag("weir-a", "y", 3), lag("weir-a-control", "z", 4)))
    )
    assert (seen.lag("weir-a"), seen.lag("weir-b")) == (9, None)
