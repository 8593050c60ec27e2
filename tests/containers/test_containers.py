"""What containers add: three brokers, two TaskManagers, TLS and rights, restarts by the engine, signals."""

import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import clickhouse_connect
import httpx
import pytest
import yaml
from clickhouse_connect.driver.exceptions import DatabaseError, OperationalError
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient
from sim import views
from sim.schedule import Schedule, steadily
from weir_keeper import FlinkRest

# Brokers far from each other: two of three must be in sync, and one that is back has to catch up.
KILLED = (
    "kafka1", "taskmanager1", "clickhouse", "keeper", "jobmanager", "taskmanager2", "kafka2",
    "postgres", "redis", "superset", "gateway", "metrics", "reference", "notify", "mailbox", "kafka3",
)  # fmt: skip
NEEDED = ("kafka1", "kafka2", "kafka3", "clickhouse", "jobmanager", "taskmanager1", "taskmanager2", "keeper")
RATE = 3  # messages a second: the 2,900 last longer than 16 restarts
STOPPED = {0, 143}  # by itself, or by the SIGTERM that it was sent
# Flink's own: a thread that met what the shutdown had closed already ends the process at once.
TASKMANAGER_STOPPED = STOPPED | {239}


@pytest.fixture
def admin(containers):
    return AdminClient(containers.kafka)


def lasting(containers):
    """The services that run until they are stopped."""
    return {name for name, each in containers.services.items() if each["restart"] == "unless-stopped"}


def in_sync(admin):
    """The fewest replicas in sync of any partition of Weir's topics."""
    topics = admin.list_topics(timeout=10).topics
    return min(
        len(p.isrs) for name, t in topics.items() if name.startswith("weir.") for p in t.partitions.values()
    )


def test_both_taskmanagers_work(containers, drained):
    drained()
    flink = FlinkRest(containers).client
    used = set()
    for job in flink.get("/jobs").json()["jobs"]:
        if job["status"] == "RUNNING":
            for vertex in flink.get(f"/jobs/{job['id']}").json()["vertices"]:
                subtasks = flink.get(f"/jobs/{job['id']}/vertices/{vertex['id']}").json()["subtasks"]
                used |= {subtask["taskmanager-id"] for subtask in subtasks}
    assert used == {"taskmanager1", "taskmanager2"}


def test_every_container_is_killed_in_turn_and_nothing_is_lost(
    containers, simulation, sql, drained, eventually, tell
):
    assert set(KILLED) == lasting(containers)
    center = simulation("sim-containers")
    views.publish_site(center, containers)
    over = Event()
    with ThreadPoolExecutor(1) as beside:
        sending = beside.submit(views.put, center, steadily(center.messages(), RATE, over), containers)
        try:
            for name in KILLED:
                assert not sending.done(), "the center was published before every container was killed"
                before, killed_at = containers.container(name).attrs["State"]["StartedAt"], time.monotonic()
                containers.kill(name)
                eventually(
                    lambda name=name, before=before: (
                        containers.container(name).attrs["State"]["StartedAt"] != before
                        and all(map(containers.is_healthy, NEEDED))
                    )
                )
                seconds = time.monotonic() - killed_at
                tell(f"{name} killed; it runs and all that the jobs need is healthy after {seconds:.0f} s")
            eventually(lambda: all(map(containers.is_healthy, KILLED)))
        finally:
            over.set()
    sending.result()
    views.await_rest(center, containers, sql, drained)
    assert views.wrong(center, sql) == []


def test_with_one_of_three_brokers_stopped_all_is_taken_and_it_catches_up(
    containers, admin, simulate, sql, eventually
):
    eventually(lambda: in_sync(admin) == 3)
    broker = containers.container("kafka2")
    broker.stop(timeout=60)
    try:
        assert containers.container("kafka2").attrs["State"]["ExitCode"] in STOPPED
        center = simulate("sim-broker", Schedule(order="random", rate=400))
        assert in_sync(admin) == 2
    finally:
        broker.start()
    assert views.wrong(center, sql) == []
    eventually(lambda: in_sync(admin) == 3)


def restored(containers):
    """How many times the running jobs began from a checkpoint."""
    flink = FlinkRest(containers).client
    running = [job["id"] for job in flink.get("/jobs").json()["jobs"] if job["status"] == "RUNNING"]
    return sum(flink.get(f"/jobs/{job}/checkpoints").json()["counts"]["restored"] for job in running)


def test_a_stopped_taskmanager_leaves_jobs_that_go_on_with_their_state(
    containers, simulate, sql, drained, eventually
):
    drained()
    before = restored(containers)
    stopped = containers.container("taskmanager1")
    stopped.stop(timeout=30)
    try:
        assert containers.container("taskmanager1").attrs["State"]["ExitCode"] in TASKMANAGER_STOPPED
        center = simulate("sim-one-left", Schedule(rate=400))
        assert restored(containers) > before
        # what the keeper noted reaches the dashboard
        eventually(lambda: sql.rows("SELECT part, cause FROM pipeline_restarts WHERE part = 'job-analysis'"))
    finally:
        stopped.start()
    assert views.wrong(center, sql) == []
    eventually(lambda: containers.is_healthy("taskmanager1"))


def refused(client, topic):
    """Why a message to the topic was not taken."""
    told = []
    producer = Producer(client | {"message.timeout.ms": 10_000, "log_level": 0})
    producer.produce(topic, b"x", on_delivery=lambda error, _: told.append(error))
    producer.flush(20)
    return told[0]


@pytest.fixture
def agent(containers):
    """Kafka's options of an agent, as it is given them."""
    given = yaml.safe_load((containers.folder / "agent-kafka.yaml").read_text())["kafka"]
    return given | {"ssl.ca.location": containers.clickhouse_ca}


def test_an_agent_may_write_what_agents_write_and_read_nothing(agent):
    assert refused(agent, "weir.dead-letter") is None
    for topic in ("weir.rules", "weir.site", "weir.job.result"):
        assert refused(agent, topic).code() == KafkaError.TOPIC_AUTHORIZATION_FAILED
    consumer = Consumer(agent | {"group.id": "curious", "auto.offset.reset": "earliest", "log_level": 0})
    consumer.subscribe(["weir.job.result"])
    try:
        seen = consumer.consume(1, timeout=20)
        assert seen[0].error().code() in (
            KafkaError.TOPIC_AUTHORIZATION_FAILED,
            KafkaError.GROUP_AUTHORIZATION_FAILED,
        )
    finally:
        consumer.close()


@pytest.mark.parametrize(
    "wrong",
    [{"sasl.password": "guess"}, {"sasl.username": "nobody"}, {"security.protocol": "PLAINTEXT"}],
    ids=["password", "user", "plain text"],
)
def test_kafka_refuses_wrong_credentials(agent, wrong):
    with pytest.raises(KafkaException):
        AdminClient(agent | wrong | {"log_level": 0}).list_topics(timeout=5)


def test_kafka_is_not_trusted_without_its_ca(agent):
    client = {key: value for key, value in agent.items() if key != "ssl.ca.location"}
    with pytest.raises(KafkaException):
        AdminClient(client | {"log_level": 0}).list_topics(timeout=5)


def test_clickhouse_refuses_wrong_credentials_and_a_reader_that_writes(containers):
    def client(password, login="reader", **options):
        return clickhouse_connect.get_client(
            dsn=containers.clickhouse_url, secure=True, username=login, password=password, **options
        )

    right = containers.clickhouse_secret("reader").read_text().strip()
    trusted = {"ca_cert": containers.clickhouse_ca}
    with pytest.raises(DatabaseError, match="AUTHENTICATION_FAILED"):
        client("guess", **trusted)
    with pytest.raises(OperationalError, match="certificate"):
        client(right)
    with pytest.raises(DatabaseError):
        client(right, **trusted).command("INSERT INTO weir.migrations SELECT * FROM weir.migrations")


def test_superset_refuses_a_wrong_password_and_tells_browsers_to_stay_with_tls(containers):
    trusted = ssl.create_default_context(cafile=containers.clickhouse_ca)
    with httpx.Client(base_url=containers.superset_url, verify=trusted, timeout=60) as client:
        login = {"username": "admin", "password": "guess", "provider": "db"}
        assert client.post("/api/v1/security/login", json=login).status_code == 401
        right = (containers.folder / "superset_admin").read_text()
        assert client.post("/api/v1/security/login", json=login | {"password": right}).status_code == 200
        assert "max-age" in client.get("/login/").headers["Strict-Transport-Security"]


def test_flink_answers_nobody_without_its_key(containers):
    with pytest.raises(httpx.TransportError):
        httpx.get(f"{containers.flink_url}/overview", verify=False)


@pytest.mark.parametrize(
    ("service", "command"),
    [
        ("postgres", "PGPASSWORD=guess psql -h postgres -U superset superset -c 'SELECT 1'"),
        ("redis", "redis-cli -h redis get x"),
    ],
)
def test_superset_s_own_stores_refuse_who_has_no_password(containers, service, command):
    network = containers.container(service).attrs["NetworkSettings"]["Networks"].keys()
    told = containers.engine.containers.run(
        f"weir/{service}:dev",
        entrypoint=["sh"],
        command=["-c", f"{command} 2>&1 || true"],
        network=next(iter(network)),
        remove=True,
    ).decode()
    assert "password authentication failed" in told or "NOAUTH" in told


def test_a_part_sees_the_passwords_of_no_other(containers):
    told = containers.container("redis").exec_run("cat /config/kafka1/scram /config/kept/kafka_admin")
    assert told.exit_code != 0
    assert told.output.count(b"Permission denied") == 2


def test_every_part_runs_without_root_and_cannot_write_its_own_image(containers):
    for name in containers.running:
        host = containers.container(name).attrs["HostConfig"]
        assert host["ReadonlyRootfs"], name
        assert host["CapDrop"] == ["ALL"], name
        if name != "configure":  # it gives each part its files
            user = containers.engine.images.get(containers.services[name]["image"]).attrs["Config"]["User"]
            assert user not in ("", "root", "0"), name


def test_signals_end_each_part_cleanly(containers):
    """Last: nothing runs any more then. That a broker stops well is seen above, while the others go on."""
    codes = {}
    stopped = [name for name in lasting(containers) if not name.startswith("kafka")]
    with ThreadPoolExecutor(4) as beside:
        list(beside.map(lambda name: containers.container(name).stop(timeout=60), stopped))
    for name in stopped:
        codes[name] = containers.container(name).attrs["State"]["ExitCode"]

    def allowed(name):
        return TASKMANAGER_STOPPED if name.startswith("taskmanager") else STOPPED

    assert {name: code for name, code in codes.items() if code not in allowed(name)} == {}
