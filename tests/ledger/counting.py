"""Counts what the runs of a simulated center did, from the kinds of their programs."""

from dataclasses import replace

from sim.archetypes import HOME, LOCAL
from sim.logs import moved

TIB, GIB = 1 << 40, 1 << 30


def owner(log):
    """Gives user and project of a run: those of its job, which the log does not say."""
    return (log.submit.person.name, log.submit.person.project) if log.join == "joined" else (None, None)


def filesystem(log, files):
    """Names that of the site on which these files of a run lie; None for the node's own."""
    return {HOME: "home", LOCAL: None}.get(files.mount, log.filesystem)


def of_site(log):
    """Gives the groups of a run's files on the site's file systems."""
    return [files for files in log.archetype.files if filesystem(log, files)]


def on_the_site(runs):
    """Gives (log, group of files) of all these runs, on the site's file systems."""
    return [(log, files) for log, _ in runs for files in of_site(log)]


def moved_by(log, files):
    """Gives the bytes read and written of one group of a run's files."""
    return moved(replace(log.archetype, files=(files,)))


def requests(log, files):
    """Counts POSIX reads, and writes, of one group of a run's files, of all processes."""
    return moved_by(log, replace(files, read_size=1, write_size=1)) if files.module == "POSIX" else (0, 0)


def multiples(log, files):
    """Says of each file of a group how many times its counts are those of one process."""
    if files.who == "shared":
        return [files.doers or log.archetype.nprocs] * files.count
    ranks = range(log.archetype.nprocs if files.who == "each" else 1)
    many, times = files.heavy
    return [times if rank < many else 1 for rank in ranks for _ in range(files.count)]


def extents(log, files):
    """Adds up the sizes of a group's files: what is not said to overlap lies side by side."""
    return files.extent * files.count if files.extent else max(moved_by(log, files))


def opened(log, files):
    """Counts how often each file of a group was opened, by all processes."""
    return files.opens * (log.archetype.nprocs if files.who == "shared" else 1)


def process_seconds(log, files):
    """Adds up the I/O time of a group of a run's files over processes, in seconds."""
    seconds = log.io_seconds / len(log.archetype.files)
    doing = len(multiples(log, files)) // files.count
    if files.who == "shared":
        return seconds * (files.doers or log.archetype.nprocs)
    return seconds * ((1 + (doing - 1) / 10) if files.slow_process else doing)


def modules(log):
    """Names the interfaces through which a run did its I/O, as Darshan does."""
    files = log.archetype.files
    return {each.module for each in files} | {"MPI-IO" for each in files if each.mpiio}


def decade(number):
    """Rounds a number down to a power of ten; 0 stays."""
    return 10 ** (len(str(number)) - 1) if number else 0


def assert_between(said, bounds, slack=0.0):
    """Checks that numbers by key lie between what has surely come and what was sent."""
    known, most = bounds
    assert said.keys() <= most.keys(), said.keys() - most.keys()
    for key in most:
        assert known[key] - slack <= said.get(key, 0) <= most[key] + slack, (
            key,
            known[key],
            most[key],
            said.get(key),
        )
