"""The records of a module's inflated data, as arrays: a batch holds about a mebibyte of the region.

Those of HEATMAP are in `heatmap.py`.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weir.darshan import layouts
from weir.darshan.container import DarshanError
from weir.darshan.layouts import Order

Ints = NDArray[np.int64]
Ids = NDArray[np.uint64]
Floats = NDArray[np.float64]
Struct = NDArray[np.void]
Words = NDArray[np.uint64]


@dataclass(slots=True)
class RecordBatch:
    """Records of a module with counters; a row is a record, a column a counter of that name.

    Counters that the log's module version does not have are absent from the names. The arrays may be views of
    the region's data, and read-only: copy what is to outlive the batch.
    """

    ids: Ids
    ranks: Ints
    """-1: reduced over all processes."""
    int_names: tuple[str, ...]
    ints: Ints
    float_names: tuple[str, ...]
    floats: Floats
    fields: dict[str, NDArray[Any]] = field(default_factory=dict)
    """Other fields of the records: file_rec_id, pool_uuid, cont_uuid, oid_hi, oid_lo."""

    def int_column(self, name: str) -> Ints:
        """int64 of each row; KeyError if the records have no such counter."""
        return self.ints[:, _position(self.int_names, name)]

    def float_column(self, name: str) -> Floats:
        """float64 of each row; KeyError if the records have no such counter."""
        return self.floats[:, _position(self.float_names, name)]


def _position(names: tuple[str, ...], name: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        raise KeyError(name) from None


class Stripes(NamedTuple):
    """A row for each target of each component.

    A component without targets, such as one that no byte has reached yet, has one row with target -1.
    """

    records: Ints
    """Record and component, as places in the batch."""
    places: Ints
    components: Ints
    """Number of the component in its record and of the target in its component, from 0."""
    stripes: Ints
    targets: Ints
    has_target: NDArray[np.bool_]


@dataclass(slots=True)
class LustreBatch:
    """LUSTRE records, the components of their layouts, and the targets (OSTs) of these.

    Component j belongs to record `component_records[j]`, target k to component `target_components[k]`; both
    count rows of this batch.
    """

    ids: Ids
    ranks: Ints
    component_records: Ints
    int_names: tuple[str, ...]
    ints: Ints
    pools: NDArray[np.bytes_]
    target_components: Ints
    targets: Ints
    fields: dict[str, NDArray[Any]] = field(default_factory=dict)
    """The fields of version 1 alone: osts, mdts and stripe_offset of each record."""

    def stripes(self) -> Stripes:
        """Returns what the batch holds as rows of stripes."""
        bare = np.setdiff1d(np.arange(len(self.ints)), self.target_components)
        places = np.concatenate([self.target_components, bare])
        order = np.argsort(places, kind="stable")
        has_target = (np.arange(len(places)) < len(self.targets))[order]
        places, targets = places[order], np.concatenate([self.targets, np.full(len(bare), -1)])[order]
        records = self.component_records[places]
        components = places - np.searchsorted(self.component_records, records)
        stripes = np.arange(len(places)) - np.searchsorted(places, places)
        return Stripes(records, places, components, stripes, targets, has_target)


@dataclass(slots=True)
class DxtBatch:
    """DXT records: row i has the segments `offsets[i]` to `offsets[i + 1]`, its `writes` before its reads.

    Fields of `segments`: offset and length in bytes, start_time and end_time in seconds from the run's start,
    and thread. DXT_MPIIO version 1 has no offset, and only what 3.5.0 wrote has a thread.
    """

    ids: Ids
    ranks: Ints
    hostnames: NDArray[np.bytes_]
    writes: Ints
    reads: Ints
    offsets: Ints
    segments: Struct


class Reader:
    """The inflated data of one module, and how many records of it were read.

    `omitted` are those that were read and left out, for the reason `why_omitted`.
    """

    def __init__(self, chunks: Iterator[bytes], most: int, most_records: int):
        self._chunks, self._most, self._most_records = chunks, most, most_records
        self.data = b""
        self.passed = 0
        """Inflated bytes before `data`."""
        self.read = 0
        self.expected: int | None = None
        self.omitted = 0
        self.why_omitted = ""
        self.damage: DarshanError | None = None

    def more(self, least: int = 1) -> bool:
        """Adds at least so many bytes to `data`, or all that is left; False if there is nothing more."""
        if self.read > self._most_records:
            self.damage = DarshanError(f"more than {self._most_records} records", is_cut=True)
            return False
        parts, size = [self.data] if self.data else [], 0
        while size < least:
            try:
                part = next(self._chunks, b"")
            except DarshanError as error:
                self.damage, part = error, b""
            if not part:
                break
            parts.append(part)
            size += len(part)
        self.data = parts[0] if len(parts) == 1 else b"".join(parts)
        return size > 0

    def take(self, size: int, records: int) -> None:
        """The first bytes of `data` were read: so many records."""
        self.data = self.data[size:]
        self.passed += size
        self.read += records

    def end(self) -> None:
        """What is left over is a record that was cut."""
        if not self.damage:
            self.expected = self.read + bool(self.data)
            if self.data:
                self._lie(f"record {self.expected} is cut after {len(self.data)} bytes")

    def _lie(self, problem: str) -> None:
        self.damage = DarshanError(f"{problem}, at inflated byte {self.passed}")

    def ragged(
        self, head: np.dtype[np.void], order: Order, words: dict[str, int]
    ) -> Iterator[tuple[Struct, Words, Ints]]:
        """Whole records of variable size: their heads, the 64-bit words behind these, and where each's begin.

        `words` are the neighboring fields of the head that count what is behind it, and the words of one.
        """
        head = layouts.ordered(head, order)
        need = 1
        while self.more(need):
            walk = _Walk(self.data, head, order, words, self._most)
            need = walk.missing
            self.take(walk.end, walk.records)
            if walk.records:
                yield walk.split()
            if walk.lie:
                self._lie(f"record {self.read + 1} tells {walk.lie}")
                return
        self.end()


class _Walk:
    """The whole records at the beginning of `data`, found from one head to the next."""

    def __init__(self, data: bytes, head: np.dtype[np.void], order: Order, words: dict[str, int], most: int):
        self._data, self._head = data, head
        self.records = self.end = 0
        self.missing = 1
        """Bytes that the next record lacks, at least."""
        self.lie = ""
        self._sizes: list[int] = []
        """Words behind each head; one for all of them where they are alike."""
        place = head.fields[next(iter(words))][1] if head.fields else 0
        form, units = f"{order}{place}x{len(words)}q", tuple(words.values())
        while self.end + head.itemsize <= len(data):
            counts = struct.unpack_from(form, data, self.end)
            size = sum(map(mul, counts, units))
            if min(counts) < 0 or 8 * size > most:
                self.lie = ", ".join(f"{name} {count}" for name, count in zip(words, counts, strict=True))
                return
            whole = head.itemsize + 8 * size
            if self.end + whole > len(data):
                self.missing = self.end + whole - len(data)
                return
            self._sizes.append(size)
            if self.records == 0 and self._all_alike(order, place, counts, whole):
                self.missing = whole - len(data) % whole
                self.records = len(data) // whole
                self.end = self.records * whole
                return
            self.records += 1
            self.end += whole

    def _all_alike(self, order: Order, place: int, counts: tuple[int, ...], whole: int) -> bool:
        """Often all records are of one size; then there is no need to walk."""
        heads = (len(self._data) - self._head.itemsize) // whole + 1
        shape, strides = (heads, len(counts)), (whole, 8)
        return bool((np.ndarray(shape, order + "i8", self._data, place, strides) == counts).all())

    def split(self) -> tuple[Struct, Words, Ints]:
        """Heads, the words behind them, and where each's begin."""
        length = self._head.itemsize // 8
        words = np.frombuffer(self._data, np.uint64, self.end // 8)
        if len(self._sizes) == 1:
            rows = words.reshape(self.records, -1)
            heads, behind = rows[:, :length].copy(), rows[:, length:].ravel()
            offsets = np.arange(self.records + 1) * self._sizes[0]
        else:
            offsets = np.zeros(self.records + 1, np.int64)
            np.cumsum(self._sizes, out=offsets[1:])
            places = (offsets[:-1] + length * np.arange(self.records))[:, None] + np.arange(length)
            is_behind = np.ones(len(words), bool)
            is_behind[places] = False
            heads, behind = words[places], words[is_behind]
        return heads.view(self._head)[:, 0], behind, offsets


def counters(reader: Reader, layout: layouts.Counters, order: Order) -> Iterator[RecordBatch]:
    """Records of a module with counters."""
    dtype = layouts.ordered(layout.dtype, order)
    while reader.more():
        count = len(reader.data) // dtype.itemsize
        rows = np.frombuffer(reader.data, dtype, count)
        reader.take(count * dtype.itemsize, count)
        if layout.mixed:
            rows = _unmixed(rows, layout, reader)
        if len(rows):
            yield RecordBatch(
                native(rows["id"], np.uint64),
                native(rows["rank"], np.int64),
                layout.int_names,
                _newest(native(rows["ints"], np.int64), layout),
                layout.floats,
                native(rows["floats"], np.float64),
                {name: rows[name] for name in layout.fields},
            )
    reader.end()


def native(values: NDArray[Any], kind: Any) -> NDArray[Any]:
    """Gives the values as this kind in the byte order of the machine; copied only if they are not so yet."""
    return values.astype(kind, copy=False)


def _unmixed(rows: Struct, layout: layouts.Counters, reader: Reader) -> Struct:
    mixed = rows["ints"][:, layout.ints.index(layout.mixed)] > 0
    if mixed.any():
        reader.omitted += int(mixed.sum())
        reader.why_omitted = f"{layout.mixed} is above 0: its counters are those of two modules"
    return rows[~mixed]


def _newest(ints: Ints, layout: layouts.Counters) -> Ints:
    if not layout.retired:
        return ints
    kept = [column for column, name in enumerate(layout.ints) if name not in layout.retired]
    sums = [ints[:, [layout.ints.index(name) for name in parts]].sum(axis=1) for _, parts in layout.sums]
    return np.column_stack([ints[:, kept], *sums])


def lustre(reader: Reader, version: int, order: Order) -> Iterator[LustreBatch]:
    """LUSTRE records; one of version 1 has one component."""
    component = layouts.ordered(layouts.LUSTRE_COMPONENT, order)
    length = component.itemsize // 8
    if version == 1:
        found = reader.ragged(layouts.LUSTRE_1_HEAD, order, {"stripe_count": 1})
    else:
        found = reader.ragged(layouts.LUSTRE_HEAD, order, {"num_comps": length, "num_stripes": 1})
    for heads, words, offsets in found:
        rows = np.arange(len(heads))
        ids, ranks = native(heads["id"], np.uint64), native(heads["rank"], np.int64)
        if version == 1:
            stripes = native(heads["stripe_count"], np.int64)
            ints = np.column_stack([heads["stripe_size"], stripes]).astype(np.int64)
            fields = {name: native(heads[name], np.int64) for name in ("osts", "mdts", "stripe_offset")}
            targets = native(words.view(order + "i8"), np.int64)
            pools = np.zeros(len(heads), "S16")
            owners = np.repeat(rows, stripes)
            yield LustreBatch(ids, ranks, rows, layouts.LUSTRE_1_INTS, ints, pools, owners, targets, fields)
        else:
            yield LustreBatch(ids, ranks, *_components(heads, words, offsets, component, order))


def _components(
    heads: Struct, words: Words, offsets: Ints, component: np.dtype[np.void], order: Order
) -> tuple[Ints, tuple[str, ...], Ints, NDArray[np.bytes_], Ints, Ints]:
    """What LustreBatch holds of components and targets, the unused room left out."""
    counts, stripes = native(heads["num_comps"], np.int64), native(heads["num_stripes"], np.int64)
    length = component.itemsize // 8
    place = np.arange(len(words)) - np.repeat(offsets[:-1], length * counts + stripes)
    is_component = place < np.repeat(length * counts, length * counts + stripes)
    layout = words[is_component].view(component)
    ints, owners = native(layout["ints"], np.int64), np.repeat(np.arange(len(heads)), counts)
    unused = np.concatenate([[0], np.cumsum(ints[:, 0] == -1)])
    first = np.cumsum(counts) - counts
    used = unused[1:] == unused[first[owners]]
    ints, owners, pools = ints[used], owners[used], layout["pool"][used]
    targets = native(words[~is_component].view(order + "i8"), np.int64)
    # each component has its share of the record's targets, one after the other, and no more than there are
    shares = np.clip(ints[:, 1], 0, stripes[owners])
    before = np.cumsum(shares) - shares
    starts = np.concatenate([[True], owners[1:] != owners[:-1]]) if len(owners) else np.zeros(0, bool)
    before -= np.maximum.accumulate(np.where(starts, before, 0)) if len(owners) else before
    shares = np.clip(shares, 0, np.maximum(stripes[owners] - before, 0))
    at = np.repeat((np.cumsum(stripes) - stripes)[owners] + before - (np.cumsum(shares) - shares), shares)
    target_components = np.repeat(np.arange(len(owners)), shares)
    return (
        owners,
        layouts.LUSTRE_INTS,
        ints,
        pools,
        target_components,
        targets[at + np.arange(len(at))],
    )


def dxt(reader: Reader, module: str, version: int, order: Order) -> Iterator[DxtBatch]:
    """DXT_POSIX and DXT_MPIIO records with their segments."""
    segment = layouts.ordered(layouts.DXT_SEGMENTS[module, version], order)
    length = segment.itemsize // 8
    found = reader.ragged(layouts.DXT_HEAD, order, {"write_count": length, "read_count": length})
    for heads, words, offsets in found:
        segments = words.view(segment).astype(segment.newbyteorder("="), copy=False)
        if (module, version) == ("DXT_MPIIO", 1):
            segments = segments[["length", "start_time", "end_time"]]
        yield DxtBatch(
            native(heads["id"], np.uint64),
            native(heads["rank"], np.int64),
            np.array([raw.partition(b"\0")[0] for raw in heads["hostname"].tolist()], "S64"),
            native(heads["write_count"], np.int64),
            native(heads["read_count"], np.int64),
            offsets // length,
            segments,
        )
