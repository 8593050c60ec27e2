"""Weir's own commands that never end, as parts: that they run is all their health."""

import sys
from pathlib import Path

from weir_embedded.parts.part import Part
from weir_embedded.settings import Stack


def reference(stack: Stack) -> Part:
    """Reference rates, published each day when the day before is closed."""
    return _part(stack, "reference", "Reference rates", "reference", "publish", "--follow")


def metrics(stack: Stack) -> Part:
    """How the pipeline does, written into ClickHouse every 15 s."""
    return _part(stack, "metrics", "Pipeline metrics", "pipeline", "record")


def notify(stack: Stack) -> Part:
    """Messages to users and operators, handed to the mailbox."""
    return _part(stack, "notify", "Notifier", "notify")


def _part(stack: Stack, name: str, title: str, *words: str) -> Part:
    return Part(
        name=name,
        title=title,
        argv=(str(Path(sys.executable).with_name("weir")), *words),
        check=lambda: None,
        version=lambda: "",
        env={"WEIR_CONFIG": str(stack.weir_config_of(name)), "WEIR_NOTIFY_CONFIG": str(stack.notify_config)},
        needs=("kafka", "clickhouse"),
        wave=3,
    )
