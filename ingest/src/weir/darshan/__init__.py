"""Darshan logs of format 3.00 to 3.41, decoded with numpy, PyYAML and zlib-ng.

log = open_log("app.darshan")
for batch in log.records("POSIX"):
    print(batch.int_column("POSIX_BYTES_READ").sum(), log.names.lookup(batch.ids)[:3])
print(log.state("POSIX"))
"""

from weir.darshan.container import DarshanError, Limits
from weir.darshan.derived import ACCUMULATED, Accumulator, Totals
from weir.darshan.heatmap import HeatmapBatch
from weir.darshan.log import Batch, Job, Log, Module, State, open_log
from weir.darshan.names import Names
from weir.darshan.records import DxtBatch, LustreBatch, RecordBatch

__all__ = [
    "ACCUMULATED",
    "Accumulator",
    "Batch",
    "DarshanError",
    "DxtBatch",
    "HeatmapBatch",
    "Job",
    "Limits",
    "Log",
    "LustreBatch",
    "Module",
    "Names",
    "RecordBatch",
    "State",
    "Totals",
    "open_log",
]
