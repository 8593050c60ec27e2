"""Which block devices a server has, by sysfs: their lasting ids, and which of them lie on others.

The id is the WWN as udev writes it (`wwn-0x5000c500a1b2c3d4`, `nvme-eui.0025388b010abcde`), else the best
name in /dev/disk/by-id, else `server:name`. A multipath map has the WWN of its paths, so a LUN keeps its id
on whichever server and path it is seen.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import structlog

# of several names of a device in by-id, in order of preference
_BY_ID = ("wwn-", "nvme-eui.", "nvme-uuid.", "nvme-", "scsi-", "ata-", "virtio-", "md-uuid-", "dm-uuid-", "")


@dataclass(frozen=True)
class Device:
    """A device that is sampled; `name` is the kernel's, as /proc/diskstats has it."""

    name: str
    id: str


class BlockDevices:
    """Reads sysfs below `root`; `include` and `exclude` are patterns of names or ids."""

    def __init__(self, root: Path, server: str, include: Sequence[str] = (), exclude: Sequence[str] = ()):
        self._root, self._server, self._include, self._exclude = root, server, include, exclude

    def events(self) -> str:
        """A number that the kernel changes whenever a device comes, goes or changes."""
        return _text(self._root / "sys/kernel/uevent_seqnum")

    def sampled(self, names: Iterable[str]) -> list[Device]:
        """Those of `names` that are to be sampled, each piece of hardware once.

        Left out are partitions, paths of a multipath map, hidden and empty devices (a loop without a file),
        and what lies on other devices (LVM, encryption, RAID) unless `include` names it: its I/O is theirs.
        """
        links = self._by_id()
        found: dict[str, Device] = {}
        for name in names:
            folder = self._root / "sys/block" / name.replace("/", "!")
            if not folder.is_dir() or not self._is_wanted_kind(folder):
                continue
            device = Device(name, self._id(name, folder, links))
            if not self._is_chosen(device, folder):
                continue
            if device.id in found:  # a second path without multipath; its I/O is its own
                structlog.get_logger().warning("two devices have one id", id=device.id, name=name)
                device = Device(name, f"{self._server}:{name}")
            found[device.id] = device
        return list(found.values())

    def _is_wanted_kind(self, folder: Path) -> bool:
        if _text(folder / "hidden") == "1" or _text(folder / "size") == "0":
            return False
        return not any(_map_uuid(holder).startswith("mpath-") for holder in _children(folder / "holders"))

    def _is_chosen(self, device: Device, folder: Path) -> bool:
        if _matches(device, self._exclude):
            return False
        if self._include:
            return _matches(device, self._include)
        return _map_uuid(folder).startswith("mpath-") or not any(_children(folder / "slaves"))

    def _id(self, name: str, folder: Path, links: dict[str, list[str]]) -> str:
        uuid = _map_uuid(folder)
        kind, _, wwn = uuid.partition("mpath-")
        if wwn and not kind and wwn[0] in "23":  # 3 is an NAA name, 2 an EUI-64
            return f"wwn-0x{wwn[1:]}"
        wwid = _text(folder / "device/wwid")
        if wwid.startswith(("naa.", "eui.")):
            return f"wwn-0x{wwid[4:]}"
        if of_nvme := _text(folder / "wwid"):
            return f"nvme-{of_nvme}"
        named = links.get(name.rpartition("/")[2], [])
        for prefix in _BY_ID:
            if best := min((link for link in named if link.startswith(prefix)), default=None):
                return best
        return f"dm-uuid-{uuid}" if uuid else f"{self._server}:{name}"

    def _by_id(self) -> dict[str, list[str]]:
        """Names in /dev/disk/by-id of each device."""
        links: dict[str, list[str]] = {}
        for link in _children(self._root / "dev/disk/by-id"):
            try:
                links.setdefault(link.readlink().name, []).append(link.name)
            except OSError:
                continue  # gone meanwhile
        return links


def _map_uuid(folder: Path) -> str:
    """Returns the UUID of a device of the device mapper, such as mpath-3600... or LVM-...; else empty."""
    return _text(folder / "dm/uuid")


def _matches(device: Device, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, each) for each in patterns for text in (device.name, device.id))


def _children(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except OSError:
        return


def _text(file: Path) -> str:
    try:
        return file.read_text(errors="replace").strip()
    except OSError:
        return ""
