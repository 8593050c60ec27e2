"""What the images hold, and what they must not."""

import os
import re
import subprocess
import tarfile
from contextlib import suppress

import pytest

from . import services

PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----")


def private_keys(image):
    """In any layer, also one that a later layer deletes."""
    with (
        subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE) as saving,
        tarfile.open(fileobj=saving.stdout, mode="r|") as saved,
    ):
        for part in filter(tarfile.TarInfo.isfile, saved):
            content = saved.extractfile(part)
            # what is no layer describes the image
            with suppress(tarfile.ReadError), tarfile.open(fileobj=content, mode="r|*") as layer:
                for file in filter(tarfile.TarInfo.isfile, layer):
                    if PRIVATE_KEY.match(layer.extractfile(file).read(100)):
                        yield file.name


@pytest.mark.parametrize("name", services.OURS)
def test_no_image_holds_a_private_key(name):
    """All other secrets are made at the first start."""
    if reason := services.why_not():
        pytest.fail(reason) if os.environ.get("WEIR_REQUIRE_CONTAINERS") else pytest.skip(reason)
    assert list(private_keys(f"weir/{name}:dev")) == []
