"""Identities and text against the vectors that Java reads too."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir import identity
from weir.schemas_dir import SCHEMAS
from weir.text import escape, unescape


def vectors(name):
    return json.loads((SCHEMAS / "vectors" / f"{name}.json").read_text())


def computed(kind, inputs):
    match kind:
        case "log_id":
            return identity.log_id(bytes.fromhex(inputs["bytes_hex"]))
        case "job_uid":
            return identity.job_uid(**inputs)
        case "dead_letter_id":
            return identity.dead_letter_id(**inputs)


@pytest.mark.parametrize("vector", [v for v in vectors("identity") if v["kind"] != "alert_id"])
def test_identity_vectors(vector):
    assert computed(vector["kind"], vector["inputs"]) == vector["expected"]


@pytest.mark.parametrize("vector", vectors("text"), ids=lambda v: v["what"])
def test_text_vectors(vector):
    raw = bytes.fromhex(vector["raw_hex"])
    assert escape(raw) == vector["escaped"]
    assert unescape(vector["escaped"]) == raw


@given(st.binary())
def test_any_bytes_come_back(raw):
    assert unescape(escape(raw)) == raw
