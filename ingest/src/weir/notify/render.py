"""Writes messages down: a subject, text of 80 columns and HTML, from templates that a site can override."""

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

import jinja2

from weir.errors import UserError
from weir.notify.facts import Message
from weir.notify.sending import Rendered
from weir.report.words import count, decimal, duration, node_hours, number_of, percent
from weir.text import printable, shortened

WIDTH = 80
_COMMENT = re.compile(r" {2,}(?=/\*|#)")
KINDS = ("finding", "reminder", "fixed", "digest", "trouble", "over")
_LONGEST_SUBJECT = 150


class Renderer:
    """The templates in use: those of a site's folder first, then those that ship.

    All are read at the start: a version that is being installed does not mix with the running one.
    """

    def __init__(self, folder: Path | None = None):
        """UserError for one that is none, with its file and line."""
        loader = _loader(folder)
        self._html = _environment(loader, html=True)
        self._text = _environment(loader, html=False)
        for environment in (self._html, self._text):
            for name in environment.list_templates(filter_func=_is_of_messages):
                _load(environment, name)

    def rendered(self, message: Message) -> Rendered:
        """All three forms."""
        return Rendered(self.subject(message), self._write(message, "txt"), self._write(message, "html"))

    def subject(self, message: Message) -> str:
        """One printable line."""
        line = " ".join(self._write(message, "subject").split())
        return shortened(printable(line), _LONGEST_SUBJECT)

    def _write(self, message: Message, form: str) -> str:
        return self._template(message.kind, form).render(message=message)

    def _template(self, kind: str, form: str) -> jinja2.Template:
        return _load(self._html if form == "html" else self._text, f"{kind}.{form}.j2")


def _is_of_messages(name: str) -> bool:
    """Not of the page, which has filters of its own."""
    return name.endswith(".j2") and "page/" not in name


def _load(environment: jinja2.Environment, name: str) -> jinja2.Template:
    try:
        return environment.get_template(name)
    except jinja2.TemplateSyntaxError as error:
        raise UserError(f"{error.filename}:{error.lineno}: {error.message}") from None


def wrap(text: str, indent: int = 0) -> str:
    """Lines of at most 80 characters; those after the first are indented."""
    return f"\n{' ' * indent}".join(textwrap.wrap(text, WIDTH - indent, break_on_hyphens=False))


def narrow(lines: Sequence[str], indent: int = 0) -> list[str]:
    """Lines of code; the comment behind one that is too wide stands before it."""
    found: list[str] = []
    for line in lines:
        code, *comment = _COMMENT.split(line, 1) if len(line) > WIDTH - indent else [line]
        found += [*comment, code]
    return found


def _loader(folder: Path | None) -> jinja2.BaseLoader:
    shipped = jinja2.PackageLoader("weir.notify", "templates")
    if folder is None:
        return shipped
    if not folder.is_dir():
        raise UserError(f"templates {folder}: not a folder. Give one, or leave it out.")
    # a template of a site can extend the one that ships, as shipped/<its name>
    return jinja2.ChoiceLoader(
        [jinja2.FileSystemLoader(folder), shipped, jinja2.PrefixLoader({"shipped": shipped})]
    )


def _environment(loader: jinja2.BaseLoader, html: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=loader,
        autoescape=html,  # noqa: S701 the other forms are plain text
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.filters |= {
        "wrap": wrap,
        "narrow": narrow,
        "count": count,
        "decimal": decimal,
        "seconds": duration,
        "node_hours": node_hours,
        "number_of": number_of,
        "percent": percent,
    }
    return environment
