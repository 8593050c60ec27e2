"""Rule files, one YAML file a rule: their shape is checked here, conditions by the analysis itself (Java)."""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

from weir.documents import Document, Problem, refuse_if
from weir.errors import UserError
from weir.schemas_dir import SCHEMAS

RULE_SET = "default"
SHIPPED = SCHEMAS / "rules"


def load(folder: Path, checker: Path | None = None) -> dict[str, Any]:
    """The checked rule set of a folder; UserError with all problems, each with file, line and reason."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise UserError(f"{folder}: no rule (*.yaml) in it. Give the folder that holds the rule files.")
    documents = {file.stem: Document(file, "rule") for file in files}
    problems = [p for document in documents.values() for p in document.schema_problems()]
    for stem, document in documents.items():
        if not problems and document.content["id"] != stem:
            problems.append(document.problem(["id"], f"is not the file's name, {stem}"))
    refuse_if(problems)
    rule_set = {"id": RULE_SET, "rules": [d.content for d in documents.values()]}
    refuse_if(_condition_problems(rule_set, documents, checker or find_checker()))
    return rule_set


def find_checker() -> Path:
    """The analysis' own rule checker: $WEIR_ANALYSIS_JAR, or the one that was built in this checkout."""
    built = SCHEMAS.resolve().parent / "flink-jobs/analysis/target/analysis-cli.jar"
    jar = Path(os.environ.get("WEIR_ANALYSIS_JAR") or built)
    if not jar.exists():
        raise UserError(
            f"{jar}: the rule checker is not there. Build it (make build), or set WEIR_ANALYSIS_JAR."
        )
    return jar


def _condition_problems(rule_set: dict[str, Any], documents: dict[str, Document], jar: Path) -> list[Problem]:
    java = shutil.which("java")
    if java is None:
        raise UserError("java: not found; conditions are checked by Java 17. Install a JRE 17.")
    # the JVM starts in half the time without the optimizing compiler, which a check never warms up
    command = [java, "-XX:TieredStopAtLevel=1", "-jar", str(jar)]
    done = subprocess.run(command, input=json.dumps(rule_set).encode(), capture_output=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise UserError(f"{jar}: the rule checker failed: {done.stderr.decode(errors='replace').strip()}")
    return [_located(documents[found["rule"]], found) for found in json.loads(done.stdout)]


def _located(document: Document, found: dict[str, Any]) -> Problem:
    """The checker counts lines within the condition; a block scalar begins below its field."""
    problem = document.problem([found["field"]], found["reason"])
    if found["field"] != "condition" or not found["line"]:
        return problem
    below = found["line"] if document.is_block("condition") else found["line"] - 1
    return replace(problem, line=problem.line + below)
