"""A Kafka broker for tests: librdkafka's own mock cluster, in a process that can be stopped as an outage."""

import multiprocessing
import os
import signal
import time

from confluent_kafka import Consumer, Producer, TopicPartition
from weir import wire


def _serve(pipe):
    producer = Producer({"test.mock.num.brokers": 1, "log_level": 0})
    pipe.send(producer.list_topics(timeout=30).brokers[1])
    pipe.recv()


class MockKafka:
    """Context manager; the broker listens on `bootstrap`."""

    def __enter__(self):
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        broker = self._pipe.recv()
        self.bootstrap = f"{broker.host}:{broker.port}"
        return self

    def __exit__(self, *_):
        self.come_back()
        self._process.kill()
        self._process.join()

    def go_away(self):
        """It holds its connections and answers nothing."""
        os.kill(self._process.pid, signal.SIGSTOP)

    def come_back(self):
        os.kill(self._process.pid, signal.SIGCONT)

    def read(self, topic, partitions=4):
        """Decoded messages by key."""
        consumer = Consumer(
            {"bootstrap.servers": self.bootstrap, "group.id": "test", "enable.partition.eof": True}
        )
        consumer.assign([TopicPartition(topic, number, 0) for number in range(partitions)])
        found, ended, deadline = {}, set(), time.monotonic() + 60
        while len(ended) < partitions and time.monotonic() < deadline:
            for message in consumer.consume(100, 0.2):
                if message.error():
                    ended.add(message.partition())
                else:
                    found.setdefault(message.key().decode(), []).append(wire.decode(message.value())[1])
        consumer.close()
        return found
