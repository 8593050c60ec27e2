"""Decodes a log in a process of its own, and tells every promise that is broken (faults F11 and F12).

The promise: a log is decoded, decoded partly with the damage named, or refused with a reason, and that takes
no more than SECONDS of processor time and MEBIBYTES of memory, with what is done with the records.
"""

import contextlib
import hashlib
import itertools
import json
import multiprocessing
import os
import pickle
import resource
import signal
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from weir import wire
from weir.darshan import ACCUMULATED, Accumulator, DarshanError, Log, open_log
from weir.errors import Refused
from weir.logs import darshan_log, log_facts
from weir.logs.darshan_log import Place, Source
from weir.views import log_view

SECONDS, MEBIBYTES = 10, 512  # F11
MESSAGE_BYTES = 512 << 10


@dataclass
class Result:
    """What came of one log."""

    outcome: str = "died"
    """whole, damaged or refused."""
    reasons: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    """By module."""
    digests: dict[str, str] = field(default_factory=dict)
    """Of all that was read, by part; parts that are damaged are left out."""
    broken: list[str] = field(default_factory=list)
    """Broken promises."""
    seconds: float = 0.0
    mebibytes: float = 0.0


def decode(source: bytes | Path) -> Result:
    """What the decoder makes of a log: every record, every name, sums."""
    return _asked(_decode, source)


def publish(source: bytes | Path) -> Result:
    """What becomes of a log on its way to Kafka: the messages of weir.logs.darshan_log, encoded."""
    return _asked(_publish, source)


def show(source: bytes | Path) -> Result:
    """What `weir log show` prints of a log, in both forms, and `weir log records` of its first records."""
    return _asked(_show, source)


# --- a process for each log --------------------------------------------------------------------------------

Way = Callable[[Path, Result], None]


def _asked(way: Way, source: bytes | Path) -> Result:
    if isinstance(source, bytes):
        with tempfile.NamedTemporaryFile(suffix=".darshan") as file:
            file.write(source)
            file.flush()
            return _asked(way, Path(file.name))
    server = _server()
    server.send((way, source))
    result: Result = server.recv()
    return result


@cache
def _server() -> Connection:
    """A process that forks one for each log: a fork of this one would count this one's memory as its own."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    context.Process(target=_serve, args=(theirs,), daemon=True).start()
    return ours


def _serve(pipe: Connection) -> None:
    while True:
        pipe.send(_watched(*pipe.recv()))


def _watched(way: Way, source: Path) -> Result:
    receiver, sender = os.pipe()
    child = os.fork()
    if not child:
        os.close(receiver)
        signal.alarm(30 * SECONDS)  # of the clock: the machine may be busy
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        warnings.simplefilter("error")
        result = Result()
        try:
            way(source, result)
        except BaseException:
            result.broken.append(traceback.format_exc())
        with os.fdopen(sender, "wb") as pipe:
            pickle.dump(result, pipe)
        os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, "rb") as pipe:
        told = pipe.read()
    _, status, usage = os.wait4(child, 0)
    result = pickle.loads(told) if told else Result(broken=[f"died with status {status}"])
    result.seconds, result.mebibytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    if result.seconds > SECONDS:
        result.broken.append(f"took {result.seconds:.1f} s")
    if result.mebibytes > MEBIBYTES:
        result.broken.append(f"took {result.mebibytes:.0f} MiB")
    return result


# --- the decoder -------------------------------------------------------------------------------------------


def _decode(source: Path, result: Result) -> None:
    size = source.stat().st_size
    try:
        log = open_log(source)
    except DarshanError as error:
        result.outcome = "refused"
        _tell(error.reason, error.position, size, result)
        return
    result.digests["job"] = _digest([repr((log.job, log.exe, log.metadata, log.mounts)).encode()])
    names = _digest(b"%d %b" % item for item in log.names.items())
    if log.names.damage:
        _tell(log.names.damage.reason, log.names.damage.position, size, result)
    else:
        result.digests["names"] = names
    for module in log.modules:
        _read(log, module.name, size, result)
    result.outcome = "damaged" if result.reasons else "whole"


def _read(log: Log, module: str, size: int, result: Result) -> None:
    digest, rows = hashlib.blake2b(), 0
    sums = Accumulator(module) if module in ACCUMULATED else None
    for batch in log.records(module):
        rows += len(batch.ids)
        log.names.lookup(batch.ids[:100])
        if sums:
            sums.add(batch)
        for name in batch.__slots__:
            values = getattr(batch, name)
            digest.update(values.tobytes() if isinstance(values, np.ndarray) else repr(values).encode())
    if sums:
        sums.totals()
    state = log.state(module)
    result.rows[module] = rows
    if state.state == "damaged":
        _tell(state.reason or "", state.position, size, result)
    elif state.state in ("complete", "partial"):
        result.digests[module] = digest.hexdigest()
    elif state.state != "listed":
        result.broken.append(f"{module} is {state.state}")
    if state.records_read != rows:
        result.broken.append(f"{module}: {rows} records came, {state.records_read} were told")
    if state.records_expected is not None and state.records_expected < rows:
        result.broken.append(f"{module}: {rows} records, but {state.records_expected} expected")


def _tell(reason: str, position: int | None, size: int, result: Result) -> None:
    result.reasons.append(f"{reason} @{position}")
    if not reason:
        result.broken.append("damage without a reason")
    if position is not None and not 0 <= position <= size:
        result.broken.append(f"{reason}: position {position} in a file of {size} bytes")


def _digest(parts: Any) -> str:
    digest = hashlib.blake2b()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


# --- the messages ------------------------------------------------------------------------------------------


def _publish(source: Path, result: Result) -> None:
    try:
        parts = darshan_log.stream(Place.of(source), Source("lab", "trusted_archive"))
    except Refused as refused:
        result.outcome = "refused"
        result.reasons.append(str(refused))
        return
    header = {key: value for key, value in parts.header.items() if key not in ("file_name", "modules")}
    result.digests["job"] = _digest([repr(header).encode()])
    _encode("Header", parts.log_id, parts.header, result)
    rows: Counter[str] = Counter()
    digests: dict[str, dict[str, Any]] = {}
    for batch in parts.batches:
        _encode("Batch", parts.log_id, batch, result)
        rows[batch["module"]] += batch["rows"]
        columns = digests.setdefault(batch["module"], {})
        for name in ("record_ids", "ranks", "ints", "floats"):
            # row by row: the names decide where a batch ends
            values = np.frombuffer(batch[name], np.int64).reshape(-1, batch["rows"]).T
            columns.setdefault(name, hashlib.blake2b()).update(values.tobytes())
    _encode("End", parts.log_id, parts.end, result)
    for module in parts.end["modules"]:
        state, whole = module["state"], module["records_expected"] == module["records_read"]
        if state in ("damaged", "suspect"):
            result.reasons.append(module["reason"])
        # rows that only lack names are all there
        if state in ("complete", "partial") or (state in ("damaged", "suspect") and whole):
            columns = digests.get(module["name"], {})
            result.digests[module["name"]] = "".join(each.hexdigest() for each in columns.values())
    result.rows = dict(rows)
    result.outcome = "damaged" if result.reasons else "whole"


def _encode(kind: str, log_id: str, body: dict[str, Any], result: Result) -> None:
    body = body | {"-type": f"org.weir.wire.Log{kind}"}
    part = {"log_id": log_id, "origin": "backfill", "body": body}
    size = len(wire.encode("DarshanLogMessage", part))
    if size > MESSAGE_BYTES:
        result.broken.append(f"a {kind} message of {size} bytes")


# --- the command -------------------------------------------------------------------------------------------

_BATCHES = 3  # of a module that are printed


def _show(source: Path, result: Result) -> None:
    with Path(os.devnull).open("w") as nothing, contextlib.redirect_stdout(nothing):
        try:
            facts = log_facts.read(source)
        except Refused as refused:
            result.outcome = "refused"
            result.reasons.append(str(refused))
            return
        json.dumps(log_facts.as_object(facts), allow_nan=False)
        log_view.console().print(log_view.show(facts))
        for module in facts.log.modules:
            for write in log_view.WRITERS.values() if module.decoded else ():
                write(itertools.islice(log_facts.blocks(facts.log, module.name), _BATCHES))
    result.rows = {name: module.state.records_read for name, module in facts.modules.items()}
    result.outcome = "damaged" if facts.damaged else "whole"
