"""What a Maven project reads beside its own folder, as its poms name it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

NAMESPACE = "{http://maven.apache.org/POM/4.0.0}"
PROPERTY = re.compile(r"\$\{([^}]+)\}")


def read_by_build(project: Path) -> list[Path]:
    """The project's folder and each file or folder outside it that the pom of one of its modules names.

    Resources, sources and filesets alike: whatever is named by a path that begins with a property and exists.
    """
    inherited = _properties(project / "pom.xml")
    outside: set[Path] = set()
    for pom in _poms(project):
        properties = inherited | _properties(pom)
        properties |= {"basedir": str(pom.parent), "project.basedir": str(pom.parent)}
        for path in _paths(pom, properties):
            if path.exists() and not path.is_relative_to(project):
                outside.add(path)
    return [project, *sorted(outside)]


def _poms(project: Path) -> Iterator[Path]:
    """Finds the poms of a project and of its modules, also of modules of modules."""
    pom = project / "pom.xml"
    yield pom
    for module in ElementTree.parse(pom).iterfind(f".//{NAMESPACE}modules/{NAMESPACE}module"):  # noqa: S314 - ours
        yield from _poms(project / str(module.text))


def _properties(pom: Path) -> dict[str, str]:
    """The properties that a pom sets, as they are written there."""
    found = ElementTree.parse(pom).find(f"{NAMESPACE}properties")  # noqa: S314 - ours
    return {each.tag.removeprefix(NAMESPACE): (each.text or "").strip() for each in found or ()}


def _paths(pom: Path, properties: dict[str, str]) -> Iterator[Path]:
    """Every text and attribute, but for the properties themselves, that begins with a property."""
    root = ElementTree.parse(pom).getroot()  # noqa: S314 - ours
    for section in root:
        if section.tag == f"{NAMESPACE}properties":
            continue
        for element in section.iter():
            for text in (element.text or "", *element.attrib.values()):
                if text.strip().startswith("${"):
                    yield Path(os.path.normpath(_filled_in(text.strip(), properties)))


def _filled_in(text: str, properties: dict[str, str]) -> str:
    """The text with its properties' values, which may have properties themselves; unknown ones stay."""
    filled = PROPERTY.sub(lambda match: properties.get(match[1], match[0]), text)
    return text if filled == text else _filled_in(filled, properties)
