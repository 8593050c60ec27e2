"""The reference rates as a part: published each day when the day before is closed."""

import sys
from pathlib import Path

from weir_embedded.parts.part import Part
from weir_embedded.settings import Stack


def part(stack: Stack) -> Part:
    """`weir reference publish --follow`; that it runs is all its health."""
    return Part(
        name="reference",
        title="Reference rates",
        argv=(str(Path(sys.executable).with_name("weir")), "reference", "publish", "--follow"),
        check=lambda: None,
        version=lambda: "",
        env={"WEIR_CONFIG": str(stack.weir_config)},
        needs=("kafka", "clickhouse"),
        wave=3,
    )
