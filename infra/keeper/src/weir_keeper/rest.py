"""The few calls of Flink's REST interface that the keeper needs."""

from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx

from weir_keeper import key
from weir_keeper.place import Place

ENDED = frozenset({"FAILED", "FINISHED", "CANCELED"})
LONGEST_REASON = 500


class Unavailable(Exception):
    """The JobManager does not answer, or refuses for now; the text says what was seen."""


class FlinkRest:
    """Flink's REST interface."""

    def __init__(self, place: Place) -> None:
        self._place = place

    @cached_property
    def client(self) -> httpx.Client:
        """Shows Flink the key without which it answers nothing; OSError while there is none."""
        # Long, because a program runs until its graph is built before its submission is answered.
        return httpx.Client(
            base_url=self._place.flink_url,
            verify=key.context(self._place.flink_key),
            timeout=120,
            trust_env=False,
        )

    def state(self, job_id: str) -> str | None:
        """The state of a job, e.g. RUNNING; None if the JobManager does not know it.

        A job whose tasks are still being started counts as CREATED, though Flink already calls it RUNNING.
        """
        answer = self._call("GET", f"/jobs/{job_id}", allow_missing=True)
        if answer is None:
            return None
        tasks = answer["status-counts"]
        state = str(answer["state"])
        return "CREATED" if state == "RUNNING" and tasks["RUNNING"] < sum(tasks.values()) else state

    def root_exception(self, job_id: str) -> str:
        """What made a job fail, in one line."""
        answer = self._call("GET", f"/jobs/{job_id}/exceptions", params={"maxExceptions": "1"})
        entries = answer["exceptionHistory"]["entries"]
        return root_cause(entries[0]["stacktrace"]) if entries else "no reason given"

    def failures(self, job_id: str) -> list[tuple[float, str]]:
        """When the job has failed of late, in Unix seconds, and why: also where it was started again."""
        answer = self._call("GET", f"/jobs/{job_id}/exceptions", allow_missing=True)
        entries = answer["exceptionHistory"]["entries"] if answer else []
        return [(entry["timestamp"] / 1000, root_cause(entry["stacktrace"])) for entry in entries]

    def upload(self, jar: Path, name: str) -> str:
        """Upload a jar unless the JobManager already has one of this name; returns its id."""
        for known in self._call("GET", "/jars")["files"]:
            if str(known["id"]).endswith(f"_{name}"):
                return str(known["id"])
        with jar.open("rb") as content:
            answer = self._call(
                "POST", "/jars/upload", files={"jarfile": (name, content, "application/java-archive")}
            )
        return Path(answer["filename"]).name

    def run(
        self, jar_id: str, job_id: str, arguments: list[str], parallelism: int, restore_from: Path | None
    ) -> None:
        """Start the program of a jar under a job id, owning the checkpoint that it is restored from."""
        request: dict[str, Any] = {
            "jobId": job_id,
            "programArgsList": arguments,
            "parallelism": parallelism,
        }
        if restore_from:
            request |= {"savepointPath": restore_from.as_uri(), "claimMode": "CLAIM"}
        self._call("POST", f"/jars/{jar_id}/run", json=request)

    def stop_with_savepoint(self, job_id: str, folder: Path) -> str:
        """Ask a job to write a savepoint and end; returns the id of the request."""
        answer = self._call(
            "POST", f"/jobs/{job_id}/stop", json={"targetDirectory": folder.as_uri(), "drain": False}
        )
        return str(answer["request-id"])

    def savepoint_problem(self, job_id: str, request_id: str) -> str | None:
        """How a stop went: None while it is under way, empty when it is done, else what went wrong."""
        answer = self._call("GET", f"/jobs/{job_id}/savepoints/{request_id}")
        if answer["status"]["id"] != "COMPLETED":
            return None
        cause = answer["operation"].get("failure-cause")
        return root_cause(cause["stack-trace"]) if cause else ""

    def cancel(self, job_id: str) -> None:
        """Cancel a job; its checkpoints are kept."""
        self._call("PATCH", f"/jobs/{job_id}", params={"mode": "cancel"})

    def _call(self, method: str, path: str, allow_missing: bool = False, **options: Any) -> Any:
        try:
            answer = self.client.request(method, path, **options)
        except (httpx.HTTPError, OSError) as error:
            raise Unavailable(f"{method} {path}: {type(error).__name__} {error}") from error
        if allow_missing and answer.status_code == httpx.codes.NOT_FOUND:
            return None
        if answer.is_error:
            raise Unavailable(f"{method} {path} answers {answer.status_code}: {root_cause(answer.text)}")
        return answer.json()


def root_cause(stack_trace: str) -> str:
    """The cause in a Java stack trace that helps: the one a job ended itself for good with, else the last."""
    lines = [line.strip() for line in stack_trace.replace("\\n", "\n").splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    for wrapper, cause in pairwise(causes):
        if "SuppressRestartsException" in wrapper:
            return cause[:LONGEST_REASON]
    return (causes or lines or [""])[-1 if causes else 0][:LONGEST_REASON]
