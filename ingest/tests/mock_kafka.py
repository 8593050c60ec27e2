"""A Kafka broker in the process: librdkafka's own mock cluster, which can be taken away and brought back."""

import ctypes
from contextlib import contextmanager
from pathlib import Path

import confluent_kafka
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition
from weir import wire

_FOLDER = Path(confluent_kafka.__file__).parent.parent / "confluent_kafka.libs"
_BROKER = 1
_PRODUCE = 0  # of the protocol's requests


def _library():
    (file,) = _FOLDER.glob("librdkafka*.so*")
    library = ctypes.CDLL(str(file))
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    for name, result, arguments in (
        ("conf_new", pointer, []),
        ("new", pointer, [number, pointer, text, ctypes.c_size_t]),
        ("destroy", None, [pointer]),
        ("mock_cluster_new", pointer, [pointer, number]),
        ("mock_cluster_bootstraps", text, [pointer]),
        ("mock_cluster_destroy", None, [pointer]),
        ("mock_broker_set_down", number, [pointer, ctypes.c_int32]),
        ("mock_broker_set_up", number, [pointer, ctypes.c_int32]),
        ("mock_push_request_errors_array", None, [pointer, ctypes.c_int16, ctypes.c_size_t, pointer]),
        ("mock_topic_create", number, [pointer, text, number, number]),
        ("mock_topic_set_error", None, [pointer, text, number]),
    ):
        function = getattr(library, f"rd_kafka_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class Kafka:
    """A cluster of one broker; topics come into being when they are written."""

    def __init__(self, library, cluster):
        self._library, self._cluster = library, cluster
        self.bootstrap = library.rd_kafka_mock_cluster_bootstraps(cluster).decode()
        self.options = {"bootstrap.servers": self.bootstrap, "reconnect.backoff.max.ms": "100"}

    def down(self):
        assert self._library.rd_kafka_mock_broker_set_down(self._cluster, _BROKER) == 0

    def up(self):
        assert self._library.rd_kafka_mock_broker_set_up(self._cluster, _BROKER) == 0

    def answer(self, *codes):
        """Answer the next requests to write so, one by one; 0 is to take them."""
        array = (ctypes.c_int * len(codes))(*codes)
        self._library.rd_kafka_mock_push_request_errors_array(self._cluster, _PRODUCE, len(codes), array)

    def make(self, topic):
        """A topic of one partition."""
        assert self._library.rd_kafka_mock_topic_create(self._cluster, topic.encode(), 1, 1) == 0

    def say_of(self, topic, code):
        """Answer so whoever asks for the topic; 0 is that all is well."""
        self._library.rd_kafka_mock_topic_set_error(self._cluster, topic.encode(), code)

    def messages(self, topic):
        """(key, value) of all messages there are now, partition after partition in their order."""
        consumer = Consumer(
            {
                **self.options,
                "group.id": "look",
                "enable.partition.eof": True,
                "fetch.wait.max.ms": 10,
                "log_level": 0,
            }
        )
        try:
            listed = consumer.list_topics(topic, timeout=10).topics[topic]
            open_partitions = set(listed.partitions)
            consumer.assign([TopicPartition(topic, each, OFFSET_BEGINNING) for each in open_partitions])
            found = []
            while open_partitions:
                message = consumer.poll(1)  # consume() would wait a second for as many as are asked for
                if message is None:
                    continue
                if message.error() is None:
                    found.append((message.key().decode(), message.value()))
                else:
                    assert message.error().code() == KafkaError._PARTITION_EOF
                    open_partitions.discard(message.partition())
            return found
        finally:
            consumer.close()

    def decoded(self, topic):
        """Records by key, in their order; none of a topic that nobody has written to."""
        found = {}
        for key, value in self.messages(topic):
            found.setdefault(key, []).append(wire.decode(value)[1])
        return found


@contextmanager
def running():
    library = _library()
    error = ctypes.create_string_buffer(512)
    owner = library.rd_kafka_new(0, library.rd_kafka_conf_new(), error, 512)
    assert owner, error.value
    cluster = library.rd_kafka_mock_cluster_new(owner, 1)
    yield Kafka(library, cluster)
    library.rd_kafka_mock_cluster_destroy(cluster)
    library.rd_kafka_destroy(owner)
