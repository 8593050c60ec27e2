"""Damages logs at random (fault F11): logs to damage, the damage, and what may come of it."""

import bz2
import random
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import darshan_writer as writer
import numpy as np
from darshan_decoding import Result, decode
from darshan_writer import LogWriter
from weir.darshan import layouts

FOLDER = Path(__file__).parents[2]

# --- logs to damage ----------------------------------------------------------------------------------------


def real_logs() -> list[Path]:
    """Those of the recorded center, and more that may stand beside the repository."""
    folders = [FOLDER / "tests/data/center", FOLDER.parent / "shared/data/darshan"]
    return sorted(path for folder in folders for path in folder.glob("**/*.darshan"))


def corpus(most: int, step: int = 1) -> list[bytes]:
    """Sound logs: real ones of up to so many bytes, and written ones; each or every `step`th of them."""
    real = [path.read_bytes() for path in real_logs() if path.stat().st_size <= most][::step]
    return [content for content in real if decode(content).outcome == "whole"] + written_logs()[::step]


def written_logs() -> list[bytes]:
    """Every module and version, format, byte order and compression."""
    logs = []
    for number, (module, version) in enumerate(sorted(layouts.DECODED)):
        for compression in writer.COMPRESSIONS:
            versions = [of for of in layouts.LOG_VERSIONS if module in layouts.modules_of(of)]
            log = LogWriter(
                nprocs=64,
                version=versions[number % len(versions)],
                byteorder="<>"[number // 2 % 2],
                compression=compression,
                stream_bytes=(None, 2000)[number % 2],
                mounts=[(b"lustre", b"/scratch"), (b"ext4", b"/")],
                metadata={b"lib_ver": b"3.4.1"},
            )
            log.add(module, version, [_record(module, version, rank) for rank in range(64)])
            if module != "POSIX":
                log.add("POSIX", 4, writer.file_per_process(b"/scratch/own", [[4096] * 9] * 64))
            logs.append(log.to_bytes())
    return logs


def _record(module: str, version: int, rank: int) -> dict[str, Any]:
    record: dict[str, Any] = {"name": b"/scratch/\xff%d" % rank, "rank": rank}
    if (module, version) in layouts.COUNTERS:
        layout = layouts.COUNTERS[module, version]
        counters = {name: rank * i for i, name in enumerate(layout.ints) if name != layout.mixed}
        return record | counters | {name: rank / (1 + i) for i, name in enumerate(layout.floats)}
    if module == "HEATMAP":
        return record | {"bin_width_seconds": 0.1, "write_bins": [rank] * 40, "read_bins": [3] * 40}
    if (module, version) == ("LUSTRE", 1):
        return record | {"stripe_size": 1 << 20, "osts": 40, "targets": list(range(rank))}
    if module == "LUSTRE":
        part = {"LUSTRE_COMP_STRIPE_SIZE": 1 << 20, "LUSTRE_COMP_STRIPE_COUNT": 3, "pool": b"flash"}
        return record | {"components": [part] * 2, "targets": list(range(6))}
    width = len(layouts.DXT_SEGMENTS[module, version].names or ())
    segments = [(100 * i, 100, i, i + 0.5, rank)[:width] for i in range(rank)]
    return record | {"hostname": b"node%d" % rank, "writes": segments, "reads": segments[::2]}


# --- damage ------------------------------------------------------------------------------------------------

# for a field of the header; negative ones count from the end of the file
LIES = (0, 1, 3, 99, 1328, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, -1, -2, -9)
_DAMAGES = ("cut", "flip", "zero", "noise", "insert", "remove", "word")


def damage(random: random.Random, content: bytes, kind: str) -> bytes:
    """Part of `content` cut off, flipped, set to 0, overwritten, grown, taken out or told otherwise."""
    data = bytearray(content)
    at = random.randrange(len(data) + 1)
    size = min(1 << random.randrange(1, 14), len(data) - at)
    if kind == "cut":
        return content[:at]
    if kind == "flip":
        for _ in range(1 << random.randrange(5)):
            if data:
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif kind == "zero":
        data[at : at + size] = bytes(size)
    elif kind == "noise":
        data[at : at + size] = random.randbytes(size)
    elif kind == "insert":
        data[at:at] = random.randbytes(size)
    elif kind == "remove":
        del data[at : at + size]
    else:
        at -= at % 8
        order = random.choice(("little", "big"))
        data[at : at + 8] = (random.choice(LIES) % 2**64).to_bytes(8, order)[: len(data) - at]
    return bytes(data)


class Anatomy:
    """Where the parts of a sound log lie."""

    def __init__(self, content: bytes):
        self.content = content
        version = content[:4].decode()
        self.layout = layouts.header_of(version)
        if int(np.frombuffer(content, self.layout, 1)[0]["magic"]) != layouts.MAGIC:
            self.layout = self.layout.newbyteorder(">")
        self.header = np.frombuffer(content, self.layout, 1).copy()
        self.slots = np.flatnonzero(self.header[0]["modules"]["length"]).tolist()
        self.compression = sorted(writer.COMPRESSIONS, key=writer.COMPRESSIONS.__getitem__)[
            int(self.header[0]["compression"])
        ]

    def inflated(self, region: tuple[int, int]) -> bytes:
        data = self.content[region[0] : region[0] + region[1]]
        if self.compression == "none":
            return data
        if self.compression == "bzip2":
            return bz2.decompress(data)
        parts = []
        while data:
            stream = zlib.decompressobj()
            parts.append(stream.decompress(data))
            data = stream.unused_data
        return b"".join(parts)

    def deflated(self, data: bytes) -> bytes:
        if self.compression == "none":
            return data
        return bz2.compress(data) if self.compression == "bzip2" else zlib.compress(data)

    def name(self, slot: int) -> str:
        names = layouts.modules_of(self.content[:4].decode())
        return names[slot] if slot < len(names) else f"module {slot}"

    def regions(self) -> list[tuple[str, tuple[int, int]]]:
        """(module, names or job; (offset, length)) of the regions."""
        header = self.header[0]
        regions = [(self.name(slot), header["modules"][slot]) for slot in self.slots]
        if header["names"]["length"]:
            regions.insert(0, ("names", header["names"]))
        bounds = [(key, (int(region["offset"]), int(region["length"]))) for key, region in regions]
        end = min((offset for _, (offset, _) in bounds), default=len(self.content))
        return [("job", (self.layout.itemsize, end - self.layout.itemsize)), *bounds]

    def with_region(self, key: str, data: bytes, *, raw: bool = False) -> bytes:
        """The log with other data in a region, whatever that says; `raw` data is compressed already."""
        new, header = data if raw else self.deflated(data), self.header.copy()
        start, length = dict(self.regions())[key]
        slots = {self.name(slot): slot for slot in self.slots}
        for region in (header[0]["names"], *(header[0]["modules"][slot] for slot in slots.values())):
            if region["offset"] > start:
                region["offset"] = int(region["offset"]) + len(new) - length
        if key != "job":
            region = header[0]["names"] if key == "names" else header[0]["modules"][slots[key]]
            region["length"] = len(new)
        head = header.tobytes() + self.content[self.layout.itemsize : start]
        return head + new + self.content[start + length :]

    def fields(self) -> list[tuple[str, int, str]]:
        """Header fields worth a lie: name, slot of a module, part of a region."""
        slots = [*self.slots, 0, len(self.header[0]["modules"]) - 1]
        regions = [("names", 0, part) for part in ("offset", "length")]
        regions += [("modules", slot, part) for slot in slots for part in ("offset", "length")]
        single = [(name, 0, "") for name in ("magic", "compression", "partial")]
        return [*single, *regions, *(("module_versions", slot, "") for slot in slots)]

    def with_lie(self, name: str, slot: int, part: str, value: int) -> bytes:
        """The log with another value in one field of its header; negative ones count from the file's end."""
        header = self.header.copy()
        target: Any = header[name]
        if name.startswith("module"):
            target = target[:, slot]
        if part:
            target = target[part]
        if value < 0:
            value += len(self.content) + 1
        kind = target.dtype
        target[...] = np.array(value % (1 << 8 * kind.itemsize), f"u{kind.itemsize}").astype(kind)
        return header.tobytes() + self.content[self.layout.itemsize :]


def damaged(random: random.Random, content: bytes) -> tuple[str, bytes, str | None]:
    """What was done, the damaged log, and the part it is in: "file" for anywhere, None where that is open."""
    anatomy = Anatomy(content)
    where = random.choice(("outside", "outside", "inside", "inside", "header"))
    if where == "header":
        name, slot, part = random.choice(anatomy.fields())
        return f"lie in {name} {slot} {part}", anatomy.with_lie(name, slot, part, random.choice(LIES)), None
    kind = random.choice(_DAMAGES)
    if where == "inside":
        key, region = random.choice(anatomy.regions())
        data = damage(random, anatomy.inflated(region), kind)
        return f"{kind} in the inflated {key}", anatomy.with_region(key, data), key
    data = damage(random, content, kind)
    head = anatomy.layout.itemsize
    # what is moved may by chance begin where a stream does
    told = kind not in ("insert", "remove") and data[:head] == content[:head]
    return f"{kind} in the file", data, "file" if told and anatomy.compression != "none" else None


# --- the run -----------------------------------------------------------------------------------------------


def campaign(
    logs: int, seed: int, contents: list[bytes], way: Callable[[bytes], Result] = decode
) -> Iterator[tuple[str, bytes, Result]]:
    """Damages logs out of `contents` and lets each go the `way`."""
    chance = random.Random(seed)
    sound = cache(lambda which: way(contents[which]))
    for number in range(logs):
        which = chance.randrange(len(contents))
        what, content, part = damaged(chance, contents[which])
        result = way(content)
        if part:
            compare(result, sound(which), part)
        yield f"{number}: {what} of log {which}", content, result


def compare(result: Result, sound: Result, part: str) -> None:
    """What lies beside the damaged part must be read as it was; where that is anywhere, as it was or not."""
    if result.outcome == "refused":
        return
    for name, digest in sound.digests.items():
        absent = None if part != "file" else digest
        if name != part and result.digests.get(name, absent) != digest:
            result.broken.append(f"{name} is not what was written, and nothing is said of damage")
