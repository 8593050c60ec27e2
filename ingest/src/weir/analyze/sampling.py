"""Compares how often servers were sampled with what the site file says."""

from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

from weir.site_file import setting

# an interval so much longer than a bucket leaves one in ten without a sample
_MOST_OF_BUCKET = 1.1


def too_seldom(
    samples: Mapping[str, list[dict[str, Any]]], site: dict[str, Any], file: Path
) -> dict[str, str]:
    """Returns by server what is wrong in `site`, a `file`: its samples come too seldom for its buckets."""
    bucket = setting(site, "load_bucket_seconds")
    stated = {server["name"]: server["sample_interval_seconds"] for server in site.get("servers", [])}
    found = {}
    for server, of_server in samples.items():
        seconds = median(sample["interval_seconds"] for sample in of_server)
        if seconds > _MOST_OF_BUCKET * bucket:
            found[server] = (
                f"samples of server {server} come every {seconds:.3g} s, but {file.name} says "
                f"{stated[server]:g} s: set its sample_interval_seconds, and load_bucket_seconds "
                f"(now {bucket:g}), to {seconds:.3g}"
            )
    return found
