"""The records of HEATMAP, whose number of bins some releases of Darshan got wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from weir.darshan import layouts
from weir.darshan.layouts import Order
from weir.darshan.records import Floats, Ids, Ints, Reader, native


@dataclass(slots=True)
class HeatmapBatch:
    """HEATMAP records: row i has the bins `offsets[i]` to `offsets[i + 1]` of `read` and `written`, bytes."""

    ids: Ids
    ranks: Ints
    bin_width_seconds: Floats
    offsets: Ints
    read: Ints
    written: Ints

    def bins(self) -> tuple[Ints, Ints]:
        """Returns for each bin its record in the batch, and its number in the record, from 0."""
        records = np.repeat(np.arange(len(self.ids)), np.diff(self.offsets))
        return records, np.arange(len(records)) - self.offsets[records]


def heatmaps(reader: Reader, order: Order) -> Iterator[HeatmapBatch]:
    """HEATMAP records, as many bins each as libdarshan gives them.

    Releases 3.4.0 to 3.4.3 wrote records of one bin more or less than the others
    (https://github.com/darshan-hpc/darshan/issues/941): libdarshan drops or adds a bin.
    """
    usual, width = 0, 0.0
    for heads, words, offsets in reader.ragged(layouts.HEATMAP_HEAD, order, {"nbins": 2}):
        widths, bins = native(heads["bin_width_seconds"], np.float64), native(heads["nbins"], np.int64)
        # the first that are not 0, whichever record has them
        usual = usual or int(bins[0] or bins[np.argmax(bins != 0)])
        width = width or float(widths[0] or widths[np.argmax(widths != 0)])
        values = native(words.view(order + "i8"), np.int64)
        if (bins == usual).all():
            written, read = values.reshape(len(bins), 2, -1).swapaxes(0, 1).reshape(2, -1)
            offsets = offsets // 2
        else:
            off_by_one = (widths == width) & (abs(bins - usual) == 1)
            read, written, offsets = _rebinned(values, bins, np.where(off_by_one, usual, bins))
        yield HeatmapBatch(
            native(heads["id"], np.uint64), native(heads["rank"], np.int64), widths, offsets, read, written
        )


def _rebinned(values: Ints, bins: Ints, right: Ints) -> tuple[Ints, Ints, Ints]:
    """Bytes read, bytes written and offsets of records that have `bins` bins and should have `right`."""
    offsets = np.zeros(len(bins) + 1, np.int64)
    np.cumsum(right, out=offsets[1:])
    row = np.repeat(np.arange(len(bins)), 2 * bins)
    place = np.arange(len(values)) - 2 * (np.cumsum(bins) - bins)[row]
    is_read = place >= bins[row]
    number = place - np.where(is_read, bins[row], 0)
    kept = number < right[row]
    moved = np.zeros((2, offsets[-1]), np.int64)
    moved[is_read[kept].astype(np.int64), (offsets[row] + number)[kept]] = values[kept]
    return moved[1], moved[0], offsets
