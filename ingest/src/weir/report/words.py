"""The words of reports: words.yaml, with the numbers put in."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import yaml

_FILE = Path(__file__).parent / "words.yaml"
_UNKNOWN = "an unknown number"


@cache
def words() -> dict[str, Any]:
    """The content of words.yaml."""
    # libyaml reads it ten times faster
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content: dict[str, Any] = yaml.load(_FILE.read_text(), loader)  # noqa: S506
    return content


def fill(template: str, **facts: Any) -> str:
    """A template of words.yaml with its facts, as one paragraph."""
    return re.sub(r"\s+", " ", _template(template).render(facts)).strip()


def fill_lines(template: str, **facts: Any) -> list[str]:
    """The same for code: its lines."""
    return [line.rstrip() for line in _template(template).render(facts).splitlines() if line.strip()]


class _Placeholder(float):
    """A number that is not there yet: its name in angle brackets."""

    name: str


class _Placeholders(dict[str, Any]):
    def __missing__(self, name: str) -> _Placeholder:
        placeholder = _Placeholder(2)
        placeholder.name = name
        return placeholder


def advice_outline(advice_id: str) -> tuple[str, list[str]]:
    """Text and code of an advice for no run in particular: <stripe_count> where a number goes."""
    said = words()["advice"].get(advice_id, {"text": ""})
    seen = {"f": _Placeholders(), "p": _Placeholders(), "files": [], "directory": "DIRECTORY", "mpi": True,
            "way": "read or write", "about": lambda _: ""}  # fmt: skip
    return fill(said["text"], **seen), fill_lines(said.get("code", ""), **seen)


def holds(condition: str, **facts: Any) -> bool:
    """Whether a condition of words.yaml is true."""
    return bool(_environment().compile_expression(condition)(**facts))


@cache
def _template(source: str) -> jinja2.Template:
    return _environment().from_string(source)


@cache
def _environment() -> jinja2.Environment:
    # plain text: each output form escapes it as a whole
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)  # noqa: S701
    environment.filters |= {
        name: _or_unknown(filter_)
        for name, filter_ in {
            "bytes": size, "sizes": sizes, "count": count, "percent": percent, "seconds": duration,
            "rate": rate, "int": int, "decimal": decimal, "ranks": ranks, "number_of": number_of,
            "node_hours": node_hours,
        }.items()
    }  # fmt: skip
    return environment


def _or_unknown(filter_: Any) -> Any:
    def filtered(value: Any, *more: Any) -> Any:
        if value is None:
            return _UNKNOWN
        return f"<{value.name}>" if isinstance(value, _Placeholder) else filter_(value, *more)

    return filtered


def size(value: float) -> str:
    """Bytes with a binary unit: 1 MiB, 3.5 GiB, 151 B."""
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while abs(value) >= 1024 and len(units) > 1:
        value /= 1024
        del units[0]
    return f"{decimal(value)} {units[0]}"


def sizes(largest: float, smallest: float | None) -> str:
    """Bytes that differ: 4 KiB to 1 MiB; 1 MiB where they do not; up to 1 MiB where the least is unknown."""
    if smallest is None:
        return f"up to {size(largest)}"
    return size(largest) if smallest == largest else f"{size(smallest)} to {size(largest)}"


def decimal(value: float) -> str:
    """Three figures are enough for a reader."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def count(value: float) -> str:
    """A whole number: 65,536."""
    return f"{value:,.0f}"


def percent(value: float) -> str:
    """A share of 0 to 1: 42 %; below 1 % with a figure that is not 0."""
    hundredths = 100 * value
    if hundredths >= 99.5:
        return "100 %" if value >= 1 else "over 99 %"
    if hundredths == 0 or hundredths >= 1:
        return f"{hundredths:.0f} %"
    return f"{hundredths:.2g} %" if hundredths >= 0.01 else "below 0.01 %"


def duration(value: float) -> str:
    """Seconds in the unit that suits them: 12 ms, 1.6 s, 13 min, 10.4 h."""
    if value == 0:
        return "0 s"
    if value < 0.001:
        return "less than 1 ms"
    if value < 0.1:
        return f"{value * 1000:.0f} ms"
    if value < 120:
        return f"{value:.3g} s"
    return f"{value / 60:.3g} min" if value < 7200 else f"{value / 3600:.3g} h"


def rate(value: float) -> str:
    """MiB/s, or GiB/s where that reads better."""
    return f"{decimal(value)} MiB/s" if value < 10240 else f"{decimal(value / 1024)} GiB/s"


def ranks(value: float, nprocs: float | None = None) -> str:
    """Effective ranks in words: one process, about 41 processes, all 65,536 processes (of `nprocs`)."""
    if value < 1.5:
        return "one process"
    return f"{'all' if round(value) == nprocs else 'about'} {value:,.0f} processes"


def number_of(value: float, noun: str) -> str:
    """1 file, 512 files, 2 processes."""
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{count(value)} {noun if value == 1 else plural}"


def node_hours(value: float) -> str:
    """Of a loss: 12.5 node-hours."""
    return "less than 0.01 node-hours" if 0 < value < 0.01 else f"{decimal(value)} node-hours"
