"""A release has one version, wherever it is written."""

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
POM = "{http://maven.apache.org/POM/4.0.0}"


def pyprojects():
    files = [ROOT / "ingest/pyproject.toml", *ROOT.glob("infra/*/pyproject.toml")]
    return {str(f.relative_to(ROOT)): tomllib.loads(f.read_text())["project"]["version"] for f in files}


def poms():
    found = {}
    for file in [ROOT / "flink-jobs/pom.xml", *ROOT.glob("flink-jobs/*/pom.xml")]:
        root = ElementTree.parse(file).getroot()
        place = root if root.find(f"{POM}parent") is None else root.find(f"{POM}parent")
        found[str(file.relative_to(ROOT))] = place.find(f"{POM}version").text
    return found


def test_all_parts_have_one_version():
    versions = pyprojects() | poms()
    assert len(versions) > 10
    assert len(set(versions.values())) == 1, versions


def test_each_release_has_its_changes():
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased" or headings[0].startswith(next(iter(poms().values())))
