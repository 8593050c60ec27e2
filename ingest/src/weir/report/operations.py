"""Tables of what a log counted: operations and time by module, patterns, access sizes, files, settings."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir.analyze.offline import Run
from weir.logs.dxt import WAYS, Longest
from weir.logs.operations import Module
from weir.report.plots import SIZE_BINS, busiest
from weir.report.words import count, duration, number_of, percent, size
from weir.text import printable, shortened

_MOST_SIZES = 4
_LONGEST_NAME = 100
_HEADER = ("module", "opens", "reads", "writes", "seeks", "stats", "syncs", "read", "written")
# a non-blocking request of DFS or DAOS is among their other requests, one of MPI-IO or PnetCDF is not
_NON_BLOCKING_APART = ("MPI-IO", "PNETCDF_VAR")
_OPENS = (
    *("OPENS", "INDEP_OPENS", "COLL_OPENS", "GLOBAL_OPENS", "CREATES"),
    *("OBJ_OPENS", "ARRAY_OPENS", "KV_OPENS"),
)
_READS = (
    *("READS", "INDEP_READS", "COLL_READS", "SPLIT_READS", "READXS"),
    *("OBJ_FETCHES", "ARRAY_READS", "KV_GETS"),
)
_WRITES = (
    *("WRITES", "INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "WRITEXS"),
    *("OBJ_UPDATES", "ARRAY_WRITES", "KV_PUTS"),
)
_STATS = ("STATS", "GET_SIZES", "ARRAY_STATS", "ARRAY_GET_SIZES")
_SYNCS = ("FSYNCS", "FDSYNCS", "SYNCS", "FLUSHES")
_LIBRARIES = ("H5", "PNETCDF")
_OF_FILES = ("POSIX", "MPI-IO", "STDIO", "DFS")


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
        _histogram(run),
        _sizes(run),
        _uses(run),
        _places(run),
        _files(run),
        _traces(run),
        _settings(run),
    ]
    return [section for section in found if len(section.rows) > 1]


def _used(run: Run) -> Iterator[tuple[str, Module]]:
    return ((name, module) for name, module in run.operations.modules.items() if module.records)


def _note(run: Run, text: str) -> str:
    """Returns the text, with a warning where a module is incomplete."""
    names = " and ".join(name for name, module in _used(run) if module.is_incomplete)
    return f"{text} The log has not all of {names}: these numbers are lower bounds." if names else text


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
    note = (
        "All files of the log, standard streams too. A request counts in each module that it passes through."
    )
    for name, module in _used(run):
        apart = name in _NON_BLOCKING_APART
        reads, writes = (*_READS, *(["NB_READS"] * apart)), (*_WRITES, *(["NB_WRITES"] * apart))
        numbers = (_number(module, *names) for names in (_OPENS, reads, writes, ("SEEKS",), _STATS, _SYNCS))
        rows.append((name, *numbers, _bytes(module, "BYTES_READ"), _bytes(module, "BYTES_WRITTEN")))
        if maps := module.count("MMAPS"):
            note += f" {name}: {number_of(maps, 'mmap')}, whose bytes Darshan does not see."
    return Section("Operations by module", _note(run, note), rows)


def _times(run: Run) -> Section:
    """Shows sums, and a process on average: what sums over thousands of processes mean is hard to see."""
    ways, processes, run_time = ["READ", "WRITE", "META"], run.facts["nprocs"], run.facts["run_time_seconds"]
    header = ["module", "reading", "writing", "metadata"]
    if any(module.seconds.get("WAIT_TIME") for _, module in _used(run)):
        ways, header = [*ways, "WAIT"], [*header, "waiting"]
    rows: list[tuple[str, ...]] = [(*header, "a process on average")]
    for name, module in _used(run):
        if module.seconds:
            mean = sum(module.seconds.values()) / processes
            share = f", {percent(min(1.0, mean / run_time))} of the run time" if run_time else ""
            least = "at least " if module.bounds & {f"{way}_TIME" for way in ways} else ""
            cells = (_seconds(module, f"{way}_TIME") for way in ways)
            rows.append((name, *cells, f"{least}{duration(mean)}{share}"))
    note = "Summed over processes." if processes > 1 else ""
    return Section("Time by module", _note(run, note), rows)


def _seconds(module: Module, name: str) -> str:
    """A time of a record that is below 0 is none: then the sum is a lower bound."""
    if name not in module.seconds:
        return "-"
    return ("at least " if name in module.bounds else "") + duration(module.seconds[name])


def _share(part: int, whole: int) -> str:
    return percent(min(1.0, part / whole)) if whole else "-"


def _patterns(run: Run) -> Section:
    """Shares of requests; of MPI-IO those that were collective, and those that were non-blocking."""
    rows: list[tuple[str, ...]] = [("requests", "sequential", "consecutive", "collective", "non-blocking")]
    for name, module in _used(run):
        for way, plural in (("READ", "READS"), ("WRITE", "WRITES")):
            label = f"{name} {way.lower()}s"
            if f"SEQ_{plural}" in module.counters and (total := module.count(plural)):
                parts = (module.count(f"{kind}_{plural}") for kind in ("SEQ", "CONSEC"))
                rows.append((label, *(_share(part, total) for part in parts), "-", "-"))
            elif name in _NON_BLOCKING_APART:
                kinds = [f"{kind}_{plural}" for kind in ("INDEP", "COLL", "SPLIT", "NB")]
                if total := module.count(*kinds):
                    # a split call is a collective one in two halves
                    together = module.count(f"COLL_{plural}", f"SPLIT_{plural}")
                    shares = (_share(part, total) for part in (together, module.count(f"NB_{plural}")))
                    rows.append((label, "-", "-", *shares))
    note = "Sequential: behind the process's last request to the file. Consecutive: right behind it."
    return Section("Access pattern", note, rows)


def _histogram(run: Run) -> Section:
    columns = {
        f"{name} {way}s": counts
        for name, module in _used(run)
        for way in WAYS
        if any(counts := module.histogram(way.upper()))
    }
    rows: list[tuple[str, ...]] = [("size", *columns)]
    table = list(zip(SIZE_BINS, *columns.values(), strict=True)) if columns else []
    rows += [(label, *map(count, counts)) for label, *counts in table if any(counts)]
    note = "The upper end is part of a size: requests of 1 MiB are in 100 KiB to 1 MiB."
    return Section("Requests by size", _note(run, note), rows)


def _sizes(run: Run) -> Section:
    rows: list[tuple[str, ...]] = [("module", "size", "requests")]
    for name, module in _used(run):
        common = sorted(module.sizes.items(), key=lambda each: (-each[1], each[0]))[:_MOST_SIZES]
        rows += [(name, f"{size(each)} ({count(each)} B)", count(number)) for each, number in common]
    note = "Darshan keeps the four most common sizes of each record: the numbers are at least these."
    return Section("Common access sizes", note, rows)


def _uses(run: Run) -> Section:
    header = ("module", "use", "files", "read", "written", "mean size", "largest")
    rows: list[tuple[str, ...]] = [header]
    for name, module in _used(run):
        for use, each in module.uses().items() if name in _OF_FILES else ():
            moved = (size(each.bytes_read), size(each.bytes_written))
            extents = (each.mean_extent, each.largest_extent)
            sizes = ("-" if value is None else size(value) for value in extents)
            rows.append((name, use, count(each.files), *moved, *sizes))
    note = "All files but standard streams. Size: where the last byte lies that was read or written."
    return Section("Files by use", _note(run, note), rows)


def _places(run: Run) -> Section:
    rows: list[tuple[str, ...]] = [("where", "read", "written")]
    for place in run.facts["filesystems"]:
        moved = (size(place["bytes_read"] or 0), size(place["bytes_written"] or 0))
        rows.append((shortened(printable(place["filesystem"]), _LONGEST_NAME), *moved))
    stdio = run.operations.modules.get("STDIO")
    for stream, (read, written) in sorted(stdio.streams.items()) if stdio else ():
        rows.append((stream, size(read), size(written)))
    note = _note(run, "Of file systems those that are judged.")
    return Section("Bytes by file system and standard stream", note, rows)


def _files(run: Run) -> Section:
    """Lists files by layer, as time below MPI-IO is part of MPI-IO's."""
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
    """What the log says of MPI-IO's hints, and Lustre's stripes.

    The hints in a log's metadata are those with which Darshan wrote the log itself, so they are not shown.
    """
    rows: list[tuple[str, ...]] = [("setting", "value")]
    if (mpiio := run.operations.modules.get("MPI-IO")) and "HINTS" in mpiio.counters:
        calls = mpiio.count("HINTS")
        given = f"given in {number_of(calls, 'call')}; a log does not have their values"
        rows.append(("MPI-IO hints", given if calls else "none given"))
    stripes: dict[tuple[float, float], int] = {}
    for file in run.facts["files"]:
        if file.get("stripe_count") and file["stripe_count"] > 0:
            layout = (file["stripe_count"], file.get("stripe_size_bytes") or 0)
            stripes[layout] = stripes.get(layout, 0) + 1
    for (targets, width), files in sorted(stripes.items()):
        text = f"{count(files)} file{'s' * (files != 1)} on {count(targets)} target{'s' * (targets != 1)}"
        rows.append(("Lustre stripes", f"{text}, {size(width)} each"))
    return Section("Hints and stripes", "Of the files with most bytes." if stripes else "", rows)
