#!/usr/bin/python3 -IS
"""Notes in Weir's spool that a job has ended; the shipping daemon does the rest.

    /usr/bin/python3 -IS weir_job_end.py [--spool DIR] [--job-id ID] [--uid N] [--start S] [--end S]

Slurm (Epilog or EpilogSlurmctld) and PBS tell the job in the environment, PBS's epilogue also as first
argument; options override both. Times are Unix seconds. Exits with 0 whatever happens, within a second:
what is wrong goes to syslog, and what could not be noted is counted in the spool's file `dropped`. A job
that was not noted loses nothing but speed: the daemon finds its logs when it sweeps the directories.

Needs nothing but Python 3.6 and its standard library, and imports little of it: each import delays the
end of a job.
"""

import os
import signal
import sys
import time

SPOOL = "/var/spool/weir/jobs"
BUDGET_SECONDS = 1.0
MOST_ENTRIES = 20000  # a block each, and counting them takes time; beyond it the newest are dropped
LEAST_FREE = 0.02  # share of the file system's blocks and inodes that is left to others
MOST_NUMBER = 2**63 - 1
OPTIONS = ("--spool", "--job-id", "--uid", "--start", "--end")


class Wrong(Exception):
    """Something that keeps the job from being noted."""


def number(name, text):
    """An integer from 0 to 2^63 - 1 of decimal digits only."""
    if not 0 < len(text) <= 19 or text.strip("0123456789") or int(text) > MOST_NUMBER:
        raise Wrong("%s is no number from 0 to 2^63 - 1: %r" % (name, text[:40]))
    return int(text)


def job_of(text):
    """(job id, array index or None) of 123, PBS's 123.server, 123[7].server."""
    head = text.split(".", 1)[0]
    if head.endswith("]"):
        head, _, index = head[:-1].partition("[")
        return number("job id", head), number("array index", index) if index else None
    return number("job id", head), None


def split(arguments):
    """(values of the options by name, the other arguments)."""
    given, rest, at = {}, [], 0
    while at < len(arguments):
        if arguments[at] in OPTIONS:
            given[arguments[at]] = "".join(arguments[at + 1 : at + 2])
            at += 1
        else:
            rest.append(arguments[at])
        at += 1
    return given, rest


def facts(given, rest, environment):
    """What is known of the job: integers by name, None for those that nobody told."""

    def told(option, *variables):
        return given.get(option) or next((environment[v] for v in variables if environment.get(v)), None)

    job = told("--job-id", "SLURM_JOB_ID", "PBS_JOBID") or "".join(rest[:1])
    job_id, array_index = job_of(job)
    entry = {"job_id": job_id, "array_index": array_index}
    for name, text in (
        ("array_index", environment.get("SLURM_ARRAY_TASK_ID")),
        ("uid", told("--uid", "SLURM_JOB_UID")),
        ("start", told("--start", "SLURM_JOB_START_TIME")),
        ("end", told("--end", "SLURM_JOB_END_TIME")),
    ):
        if text:
            entry[name] = number(name, text)
    return entry


def opened(spool):
    """A descriptor of the spool, if it is this user's own directory, and nobody else may write there."""
    if not os.path.isabs(spool):
        raise Wrong("%s is no absolute path" % spool)
    folder = os.open(spool, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    found = os.fstat(folder)
    if found.st_uid != os.geteuid():
        raise Wrong("%s belongs to user %d, not to %d who runs this" % (spool, found.st_uid, os.geteuid()))
    if found.st_mode & 0o002:
        raise Wrong("%s is writable by everybody; it must have mode 2770" % spool)
    return folder


def write(folder, entry):
    """Put an entry into the spool: whole or not at all.

    If the power fails in the next seconds it may be gone; waiting for the directory too costs each job more.
    """
    space = os.fstatvfs(folder)
    if space.f_bavail < LEAST_FREE * space.f_blocks or (
        space.f_files and space.f_favail < LEAST_FREE * space.f_files
    ):
        raise Wrong("the spool's file system is full")
    if len(os.listdir(folder)) >= MOST_ENTRIES:
        raise Wrong("the spool holds %d entries" % MOST_ENTRIES)
    now = time.time()
    entry["noted"] = int(now * 1000000)
    name = "%020d-%d-%d.json" % (now * 1000000000, entry["job_id"], os.getpid())
    pairs = ['"%s": %s' % (key, "null" if value is None else "%d" % value) for key, value in entry.items()]
    text = ("{%s}\n" % ", ".join(pairs)).encode("ascii")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open("." + name, flags, 0o640, dir_fd=folder)
    try:
        os.fchmod(file, 0o640)
        if os.write(file, text) != len(text):
            raise Wrong("only a part of the entry could be written")
        os.fsync(file)
        os.close(file)
        os.rename("." + name, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink("." + name, dir_fd=folder)
        raise


def tell(folder, problem):
    """Count what was dropped, where that is possible, and say why in syslog."""
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        if folder is not None:
            os.write(os.open("dropped", flags, 0o640, dir_fd=folder), b".")
    finally:
        import syslog

        syslog.openlog("weir_job_end", syslog.LOG_PID, syslog.LOG_DAEMON)
        syslog.syslog(syslog.LOG_ERR, "a job's end is not noted: %r" % (problem,))


def main():
    """Note the job, come what may."""
    # the scheduler waits for this: a file system that hangs must not hold a node
    signal.signal(signal.SIGALRM, lambda *_: os._exit(0))
    signal.setitimer(signal.ITIMER_REAL, BUDGET_SECONDS)
    folder = None
    try:
        os.umask(0o027)
        given, rest = split(sys.argv[1:])
        folder = opened(given.get("--spool", SPOOL))
        write(folder, facts(given, rest, os.environ))
    except BaseException as problem:
        tell(folder, problem)


if __name__ == "__main__":
    try:
        main()
    finally:
        os._exit(0)
