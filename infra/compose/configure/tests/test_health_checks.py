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


# Of weir: by when its next success is due. Of the keeper: when it last saw all jobs run, every 2 s.
@pytest.mark.parametrize(
    ("image", "variable", "well", "unwell"),
    [("weir", "WEIR_ALIVE_FILE", 60, -60), ("keeper", "WEIR_KEEPER_WELL_FILE", -5, -60)],
)
def test_who_tells_by_a_file_is_healthy_as_long_as_its_time_says(tmp_path, image, variable, well, unwell):
    file = tmp_path / "file"

    def is_healthy():
        environment = os.environ | {variable: str(file)}
        return subprocess.run(health_check(image), env=environment, check=False).returncode == 0

    assert not is_healthy()
    file.touch()
    for seconds, healthy in ((well, True), (unwell, False)):
        os.utime(file, (time.time() + seconds,) * 2)
        assert is_healthy() is healthy
