"""Writes the reference pages from the code: `.weir/venv/bin/python docs/reference/build.py`.

`make lint` fails where a page is not what this would write.
"""

import ast
import csv
import inspect
import json
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from prometheus_client import REGISTRY
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
MADE = "<!-- Written by build.py: change the code that it reads, then run it. -->\n\n"
METRICS_OF = (
    "weir.agents.device_sampler",
    "weir.agents.lustre_live",
    "weir.agents.scheduler_source",
    "weir.agents.service",
    "weir.notify.service",
    "weir.shipping.daemon",
)
PREFIXES = {
    "weir.settings": "WEIR_",
    "weir.agents.config": "WEIR_AGENT_",
    "weir.notify.config": "WEIR_NOTIFY_",
}


def commands() -> str:
    """Returns a section for each command, from its own help."""
    from weir.cli import app

    return "# Commands\n\n" + "\n".join(_command(typer.main.get_command(app), "weir", None))


def _command(command: Any, path: str, parent: Any) -> Iterator[str]:
    context = command.context_class(command, info_name=path, parent=parent, terminal_width=100)
    context.info_name = path.split(" ")[-1]
    yield f"## `{path}`\n\n```\n{context.get_help()}\n```\n"
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            yield from _command(command.get_command(context, name), f"{path} {name}", context)


def tables() -> str:
    """Returns a section for each table, of what the engine reports of the migrated tables."""
    from weir.sql import dictionary

    sys.path.append(str(ROOT / "ingest/tests"))
    from engine_client import EngineClient

    with TemporaryDirectory() as folder:
        client = EngineClient(Path(folder) / "engine")
        asked, columns = dictionary.tables(client), dictionary.columns(client)
        client.close()
    page = [
        "# Tables and columns\n\nWhat SQL can ask, as `weir sql schema` shows it. A view `<name>` shows the "
        "newest version of each row of the table `<name>_versions` "
        "([versions](../concepts/versions.md)), which has `version` and `is_deleted` beside its columns. "
        "Where a name has `(since, until)` a range is given: "
        "`FROM run_totals(since = '2026-01-01', until = '2026-07-01')`; "
        "the days that lie in it as a whole are added up.\n"
    ]
    rows: dict[str, list[str]] = defaultdict(list)
    for column in columns:
        rows[column.table].append(f"| `{column.name}` | `{column.type}` | {_cell(column.meaning)} |")
    for table in asked:
        page.append(
            f"## {table.name}\n\n{_cell(table.meaning)}\n\n| column | type | meaning |\n|---|---|---|"
        )
        page += rows[table.name]
        page[-1] += "\n"
    return "\n".join(page)


def configuration() -> str:
    """Returns the keys of each settings file, from the classes that read them."""
    from weir.agents.config import AgentConfig
    from weir.notify.config import NotifyConfig
    from weir.settings import Settings

    page = ["# Configuration\n"]
    for title, model in (
        ("weir.yaml: what the commands work with", Settings),
        ("agent.yaml: the agents of a machine", AgentConfig),
        ("notify.yaml: who delivers messages, and how", NotifyConfig),
    ):
        page.append(f"## {title}\n")
        page.append(f"Each key can be overridden by `{PREFIXES[model.__module__]}<KEY>`.\n")
        page.append("| key | default | meaning |\n|---|---|---|")
        page += _keys(model, "")
        page[-1] += "\n"
    for title, file in (("Site file", "site.schema.json"), ("Rule files", "rule.schema.json")):
        schema = json.loads((ROOT / "schemas" / file).read_text())
        page.append(
            f"## {title}\n\nFrom [`schemas/{file}`](../../schemas/{file}).\n\n| key | meaning |\n|---|---|"
        )
        page += _properties(schema, schema, "")
        page[-1] += "\n"
    return "\n".join(page)


def _keys(model: type[BaseModel], above: str) -> Iterator[str]:
    documented = _attribute_docs(model)
    for name, field in model.model_fields.items():
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _keys(inner, f"{above}{name}.")
            continue
        default = (
            field.get_default(call_default_factory=True) if not field.is_required() else PydanticUndefined
        )
        meaning = field.description or documented.get(name, "")
        stated = (
            "needed"
            if default is PydanticUndefined
            else f"`{_plain(default)}`"
            if default is not None
            else ""
        )
        yield f"| `{above}{name}` | {stated} | {_cell(meaning)} |"


def _plain(value: Any) -> str:
    return json.dumps(value) if isinstance(value, (bool, list, dict)) else str(value)


def _attribute_docs(model: type[BaseModel]) -> dict[str, str]:
    """Returns the text below each attribute of a class and of those that it extends."""
    found: dict[str, str] = {}
    for each in reversed(model.__mro__):
        if not each.__module__.startswith("weir."):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(each))).body[0].body  # type: ignore[attr-defined]
        for before, after in pairwise(body):
            match before, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=text)):
                    found[name] = str(text)
    return found


def _properties(schema: dict[str, Any], at: dict[str, Any], above: str) -> Iterator[str]:
    for name, each in at.get("properties", {}).items():
        if "$ref" in each:
            each = schema["$defs"][each["$ref"].rpartition("/")[2]] | each
        meaning = each.get("description", "")
        if "default" in each:
            meaning += f"{'; ' if meaning else ''}default {json.dumps(each['default'])}"
        if name in at.get("required", []):
            meaning += f"{'; ' if meaning else ''}needed"
        yield f"| `{above}{name}` | {_cell(meaning)} |"
        inner = each.get("items", each) if isinstance(each.get("items", each), dict) else each
        yield from _properties(schema, inner, f"{above}{name}{'[]' if inner is not each else ''}.")


def metrics() -> str:
    """Returns the metrics of the agents and of the notifier, in Prometheus' names."""
    for module in METRICS_OF:
        import_module(module)

    page = [
        "# Metrics\n\nOf the agents and of `weir notify`, on their metrics ports. Those of the Flink jobs "
        "stand in [flink-jobs](../../flink-jobs/README.md).\n\n| metric | type | meaning |\n|---|---|---|"
    ]
    found = sorted(
        (family.name, family.type, family.documentation)
        for family in REGISTRY.collect()
        if family.name.startswith("weir_")
    )
    page += [f"| `{name}` | {kind} | {_cell(meaning)} |" for name, kind, meaning in found]
    return "\n".join(page) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())


def _example(answer: str) -> str:
    """Returns an answer in CSV as a table."""
    names, *rows = csv.reader(answer.splitlines())
    lines = [names, ["---"] * len(names), *([_cell(value) for value in row] for row in rows)]
    return "An answer:\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def questions() -> str:
    """Returns a section for each saved question, with its parameters, an answer and its SQL."""
    from weir.sql.questions import BUILT_IN, MONTH, saved

    page = [
        "# Saved questions\n\n`weir sql NAME --since 30d` asks one; `--cluster` restricts it to one cluster, "
        "`--set` gives a parameter a value, `--format` writes the answer as CSV, JSON or Parquet. Each line "
        "of an answer is of one cluster. In Superset's SQL Lab they are saved queries named *Weir: ...*.\n\n"
        "Parameters of all of them, beside their own:\n"
    ]
    page += [f"- `{parameter}` ({about.type}): {about.meaning}" for parameter, about in BUILT_IN.items()]
    page[-1] += "\n"
    for name, question in saved().items():
        page.append(f"## `{name}`: {question.title}\n\n{question.question}")
        page[-1] += f" {question.note}" if question.note else ""
        if question.days != MONTH:
            page[-1] += f" Without `--since` it looks {question.days} day{'s' * (question.days > 1)} back."
        page[-1] += "\n"
        if question.source:
            page.append(f"Source: {question.source}.\n")
        for parameter, about in question.parameters.items():
            default = "needed" if about.default is None else f"{about.default} if it is not given"
            page.append(f"- `{parameter}` ({about.type}): {about.meaning}; {default}")
        page[-1] += "\n" if question.parameters else ""
        page.append(_example(question.example))
        page.append(f"```sql\n{question.sql}\n```\n")
    return "\n".join(page)


PAGES = {
    "commands.md": commands,
    "tables.md": tables,
    "configuration.md": configuration,
    "metrics.md": metrics,
    "questions.md": questions,
}


def main() -> None:
    """Write all pages; with --check only say which are not what the code says now."""
    pages = {name: MADE + page() for name, page in PAGES.items()}
    stale = [name for name, page in pages.items() if page != _read(FOLDER / name)]
    if "--check" not in sys.argv:
        for name in stale:
            (FOLDER / name).write_text(pages[name])
    elif stale:
        sys.exit(f"{', '.join(stale)}: not what the code says now; run {Path(__file__).relative_to(ROOT)}")


def _read(file: Path) -> str | None:
    return file.read_text() if file.exists() else None


if __name__ == "__main__":
    main()
