"""Documents lead where they say."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OTHERS = {".weir", "target", "node_modules", ".git"}
"""Folders that hold no documents of ours; where a stack runs their files come and go."""


LARGEST_PICTURE_BYTES = 300_000


def documents(ending=".md"):
    """All documents whose names end so, in order."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(set(folders) - OTHERS)
        yield from (Path(folder, name) for name in sorted(files) if name.endswith(ending))


LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)


def links(text):
    """Where the text leads, but for what is code and other sites."""
    return [link for link in LINK.findall(CODE.sub("", text)) if "://" not in link and "mailto:" not in link]


def anchors(text):
    """The headings as a page names them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(document):
    """The links of a document that lead nowhere."""
    for link in links(document.read_text()):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target.read_text())):
            yield link


@pytest.mark.parametrize("document", [*documents()], ids=lambda document: str(document.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_its_heading(document):
    assert list(broken(document)) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "b.md").write_text("# One *thing*, or two\n")
    page = tmp_path / "a.md"
    sound = "[1](b.md) [2](b.md#one-thing-or-two) [3](https://x.org/y) `[4](no)`"
    page.write_text(f"{sound}\n[5](c.md) [6](b.md#three) [7](#none)")
    assert list(broken(page)) == ["c.md", "b.md#three", "#none"]


def test_no_picture_is_large():
    """Each is read over slow lines, and its every version stays in the history."""
    pictures = [*documents(".png"), *documents(".jpg")]
    assert len(pictures) > 5
    assert [picture for picture in pictures if picture.stat().st_size >= LARGEST_PICTURE_BYTES] == []


def test_shell_scripts_are_read_by_their_shell():
    """What `sh -n` can say: no script is broken."""
    scripts = [file for file in ROOT.glob("infra/**/*") if file.is_file() and _is_shell(file)]
    scripts += [ROOT / ".ci/run"]
    assert len(scripts) > 5
    for script in scripts:
        done = subprocess.run(["sh", "-n", script], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{script}: {done.stderr}"


def _is_shell(file):
    with file.open("rb") as content:
        return content.read(10).startswith(b"#!/bin/sh")
