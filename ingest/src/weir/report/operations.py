"""Tables of what a log counted: operations and time by module, patterns, access sizes, files, settings."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir.analyze import Run
from weir.operations import Module
from weir.report.words import count, duration, percent, size
from weir.text import printable, shortened

_MOST_SIZES = 4
_LONGEST_NAME = 100
_HEADER = ("module", "opens", "reads", "writes", "seeks", "stats", "syncs", "read", "written")
_OPENS = ("OPENS", "INDEP_OPENS", "COLL_OPENS", "GLOBAL_OPENS", "OBJ_OPENS", "ARRAY_OPENS", "KV_OPENS")
_READS = (
    "READS",
    "INDEP_READS",
    "COLL_READS",
    "SPLIT_READS",
    "NB_READS",
    "READXS",
    "OBJ_FETCHES",
    "ARRAY_READS",
    "KV_GETS",
)
_WRITES = (
    "WRITES",
    "INDEP_WRITES",
    "COLL_WRITES",
    "SPLIT_WRITES",
    "NB_WRITES",
    "WRITEXS",
    "OBJ_UPDATES",
    "ARRAY_WRITES",
    "KV_PUTS",
)
_LIBRARIES = ("H5", "PNETCDF")
_LEFT_OUT = ("suspect",)
_IN_PART = ("partial", "damaged")
_SYNCS = ("FSYNCS", "FDSYNCS", "SYNCS", "FLUSHES")


@dataclass(frozen=True)
class Section:
    """A table: its header is the first row."""

    title: str
    note: str
    rows: list[tuple[str, ...]]


def sections(run: Run) -> list[Section]:
    """Those that the log has numbers for."""
    found = [_modules(run), _times(run), _patterns(run), _sizes(run), _files(run), _stripes(run)]
    return [section for section in found if len(section.rows) > 1]


def _used(run: Run) -> Iterator[tuple[str, Module]]:
    """Those that can be believed, by name; of one that lacks records that is said with the name."""
    states = {module["name"]: module["state"] for module in run.end.get("modules", [])}
    for name, module in run.operations.modules.items():
        state = states.get(name)
        if module.records and state not in _LEFT_OUT:
            yield f"{name} (in part)" if state in _IN_PART else name, module


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
        columns = (_OPENS, _READS, _WRITES, ("SEEKS",), ("STATS", "ARRAY_STATS"), _SYNCS)
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
            elif name.startswith("MPI-IO"):
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
    rows: list[tuple[str, ...]] = [("file", "module", "slowest process")]
    for name, module in _used(run):
        if not name.startswith(_LIBRARIES):
            rows += [
                (shortened(printable(file), _LONGEST_NAME), name, duration(seconds))
                for file, seconds in module.slowest()
            ]
    note = (
        "The files that took longest. Seconds in reads, writes and metadata of the process that took longest"
        " with it."
    )
    return Section("Time by file", note, rows)


def _stripes(run: Run) -> Section:
    """Lustre's stripes, as the run had them."""
    rows: list[tuple[str, ...]] = [("files", "targets each", "stripe size")]
    stripes: dict[tuple[float, float], int] = {}
    for file in run.told["files"]:
        if file.get("stripe_count") and file["stripe_count"] > 0:
            layout = (file["stripe_count"], file.get("stripe_size_bytes") or 0)
            stripes[layout] = stripes.get(layout, 0) + 1
    for (targets, width), files in sorted(stripes.items()):
        rows.append((count(files), count(targets), size(width)))
    return Section("Lustre stripes", "Of the files with most bytes.", rows)
