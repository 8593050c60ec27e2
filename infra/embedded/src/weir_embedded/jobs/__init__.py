"""The Flink jobs of Weir: which there are, where their state lies, and the keeper that has them running.

A Flink cluster without a high-availability store forgets its jobs when the JobManager dies. The keeper puts
them back from their newest complete checkpoint.
"""

from weir_embedded.jobs.checkpoints import newest_complete
from weir_embedded.jobs.declared import Job, built_jars, declared_jobs
from weir_embedded.jobs.rest import FlinkRest, Unavailable
from weir_embedded.jobs.state import JobState

__all__ = ["FlinkRest", "Job", "JobState", "Unavailable", "built_jars", "declared_jobs", "newest_complete"]
