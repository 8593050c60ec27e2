"""The name table of a log, kept as inflated bytes and three arrays so that a million names stay small."""

import struct
from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from weir.darshan.container import DarshanError, Limits
from weir.darshan.layouts import Order


class Names:
    """Names by record id, in the bytes that they had. `damage` says why it may not be all of them."""

    def __init__(self, chunks: Iterator[bytes], version: str, order: Order, limits: Limits):
        self.damage: DarshanError | None = None
        self._data = self._joined(chunks, limits.name_bytes)
        # a record is the id, the length of the name in format 3.00, the name, and later a zero byte
        head, tail = (12, 0) if version == "3.00" else (8, 1)
        bounds = np.array(self._bounds(version, order, limits.names), np.int64)
        starts, ends = bounds[:-1] + head, bounds[1:] - tail
        long = (ends - starts > limits.name_length).nonzero()[0]
        if len(long):
            starts, ends = starts[: long[0]], ends[: long[0]]
            self._tell(f"name {long[0] + 1} has more than {limits.name_length} bytes")
        self._index(starts, ends, bounds[: len(starts)], order)

    def _joined(self, chunks: Iterator[bytes], most: int) -> bytearray:
        data = bytearray()
        try:
            for chunk in chunks:
                data += chunk
                if len(data) > most:
                    raise DarshanError(f"the names have more than {most} bytes")
        except DarshanError as error:
            self.damage = error
        return data

    def _tell(self, problem: str) -> None:
        self.damage = self.damage or DarshanError(problem)

    def _bounds(self, version: str, order: Order, most: int) -> "array[int]":
        """Finds where each record begins, and where the last one ends."""
        data, at, bounds = self._data, 0, array("q", [0])
        if version == "3.00":
            length_at = struct.Struct(order + "I").unpack_from
            while at + 12 <= len(data) and len(bounds) <= most:
                at += 12 + length_at(data, at + 8)[0]
                if at <= len(data):
                    bounds.append(at)
        else:
            find = data.find
            while (at := find(0, at + 8) + 1) and len(bounds) <= most:
                bounds.append(at)
        if len(bounds) > most:
            self._tell(f"more than {most} names")
        elif bounds[-1] < len(data):
            self._tell(f"name {len(bounds)} is cut")
        return bounds

    def _index(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64], ids_at: NDArray[np.int64], order: Order
    ) -> None:
        if not len(starts):
            self._ids, self._starts, self._ends = np.zeros(0, np.uint64), starts, ends
            return
        # ids stand at any byte: a view of the 64 bits from each byte on
        at_each = np.ndarray((len(self._data) - 7,), order + "u8", self._data, strides=(1,))
        ids = at_each[ids_at].astype(np.uint64, copy=False)
        sort = ids.argsort(kind="stable")
        ids, starts, ends = ids[sort], starts[sort], ends[sort]
        again = ids[1:] == ids[:-1]
        if again.any():
            # the first name of an id holds, or the first that is not empty
            sort = np.lexsort((starts == ends, ids))
            first = np.concatenate([[True], ~again])
            starts, ends, ids = starts[sort][first], ends[sort][first], ids[first]
        self._ids, self._starts, self._ends = ids, starts, ends

    def __len__(self) -> int:
        return len(self._ids)

    def items(self) -> Iterator[tuple[int, bytes]]:
        """(id, name) in order of the ids."""
        for record_id, start, end in zip(self._ids, self._starts, self._ends, strict=True):
            yield int(record_id), bytes(self._data[start:end])

    def get(self, record_id: int) -> bytes | None:
        """The name of one record."""
        return self.lookup(np.array([record_id], np.uint64))[0]

    def lookup(self, ids: NDArray[np.uint64]) -> list[bytes | None]:
        """The name of each record; None for one that has none."""
        if not len(self._ids):
            return [None] * len(ids)
        places = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        known = (self._ids[places] == ids).tolist()
        starts, ends, data = self._starts[places].tolist(), self._ends[places].tolist(), self._data
        return [
            bytes(data[start:end]) if found else None
            for start, end, found in zip(starts, ends, known, strict=True)
        ]
