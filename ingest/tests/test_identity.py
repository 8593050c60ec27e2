"""Identities, text and the join of logs against the vectors that Java reads too."""

import json
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir import identity
from weir.formats.job_record import JOIN_PADDING_SECONDS
from weir.schemas_dir import SCHEMAS
from weir.text import escape, unescape


def vectors(name):
    return json.loads((SCHEMAS / "vectors" / f"{name}.json").read_text())


def computed(kind, inputs):
    match kind:
        case "log_id":
            return identity.log_id(bytes.fromhex(inputs["bytes_hex"]))
        case "mapped_set_id":
            return identity.mapped_set_id(inputs["members"])
        case "job_uid":
            return identity.job_uid(**inputs)
        case "dead_letter_id":
            return identity.dead_letter_id(**inputs)
        case "alert_id":
            return identity.alert_id(**inputs)
        case "storage_event_id":
            return by_contract(inputs, "cluster", "kind", "subject_kind", "subject", "since_microseconds")


def by_contract(inputs, *parts):
    """As schemas/README.md says; for what only Java makes."""
    joined = "\0".join(str(inputs[part]) for part in parts)
    return blake2b(joined.encode(), digest_size=16).hexdigest()


@pytest.mark.parametrize("vector", vectors("identity"))
def test_identity_vectors(vector):
    assert computed(vector["kind"], vector["inputs"]) == vector["expected"]


@pytest.mark.parametrize("vector", vectors("join"), ids=lambda v: v["what"])
def test_join_vectors(vector):
    distance = max(vector["job_start"] - vector["log_start"], vector["log_start"] - vector["job_end"])
    assert (distance <= JOIN_PADDING_SECONDS) == vector["joins"]


@pytest.mark.parametrize("vector", vectors("text"), ids=lambda v: v["what"])
def test_text_vectors(vector):
    raw = bytes.fromhex(vector["raw_hex"])
    assert escape(raw) == vector["escaped"]
    assert unescape(vector["escaped"]) == raw


@given(st.binary())
def test_any_bytes_come_back(raw):
    assert unescape(escape(raw)) == raw
