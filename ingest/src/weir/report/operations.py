"""Tables of what a log counted: operations and time by module, patterns, access sizes, files, settings."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir.analyze import Run
from weir.dxt import WAYS, Longest
from weir.operations import Module
from weir.report.plots import busiest
from weir.report.words import count, duration, number_of, percent, size
from weir.text import printable, shortened

_MOST_FILES = 10
_MOST_SIZES = 4
_LONGEST_NAME = 100
_HEADER = ("module", "opens", "reads", "writes", "seeks", "stats", "syncs", "read", "written")
_OPENS = ("OPENS", "INDEP_OPENS", "COLL_OPENS")
_READS = ("READS", "INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS")
_WRITES = ("WRITES", "INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES")
_SYNCS = ("FSYNCS", "FDSYNCS", "SYNCS", "FLUSHES")


@dataclass(frozen=True)
class Section:
    """A table: its header is the first row."""

    title: str
    note: str
    rows: list[tuple[str, ...]]


def sections(run: Run) -> list[Section]:
    """Those that the log has numbers for."""
    found = [
        _modules(run),
        _times(run),
        _patterns(run),
        _sizes(run),
        _files(run),
        _traces(run),
        _settings(run),
    ]
    return [section for section in found if len(section.rows) > 1]


def _used(run: Run) -> Iterator[tuple[str, Module]]:
    return ((name, module) for name, module in run.operations.modules.items() if module.records)


def _number(module: Module, *names: str) -> str:
    known = set(names) & module.counters.keys()
    if not known:
        return "-"
    return ("at least " if known & module.bounds else "") + count(module.count(*known))


def _bytes(module: Module, name: str) -> str:
    if name not in module.counters:
        return "-"
    return ("at least " if name in module.bounds else "") + size(module.counters[name])


def _modules(run: Run) -> Section:
    rows: list[tuple[str, ...]] = [_HEADER]
    for name, module in _used(run):
        columns = (_OPENS, _READS, _WRITES, ("SEEKS",), ("STATS",), _SYNCS)
        numbers = (_number(module, *names) for names in columns)
        rows.append((name, *numbers, _bytes(module, "BYTES_READ"), _bytes(module, "BYTES_WRITTEN")))
    note = (
        "All files of the log, standard streams too. A request counts in each module that it passes through."
    )
    return Section("Operations by module", note, rows)


def _times(run: Run) -> Section:
    rows: list[tuple[str, ...]] = [("module", "reading", "writing", "metadata")]
    for name, module in _used(run):
        if module.seconds:
            cells = (module.seconds.get(f"{way}_TIME") for way in ("READ", "WRITE", "META"))
            rows.append((name, *("-" if cell is None else duration(cell) for cell in cells)))
    processes = run.told["nprocs"]
    note = "Summed over processes." if processes > 1 else ""
    return Section("Time by module", note, rows)


def _share(part: int, whole: int) -> str:
    return percent(min(1.0, part / whole)) if whole else "-"


def _patterns(run: Run) -> Section:
    """Shares of requests; of MPI-IO those that were collective."""
    rows: list[tuple[str, ...]] = [("requests", "sequential", "consecutive", "collective")]
    for name, module in _used(run):
        for way, plural in (("READ", "READS"), ("WRITE", "WRITES")):
            label = f"{name} {way.lower()}s"
            if f"SEQ_{plural}" in module.counters and (total := module.count(plural)):
                parts = (module.count(f"{kind}_{plural}") for kind in ("SEQ", "CONSEC"))
                rows.append((label, *(_share(part, total) for part in parts), "-"))
            elif name == "MPI-IO":
                kinds = [f"{kind}_{plural}" for kind in ("INDEP", "COLL", "SPLIT", "NB")]
                if total := module.count(*kinds):
                    # a split call is a collective one in two halves
                    together = module.count(f"COLL_{plural}", f"SPLIT_{plural}")
                    rows.append((label, "-", "-", _share(together, total)))
    note = "Sequential: behind the process's last request to the file. Consecutive: right behind it."
    return Section("Access pattern", note, rows)


def _sizes(run: Run) -> Section:
    rows: list[tuple[str, ...]] = [("module", "size", "requests")]
    for name, module in _used(run):
        common = sorted(module.sizes.items(), key=lambda each: (-each[1], each[0]))[:_MOST_SIZES]
        rows += [(name, f"{size(each)} ({count(each)} B)", count(number)) for each, number in common]
    note = "Darshan keeps the four most common sizes of each record: the numbers are at least these."
    return Section("Common access sizes", note, rows)


def _files(run: Run) -> Section:
    """By layer, as time below MPI-IO is part of MPI-IO's."""
    names = {int(file["record_id"]): file["name"] for file in run.told["files"]}
    rows: list[tuple[str, ...]] = [("file", "module", "slowest process")]
    for name in ("MPI-IO", "POSIX", "STDIO"):
        module = run.operations.modules.get(name)
        for record, seconds in module.slowest(_MOST_FILES, names) if module else ():
            file = shortened(printable(names[record] or f"record {record}"), _LONGEST_NAME)
            rows.append((file, name, duration(seconds)))
    note = "Judged files with most bytes. Seconds in reads, writes and metadata of the slowest process."
    return Section("Time by file", note, [rows[0], *rows[1 : 2 * _MOST_FILES + 1]])


def _traces(run: Run) -> Section:
    """What only DXT has: when, how many processes at once, and the longest request."""
    rows: list[tuple[str, ...]] = [("module", "reads", "writes", "read", "written", "processes", "when")]
    notes = ["Single requests, as DXT traced them."]
    for name, trace in run.traces.items():
        if trace.longest:
            least = "" if trace.state.state == "complete" else "at least "
            requests = (least + count(number) for number in trace.requests)
            moved = (least + size(number) for number in trace.moved)
            when = f"{duration(trace.first)} to {duration(trace.last)}"
            rows.append((name, *requests, *moved, count(len(trace.ranks)), when))
            notes.append(f"{name}: {busiest(trace)}; {_longest(trace.longest)}.")
        if trace.left_out:
            notes.append(
                f"{name}: {number_of(trace.left_out, 'request')} with an impossible time or process."
            )
    return Section("Traced requests", " ".join(notes), rows)


def _longest(request: Longest) -> str:
    file = shortened(printable(request.name or f"record {request.record_id}"), _LONGEST_NAME)
    what = f"{WAYS[request.way]} of {size(request.length)} by process {request.rank}"
    return f"longest {duration(request.seconds)}, a {what} at {duration(request.start)} in {file}"


def _settings(run: Run) -> Section:
    """MPI-IO's hints and Lustre's stripes, as the run had them."""
    rows: list[tuple[str, ...]] = [("setting", "value")]
    hints = [each for each in run.header["metadata"].get("h", "").split(";") if "=" in each]
    for hint in hints:
        name, _, value = hint.partition("=")
        rows.append((shortened(printable(f"hint {name}"), _LONGEST_NAME), printable(value)))
    stripes: dict[tuple[float, float], int] = {}
    for file in run.told["files"]:
        if file.get("stripe_count") and file["stripe_count"] > 0:
            layout = (file["stripe_count"], file.get("stripe_size_bytes") or 0)
            stripes[layout] = stripes.get(layout, 0) + 1
    for (targets, width), files in sorted(stripes.items()):
        text = f"{count(files)} file{'s' * (files != 1)} on {count(targets)} target{'s' * (targets != 1)}"
        rows.append(("Lustre stripes", f"{text}, {size(width)} each"))
    return Section("Hints and stripes", "Of the files with most bytes." if stripes else "", rows)
