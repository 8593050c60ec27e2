"""The words of reports as rows: one for each rule and each advice, of no run in particular."""

import json
import re

from migrated_engine import migrated
from weir.admin import report_words
from weir.schemas_dir import SCHEMAS
from weir.yaml_file import load


class Client:
    """Inserts into the engine in this process."""

    def __init__(self, session):
        self.session = session

    def insert(self, table, rows, database, column_names):
        lines = "\n".join(json.dumps(dict(zip(column_names, row, strict=True))) for row in rows)
        self.session.query(f"INSERT INTO {database}.{table} FORMAT JSONEachRow {lines}")


def test_a_verdict_is_called_what_reports_call_it():
    called = {key: text for kind, key, text in report_words.rows() if kind == "verdict"}
    assert called == {
        "application": "The program",
        "storage": "The file system",
        "both": "Both",
        "unknown": "Unknown",
        "not_slow": "Not slow",
    }


def test_each_rule_and_each_advice_has_its_words():
    rules = [load(file) for file in (SCHEMAS / "rules").glob("*.yaml")]
    words = {(kind, key): text for kind, key, text in report_words.rows()}
    assert {rule["id"] for rule in rules} <= {key for kind, key in words if kind == "finding"}
    advised = {
        each if isinstance(each, str) else each["id"] for rule in rules for each in rule.get("advice", ())
    }
    assert advised <= {key for kind, key in words if kind == "advice"}
    assert all(text and not re.search("[{}]", text) for (kind, _), text in words.items() if kind == "finding")


def test_a_number_that_no_run_has_given_is_a_name():
    words = dict(row[1:] for row in report_words.rows() if row[0] == "advice")
    assert "there were <opens> + <stdio_opens> opens for <data_files> files" in words["fewer_opens"]
    assert "H5Pset_alignment(fapl, 65536, <stripe_size_bytes>)" in words["hdf5_alignment"]
    assert "HDF5" not in words["align_to_stripe"], "which is of all runs"


def test_newer_words_take_the_place_of_older_ones(tmp_path):
    session = migrated(tmp_path)
    count = "SELECT count(), uniqExact(kind, key) FROM report_words"
    try:
        for _ in range(2):
            report_words.store(Client(session), "weir")
            rows = len(list(report_words.rows()))
            assert str(session.query(count, "TSV")).split() == [str(rows), str(rows)]
    finally:
        session.close()
