"""What the keeper remembers about a job over its own restarts."""

import hashlib
from pathlib import Path

from pydantic import BaseModel

from weir_keeper.declared import Job
from weir_keeper.place import Place


class JobState(BaseModel):
    """One small file per job in `data/jobs`."""

    name: str
    generation: int = 0
    """Raised at each submission, which so gets a job id of its own: a JobManager refuses an id under which a
    job has ended, and a TaskManager another upload of the program under an id that it still holds."""
    jar_hash: str = ""
    """The program that was submitted."""
    config_hash: str = ""
    """The configuration that it was submitted with."""
    parallelism: int = 0
    """How many times each of its operators runs."""
    restored_from: str = ""
    """The checkpoint or savepoint this generation was last started from."""
    state_format: int = 1
    """The format of the state that the submitted program writes."""
    reads_again: bool = False
    """It was started without the state of before, and reads what Kafka keeps from its beginning."""
    stopping: bool = False
    """A stop with savepoint was asked for and the new program is not yet submitted."""
    problem: str = ""
    """Why the job ended by itself; it stays down until it is resumed."""

    def is_up_to_date(self, job: Job) -> bool:
        """Whether what is active for the job is what was submitted."""
        submitted = (self.jar_hash, self.config_hash, self.parallelism)
        return submitted == (job.jar_hash, job.config_hash, job.parallelism)

    def is_of_other_state(self, job: Job) -> bool:
        """Whether what is active for the job cannot be restored from what was submitted."""
        return bool(self.generation) and self.state_format != job.state_format

    @property
    def job_id(self) -> str:
        """The Flink job id of this generation; empty before the first submission."""
        return _job_id(self.name, self.generation) if self.generation else ""

    @property
    def older_job_ids(self) -> list[str]:
        """Those of all generations before."""
        return [_job_id(self.name, generation) for generation in range(1, self.generation)]

    @classmethod
    def load(cls, place: Place, name: str) -> "JobState":
        """The remembered state, or that of a job never submitted."""
        file = _file(place, name)
        return cls.model_validate_json(file.read_text()) if file.exists() else cls(name=name)

    def save(self, place: Place) -> None:
        """Remember, in one step."""
        file = _file(place, self.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".partial")
        partial.write_text(self.model_dump_json(indent=2))
        partial.rename(file)


def _job_id(name: str, generation: int) -> str:
    return hashlib.md5(f"weir/{name}/{generation}".encode(), usedforsecurity=False).hexdigest()


def _file(place: Place, name: str) -> Path:
    return place.data / "jobs" / f"{name}.json"
