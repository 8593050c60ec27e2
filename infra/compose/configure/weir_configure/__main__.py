"""`python -m weir_configure`: write each part's configuration into the volume that all parts mount.

Each folder belongs to the user of one part and is readable to no other. Passwords and certificates are made
the first time and kept in a folder of root; everything else is written again at every start.
"""

import base64
import hashlib
import os
import shutil
import uuid
from pathlib import Path

import jinja2
from weir_keeper import key

from weir_configure import certificates
from weir_configure.passwords import CLICKHOUSE_USERS, GRANTS, KAFKA_USERS, Kept
from weir_configure.settings import Settings, load

# The users of the images.
ROOT = 0
KAFKA, FLINK, WEIR, CLICKHOUSE, SUPERSET, POSTGRES, REDIS, GATEWAY = range(10001, 10009)

COMMON = Path(__file__).parents[3] / "common"
TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader([Path(__file__).with_name("templates"), COMMON]),
    undefined=jinja2.StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
    autoescape=False,  # noqa: S701 - properties and YAML, no HTML
)
TEMPLATES.filters["sha256"] = lambda text: hashlib.sha256(text.encode()).hexdigest()


def main() -> None:
    """Write everything."""
    os.umask(0o077)
    settings = load()
    kept = Kept(settings.config_folder / "kept")
    brokers = int(kept.value("brokers", str(settings.brokers)))
    if brokers != settings.brokers:
        raise SystemExit(
            f"configure: this deployment was made with {brokers} Kafka broker(s), WEIR_BROKERS says "
            f"{settings.brokers}: set it back, or begin anew without data (weir clean)."
        )
    for owner, folder, files in parts(settings, kept):
        write(settings.config_folder / folder, owner, files)
    print("configure: the configuration of every part is written")


def parts(settings: Settings, kept: Kept) -> list[tuple[int, str, dict[str, str | bytes]]]:
    """Owner, folder, and content by file name, of each part."""
    certificates.authority(kept.folder)
    key.make(kept.folder, "flink")
    ca = (kept.folder / "ca.pem").read_text()
    kafka = {user: kept.secret(f"kafka_{user}") for user in KAFKA_USERS}
    clickhouse = {user: kept.secret(f"clickhouse_{user}") for user in CLICKHOUSE_USERS}
    admin, postgres, redis = (kept.secret(name) for name in ("superset_admin", "postgres", "redis"))
    new_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
    cluster_id = kept.value("kafka_cluster_id", new_id)

    passwords = {f"clickhouse_{user}": clickhouse[user] for user in ("migrator", "writer", "reader")}
    passwords["superset_admin"] = admin

    def render(template: str, **values: object) -> str:
        return TEMPLATES.get_template(template).render(
            settings=settings, kafka=kafka, clickhouse=clickhouse, redis=redis, **values
        )

    def weir(login: str) -> str:
        return render(
            "weir.yaml.j2",
            login=login,
            bootstrap=settings.kafka_bootstrap,
            clickhouse_url="http://clickhouse:8123",
            folder="/config/weir",
            state="/var/lib/weir",
            metrics=True,
        )

    def certificate(name: str) -> str:
        return certificates.server(kept.folder, name, [settings.hostname, "localhost"])

    found: list[tuple[int, str, dict[str, str | bytes]]] = [
        (
            KAFKA,
            f"kafka{number}",
            {
                "broker.properties": render("broker.properties.j2", number=number),
                "cluster_id": cluster_id,
                "scram": "".join(f"SCRAM-SHA-512=[name={u},password={p}]\n" for u, p in kafka.items()),
                "server.pem": certificate(f"kafka{number}"),
                "ca.pem": ca,
            },
        )
        for number in settings.broker_numbers
    ]
    return [
        *found,
        (
            FLINK,
            "flink",
            {
                "flink/config.yaml": render(
                    "flink-config.yaml.j2",
                    rest_url="https://jobmanager:8081",
                    keystore="/config/flink/flink.p12",
                    keystore_password=key.KEYSTORE_PASSWORD,
                ),
                "flink.pem": (kept.folder / "flink.pem").read_text(),
                "flink.p12": (kept.folder / "flink.p12").read_bytes(),
                "jobs.properties": render("jobs.properties.j2"),
                "clickhouse_writer": clickhouse["writer"],
                "ca.pem": ca,
            },
        ),
        (
            WEIR,
            "weir",
            {
                "weir.yaml": weir("admin"),
                "weir-reference.yaml": weir("reference"),
                "weir-metrics.yaml": weir("metrics"),
                "notify.yaml": render("notify.yaml.j2"),
                "notify_key": kept.secret("notify_key"),
                **passwords,
                "ca.pem": ca,
            },
        ),
        (
            ROOT,
            "outside",
            {
                "weir.yaml": render(
                    "weir.yaml.j2",
                    login="admin",
                    bootstrap=",".join(f"{settings.hostname}:{port}" for port in settings.kafka_ports),
                    clickhouse_url=f"https://{settings.hostname}:{settings.clickhouse_port}",
                    folder="FOLDER",
                    state="FOLDER/weir",
                    metrics=False,
                ),
                "agent-kafka.yaml": render("agent-kafka.yaml.j2"),
                **passwords,
                "ca.pem": ca,
            },
        ),
        (
            CLICKHOUSE,
            "clickhouse",
            {
                "users.yaml": render("front-users.yaml.j2"),
                "users.xml": render("server-users.xml.j2", grants=GRANTS),
                **{f"password_{user}": password for user, password in clickhouse.items()},
            },
        ),
        (
            SUPERSET,
            "superset",
            {
                "secret_key": kept.secret("superset_secret_key"),
                "admin_password": admin,
                "metadata_uri": f"postgresql+psycopg2://superset:{postgres}@postgres/superset",
                "redis_url": f"redis://:{redis}@redis:6379/0",
            },
        ),
        (POSTGRES, "postgres", {"password": postgres}),
        (REDIS, "redis", {"redis.conf": render("redis.conf.j2")}),
        (GATEWAY, "gateway", {"server.pem": certificate("gateway")}),
    ]


def write(folder: Path, owner: int, files: dict[str, str | bytes]) -> None:
    """Put the files into a folder that only `owner` may read; one that differs is replaced in one step."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        if not file.exists() or file.read_bytes() != data:
            partial = file.with_name(f"{file.name}.partial")
            partial.write_bytes(data)
            partial.rename(file)
    for path in [folder, *folder.rglob("*")]:
        shutil.chown(path, owner, owner)


if __name__ == "__main__":
    main()
