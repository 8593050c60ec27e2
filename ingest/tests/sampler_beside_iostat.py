"""By command: the agent beside iostat under a real load, and what it costs with 500 devices.

Needs root, losetup, and sysstat and fio (Debian: apt install sysstat fio). Prints both, asserts agreement.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import mock_kafka
import numpy as np
from test_block_devices import Root
from weir import wire

SITE = """cluster: lab
time_zone: UTC
scheduler: slurm
cores_per_node: {default: 16}
file_systems: [{id: fs, kind: local_disk, mount_prefixes: [/fs]}]
servers: [{name: oss1, sample_interval_seconds: 1}]
log_directories: [{path: d, layout: job, owner_check: trusted_archive}]
"""


def start(folder, kafka, root="/"):
    (folder / "site.yaml").write_text(SITE)
    (folder / "agent.yaml").write_text(
        json.dumps(
            {
                "site": str(folder / "site.yaml"),
                "kafka": kafka.options,
                "spool": str(folder / "spool"),
                "devices": {"server": "oss1", "metrics_port": 0},
            }
        )
    )
    code = "from weir.agents import config, devices; from pathlib import Path; import sys; "
    code += "devices.run(config.load(), Path(sys.argv[1]))"
    environment = os.environ | {"WEIR_AGENT_CONFIG": str(folder / "agent.yaml")}
    return subprocess.Popen([sys.executable, "-c", code, root], env=environment)


def samples(kafka):
    return [wire.decode(value)[1] for _, value in kafka.messages("weir.device.sample")]


def grown(ticks, device, first, last):
    """Differences of a device between the ticks nearest to two times."""

    def at(second):
        tick = min(ticks, key=lambda each: abs(each["time"].timestamp() - second))
        values = np.frombuffer(tick["values"], "<f8").reshape(len(tick["columns"]), -1)
        place = tick["device_names"].index(device)
        return dict(zip(tick["columns"], values[:, place], strict=True))

    before, after = at(first), at(last)
    return {column: after[column] - before[column] for column in after}


def beside_iostat(folder, kafka):
    file = folder / "disk"
    with file.open("wb") as out:
        out.truncate(512 << 20)
    loop = subprocess.run(["losetup", "-f", "--show", file], check=True, capture_output=True, text=True)
    device = loop.stdout.strip()
    name = Path(device).name
    agent = start(folder, kafka)
    environment = os.environ | {"S_TIME_FORMAT": "ISO", "LC_ALL": "C"}
    time.sleep(3)
    out = (folder / "iostat.json").open("wb")
    iostat = subprocess.Popen(
        ["iostat", "-x", "-t", "-o", "JSON", "1", "20", name], stdout=out, env=environment
    )
    time.sleep(3)
    load = ["fio", "--name=mixed", f"--filename={device}", "--rw=randrw", "--bs=64k", "--size=512m"]
    load += ["--direct=1", "--rate=20m", "--time_based", "--runtime=10", "--output-format=json"]
    fio = json.loads(subprocess.run(load, check=True, capture_output=True).stdout)["jobs"][0]
    iostat.wait()
    agent.terminate()
    agent.wait()
    subprocess.run(["losetup", "-d", device], check=True)
    reports = json.loads((folder / "iostat.json").read_text())["sysstat"]["hosts"][0]["statistics"][1:]
    stamps = [datetime.fromisoformat(each["timestamp"]).timestamp() for each in reports]
    told = {
        "bytes_read": sum(each["disk"][0]["rkB/s"] for each in reports) * 1024,
        "bytes_written": sum(each["disk"][0]["wkB/s"] for each in reports) * 1024,
        "reads": sum(each["disk"][0]["r/s"] for each in reports),
        "writes": sum(each["disk"][0]["w/s"] for each in reports),
        "busy_seconds": sum(each["disk"][0]["util"] for each in reports) / 100,
    }
    seen = grown(samples(kafka), name, stamps[0] - 1, stamps[-1] + 1)
    ours = {"read": ("reads", "bytes_read"), "write": ("writes", "bytes_written")}
    by_fio = {
        c: fio[way][k] for way, cs in ours.items() for c, k in zip(cs, ("total_ios", "io_bytes"), strict=True)
    }
    for column, value in told.items():
        numbers = f"{value:15,.2f}   agent {seen[column]:15,.2f}   fio {by_fio.get(column, 0):15,.0f}"
        print(f"{column:15} iostat {numbers}")
        assert abs(seen[column] - value) <= 0.02 * value + 0.05, column
    for column, value in by_fio.items():
        assert abs(seen[column] - value) <= 0.005 * value, column


def cost_of_500_devices(folder, kafka):
    """CPU time of the whole agent process, Kafka's threads too, over a minute at a tick a second."""
    root = Root(folder / "root")
    for number in range(500):
        root.device(f"sd{number}", device__wwid=f"naa.5000c500{number:08x}")
    line = " 8 {} sd{} 8973245 827959 431044298 10906819 4322041 4115309 375535728 3239042 0 1669276 15326753"
    (root.folder / "proc/sys/kernel/random").mkdir(parents=True)
    (root.folder / "proc/sys/kernel/random/boot_id").write_text("a\n")
    (root.folder / "sys/kernel").mkdir(exist_ok=True)
    (root.folder / "sys/kernel/uevent_seqnum").write_text("1\n")
    lines = [line.format(n, n) + " 3389261 6349 328178288 782149 1084171 398741\n" for n in range(500)]
    (root.folder / "proc/diskstats").write_text("".join(lines))
    agent = start(folder, kafka, str(root.folder))
    time.sleep(5)

    def cpu_seconds():
        fields = Path(f"/proc/{agent.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before, began = cpu_seconds(), time.monotonic()
    time.sleep(60)
    share = (cpu_seconds() - before) / (time.monotonic() - began)
    memory = next(
        line for line in Path(f"/proc/{agent.pid}/status").read_text().splitlines() if "VmRSS" in line
    )
    agent.terminate()
    agent.wait()
    ticks = [each["time"].timestamp() for each in samples(kafka)]
    late = max(abs(t - ticks[0] - round(t - ticks[0])) for t in ticks)
    print(f"500 devices, {len(ticks)} ticks: {share:.2%} of a core, {memory.split()[1]} KiB of memory")
    print(f"furthest from its second: {late * 1e3:.1f} ms")


if __name__ == "__main__":
    for part in (beside_iostat, cost_of_500_devices):
        with tempfile.TemporaryDirectory() as folder, mock_kafka.running() as kafka:
            part(Path(folder), kafka)
