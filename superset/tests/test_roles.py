"""Who may see which rows: none about a person without a rule, and for users none but live messages."""

import re

import pytest
from weir_superset import assets, roles
from weir_superset.identity import asset_uuid

ASSETS = assets.read()
ABOUT_MESSAGES = re.compile(r"\bFROM (cases|alerts|deliveries|alert_controls)\b")
# Seconds alone, of all messages together.
WITHOUT_PERSON = {"alert_latency"}


def about_messages():
    return {name for name, dataset in ASSETS.datasets.items() if ABOUT_MESSAGES.search(dataset.sql)}


class Recorder:
    """Stands for Superset: numbers the objects, and keeps what it is given."""

    def __init__(self):
        self.did, self.numbers = [], {}

    def ids(self, _kind):
        return {str(asset_uuid("datasets", name)): number for number, name in enumerate(ASSETS.datasets)}

    def role(self, name):
        return self.numbers.setdefault(name, len(self.numbers))

    def dataset_access(self):
        return {number: f"access to {number}" for number in range(len(ASSETS.datasets))}

    def put_row_level_security(self, name, rule):
        self.did.append((name, rule))

    def set_permissions(self, role, permissions):
        self.did.append((role, permissions))


@pytest.fixture
def loaded():
    superset = Recorder()
    roles.load(ASSETS, superset)
    return superset


def test_datasets_about_messages_have_the_user_and_the_mode_of_each_row():
    assert about_messages() >= {"alert_cases", "alert_decisions", "alert_deliveries"}
    assert about_messages() - set(roles.personal(ASSETS)) == WITHOUT_PERSON
    assert about_messages() - set(roles.with_mode(ASSETS)) == WITHOUT_PERSON
    for name in WITHOUT_PERSON:
        named = {column.name for column in ASSETS.datasets[name].columns}
        assert named.isdisjoint({"user", "recipient", "subject", "alert", "program"})


def test_users_open_what_has_an_owner_only():
    assert set(ASSETS.roles["user"].datasets) <= set(roles.personal(ASSETS))


@pytest.mark.parametrize("page", ["jobs", "alerts", "findings"])
def test_users_open_every_chart_of_their_pages(page):
    asked = {ASSETS.charts[chart].dataset for chart in ASSETS.dashboards[page].charts()}
    assert asked <= set(ASSETS.roles["user"].datasets)


def test_rules_are_there_before_any_role_opens_a_dataset(loaded):
    names = [name for name, _ in loaded.did]
    assert names[:2] == [roles.RULE, roles.LIVE_RULE]
    assert len(names) == 2 + len(ASSETS.roles)


def test_each_rule_holds_on_its_datasets_for_all_but_staff(loaded):
    names = list(ASSETS.datasets)
    exempt = [loaded.role("Admin"), loaded.role("Weir staff")]
    (_, own), (_, live) = loaded.did[:2]
    assert [names[number] for number in own["tables"]] == roles.personal(ASSETS)
    assert [names[number] for number in live["tables"]] == roles.with_mode(ASSETS)
    assert own["clause"] == "user IN {{ [current_username()] | where_in }}"
    assert live["clause"] == "mode = 'live'"
    assert own["roles"] == live["roles"] == exempt
    assert own["filter_type"] == live["filter_type"] == "Base"
