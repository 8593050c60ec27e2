"""Attacks a whole stack in many ways at once, as a careless or hostile neighbor, a broken producer and greedy
readers do (F28). It is a process of its own, so that it does not slow the measurements.

    python -m faults.attack < target.json

At its end it prints how often each attack was made, as JSON.
"""

import base64
import json
import random
import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

import httpx
from backports import zstd
from confluent_kafka import KafkaException, Producer

MIB = 1 << 20
ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1"
LONG_NAME = "n" * 50_000
GREEDY = (
    ENDLESS,
    "SELECT groupArray(number), groupArray(toString(number)) FROM numbers(100000000)",
    f"SELECT number AS {LONG_NAME} FROM numbers(20000) FORMAT JSONEachRow",
    "SELECT * FROM numbers(1000000000) AS a JOIN numbers(1000000000) AS b USING number ORDER BY number",
    "SELECT arrayJoin(range(100000)) AS a, arrayJoin(range(100000)) AS b ORDER BY sipHash64(a, b)",
    "INSERT INTO t " + "/* " * 300_000,
)
# Fewer than the ten that pause a partition of an unknown schema: that is a fault of its own (test_poison.py).
KEYS = [f"attacker/{number}" for number in range(8)]


@dataclass(frozen=True)
class Target:
    """Where the stack is, and which logins the attackers hold."""

    seconds: float
    clickhouse: str
    reader: str  # its password
    superset: str
    kafka: dict[str, str]
    topics: list[str]
    sound: list[str]  # messages that are taken, in base64: garbage is made of them


def garbage(target: Target, chance: random.Random) -> None:
    """A hundred messages on any topic: any bytes, and sound ones with flipped bits, cut or stretched."""
    producer = Producer(target.kafka | {"compression.type": chance.choice(["none", "gzip", "lz4", "snappy"])})
    for _ in range(100):
        message = bytearray(base64.b64decode(chance.choice(target.sound)))
        match chance.randrange(4):
            case 0:
                message = bytearray(chance.randbytes(chance.randrange(2000)))
            case 1:
                message[chance.randrange(len(message))] ^= 1 << chance.randrange(8)
            case 2:
                del message[chance.randrange(len(message)) :]
            case 3:
                message[10:10] = bytes.fromhex("feffffff0f")  # a length of 2^31 - 1
        producer.produce(chance.choice(target.topics), bytes(message), chance.choice(KEYS))
        producer.poll(0)
    producer.flush(60)
    time.sleep(5)


def bomb(target: Target, chance: random.Random) -> None:
    """A message of 100 MiB of zeros, which travels as some kilobytes."""
    limits = {"message.max.bytes": 1_000_000_000, "queue.buffering.max.kbytes": 2_000_000}
    producer = Producer(target.kafka | limits | {"compression.type": "zstd"})
    producer.produce(chance.choice(target.topics), bytes(100 * MIB), chance.choice(KEYS))
    producer.flush(60)
    time.sleep(30)


def connect(target: Target, sent: bytes) -> socket.socket:
    url = httpx.URL(target.clickhouse)
    connection = socket.create_connection((url.host, url.port), timeout=20)
    connection.sendall(sent)
    return connection


def half_sent(target: Target, chance: random.Random) -> None:
    """Two hundred requests whose heads never end."""
    with ExitStack() as held:
        for _ in range(200):
            held.enter_context(connect(target, b"GET /ping HTTP/1.1\r\nHost: x"))
        time.sleep(chance.uniform(1, 10))


def endless_head(target: Target, chance: random.Random) -> None:
    """A header without an end."""
    with connect(target, b"GET /ping HTTP/1.1\r\nX: ") as sender:
        for _ in range(200):
            sender.sendall(b"x" * MIB)


def endless_body(target: Target, chance: random.Random) -> None:
    """A statement without an end, with the reader's login and without one."""
    ends = time.monotonic() + 20

    def body():
        while time.monotonic() < ends:
            yield b"SELECT 1, " * 10_000
            time.sleep(0.01)

    auth = chance.choice([None, ("reader", target.reader)])
    httpx.post(target.clickhouse, content=body(), auth=auth, timeout=30)


def slow_reader(target: Target, chance: random.Random) -> None:
    """An answer of gigabytes, read at a kilobyte a second."""
    query = f"query=SELECT%20*%20FROM%20numbers(10000000000)&user=reader&password={target.reader}"
    with connect(target, f"GET /?{query} HTTP/1.1\r\nHost: x\r\n\r\n".encode()) as reader:
        for _ in range(30):
            if not reader.recv(1024):
                break
            time.sleep(1)


def greedy(target: Target, chance: random.Random) -> None:
    """A query that wants more time, memory or text than there is, read to its end or left in the middle."""
    auth = ("reader", target.reader)
    patience = chance.choice([5, 60])
    with httpx.stream(
        "POST", target.clickhouse, content=chance.choice(GREEDY), auth=auth, timeout=patience
    ) as answer:
        for _ in answer.iter_raw():
            pass


def packed_statement(target: Target, chance: random.Random) -> None:
    """A gigabyte of spaces in 32 KB."""
    body = zstd.compress(b" " * (1000 * MIB))
    httpx.post(
        target.clickhouse,
        headers={"Content-Encoding": "zstd"},
        content=body,
        auth=("reader", target.reader),
        timeout=60,
    )
    time.sleep(20)


def sessions(target: Target, chance: random.Random) -> None:
    """Five hundred sessions that nobody comes back to."""
    with httpx.Client(auth=("reader", target.reader), timeout=60) as client:
        for _ in range(500):
            name = f"{chance.getrandbits(64):x}"
            client.post(target.clickhouse, params={"session_id": name}, content="SET max_threads = 1")
    time.sleep(10)


def guesses(target: Target, chance: random.Random) -> None:
    """Wrong passwords for logins that there are and that there are not, of ClickHouse and Superset."""
    for login in ("default", "nobody", "guest"):
        httpx.post(target.clickhouse, content="SELECT 1", auth=(login, f"{chance.random()}"), timeout=30)
        known = {"username": login, "password": "wrong", "provider": "db"}
        httpx.post(f"{target.superset}/api/v1/security/login", json=known, timeout=30)
    time.sleep(1)


ATTACKS = (
    *(garbage, bomb, half_sent, endless_head, endless_body, slow_reader, slow_reader, slow_reader),
    *(greedy, greedy, packed_statement, sessions, guesses),
)


def repeat(number: int, target: Target, ends: float, made: Counter[str]) -> None:
    """Makes an attack again and again; a refusal or a closed connection is no error of the attacker."""
    attack, chance = ATTACKS[number], random.Random(number)
    while time.monotonic() < ends:
        try:
            attack(target, chance)
        except (OSError, httpx.HTTPError, KafkaException, BufferError):
            time.sleep(0.2)
        made[attack.__name__] += 1


def main() -> None:
    target = Target(**json.load(sys.stdin))
    made: Counter[str] = Counter()
    ends = time.monotonic() + target.seconds
    with ThreadPoolExecutor(len(ATTACKS)) as pool:
        for each in [pool.submit(repeat, number, target, ends, made) for number in range(len(ATTACKS))]:
            each.result()
    print(json.dumps(made))


if __name__ == "__main__":
    main()
