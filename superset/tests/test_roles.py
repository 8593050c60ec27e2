"""Who may see which rows: none about a person without a rule, and for users none but live messages."""

import re

import jinja2
import pytest
from weir_superset import assets, roles
from weir_superset.assets import Rows
from weir_superset.identity import asset_uuid

ASSETS = assets.read()
TITLES = {name: role.title for name, role in ASSETS.roles.items()}
ABOUT_MESSAGES = re.compile(r"\bFROM ((cases|alerts|deliveries)(_since)?|alert_controls)\b")
# Seconds alone, of all messages together.
WITHOUT_PERSON = {"alert_latency"}


def opened(role):
    return {*roles.opened(ASSETS.roles[role], ASSETS)}


def about_messages():
    return {name for name, dataset in ASSETS.datasets.items() if ABOUT_MESSAGES.search(dataset.sql)}


class Recorder:
    """Stands for Superset: numbers the objects, and keeps what it is given."""

    def __init__(self):
        self.did, self.numbers, self.rules = (
            [],
            {},
            ["Own rows", "Own rows: gone", "Own rows: runs", "Another"],
        )

    def ids(self, _kind):
        return {str(asset_uuid("datasets", name)): number for number, name in enumerate(ASSETS.datasets)}

    def role(self, name):
        return self.numbers.setdefault(name, len(self.numbers))

    def dataset_access(self):
        return {number: f"access to {number}" for number in range(len(ASSETS.datasets))}

    def put_row_level_security(self, name, rule):
        self.did.append((name, rule))

    def drop_row_level_security(self, is_old):
        self.rules = [name for name in self.rules if not is_old(name)]

    def set_permissions(self, role, permissions):
        self.did.append((role, permissions))


@pytest.fixture
def loaded():
    superset = Recorder()
    roles.load(ASSETS, superset)
    return superset


def exempt(dataset):
    """Titles of the roles that see everybody's rows of a dataset."""
    return set(roles.rules(ASSETS)[f"Own rows: {dataset}"]["exempt"])


def test_datasets_about_messages_have_the_user_and_the_mode_of_each_row():
    assert about_messages() >= {"alert_cases", "alert_decisions", "alert_deliveries"}
    assert about_messages() - set(roles.personal(ASSETS)) == WITHOUT_PERSON
    assert about_messages() - set(roles.with_mode(ASSETS)) == WITHOUT_PERSON
    for name in WITHOUT_PERSON:
        assert roles.columns(ASSETS, name) <= roles.IMPERSONAL


def test_users_and_project_leads_open_what_has_an_owner_only():
    for name in ("user", "project_lead"):
        assert opened(name) <= set(roles.personal(ASSETS))


def test_a_role_opens_all_that_its_pages_show():
    """Charts and what filters suggest, and no dataset more."""
    assert opened("management") == {
        *("coverage", "filesystem_throughput", "filesystem_utilisation", "jobs_active", "project_totals")
    }
    assert opened("staff") == {*ASSETS.datasets}


def test_rules_are_there_before_any_role_opens_a_dataset(loaded):
    names = [name for name, _ in loaded.did]
    number = 1 + len(roles.personal(ASSETS))
    assert all(isinstance(name, str) for name in names[:number])
    assert len(names) == number + len(ASSETS.roles)


def test_rules_of_an_earlier_version_are_dropped_and_those_of_others_stay(loaded):
    assert loaded.rules == ["Own rows: runs", "Another"]


def test_every_dataset_that_names_users_has_a_rule_of_its_own(loaded):
    rules = {name: rule for name, rule in loaded.did if isinstance(name, str)}
    numbers = list(ASSETS.datasets)
    for name in roles.personal(ASSETS):
        rule = rules[f"Own rows: {name}"]
        assert [numbers[number] for number in rule["tables"]] == [name]
        assert rule["filter_type"] == "Base"
        assert rule["clause"].startswith("user IN {{ [current_username()] | where_in }}")
    live = rules["Live messages"]
    assert [numbers[number] for number in live["tables"]] == roles.with_mode(ASSETS)
    assert (live["clause"], live["filter_type"]) == ("mode = 'live'", "Base")
    assert live["roles"] == [loaded.role("Admin"), loaded.role(TITLES["staff"])]


def test_a_role_sees_everybody_in_what_it_opens_itself_alone():
    """A storage admin who is a user, too, sees everybody's runs, and of messages the own ones."""
    assert exempt("runs") == {"Admin", TITLES["staff"], TITLES["support"], TITLES["storage"]}
    assert exempt("alert_cases") == {"Admin", TITLES["staff"], TITLES["support"]}


@pytest.mark.parametrize("dataset", sorted(opened("management")))
def test_management_opens_no_dataset_that_returns_more_than_it_declares(engine_of, dataset):
    """An expression of a chart may name any column that the SQL returns, declared or not."""
    assert {*engine_of({}).columns(dataset)} == roles.columns(ASSETS, dataset) <= roles.IMPERSONAL


def clause(dataset, user, titles, leads):
    """What Superset makes of a rule for somebody with these roles."""
    templates = jinja2.Environment(autoescape=False, undefined=jinja2.StrictUndefined)
    templates.filters["where_in"] = lambda values: f"({', '.join(map(repr, values))})"
    return templates.from_string(roles.clause(ASSETS, dataset)).render(
        current_username=lambda: user,
        current_user_roles=lambda: titles or None,
        projects_led_by=lambda name: leads.get(name, []),
    )


LEADS = {"ada": ["genomics", "climate"]}


@pytest.mark.parametrize(
    ("user", "titles", "seen"),
    [
        ("ada", ["Gamma", TITLES["project_lead"]], "user IN ('ada') OR account IN ('genomics', 'climate')"),
        ("ada", ["Gamma", TITLES["user"]], "user IN ('ada')"),
        ("ada", [], "user IN ('ada')"),
        ("bob", [TITLES["project_lead"]], "user IN ('bob')"),
    ],
)
def test_a_project_is_seen_with_the_role_and_the_file_only(user, titles, seen):
    assert clause("runs", user, titles, LEADS) == seen


@pytest.mark.parametrize("dataset", ["alert_cases", "alert_effect"])
def test_messages_are_those_of_their_user(dataset):
    assert dataset in opened("project_lead")
    assert clause(dataset, "ada", [TITLES["project_lead"]], LEADS) == "user IN ('ada')"


def test_a_lead_opens_the_pages_of_runs_and_jobs_that_a_user_does():
    users, leads = (ASSETS.roles[name].pages for name in ("user", "project_lead"))
    # Messages are for the user who got them.
    assert {*users} - {*leads} == {"my_jobs", "alerts"}
    assert {role.rows for role in ASSETS.roles.values()} == {*Rows}
