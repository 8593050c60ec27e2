"""Puts the analysis (Java) into the wheel, as it was built; nothing is built here."""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = "flink-jobs/analysis-cli/target/analysis-cli.jar"


class AnalysisJar(BuildHookInterface):
    """An editable install uses the jar of its checkout, whenever that is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        inside = "weir/analysis-cli.jar"
        if self.target_name == "sdist":
            inside = f"src/{inside}"
        build_data["force_include"][str(self._jar())] = inside

    def _jar(self) -> Path:
        root = Path(self.root)
        told = os.environ.get("WEIR_ANALYSIS_JAR")
        # the second: unpacked from a source distribution
        candidates = [Path(told)] if told else [root.parent / BUILT, root / "src/weir/analysis-cli.jar"]
        for jar in candidates:
            if jar.is_file():
                return jar
        raise FileNotFoundError(
            f"{candidates[0]}: the wheel carries the analysis, and it is not built. In the repository: "
            "mvn -f flink-jobs -pl analysis-cli -am package -DskipTests. Or name it: WEIR_ANALYSIS_JAR."
        )
