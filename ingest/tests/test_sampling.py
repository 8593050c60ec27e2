"""How often servers were sampled, by hand."""

from pathlib import Path

from weir.analyze import sampling

SITE = {"load_bucket_seconds": 1, "servers": [{"name": "oss1", "sample_interval_seconds": 1}]}


def every(seconds, count):
    return [{"interval_seconds": seconds} for _ in range(count)]


def test_samples_that_come_too_seldom_are_reported_with_what_to_set():
    assert sampling.too_seldom({"oss1": every(2.0, 10)}, SITE, Path("/etc/weir/site.yaml")) == {
        "oss1": "samples of server oss1 come every 2 s, but site.yaml says 1 s: set its "
        "sample_interval_seconds, and load_bucket_seconds (now 1), to 2"
    }


def test_a_sampler_that_stalled_once_and_the_rounding_of_iostat_are_nothing():
    samples = every(1.04, 20) + every(40.0, 1)
    assert sampling.too_seldom({"oss1": samples}, SITE, Path("site.yaml")) == {}
