"""Speaking to the stack under test as its users do."""

import json
import os
import subprocess
from pathlib import Path

import clickhouse_connect
from confluent_kafka import KafkaException
from weir.kafka import lags

CENTER = Path(__file__).parent / "data/center"
CLUSTER = "labcluster"


class Weir:
    """The `weir` command against one stack."""

    def __init__(self, stack):
        self.env = os.environ | {"WEIR_CONFIG": str(stack.weir_config)}
        self.program = stack.venv / "bin/weir"

    def __call__(self, *arguments, code=0):
        done = subprocess.run(
            [self.program, *map(str, arguments)], env=self.env, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, f"weir {arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def answer(self, question, cluster, *arguments):
        """Rows of a saved question about one cluster."""
        said = self("sql", question, "--cluster", cluster, *arguments, "--format", "json")
        return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def clickhouse(stack, login, database="weir"):
    """A client of the stack's ClickHouse under one of its logins."""
    return clickhouse_connect.get_client(
        dsn=stack.clickhouse_url,
        secure=stack.clickhouse_url.startswith("https:"),
        ca_cert=getattr(stack, "clickhouse_ca", None),
        username=login,
        password=stack.clickhouse_secret(login).read_text().strip(),
        database=database,
    )


class Sql:
    """Queries as the reader's login."""

    def __init__(self, stack):
        self.client = clickhouse(stack, "reader")

    def rows(self, sql, **parameters):
        """Rows as dictionaries."""
        return list(self.client.query(sql, parameters=parameters).named_results())

    def one(self, sql, **parameters):
        """The only value of the only row."""
        ((value,),) = self.client.query(sql, parameters=parameters).result_rows
        return value


def unread(kafka, group_prefix):
    """Messages between what consumer groups committed and the topics' ends; None if unknown."""
    try:
        found = lags(kafka, group_prefix)
    except KafkaException:
        return None
    return sum(found.values()) if found else None
