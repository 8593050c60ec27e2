"""Rule files, one YAML file a rule: their shape is checked here, conditions by the analysis itself (Java)."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from weir.analyze import jvm
from weir.documents import Document, Problem, load_site, refuse_if
from weir.errors import UserError
from weir.schemas_dir import SCHEMAS

RULE_SET = "default"
SHIPPED = SCHEMAS / "rules"


def load(folder: Path) -> dict[str, Any]:
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
    refuse_if(_condition_problems(rule_set, documents))
    return rule_set


def _condition_problems(rule_set: dict[str, Any], documents: dict[str, Document]) -> list[Problem]:
    _, found = jvm.run(["rules", "check"], [json.dumps(rule_set).encode()])
    return [_located(documents[each["rule"]], each) for each in json.loads(found)]


def _located(document: Document, found: dict[str, Any]) -> Problem:
    """The checker counts lines within the condition; a block scalar begins below its field."""
    problem = document.problem([found["field"]], found["reason"])
    if found["field"] != "condition" or not found["line"]:
        return problem
    below = found["line"] if document.is_block("condition") else found["line"] - 1
    return replace(problem, line=problem.line + below)


def listed(folder: Path, site: Path | None) -> list[dict[str, Any]]:
    """The rules of a folder as the analysis reads them, defaults filled in, with `site_thresholds`."""
    if folder != SHIPPED:
        load(folder)
    if site:
        load_site(site)
    arguments = ["rules", "list", "--rules", str(folder), *(["--site", str(site)] if site else [])]
    return _lines(arguments)


def features() -> dict[str, dict[str, Any]]:
    """Every feature that a rule can read, by name: `unit`, `meaning`, `of_log`, `by_filesystem` and more."""
    return {feature["name"]: feature for feature in _lines(["features"])}


def _lines(arguments: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in jvm.run(arguments)[1].splitlines()]
