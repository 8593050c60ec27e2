"""Site and rule files: every problem at once, with its line; rule conditions are checked by the analysis."""

import json
from pathlib import Path

import pytest
import yaml
from weir import documents
from weir.admin import rules
from weir.errors import UserError
from weir.schemas_dir import SCHEMAS


@pytest.fixture
def site(recorded):
    return yaml.safe_load((recorded / "site.yaml").read_text())


def window(**fields):
    return {"from": "2026-03-01T08:00:00+01:00", "to": "2026-03-01T18:00:00+01:00"} | fields


def problems(tmp_path, content):
    file = tmp_path / "site.yaml"
    file.write_text(content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(UserError) as error:
        documents.load_site(file)
    return str(error.value).splitlines()


def test_the_recorded_site_is_right(recorded):
    assert documents.load_site(recorded / "site.yaml")["cluster"] == "labcluster"


SAMPLE = Path(__file__).parents[2] / "infra/agents/site.example.yaml"


def test_the_sample_of_a_site_is_right_and_holds_every_key():
    sample = documents.load_site(SAMPLE)
    assert sample == documents.site_of_agents(SAMPLE, "ship", "scheduler", "devices")
    schema = json.loads((SCHEMAS / "site.schema.json").read_text())
    assert list(keys_not_in(schema, [sample], "")) == []


def keys_not_in(schema, values, place):
    """Properties of a schema that none of the values has, below their lists and objects too."""
    if "items" in schema:
        yield from keys_not_in(schema["items"], [item for each in values for item in each], place)
    for key, below in schema.get("properties", {}).items():
        found = [each[key] for each in values if key in each]
        if found:
            yield from keys_not_in(below, found, f"{place}.{key}")
        else:
            yield f"{place}.{key}"


def test_what_only_agents_need_may_be_absent_and_is_missed_by_them(tmp_path, site):
    file = tmp_path / "site.yaml"
    needed = ("cluster", "time_zone", "cores_per_node", "file_systems")
    small = {key: site[key] for key in needed}
    for file_system in small["file_systems"]:
        del file_system["devices"]
    file.write_text(yaml.safe_dump(small))
    assert documents.load_site(file) == small
    with pytest.raises(UserError) as error:
        documents.site_of_agents(file, "ship", "scheduler", "devices")
    assert str(error.value).splitlines() == [
        f"{file}:1: {key}: is missing, which weir agent {agent} needs (infra/agents/site.example.yaml)"
        for agent, key in (("ship", "log_directories"), ("scheduler", "scheduler"), ("devices", "servers"))
    ]
    for key in needed:
        assert problems(tmp_path, {each: small[each] for each in needed if each != key}) == [
            f"{file}:1: file: '{key}' is a required property"
        ]


def test_all_problems_of_shape_at_once_with_their_lines(tmp_path, site):
    site["file_systems"][1]["kind"] = "floppy"
    site["servers"][0]["sample_interval_seconds"] = 0
    del site["time_zone"]
    lines = (tmp_path / "site.yaml", problems(tmp_path, site))[1]
    text = (tmp_path / "site.yaml").read_text().splitlines()
    assert len(lines) == 3
    assert "'time_zone' is a required property" in lines[0]
    floppy = text.index("  kind: floppy") + 1
    assert f"site.yaml:{floppy}: file_systems.1.kind: 'floppy' is not one of" in lines[1]
    assert "servers.0.sample_interval_seconds" in lines[2]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda s: s.update(time_zone="Mars/Olympus"), "no IANA time zone"),
        (lambda s: s.update(alerts={"mode": "live"}), "alerts.staff: is empty"),
        (
            lambda s: s.update(alerts={"quiet_hours": {"from": "25:00", "to": "07:00"}}),
            "alerts.quiet_hours.from: '25:00' does not match",
        ),
        (lambda s: s.update(alerts={"quiet_hours": {"from": "20:00"}}), "'to' is a dependency of 'from'"),
        (lambda s: s["servers"][0].update(sample_interval_seconds=5), "longer than load_bucket_seconds"),
        (
            lambda s: s["file_systems"][0].update(devices={"ghost": ["x"]}),
            "'ghost' is not listed under servers",
        ),
        (
            lambda s: s["file_systems"][0].update(targets={"7": "vm:ghost"}),
            "file_systems.0.targets.7: device 'vm:ghost' is under no server of devices",
        ),
        (
            lambda s: s["file_systems"][0].update(shared_devices={"ghost": ["vm:vda"]}),
            "server 'ghost' has no devices of this file system",
        ),
        (
            lambda s: s["file_systems"][0].update(shared_devices={"vm": ["vm:loop0"]}),
            "'vm:loop0' stands under devices too",
        ),
        (lambda s: s["file_systems"][0].update(id="scratch2"), "'scratch2' stands here more than once"),
        (
            lambda s: s["file_systems"][0].update(mount_prefixes=["/scratch2"]),
            "'/scratch2' stands here more than once",
        ),
        (
            lambda s: s.update(maintenance_windows=[window(servers=["ghost"])]),
            "maintenance_windows.0.servers: 'ghost' is not listed under servers",
        ),
        (
            lambda s: s.update(maintenance_windows=[window(file_systems=["ghost"])]),
            "maintenance_windows.0.file_systems: 'ghost' is not listed under file_systems",
        ),
        (
            lambda s: s.update(maintenance_windows=[window(to="2026-03-01T07:00:00Z")]),
            "maintenance_windows.0.to: 2026-03-01T07:00:00Z is not after 2026-03-01T08:00:00+01:00",
        ),
        (lambda s: s.update(maintenance_windows=[window(to="2026-13-01T07:00:00Z")]), "month must be in"),
        (lambda s: s.update(maintenance_windows=[window(to="2026-04-01")]), "does not match"),
        (lambda s: s.update(storage_events={"hot_util": 2}), "2 is greater than the maximum of 1"),
        # nothing would heed them
        (lambda s: s.update(retention={"samples_days": 3}), "'retention' was unexpected"),
        (lambda s: s["file_systems"][0].update(aliases=["old"]), "'aliases' was unexpected"),
    ],
)
def test_what_a_schema_cannot_say(tmp_path, site, change, reason):
    change(site)
    (line,) = problems(tmp_path, site)
    assert reason in line


def test_a_time_needs_no_quotes(tmp_path, recorded):
    text = (recorded / "site.yaml").read_text()
    file = tmp_path / "site.yaml"
    file.write_text(
        text + "maintenance_windows:\n- {from: 2026-03-01T08:00:00Z, to: 2026-03-01T09:00Z, servers: [vm]}\n"
    )
    assert documents.load_site(file)["maintenance_windows"][0]["from"] == "2026-03-01T08:00:00Z"


def test_what_is_no_yaml(tmp_path):
    (line,) = problems(tmp_path, "cluster: [")
    assert "not YAML" in line
    assert "line 1" in line


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="No such file"):
        documents.load_site(tmp_path / "none.yaml")


@pytest.fixture
def rule():
    return {
        "id": "big", "title": "Big", "condition": "posix_bytes > 1.0",
        "evidence": ["posix_bytes"], "advice": ["a"],
    }  # fmt: skip


def rule_problems(tmp_path, *contents):
    for number, content in enumerate(contents):
        (tmp_path / f"{'big' if number == 0 else number}.yaml").write_text(
            yaml.safe_dump(content, sort_keys=False)
        )
    with pytest.raises(UserError) as error:
        rules.load(tmp_path)
    return str(error.value).splitlines()


def test_the_shape_of_rules(tmp_path, rule):
    del rule["condition"]
    (line,) = rule_problems(tmp_path, rule | {"colour": "red"})[:1]
    assert "big.yaml:1" in line


def test_a_rule_is_named_like_its_file(tmp_path, rule):
    (line,) = rule_problems(tmp_path, rule | {"id": "small"})
    assert "big.yaml:1: id: is not the file's name, big" in line


def test_an_empty_folder(tmp_path):
    with pytest.raises(UserError, match="no rule"):
        rules.load(tmp_path)
