import pytest
from confluent_kafka import KafkaError, KafkaException
from weir_embedded import forget

GROUPS = ["weir-storage-analysis", "weir-job-analysis"]


@pytest.mark.parametrize(
    ("lag", "read"),
    [({}, True), ({("g", "a"): 0, ("g", "b"): 0}, True), ({("g", "a"): 0, ("g", "b"): 3}, False)],
)
def test_all_is_read_when_no_group_lags(set_up, monkeypatch, lag, read):
    seen = {GROUPS[0]: {}, GROUPS[1]: lag}
    monkeypatch.setattr(forget, "lags", lambda kafka, group: seen[group])
    assert forget.is_read_to_the_end(set_up, GROUPS) is read


def test_a_kafka_that_does_not_answer_has_not_said_that_all_is_read(set_up, monkeypatch):
    def lags(kafka, group):
        raise KafkaException(KafkaError._TIMED_OUT)

    monkeypatch.setattr(forget, "lags", lags)
    assert not forget.is_read_to_the_end(set_up, GROUPS)
