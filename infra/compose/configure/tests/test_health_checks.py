"""What the engine is told about the health of each part."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest
import yaml

INFRA = Path(__file__).parents[3]
IMAGES = sorted(path.parent.name for path in INFRA.glob("images/*/Dockerfile"))


def health_check(image):
    """The command of an image's last stage."""
    lines = (INFRA / "images" / image / "Dockerfile").read_text().splitlines()
    last = max(number for number, line in enumerate(lines) if line.startswith("FROM "))
    (check,) = [line for line in lines[last:] if line.startswith("HEALTHCHECK ")]
    return json.loads(check.partition(" CMD ")[2])


@pytest.mark.parametrize("image", IMAGES)
def test_every_image_has_a_health_check(image):
    assert health_check(image)


@pytest.mark.parametrize("file", ["compose.yaml", "compose.server.yaml"])
def test_every_part_that_lasts_runs_one_of_these_images_or_has_a_check_of_its_own(file):
    services = yaml.safe_load((INFRA / "compose" / file).read_text())["services"]
    for name, service in services.items():
        _, ours, image = service["image"].partition("weir/")
        assert (ours and image.partition(":")[0] in IMAGES) or service["healthcheck"]["test"], name


def test_a_command_that_stays_is_healthy_until_its_next_success_is_overdue(tmp_path):
    alive = tmp_path / "alive"

    def is_healthy():
        environment = os.environ | {"WEIR_ALIVE_FILE": str(alive)}
        return subprocess.run(health_check("weir"), env=environment, check=False).returncode == 0

    assert not is_healthy()
    alive.touch()
    for seconds, healthy in ((60, True), (-60, False)):
        os.utime(alive, (time.time() + seconds,) * 2)
        assert is_healthy() is healthy
