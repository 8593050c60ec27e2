"""The words of reports: words.yaml, with the numbers put in."""

import re
from functools import cache
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

import jinja2

from weir import yaml_file

_FILE = Path(__file__).parent / "words.yaml"
_UNKNOWN = "an unknown number"


@cache
def words() -> dict[str, Any]:
    """The content of words.yaml."""
    content: dict[str, Any] = yaml_file.load(_FILE)
    return content


def fill(template: str, **facts: Any) -> str:
    """A template of words.yaml with its facts, as one paragraph."""
    text = re.sub(r"\s+", " ", _template(template).render(facts)).strip()
    text = re.sub(rf"(^|[.?] ){_BOUND}(.)", lambda begin: begin[1] + begin[2].upper(), text)
    return text.replace(_BOUND, "")


def fill_lines(template: str, **facts: Any) -> list[str]:
    """The same for code: its lines."""
    text = _template(template).render(facts).replace(_BOUND, "")
    return [line.rstrip() for line in text.splitlines() if line.strip()]


class Number(float):
    """Carries how far it can be trusted, so that no sentence can print a bound as if it were exact.

    The filters put its word before it: at least, at most, about, or a recorded, for what is true of the part
    that an incomplete log has. What is computed from it is as uncertain.
    """

    bound: str

    def __new__(cls, value: float, bound: str = "exact") -> "Number":
        """`bound` is a key of BOUND_WORDS."""
        number = super().__new__(cls, value)
        number.bound = bound
        return number

    def _with(self, value: float, other: float, turned: bool = False) -> "Number":
        """`turned` where the result falls as `other` grows."""
        bound = getattr(other, "bound", "exact")
        return Number(value, worst(self.bound, _TURNED.get(bound, bound) if turned else bound))

    def __add__(self, other: float) -> "Number":
        return self._with(float(self) + float(other), other)

    __radd__ = __add__

    def __sub__(self, other: float) -> "Number":
        return self._with(float(self) - float(other), other, turned=True)

    def __mul__(self, other: float) -> "Number":
        return self._with(float(self) * float(other), other)

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> "Number":
        return self._with(float(self) / float(other), other, turned=True)

    def __rsub__(self, other: float) -> "Number":
        return Number(float(other)) - self

    def __rtruediv__(self, other: float) -> "Number":
        return Number(float(other)) / self


_BOUND = "\ue000"  # before a bound's word, which begins a sentence with a capital; no text of a log has it
BOUND_WORDS = {
    "exact": "",
    "lower_bound": "at least ",
    "upper_bound": "at most ",
    "bounded": "about ",
    "recorded": "a recorded ",
}
_TURNED = {"lower_bound": "upper_bound", "upper_bound": "lower_bound"}


def worst(*bounds: str) -> str:
    """Returns the bound of a number computed from several: a lower and an upper bound make an estimate."""
    inexact = set(bounds) - {"exact"}
    if len(inexact) > 1:
        return "recorded" if "recorded" in inexact else "bounded"
    return inexact.pop() if inexact else "exact"


class _Placeholder(float):
    """Stands for a number that is not there yet, by its name in angle brackets; conditions take it for 2."""

    name: str

    def __new__(cls, name: str) -> "_Placeholder":
        placeholder = super().__new__(cls, 2)
        placeholder.name = name
        return placeholder

    def __add__(self, other: float) -> "_Placeholder":
        return _Placeholder(f"{self.name}> + <{other.name}" if isinstance(other, _Placeholder) else self.name)


class _Placeholders(dict[str, Any]):
    def __missing__(self, name: str) -> _Placeholder:
        return _Placeholder(name)


def advice_outline(advice_id: str) -> tuple[str, list[str]]:
    """Text and code of an advice for no run in particular: <stripe_count> where a number goes."""
    said = words()["advice"].get(advice_id, {"text": ""})
    said = said.get("outline", said)
    seen = {"f": _Placeholders(), "p": _Placeholders(), "files": [], "directory": "DIRECTORY", "mpi": True,
            "way": "read or write", "typical_bytes": None, "mpiio_is_collective": False}  # fmt: skip
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
        name: _or_unknown(_with_bound(filter_))
        for name, filter_ in {
            "bytes": size, "sizes": sizes, "rate": rate, "count": count, "percent": percent,
            "seconds": duration, "decimal": decimal, "ranks": ranks, "number_of": number_of,
            "node_hours": node_hours,
        }.items()
    }  # fmt: skip
    # for code to type, where no word can stand
    environment.filters["int"] = _or_unknown(int)
    environment.filters["stated"] = _stated
    environment.filters |= {"gain": _or_unknown(_gain), "range": _or_unknown(_range)}
    environment.tests["capped"] = lambda value: _bound(value) in ("exact", "upper_bound")
    return environment


def _or_unknown(filter_: Any) -> Any:
    def filtered(value: Any, *more: Any) -> Any:
        if value is None:
            return _UNKNOWN
        if isinstance(value, _Placeholder):
            return " ".join((f"<{value.name}>", *(_plural(noun) for noun in more if isinstance(noun, str))))
        return filter_(value, *more)

    return filtered


def _stated(value: float | None) -> float | None:
    return value if value is None or isinstance(value, _Placeholder) else float(value)


def _bound(value: Any) -> str:
    return getattr(value, "bound", "exact")


def _with_bound(filter_: Any) -> Any:
    """Prints the number behind the word for its bound."""

    def filtered(value: float, *more: Any) -> str:
        return _bounded(str(filter_(float(value), *more)), _bound(value))

    return filtered


def _range(lower: float, upper: float | None) -> str:
    """Two bounds of a number: 12 to 20; the lower alone where the upper is none of the whole run."""
    if _bound(lower) == "lower_bound" and _bound(upper) == "upper_bound" and upper is not None:
        return f"{count(lower)} to {count(upper)}"
    return _bounded(count(lower), _bound(lower))


def _gain(value: float) -> str:
    """What of some seconds may be saved: all of them at most, or a part of them where they may be more."""
    if _bound(value) in ("exact", "upper_bound"):
        return _bounded(duration(float(value)), "upper_bound")
    return f"{_BOUND}a part of {_bounded(duration(float(value)), _bound(value))}"


def _bounded(text: str, bound: str) -> str:
    """A number in words is one bound only: some of these words are one already."""
    if text.startswith("less than ") and bound != "exact":
        unit = text.removeprefix("less than ").partition(" ")[2]
        return f"more than 0 {unit}".rstrip() if bound == "lower_bound" else text
    if text.startswith("over ") and bound != "exact":
        return text if bound == "lower_bound" else f"{_BOUND}{BOUND_WORDS[bound]}100 %"
    # of one process there is no fewer, and of all no more
    if (text.startswith("one ") and bound in ("upper_bound", "recorded")) or (
        text.startswith("all ") and bound == "lower_bound"
    ):
        return text
    if word := BOUND_WORDS[bound]:
        return f"{_BOUND}{word}{text.removeprefix('about ').removeprefix('all ')}"
    return text


def size(value: float) -> str:
    """Bytes with a binary unit: 1 MiB, 3.5 GiB, 151 B."""
    return _scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"])


def rate(value: float) -> str:
    """MiB/s, or a larger unit where that reads better."""
    return _scaled(value, 10240, ["MiB/s", "GiB/s", "TiB/s", "PiB/s"])


def _scaled(value: float, most: float, units: list[str]) -> str:
    """In the first unit in which it prints as less than `most`."""
    for unit in units[:-1]:
        if round(value) < most:
            return f"{decimal(value)} {unit}"
        value /= 1024
    return f"{decimal(value)} {units[-1]}"


def sizes(largest: float, smallest: float | None) -> str:
    """Bytes that differ: 4 KiB to 1 MiB; 1 MiB where they do not; up to 1 MiB where the least is unknown."""
    if smallest is None:
        return f"up to {size(largest)}"
    return size(largest) if smallest == largest else f"{size(smallest)} to {size(largest)}"


def decimal(value: float) -> str:
    """Three figures are enough for a reader, and never an exponent."""
    if not isfinite(value) or value >= 100 or value == int(value):
        return f"{value:,.0f}"
    if 0 < value < 0.001:
        return "less than 0.001"
    text = f"{value:.{max(0, 2 - floor(log10(abs(value))))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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
    return f"{hundredths:.2g} %" if hundredths >= 0.01 else "less than 0.01 %"


def duration(value: float) -> str:
    """Seconds in the unit that suits them: 200 µs, 12 ms, 1.6 s, 13 min, 10.4 h."""
    if 0 < value < 0.000995:
        return f"{decimal(value * 1e6)} µs"
    if 0 < value < 0.0995:
        return f"{decimal(value * 1000) if value < 0.00995 else count(value * 1000)} ms"
    if value < 119.5:
        return f"{decimal(value)} s"
    return f"{decimal(value / 60)} min" if value < 7170 else f"{decimal(value / 3600)} h"


def ranks(value: float, nprocs: float | None = None) -> str:
    """Effective ranks in words: one process, about 41 processes, all 65,536 processes (of `nprocs`)."""
    if value < 1.5:
        return "one process"
    return f"{'all' if round(value) == nprocs else 'about'} {value:,.0f} processes"


def number_of(value: float, noun: str) -> str:
    """1 file, 512 files, 2 processes."""
    number = count(value)
    return f"{number} {noun if number == '1' else _plural(noun)}"


def _plural(noun: str) -> str:
    return noun + ("es" if noun.endswith("s") else "s")


def node_hours(value: float) -> str:
    """Writes a loss, such as 12.5 node-hours."""
    return "less than 0.01 node-hours" if 0 < value < 0.01 else f"{decimal(value)} node-hours"
