"""Notebooks are stored as they were written: each cell explained, and nothing of a run in them."""

import json
from copy import deepcopy

import pytest
from test_documents import ROOT, documents

OF_ANY_PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def problems(notebook):
    """What a run or an editor has left in it, and the cells with no whole sentence before them."""
    said = ""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            if cell["outputs"] or cell["execution_count"] is not None or cell["metadata"]:
                yield f"{cell['id']} keeps what came of a run: clear all outputs"
            if not said.endswith("."):
                yield f"{cell['id']} is not explained by a text before it"
            said = ""
        else:
            said = "".join(cell["source"]).rstrip()
    if notebook["metadata"] != OF_ANY_PYTHON:
        yield f"its metadata are those of one Python or editor: {OF_ANY_PYTHON}"


@pytest.mark.parametrize("file", documents(".ipynb"), ids=lambda file: str(file.relative_to(ROOT)))
def test_a_notebook_is_stored_as_it_was_written(file):
    assert list(problems(json.loads(file.read_text()))) == []


TEXT = {"cell_type": "markdown", "id": "about", "metadata": {}, "source": ["# One\n", "It is one."]}
CODE = {"cell_type": "code", "id": "one", "metadata": {}, "source": ["1"]}
SOUND = {
    "cells": [TEXT, CODE | {"outputs": [], "execution_count": None}],
    "metadata": OF_ANY_PYTHON,
}


@pytest.mark.parametrize(
    ("place", "key", "value", "told"),
    [
        (1, "outputs", [{"output_type": "stream", "name": "stdout", "text": "1"}], "one keeps what came"),
        (1, "execution_count", 1, "one keeps what came of a run"),
        (1, "metadata", {"execution": {"iopub.status.busy": "2026-11-26"}}, "one keeps what came of a run"),
        (0, "source", ["# One"], "one is not explained"),
        (0, "source", [], "one is not explained"),
    ],
)
def test_what_a_run_leaves_is_found(place, key, value, told):
    assert list(problems(SOUND)) == []
    notebook = deepcopy(SOUND)
    notebook["cells"][place][key] = value
    (problem,) = problems(notebook)
    assert problem.startswith(told)


def test_what_an_editor_leaves_is_found():
    metadata = OF_ANY_PYTHON | {"language_info": {"name": "python", "version": "3.13.1"}}
    (problem,) = problems(SOUND | {"metadata": metadata})
    assert problem.startswith("its metadata are those of one Python")
