"""The parts of the stack: one module per program, stating how it is configured, started and checked."""

from weir_embedded.parts import clickhouse, flink, jobs, kafka, mailbox, reviver, superset, watch, weir
from weir_embedded.parts.part import Part
from weir_embedded.settings import Stack


def all_parts(stack: Stack) -> dict[str, Part]:
    """All parts by name, in the order in which they are started."""
    parts = (
        kafka.part(stack),
        clickhouse.part(stack),
        flink.jobmanager(stack),
        flink.taskmanager(stack),
        superset.part(stack),
        mailbox.part(stack),
        jobs.part(stack),
        weir.reference(stack),
        weir.metrics(stack),
        weir.notify(stack),
        watch.part(stack),
        reviver.part(stack),
    )
    return {part.name: part for part in parts}
