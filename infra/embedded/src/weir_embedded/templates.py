"""Configuration files written from the templates beside this module and in infra/common."""

from pathlib import Path
from typing import Any

import jinja2

COMMON = Path(__file__).parents[3] / "common"
"""What the containers' configuration has in common with the embedded stack's."""

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader([Path(__file__).with_name("templates"), COMMON]),
    undefined=jinja2.StrictUndefined,
    keep_trailing_newline=True,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=False,  # noqa: S701 - properties and YAML, no HTML
)

FILTERS = _ENVIRONMENT.filters


def render(template: str, **values: Any) -> str:
    """The text of a template; an unknown variable is an error."""
    return _ENVIRONMENT.get_template(template).render(**values)


def write(target: Path, template: str, **values: Any) -> None:
    """Write a rendered template for its owner alone, in one step: no program reads half a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    partial.write_text(render(template, **values))
    partial.rename(target)
