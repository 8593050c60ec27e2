"""Ids and layers of block devices, from sysfs as the kernel and udev write it.

The names are those of udev's 60-persistent-storage.rules: wwn-$env{ID_WWN_WITH_EXTENSION}, nvme-$attr{wwid}.
"""

from pathlib import Path

import pytest
from weir.agents.block_devices import BlockDevices, Device


class Root:
    """A tree such as / has."""

    def __init__(self, folder):
        self.folder = folder
        self.names = []

    def device(self, name, size=1000, slaves=(), **files):
        own = self.folder / "sys/block" / name.replace("/", "!")
        for at, text in {"size": size, **files}.items():
            file = own / at.replace("__", "/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text}\n")
        for slave in slaves:
            (own / "slaves").mkdir(exist_ok=True)
            (own / "slaves" / slave).symlink_to(f"../../{slave}")
            holders = self.folder / "sys/block" / slave / "holders"
            holders.mkdir(exist_ok=True)
            (holders / name).symlink_to(f"../../{name}")
        self.names.append(name)

    def by_id(self, link, name):
        folder = self.folder / "dev/disk/by-id"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / link).symlink_to(f"../../{name}")

    def sampled(self, **how):
        found = BlockDevices(self.folder, "oss1", **how).sampled(self.names)
        return {device.name: device.id for device in found}


@pytest.fixture
def root(tmp_path):
    return Root(tmp_path)


def test_ids_by_wwn_else_by_the_best_name_else_by_server(root):
    root.device("sda", device__wwid="naa.5000c500a1b2c3d4")
    root.device("sdb", device__wwid="t10.ATA     QEMU HARDDISK")
    root.by_id("scsi-0QEMU_2", "sdb")
    root.by_id("ata-QEMU_HARDDISK_QM00002", "sdb")
    root.by_id("ata-QEMU_HARDDISK_QM00002-part1", "sdb1")
    root.device("nvme0n1", wwid="eui.0025388b010abcde")
    root.device("vda")
    root.by_id("virtio-c0ffee", "vda")
    root.device("loop0")
    root.device("cciss/c0d0")
    assert root.sampled() == {
        "sda": "wwn-0x5000c500a1b2c3d4",
        "sdb": "scsi-0QEMU_2",
        "nvme0n1": "nvme-eui.0025388b010abcde",
        "vda": "virtio-c0ffee",
        "loop0": "oss1:loop0",
        "cciss/c0d0": "oss1:cciss/c0d0",
    }


def test_a_lun_keeps_its_id_with_and_without_multipath_and_counts_once(root):
    lun = "600508b400105e210000900000490000"
    root.device("sda", device__wwid=f"naa.{lun}")
    assert root.sampled() == {"sda": f"wwn-0x{lun}"}
    root.device("sdb", device__wwid=f"naa.{lun}")
    root.device("dm-0", slaves=["sda", "sdb"], dm__uuid=f"mpath-3{lun}", dm__name="mpatha")
    assert root.sampled() == {"dm-0": f"wwn-0x{lun}"}
    # LVM on it: its I/O is that of the map
    root.device("dm-1", slaves=["dm-0"], dm__uuid="LVM-abc")
    assert root.sampled() == {"dm-0": f"wwn-0x{lun}"}


def test_two_paths_without_multipath_have_two_ids(root):
    for name in ("sda", "sdb"):
        root.device(name, device__wwid="naa.5000c500a1b2c3d4")
    assert root.sampled() == {"sda": "wwn-0x5000c500a1b2c3d4", "sdb": "oss1:sdb"}


def test_what_is_left_out(root):
    root.device("sda")
    root.names.append("sda1")  # a partition has no folder of its own
    root.device("loop1", size=0)  # no file
    root.device("nvme0c0n1", hidden=1)  # a path of NVMe's own multipath
    root.device("ram0")
    root.device("md0", slaves=["sda"])
    assert root.sampled(exclude=["ram*"]) == {"sda": "oss1:sda"}


def test_patterns_of_names_and_ids(root):
    root.device("sda", device__wwid="naa.5000c500a1b2c3d4")
    root.device("sdb")
    root.device("md0", slaves=["sda", "sdb"])
    root.by_id("md-uuid-1:2:3:4", "md0")
    assert root.sampled(include=["md-uuid-*"]) == {"md0": "md-uuid-1:2:3:4"}
    assert root.sampled(include=["sd*"], exclude=["wwn-0x5000*"]) == {"sdb": "oss1:sdb"}


def test_this_machine(root):
    root.folder = Path("/")
    with Path("/proc/diskstats").open() as file:
        root.names = [line.split()[2] for line in file]
    found = BlockDevices(root.folder, "oss1").sampled(root.names)
    assert len({device.id for device in found}) == len(found)
    assert all(isinstance(device, Device) and device.name in root.names for device in found)
