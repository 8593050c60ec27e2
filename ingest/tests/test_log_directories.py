"""Names and folders of logs, against what Darshan 3.5 writes: darshan_get_logfile_name uses localtime()."""

import os
import time
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from shipping_site import site
from weir.shipping import directories
from weir.shipping.directories import Name, Span, name_of


@pytest.mark.parametrize(
    ("name", "job_id", "partial"),
    [
        (b"u_ior_id14-20176_11-21-28775-12810028535498202903_1.darshan", 14, None),
        (b"u_ior_id14-20176_11-21-28775-128.darshan_partial", 14, b"u_ior_id14-20176_11-21-28775-128"),
        (b"u_a_id5-1_b_id14-20176_11-21-28775-128_33.darshan", 14, b"u_a_id5-1_b_id14-20176_11-21-28775-128"),
        (b"u_ior_id14_11-21-28775-128_33.darshan", 14, b"u_ior_id14_11-21-28775-128"),
        (b"id14_9.darshan", 14, b"id14"),
        (b"sci_forever_id5023_mmap-log-18258127789266267066-0.darshan", 5023, None),
        (b"\xff_\xfe_id14-1_1-2-3-4_5.darshan", 14, b"\xff_\xfe_id14-1_1-2-3-4"),
        (b"mine.darshan", None, b"mine"),
        (b"u_id99999999999999999999-1_1-2-3-4_5.darshan", None, b"u_id99999999999999999999-1_1-2-3-4"),
    ],
)
def test_names(name, job_id, partial):
    said = name_of(name)
    assert (said.job_id, said.partial) == (job_id, name.endswith(b"_partial"))
    if partial:
        assert said.partial_name == partial + b".darshan_partial"


@pytest.mark.parametrize("name", [b"x.txt", b".darshan.swp", b"x.darshan.gz", b"x.darshan_partial.tmp"])
def test_other_files(name):
    assert name_of(name) is None


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles", "Europe/Berlin", "UTC"])
@pytest.mark.parametrize("day", ["2026-03-28", "2026-10-24", "2025-12-30"])
def test_no_start_in_the_span_is_missed(tmp_path, zone, day, monkeypatch):
    """Each half hour of three days, over daylight saving and the year's end, as the C library names it."""
    (directory,) = directories.of_site(site(tmp_path), ZoneInfo(zone))
    begin = datetime.fromisoformat(day).replace(tzinfo=UTC)
    span = Span(begin.timestamp(), (begin + timedelta(days=3)).timestamp())
    folders = list(directory.folders(span))
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for half_hour in range(144):
            local = time.localtime(span.start + 1800 * half_hour)
            assert (b"%d" % local.tm_year, b"%d" % local.tm_mon, b"%d" % local.tm_mday) in folders
    finally:
        monkeypatch.undo()
        time.tzset()
    assert len(folders) <= 5


def test_a_folder_that_cannot_be_listed_is_an_error_and_an_absent_one_is_none(tmp_path):
    (directory,) = directories.of_site(site(tmp_path), ZoneInfo("UTC"))
    assert directory.logs((b"2026", b"1", b"1")) == {}
    (tmp_path / "2026").symlink_to("2026")
    with pytest.raises(OSError, match=os.strerror(40)):
        directory.logs((b"2026", b"1", b"1"))


def test_in_a_folder_of_a_job_its_name_tells_the_job(tmp_path):
    (directory,) = directories.of_site(site(tmp_path, "job"), ZoneInfo("UTC"))
    assert directory.name_of((b"12",), b"run.darshan") == Name(12, False, b"run.darshan_partial")
