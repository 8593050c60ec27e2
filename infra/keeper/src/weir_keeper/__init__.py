"""The Flink jobs of Weir: which there are, where their state lies, and the keeper that has them running.

A Flink cluster without a high-availability store forgets its jobs when the JobManager dies. The keeper puts
them back from their newest complete checkpoint.
"""

from weir_keeper.checkpoints import newest_complete
from weir_keeper.declared import Job, declared_jobs
from weir_keeper.place import Place, checkpoints, savepoints
from weir_keeper.rest import FlinkRest, Unavailable
from weir_keeper.state import JobState

__all__ = [
    "FlinkRest",
    "Job",
    "JobState",
    "Place",
    "Unavailable",
    "checkpoints",
    "declared_jobs",
    "newest_complete",
    "savepoints",
]
