"""A real Slurm of four nodes on this machine, with accounting, run by one ordinary user.

munged, MariaDB, slurmdbd, slurmctld and a slurmd a node, all below one folder and on loopback; jobs run as
the same user. Debian's packages are needed (`.ci/run` installs them): slurmctld slurmd slurmdbd slurm-client
slurm-wlm-basic-plugins slurm-wlm-mysql-plugin munge mariadb-server.
"""

import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

NODES = 4
PROGRAMS = ("slurmctld", "slurmd", "slurmdbd", "munged", "mariadbd", "mariadb-install-db", "sbatch", "sacct")
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"  # daemons, which an ordinary user does not find
START_SECONDS = 60

SLURM_CONF = """\
ClusterName={name}
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={slurmctld}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/ctld
SlurmdSpoolDir={folder}/slurmd-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=300
KillWait=2
JobRequeue=1
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={slurmdbd}
AccountingStoragePass={folder}/munge.socket
Epilog={epilog}
{nodes}
PartitionName=work Nodes=n[1-{count}] Default=YES MaxTime=10 State=UP OverSubscribe=NO
"""

SLURMDBD_CONF = """\
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={slurmdbd}
SlurmUser={user}
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={mariadb}
StorageUser=slurm
StoragePass={password}
StorageLoc=slurm
"""


def missing() -> list[str]:
    """Programs that are not installed."""
    return [program for program in PROGRAMS if not shutil.which(program, path=PATH)]


@dataclass(frozen=True)
class Slurm:
    """A running cluster; `run` calls a Slurm command in its environment."""

    name: str
    folder: Path
    env: dict[str, str]

    def run(self, *words: object, check: bool = True) -> str:
        """What the command printed."""
        command = list(map(str, words))
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, check=False)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def submit(self, script: Path, *options: str) -> int:
        """Job id."""
        return int(self.run("sbatch", "--parsable", "--output=/dev/null", *options, script))


@contextmanager
def running(name: str, folder: Path, epilog: Path) -> Iterator[Slurm]:
    """Starts all daemons, gives the cluster once every node is idle, and ends them."""
    folder.mkdir(mode=0o755)
    for each in ("ctld", "db"):
        (folder / each).mkdir()
    names = ("slurmctld", "slurmdbd", "mariadb", *(f"n{number}" for number in range(1, NODES + 1)))
    ports = dict(zip(names, _free_ports(len(names)), strict=True))
    password = secrets.token_hex(16)
    nodes = "\n".join(
        f"NodeName=n{number} NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[f'n{number}']} CPUs=8"
        for number in range(1, NODES + 1)
    )
    values = {"name": name, "folder": folder, "user": getuser(), "epilog": epilog, "password": password}
    values |= {"nodes": nodes, "count": NODES} | ports
    _private(folder / "slurm.conf", SLURM_CONF.format(**values), 0o644)
    _private(folder / "slurmdbd.conf", SLURMDBD_CONF.format(**values), 0o600)
    (folder / "munge.key").write_bytes(secrets.token_bytes(64))
    (folder / "munge.key").chmod(0o400)
    env = {"PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf"), "HOME": str(folder), "TZ": "UTC"}
    slurm = Slurm(name, folder, env)
    with ExitStack() as daemons:

        def start(*command: object) -> subprocess.Popen[bytes]:
            log = (folder / f"{Path(str(command[0])).name}.out").open("ab")
            process = subprocess.Popen(list(map(str, command)), env=env, stdout=log, stderr=log)
            daemons.callback(_end, process)
            return process

        start(
            "munged", "--foreground", "--force", f"--socket={folder}/munge.socket",
            f"--key-file={folder}/munge.key", f"--pid-file={folder}/munge.pid",
            f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed",
        )  # fmt: skip
        _database(slurm, start, values)
        start("slurmdbd", "-D", "-vv")
        _patiently(lambda: slurm.run("sacctmgr", "-i", "add", "cluster", name))
        start("slurmctld", "-D", "-c", "-f", folder / "slurm.conf")
        for number in range(1, NODES + 1):
            start("slurmd", "-D", "-N", f"n{number}", "-f", folder / "slurm.conf")
        _patiently(lambda: _all_idle(slurm))
        yield slurm


def _database(slurm: Slurm, start, values: dict[str, object]) -> None:
    folder = slurm.folder
    slurm.run(
        "mariadb-install-db", "--no-defaults", f"--datadir={folder}/db", "--skip-test-db",
        "--auth-root-authentication-method=normal",
    )  # fmt: skip
    start(
        "mariadbd", "--no-defaults", f"--datadir={folder}/db", f"--socket={folder}/db.socket",
        f"--port={values['mariadb']}", "--bind-address=127.0.0.1", f"--pid-file={folder}/db.pid",
        "--innodb-flush-log-at-trx-commit=0", f"--user={values['user']}",
    )  # fmt: skip
    grant = f"CREATE USER slurm IDENTIFIED BY '{values['password']}'; GRANT ALL ON slurm.* TO slurm;"
    client = ("mariadb", "--no-defaults", "--user=root", f"--socket={folder}/db.socket")
    _patiently(lambda: slurm.run(*client, f"--execute={grant}"))


def _all_idle(slurm: Slurm) -> None:
    states = slurm.run("sinfo", "--noheader", "--Node", "--format=%t").split()
    assert states == ["idle"] * NODES, states


def _patiently(call) -> None:
    for attempt in Retrying(
        retry=retry_if_exception_type(AssertionError),
        wait=wait_fixed(0.2),
        stop=stop_after_delay(START_SECONDS),
        reraise=True,
    ):
        with attempt:
            call()


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _private(file: Path, text: str, mode: int) -> None:
    file.touch(mode=mode)
    file.write_text(text)


def _free_ports(number: int) -> list[int]:
    with ExitStack() as sockets:
        found = [sockets.enter_context(socket.socket()) for _ in range(number)]
        for each in found:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in found]
