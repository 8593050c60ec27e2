"""Everything that Kafka still has, read again from its start into empty tables: the same rows (F16)."""

from clients import clickhouse
from confluent_kafka.admin import AdminClient
from sim import views
from weir_embedded.forget import forget
from weir_embedded.progress import Board


def forget_everything(stack):
    """Neither the tables nor the jobs nor their consumer groups know anything; the jobs are stopped."""
    forget(stack, Board())
    admin = AdminClient(stack.kafka)
    for deleted in admin.delete_consumer_groups(list(views.GROUPS)).values():
        deleted.result()
    client = clickhouse(stack, "migrator")
    for (table,) in client.query("SHOW TABLES LIKE '%_versions'").result_rows:
        client.command(f"TRUNCATE TABLE {table}")


def test_the_same_messages_give_the_same_rows(simulated, sql, stack, weir_stack, drained):
    center = simulated.center
    before = views.checksums(sql, center)
    assert before["runs"][0] > 100
    forget_everything(stack)
    assert {rows for rows, _ in views.checksums(sql, center).values()} == {0}
    weir_stack("up")
    views.await_rest(center, stack, sql, drained)
    assert views.awaited_checksums(sql, center, before) == before
