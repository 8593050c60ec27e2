"""Single-object encoding: known bytes, every frozen schema, strangers."""

import io
import json

import fastavro
import pytest
from fastavro.schema import fingerprint, to_parsing_canonical_form
from fastavro.utils import generate_one
from hypothesis import given, settings
from hypothesis import strategies as st
from weir import wire
from weir.schemas_dir import SCHEMAS

NAMES = sorted(path.stem for path in (SCHEMAS / "avro").glob("*.avsc"))
MANIFEST = {
    "cluster": "c", "job_id": 7, "job_uid": None, "scan_time": 1_000_000, "final": True,
    "log_ids": ["ab"], "origin": "live",
}  # fmt: skip


def test_bytes_of_a_manifest_by_hand():
    # string c, long 7, union branch 0, long 1000000, true, one string, end of array, string live
    body = bytes([2]) + b"c" + bytes([14, 0, 0x80, 0x89, 0x7A, 1, 2, 4]) + b"ab" + bytes([0, 8]) + b"live"
    assert wire.encode("JobManifest", MANIFEST)[10:] == body


def test_a_message_comes_back():
    name, record = wire.decode(wire.encode("JobManifest", MANIFEST))
    assert name == "JobManifest"
    assert record["log_ids"] == ["ab"]


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_in_force_is_the_newest_frozen_one(name):
    frozen = sorted((SCHEMAS / "avro/history" / name).glob("*.avsc"), key=lambda p: int(p.stem))
    assert json.loads((SCHEMAS / "avro" / f"{name}.avsc").read_text()) == json.loads(frozen[-1].read_text())


@pytest.mark.parametrize("name", NAMES)
def test_every_frozen_schema_is_read_by_the_one_in_force(name):
    for path in (SCHEMAS / "avro/history" / name).glob("*.avsc"):
        writer = fastavro.parse_schema(json.loads(path.read_text()))
        mark = bytes.fromhex(fingerprint(to_parsing_canonical_form(writer), "CRC-64-AVRO"))
        out = io.BytesIO()
        fastavro.schemaless_writer(out, writer, generate_one(writer))
        assert wire.decode(b"\xc3\x01" + mark + out.getvalue())[0] == name


@pytest.mark.parametrize("message", [b"", b"\xc3\x01short", b"\xc3\x01" + bytes(8) + b"x", b'{"a": 1}'])
def test_strangers_are_refused(message):
    with pytest.raises(ValueError, match="unknown schema"):
        wire.decode(message)


def test_a_missing_field_is_named():
    with pytest.raises(Exception, match="scan_time"):
        wire.encode("JobManifest", {k: v for k, v in MANIFEST.items() if k != "scan_time"})


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from(sorted((SCHEMAS / "avro/history").glob("*/*.avsc"))),
    st.randoms(use_true_random=False),
    st.lists(st.sampled_from((b"\xfe\xff\xff\xff\x0f", b"\xff\xff\xff\xff\x0f", b"\x01", b"", b"\xff" * 10))),
)
def test_any_bytes_behind_a_known_fingerprint_are_a_record_or_a_value_error(path, chance, put):
    parsed = fastavro.parse_schema(json.loads(path.read_text()))
    out = io.BytesIO()
    fastavro.schemaless_writer(out, parsed, generate_one(parsed))
    damaged = bytearray(out.getvalue())
    for piece in put:
        at = chance.randrange(len(damaged) + 1)
        damaged[at : at + chance.randrange(3)] = piece
    mark = bytes.fromhex(fingerprint(to_parsing_canonical_form(parsed), "CRC-64-AVRO"))
    try:
        name, record = wire.decode(b"\xc3\x01" + mark + damaged)
    except ValueError as refused:
        assert path.parent.name in str(refused)
    else:
        assert name == path.parent.name
        assert isinstance(record, dict)
