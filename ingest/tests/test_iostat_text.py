"""Text of iostat against the kernel's own counters, against jc's parses, and against calculations by hand."""

import json
from zoneinfo import ZoneInfo

import pytest
from weir.errors import Refused, UserError
from weir.formats import devices

SYDNEY = ZoneInfo("Australia/Sydney")
BANNER = "Linux 6.1.0 (oss1) \t{date} \t_x86_64_\t(2 CPU)"
X = "Device            r/s     rkB/s r_await     w/s     wMB/s w_await  aqu-sz  %util"
SDA = "sda              1.00      4.00   10.00    2.00      0.50   20.00    0.50  50.00"
BYTES = ("read_bytes", "written_bytes")


def parsed(tmp_path, *lines, zone="UTC", **how):
    file = tmp_path / "iostat.txt"
    file.write_bytes("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
    return list(devices.objects(file, devices.How(ZoneInfo(zone), **how)))


def report(stamp, *rows, header=X):
    return [stamp, header, *rows, ""] if stamp else [header, *rows, ""]


def two(first, second, date="2026-11-21", header=X, row=SDA):
    return ["", *report(first, row, header=header), *report(second, row, header=header)], BANNER.format(
        date=date
    )


def test_values_over_the_interval_by_hand(tmp_path):
    reports, banner = two("2026-11-21T08:00:00+0100", "2026-11-21T08:00:10+0100")
    (sda,) = parsed(tmp_path, banner, *reports)
    assert sda == {
        "server": "oss1", "device": "sda", "time": "2026-11-21T07:00:10Z", "interval_seconds": 10.0,
        "reads": 10, "writes": 20, "read_bytes": 40960, "written_bytes": 5 * 2**20,
        "read_wait_seconds": 0.1, "write_wait_seconds": 0.4,
        "reads_per_second": 1, "writes_per_second": 2, "read_bytes_per_second": 4096,
        "written_bytes_per_second": 2**19, "util": 0.5, "queue_length": 0.5,
        "since_boot": False, "group": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("header", "row", "read", "written"),
    [
        ("Device: tps Blk_read/s Blk_wrtn/s Blk_read Blk_wrtn", "sda 3.00 8.00 16.00 80 160", 40960, 81920),
        ("Device: tps kB_read/s kB_wrtn/s kB_read kB_wrtn", "sda 3.00 4.00 8.00 40 80", 40960, 81920),
        ("Device tps MB_read/s MB_wrtn/s MB_dscd/s MB_read MB_wrtn MB_dscd", "sda 3 4 8 0 40 80 0",
         40 * 2**20, 80 * 2**20),
        ("Device: rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await svctm %util",
         "sda 0 0 1 2 8 16 8 0.5 10 1 50", 40960, 81920),
        ("Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn", "sda 3,00 4,00 8,00 40 80", 40960, 81920),
        ("tps kB_read/s kB_wrtn/s kB_read kB_wrtn Device", "3.0 1.5M 8.0k 15.0M 80.0k sda",
         15 * 2**20, 81920),
        ("Device tps kB/s rqm/s await areq-sz aqu-sz %util", "sda 3 12 0 1 4 0.5 50", None, None),
    ],
)  # fmt: skip
def test_every_unit_of_bytes(tmp_path, header, row, read, written):
    reports, banner = two("2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", header=header, row=row)
    (sda,) = parsed(tmp_path, banner, *reports)
    assert tuple(sda[name] for name in BYTES) == (read, written)
    assert (sda["reads"], sda["util"]) in ((None, None), (10, 0.5), (None, 0.5))


def test_parts_of_a_report_and_names_on_lines_of_their_own(tmp_path):
    """-h of sysstat 12 writes a part for reads and one for writes; older ones put a name above its values."""
    parts = [
        "r/s rkB/s r_await Device",
        "1.00 4.0k 10.00 sda",
        "",
        "f/s f_await aqu-sz %util Device",
        "0 0 0.5 50.0% sda",
    ]
    new = parsed(tmp_path, BANNER.format(date="x"), *parts, "", *parts, interval=10)
    assert [(each["reads"], each["read_bytes"], each["util"]) for each in new] == [(10, 40960, 0.5)]
    old = [
        "Device: r/s rkB/s w/s wkB/s %util",
        "mapper-with-a-long-name",
        "    1.00 4.00 0.00 0.00 50.00",
        "",
    ]
    old = parsed(tmp_path, BANNER.format(date="x"), *old, *old, interval=10)
    assert [(each["device"], each["read_bytes"], each["group"]) for each in old] == [
        ("mapper-with-a-long-name", 40960, False)
    ]


def test_groups_are_marked_and_are_no_device_of_the_wire(tmp_path):
    reports, banner = two(
        "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", row=f"{SDA}\n {SDA.replace('sda', 'all')}"
    )
    sda, group = parsed(tmp_path, banner, *reports)
    assert (sda["group"], group["device"], group["group"]) == (False, "all", True)


def test_a_second_run_in_the_file_begins_with_its_own_means_since_boot(tmp_path):
    first, banner = two("2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z")
    second, _ = two("2026-11-21T09:00:00Z", "2026-11-21T09:00:10Z")
    times = [each["time"] for each in parsed(tmp_path, banner, *first, banner, *second)]
    assert times == ["2026-11-21T08:00:10Z", "2026-11-21T09:00:10Z"]
    whole = parsed(tmp_path, banner, *first, banner, *second, since_boot=True)
    assert [(each["since_boot"], each["reads"]) for each in whole] == [
        (True, None), (False, 10), (True, None), (False, 10),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stamps", "date", "how", "time"),
    [
        (("27/07/10 12:47:34", "27/07/10 12:47:37"), "27/07/10", {}, "2010-07-27T02:47:37Z"),
        (("07/27/2010 12:47:34 PM", "07/27/2010 12:47:37 PM"), "07/27/2010", {}, "2010-07-27T02:47:37Z"),
        (("27.07.2010 12:47:34", "27.07.2010 12:47:37"), "27.07.2010", {}, "2010-07-27T02:47:37Z"),
        (("03/04/26 12:00:00", "03/04/26 12:00:03"), "03/04/26", {}, "2026-03-04T01:00:03Z"),
        (("03/04/26 12:00:00", "03/04/26 12:00:03"), "03/04/26", {"day_first": True}, "2026-04-03T01:00:03Z"),
        (("03/04/26 12:00:00", "03/04/26 12:00:03"), "13/03/26", {}, "2026-04-03T01:00:03Z"),
        # clocks go back from 03:00 to 02:00 in Sydney on 5 April 2026, at 16:00 UTC of the 4th
        (("2026-04-05T02:59:58", "2026-04-05T02:00:01"), "2026-04-05", {}, "2026-04-04T16:00:01Z"),
    ],
)  # fmt: skip
def test_stamps_of_any_locale(tmp_path, stamps, date, how, time):
    reports, banner = two(*stamps, date=date)
    (sda,) = parsed(tmp_path, banner, *reports, zone="Australia/Sydney", **how)
    assert (sda["time"], sda["interval_seconds"]) == (time, 3.0)


def test_an_interval_in_which_iostat_was_held_up(tmp_path):
    seconds = (0, 1, 2, 3, 9, 10)
    lines = [line for s in seconds for line in report(f"2026-11-21T08:00:{s:02}Z", SDA)]
    lengths = [each["interval_seconds"] for each in parsed(tmp_path, BANNER.format(date="x"), *lines)]
    assert lengths == [1, 1, 1, 6, 1]


def test_without_stamps_only_rates_are_known(tmp_path):
    reports, banner = two(None, None)
    (sda,) = parsed(tmp_path, banner, *reports)
    assert (sda["time"], sda["interval_seconds"], sda["reads"]) == (None, None, None)
    assert (sda["read_bytes_per_second"], sda["util"]) == (4096, 0.5)
    (sda,) = parsed(tmp_path, banner, *reports, interval=5.0)
    assert (sda["time"], sda["read_bytes"]) == (None, 20480)


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        ("sda 1.00", None, "2 values where the header has 9"),
        (SDA.replace("4.00 ", "four "), "rkB/s", "'four' is no number"),
        ("99/99/26 08:00:10", "timestamp", "is no ISO time"),
    ],
)
def test_a_bad_line_is_refused_and_its_neighbors_are_read(tmp_path, line, field, reason):
    reports, banner = two("2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z")
    *_, blank = reports
    sda, bad = sorted(
        parsed(tmp_path, banner, *reports[:-1], line, blank), key=lambda each: isinstance(each, Refused)
    )
    assert sda["read_bytes"] == 40960
    assert (bad.position, bad.field) == ("line 10", field)
    assert reason in bad.reason


def test_what_is_no_text_of_iostat(tmp_path):
    with pytest.raises(UserError, match="neither text of iostat"):
        parsed(tmp_path, "Linux 6.1.0", "hello")
    header, row = parsed(tmp_path, "Device mood", "sda good", form=devices.Format.iostat)
    assert "no column of iostat's that is known" in header.reason
    assert "no header of devices above it" in row.reason


def test_a_name_that_is_cut_at_the_end_of_the_file(tmp_path):
    reports, banner = two("2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z")
    sda, cut = parsed(tmp_path, banner, *reports[:-1], "sd")
    assert (sda["device"], cut.position) == ("sda", "line 10")
    assert "cut" in cut.reason


def test_only_the_line_of_the_processors_is_passed_over(tmp_path):
    reports, banner = two("2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z")
    cpu = ["avg-cpu:  %user   %nice %system %iowait  %steal   %idle", "          1.0 0.0 1.0 0.0 0.0 98.0"]
    bad, sda = parsed(tmp_path, banner, *cpu, "garbage", *reports)
    assert (bad.position, sda["reads"]) == ("line 4", 10)


def test_a_name_of_any_bytes(tmp_path):
    reports, banner = two(
        "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", row=SDA.replace("sda", "d\udce9-\U0001f600")
    )
    assert parsed(tmp_path, banner, *reports)[0]["device"] == "d\\xe9-\U0001f600"


# --- beside the repository -------------------------------------------------------------------------------


def read(file, zone="UTC", **how):
    return list(devices.objects(file, devices.How(ZoneInfo(zone), **how)))


def test_every_recorded_layout_is_understood(extra):
    folders = ("iostat_layouts", "pcp_sadist", "jc_iostat")
    files = [f for folder in folders for f in sorted((extra / "devices" / folder).glob("*"))]
    files = [f for f in files if f.suffix in (".txt", ".out") or f.name.startswith("iostat")]
    files = [f for f in files if f.name != "version.txt"]
    assert len(files) > 25
    for file in files:
        assert not any(isinstance(each, Refused) for each in read(file, since_boot=True)), file
        if file.name != "iostat-c":  # processors only
            assert read(file, since_boot=True), file


@pytest.mark.parametrize("name", ["centos-7.7_iostat", "ubuntu-18.04_iostat"])
@pytest.mark.parametrize("layout", ["", "-1", "-m", "-x", "-mx"])
def test_as_jc_reads_it(extra, name, layout):
    folder = extra / "devices/jc_iostat"
    expected = [
        row for row in json.loads((folder / f"{name}{layout}.json").read_text()) if row["type"] == "device"
    ]
    rows = read(folder / f"{name}{layout}.out", since_boot=True)
    assert len(rows) == len(expected) > 0
    units = {"kb_read_s": 1024, "rkb_s": 1024, "mb_read_s": 2**20, "rmb_s": 2**20}
    for row, other in zip(rows, expected, strict=True):
        assert row["device"] == other["device"]
        (read_bytes,) = [other[column] * unit for column, unit in units.items() if column in other]
        assert row["read_bytes_per_second"] == pytest.approx(read_bytes)
        assert row["reads_per_second"] == other.get("r_s")
        assert row["util"] == (
            None if "percent_util" not in other else pytest.approx(other["percent_util"] / 100)
        )


def test_the_amounts_that_iostat_prints_beside_its_rates(extra):
    """kB_read and kB_wrtn of the layout -d are differences of counters; the interval was 5 s."""
    file = extra / "devices/generated_matrix/iostat_d_k.txt"
    blocks = file.read_text().split("Device ")[2:]  # without the first report
    printed = {"loop0": 0, "loop1": 0, "vda": 0}
    for row in (line.split() for block in blocks for line in block.splitlines()[1:] if line):
        printed[row[0]] += (int(row[5]) + int(row[6])) * 1024
    got = dict.fromkeys(printed, 0)
    for row in read(file, interval=5.0):
        got[row["device"]] += row["read_bytes"] + row["written_bytes"]
    assert printed["vda"] > 2**30
    assert got == pytest.approx(printed, rel=0.002)


def test_a_zone_of_its_own_and_a_date_with_the_day_first(extra):
    """iostat -t of one machine in Sydney within two minutes: once in ISO, once in its locale."""
    folder = extra / "devices/pcp_sadist"
    iso = read(folder / "iostat-t.ISO")
    local = read(folder / "iostat-t", zone="Australia/Sydney")
    assert (iso[0]["time"], local[0]["time"]) == ("2010-07-27T02:46:10Z", "2010-07-27T02:47:37Z")
    assert {each["interval_seconds"] for each in iso + local} == {3.0}
