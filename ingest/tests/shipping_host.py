"""A machine with the hook and agents as processes, and a broker of its own."""

import os
import subprocess
import sys
import time
from pathlib import Path

import yaml
from shipping_site import USER, log_bytes, wait_for

HOOK = Path(__file__).parents[1] / "hook/weir_job_end.py"
WEIR = Path(sys.executable).with_name("weir")
SERVER = "oss1"


class Host:
    """Configuration, directories and processes of one machine."""

    def __init__(self, root, kafka, devices=None, **ship):
        self.root, self.kafka, self.agents = root, kafka, []
        self.logs, self.spool = root / "logs", root / "spool/jobs"
        self.spool.mkdir(parents=True)
        self.spool.chmod(0o2770)
        (root / "site.yaml").write_text(yaml.safe_dump(self._site()))
        agent = {
            "site": str(root / "site.yaml"),
            "kafka": {"bootstrap.servers": kafka.bootstrap},
            "spool": str(root / "spool"),
            "state": str(root / "state"),
            "ship": {"metrics_port": 0, "processes": 1, "partial_grace_seconds": 1} | ship,
            "devices": {"metrics_port": 0, "server": SERVER} | (devices or {}),
        }
        (root / "agent.yaml").write_text(yaml.safe_dump(agent))
        self.environment = os.environ | {"WEIR_AGENT_CONFIG": str(root / "agent.yaml")}

    def _site(self):
        scratch = {"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"]}
        listed = {"path": str(self.logs), "layout": "year/month/day", "owner_check": "strict"}
        return {
            "cluster": "lab", "time_zone": "UTC", "scheduler": "slurm", "file_systems": [scratch],
            "cores_per_node": {"default": 4}, "log_directories": [listed],
            "servers": [{"name": SERVER, "sample_interval_seconds": 1}],
        }  # fmt: skip

    def put(self, job_id, age=0.0, **of_log):
        """The log of a run that ends now."""
        start = time.time() - 60 - age
        day = time.gmtime(start)
        folder = self.logs / f"{day.tm_year}/{day.tm_mon}/{day.tm_mday}"
        folder.mkdir(parents=True, exist_ok=True)
        partial = folder / f"me_sim_id{job_id}-1_1-1-1-{job_id}.darshan_partial"
        partial.write_bytes(log_bytes(job_id, start=start, **of_log))
        os.utime(partial, (time.time() - age,) * 2)
        return partial.rename(partial.with_name(f"me_sim_id{job_id}-1_1-1-1-{job_id}_1.darshan"))

    def end_job(self, job_id):
        """What the scheduler runs."""
        command = [
            sys.executable,
            "-IS",
            HOOK,
            "--spool",
            self.spool,
            "--job-id",
            str(job_id),
            "--uid",
            str(USER),
        ]
        subprocess.run(command, check=True)

    def agent(self, name):
        """One of the agents as a process, once it listens to signals."""
        log = self.root / f"{name}-{len(self.agents)}.log"
        with log.open("w") as out:
            self.agents.append(subprocess.Popen([WEIR, "agent", name], env=self.environment, stderr=out))
        wait_for(lambda: "started" in log.read_text())
        return self.agents[-1]

    def ship(self):
        return self.agent("ship")

    def weir(self, *arguments):
        return subprocess.run([WEIR, *arguments], env=self.environment, capture_output=True, text=True)

    def waiting(self):
        return [path for path in self.spool.iterdir() if path.suffix == ".json"]

    def log_ids(self):
        return set(self.kafka.decoded("weir.darshan.log"))

    def manifests(self):
        return {key: manifests[-1] for key, manifests in self.kafka.decoded("weir.job.manifest").items()}

    def stop(self):
        """Whatever still runs."""
        for process in self.agents:
            process.kill()
            process.wait()
