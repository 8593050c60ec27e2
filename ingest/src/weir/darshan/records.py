"""The records of a module's inflated data, as arrays: a batch holds about a mebibyte of the region."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

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

    Counters that the log's module version does not have are absent from the names.
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


@dataclass(slots=True)
class HeatmapBatch:
    """HEATMAP records: row i has the bins `offsets[i]` to `offsets[i + 1]` of `read` and `written`, bytes."""

    ids: Ids
    ranks: Ints
    bin_width_seconds: Floats
    offsets: Ints
    read: Ints
    written: Ints


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
    """Of version 1 only: osts, mdts and stripe_offset of each record."""


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


Batch = RecordBatch | HeatmapBatch | LustreBatch | DxtBatch


class Reader:
    """The inflated data of one module, and how many records of it were read.

    `omitted` are those that were read and left out, for the reason `why_omitted`.
    """

    def __init__(self, chunks: Iterator[bytes], most: int):
        self._chunks, self._most = chunks, most
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
        self, head: np.dtype[np.void], order: Order, counts: tuple[str, ...], words: Callable[..., int]
    ) -> Iterator[tuple[Struct, Words, Ints]]:
        """Whole records of variable size: their heads, the 64-bit words behind these, and where each's begin.

        `words` tells how many words follow a head whose fields `counts` it is given.
        """
        places = [head.fields[name][1] for name in counts if head.fields]
        unpack = struct.Struct(order + "q").unpack_from
        need = 1
        while self.more(need):
            data, at, starts, sizes, need = self.data, 0, [], [], 1
            lie = ""
            while at + head.itemsize <= len(data):
                told = [unpack(data, at + place)[0] for place in places]
                size = words(*told)
                if min(told) < 0 or 8 * size > self._most:
                    lie = ", ".join(f"{name} {count}" for name, count in zip(counts, told, strict=True))
                    break
                behind = at + head.itemsize + 8 * size
                if behind > len(data):
                    need = behind - len(data)
                    break
                starts.append(at)
                sizes.append(size)
                at = behind
            self.take(at, len(starts))
            if starts:
                yield _split(data, head.newbyteorder(order), starts, sizes)
            if lie:
                self._lie(f"record {self.read + 1} tells {lie}")
                return
        self.end()


def _split(data: bytes, head: np.dtype[np.void], starts: list[int], sizes: list[int]) -> Any:
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    length = head.itemsize // 8
    words = np.frombuffer(data, np.uint64, offsets[-1] + length * len(starts))
    places = (np.array(starts) // 8)[:, None] + np.arange(length)
    behind = np.ones(len(words), bool)
    behind[places] = False
    return words[places].view(head)[:, 0], words[behind], offsets


def counters(reader: Reader, layout: layouts.Counters, order: Order) -> Iterator[RecordBatch]:
    """Records of a module with counters."""
    dtype = layout.dtype.newbyteorder(order)
    extra = [name for name, _ in (*layout.head, *layout.tail)]
    while reader.more():
        count = len(reader.data) // dtype.itemsize
        rows = np.frombuffer(reader.data, dtype, count)
        reader.take(count * dtype.itemsize, count)
        if layout.mixed:
            rows = _unmixed(rows, layout, reader)
        if len(rows):
            yield RecordBatch(
                _native(rows["id"], np.uint64),
                _native(rows["rank"], np.int64),
                layout.int_names,
                _newest(_native(rows["ints"], np.int64), layout),
                layout.floats,
                _native(rows["floats"], np.float64),
                {name: rows[name] for name in extra},
            )
    reader.end()


def _native(values: NDArray[Any], kind: Any) -> NDArray[Any]:
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


def heatmaps(reader: Reader, order: Order) -> Iterator[HeatmapBatch]:
    """HEATMAP records, as many bins each as libdarshan gives them.

    Release 3.4.0 to 3.4.3 wrote records of one bin more or less than the others
    (https://github.com/darshan-hpc/darshan/issues/941): libdarshan drops or adds an empty bin.
    """
    usual = width = None
    found = reader.ragged(layouts.HEATMAP_HEAD, order, ("nbins",), lambda nbins: 2 * nbins)
    for heads, words, offsets in found:
        widths, bins = _native(heads["bin_width_seconds"], np.float64), _native(heads["nbins"], np.int64)
        # the first that are not 0, whichever record has them
        usual = usual or int(bins[np.argmax(bins != 0)])
        width = width or float(widths[np.argmax(widths != 0)])
        off_by_one = (widths == width) & (abs(bins - usual) == 1)
        right = np.where(off_by_one, usual, bins)
        ends = np.zeros(len(bins) + 1, np.int64)
        np.cumsum(right, out=ends[1:])
        read, written = np.zeros(ends[-1], np.int64), np.zeros(ends[-1], np.int64)
        place = np.arange(len(words)) - np.repeat(offsets[:-1], 2 * bins)
        bins_of, right_of, ends_of = (np.repeat(each, 2 * bins) for each in (bins, right, ends[:-1]))
        values = words.view(order + "i8")
        for target, number in ((written, place), (read, place - bins_of)):
            mine = (number >= 0) & (number < np.minimum(bins_of, right_of))
            target[(ends_of + number)[mine]] = values[mine]
        yield HeatmapBatch(
            _native(heads["id"], np.uint64), _native(heads["rank"], np.int64), widths, ends, read, written
        )


def lustre(reader: Reader, version: int, order: Order) -> Iterator[LustreBatch]:
    """LUSTRE records; one of version 1 has one component."""
    component = layouts.LUSTRE_COMPONENT.newbyteorder(order)
    length = component.itemsize // 8
    if version == 1:
        found = reader.ragged(layouts.LUSTRE_1_HEAD, order, ("stripe_count",), lambda count: count)
    else:
        found = reader.ragged(
            layouts.LUSTRE_HEAD,
            order,
            ("num_comps", "num_stripes"),
            lambda comps, osts: length * comps + osts,
        )
    for heads, words, offsets in found:
        rows = np.arange(len(heads))
        ids, ranks = _native(heads["id"], np.uint64), _native(heads["rank"], np.int64)
        if version == 1:
            stripes = _native(heads["stripe_count"], np.int64)
            ints = np.column_stack([heads["stripe_size"], stripes]).astype(np.int64)
            fields = {name: _native(heads[name], np.int64) for name in ("osts", "mdts", "stripe_offset")}
            targets = _native(words.view(order + "i8"), np.int64)
            pools = np.zeros(len(heads), "S16")
            owners = np.repeat(rows, stripes)
            yield LustreBatch(ids, ranks, rows, layouts.LUSTRE_INTS[:2], ints, pools, owners, targets, fields)
        else:
            yield LustreBatch(ids, ranks, *_components(heads, words, offsets, component, order))


def _components(
    heads: Struct, words: Words, offsets: Ints, component: np.dtype[np.void], order: Order
) -> tuple[Ints, tuple[str, ...], Ints, NDArray[np.bytes_], Ints, Ints]:
    """What LustreBatch holds of components and targets, the unused room left out."""
    counts, stripes = _native(heads["num_comps"], np.int64), _native(heads["num_stripes"], np.int64)
    length = component.itemsize // 8
    place = np.arange(len(words)) - np.repeat(offsets[:-1], length * counts + stripes)
    is_component = place < np.repeat(length * counts, length * counts + stripes)
    layout = words[is_component].view(component)
    ints, owners = _native(layout["ints"], np.int64), np.repeat(np.arange(len(heads)), counts)
    unused = np.concatenate([[0], np.cumsum(ints[:, 0] == -1)])
    first = np.cumsum(counts) - counts
    used = unused[1:] == unused[first[owners]]
    ints, owners, pools = ints[used], owners[used], layout["pool"][used]
    targets = _native(words[~is_component].view(order + "i8"), np.int64)
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
    segment = layouts.DXT_SEGMENTS[module, version].newbyteorder(order)
    length = segment.itemsize // 8
    found = reader.ragged(
        layouts.DXT_HEAD,
        order,
        ("write_count", "read_count"),
        lambda writes, reads: length * (writes + reads),
    )
    for heads, words, offsets in found:
        segments = words.view(segment).astype(segment.newbyteorder("="), copy=False)
        if (module, version) == ("DXT_MPIIO", 1):
            segments = segments[["length", "start_time", "end_time"]]
        yield DxtBatch(
            _native(heads["id"], np.uint64),
            _native(heads["rank"], np.int64),
            np.array([raw.partition(b"\0")[0] for raw in heads["hostname"].tolist()], "S64"),
            _native(heads["write_count"], np.int64),
            _native(heads["read_count"], np.int64),
            offsets // length,
            segments,
        )
