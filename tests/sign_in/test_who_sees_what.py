"""What each role sees in a real Superset: charts, files, details, filters, pages, expressions, SQL."""

import pytest
from weir_superset import roles

from .conftest import LEADS, RUNS
from .people import ASSETS, Visitor, opened

NAMES = {user for user, _ in RUNS}
WAYS = ["rows", "file", "samples", "details"]
OF_ONE = {ASSETS.charts[name].dataset for page in ("run", "job") for name in ASSETS.dashboards[page].charts()}
NOTHING_RECORDED = {"shown_ranks", "shown_activity", "shown_files"}
"""Pages of one run that need more than a run: this center has no heat maps and no records of files."""


def may_see(name, run):
    """Whether a run, by user and account, is for a person."""
    user, account = run
    everybody = name in ("eve", "sam", "max")
    return everybody or user == name or (name == "ada" and LEADS.get(account) == name)


@pytest.mark.parametrize(
    ("dataset", "way"),
    [*(("runs", way) for way in WAYS), ("jobs", "rows"), ("findings", "rows")],
)
@pytest.mark.parametrize("name", ["ada", "bob", "dee", "eve", "sam", "max"])
def test_each_sees_own_rows_leads_those_of_their_projects_and_support_all(person, name, dataset, way):
    """dee is named in the file of leads, and has not the role; bob has the role, and is not in the file."""
    seen = getattr(person(name), way)(dataset, ["user", "account"])
    assert set(seen) == {
        (user, account or "(unknown)") for user, account in RUNS if may_see(name, (user, account))
    }


@pytest.mark.parametrize("dataset", sorted(OF_ONE))
def test_the_page_of_a_run_or_a_job_shows_what_the_list_does(person, dataset):
    """The second run is of bob and of a project of ada's, the fourth of neither."""
    for number in (2, 4):
        subject = {"job": f"a/{number}"} if dataset == "job_facts" else {"run": f"log{number}"}
        whole = person("max").rows(dataset, ["user", "account"], **subject)
        assert whole or dataset in NOTHING_RECORDED
        for name in ("ada", "bob"):
            seen = person(name).rows(dataset, ["user", "account"], **subject)
            assert set(seen) == {run for run in whole if may_see(name, run)}


@pytest.mark.parametrize("name", ["ada", "bob", "mia"])
def test_filters_offer_no_name_of_others(person, name):
    known = {"ada": {"ada", "bob", "cem"}, "bob": {"bob"}}.get(name, set())
    assert person(name).suggestions("runs", "user") <= known


def test_one_answer_in_the_cache_is_not_that_of_another(person):
    """All ask the same within the seconds that an answer is kept, twice."""
    seen = [(name, person(name).rows("jobs", ["user"])) for name in ("max", "ada", "bob", "cem") * 2]
    for name, rows in seen:
        runs = [(user, account) for user, account in RUNS if may_see(name, (user, account))]
        assert {user for (user,) in rows} == {user for user, _ in runs}


@pytest.mark.parametrize("dataset", roles.personal(ASSETS))
@pytest.mark.parametrize("name", ["mia", "sam"])
def test_management_and_storage_see_no_more_than_their_pages(person, name, dataset):
    """Of the rest they see own rows, as whoever signs in, of which they have none."""
    answer = person(name).answer(dataset, ["user"])
    if name == "sam" and dataset in opened("storage"):
        assert answer.json()["result"][0]["data"] == [
            {"user": user} for (user,) in person("max").rows(dataset, ["user"])
        ]
    elif dataset in opened("user"):
        assert answer.json()["result"][0]["data"] == []
    else:
        assert answer.status_code == 403


@pytest.mark.parametrize("dataset", opened("management"))
def test_management_reads_totals_and_no_name(person, dataset):
    columns = sorted(roles.columns(ASSETS, dataset))
    for way in WAYS:
        values = {str(value) for row in getattr(person("mia"), way)(dataset, columns) for value in row}
        assert not [value for value in values if any(name in value for name in NAMES)]
    for column in columns:
        offered = {str(value) for value in person("mia").suggestions(dataset, column)}
        assert offered.isdisjoint(NAMES)


EXPRESSIONS = [
    "max(user)",
    "(SELECT max(user) FROM runs)",
    "(SELECT max(user) FROM weir.job_results)",
    "dictGet('x', 'y', 1)",
    "max(project)",
    "any(each.people)",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("name", ["mia", "bob"])
def test_an_expression_of_their_own_names_nobody(person, name, expression):
    metric = {"expressionType": "SQL", "sqlExpression": expression, "label": "name"}
    for dataset in ("project_totals", "runs"):
        answer = person(name).answer(dataset, [], metrics=[metric])
        found = (
            {str(row["name"]) for row in answer.json()["result"][0]["data"]} if answer.is_success else set()
        )
        assert found & NAMES <= {name}


def test_a_condition_cannot_leave_the_brackets(person):
    for where in ("1 = 1) OR (1 = 1", "1 = 1 OR user != ''", "1 = 1 -- ", "account != ''"):
        answer = person("ada").answer("runs", ["user", "account"], changed={"extras": {"where": where}})
        data = answer.json()["result"][0]["data"] if answer.is_success else []
        assert all(may_see("ada", (row["user"], row["account"])) for row in data)


def test_projects_with_few_users_are_added_up(person):
    """genomics has two users, climate two: their totals would be those of people."""
    assert person("mia").rows("project_totals", ["account"]) == [("(projects of fewer than 3 users)",)]


@pytest.mark.parametrize(
    ("name", "home"),
    [
        ("ada", "home"),
        ("bob", "home"),
        ("eve", "home"),
        ("max", "home"),
        ("mia", "management"),
        ("sam", "home"),
    ],
)
def test_each_is_led_to_a_page_that_they_may_see(person, name, home):
    assert person(name).home() == f"/superset/dashboard/{home}/"
    assert home in person(name).dashboards()


@pytest.mark.parametrize("name", ["ada", "bob", "eve", "mia", "sam", "max"])
def test_sql_is_for_no_role_of_weirs(person, name):
    """An administrator gives Superset's own role sql_lab beside Weir staff: SQL shows everybody's rows."""
    query = {"database_id": 1, "sql": "SELECT DISTINCT user FROM runs", "client_id": "x" * 10}
    assert person(name).post("/api/v1/sqllab/execute/", **query).status_code in (403, 404)
    assert person(name).http.get("/api/v1/sqllab/").status_code in (403, 404)


def test_who_leads_what_changes_at_once_and_a_broken_file_opens_nothing(person, project_leads, ldap_site):
    text = project_leads.read_text()
    try:
        for content in ("genomics: bob\n", "not a map", "genomics: [ada]", ""):
            project_leads.write_text(content)
            # Another question than before: an answer is kept for some seconds.
            label = f"account, {content!r}"
            count = {"expressionType": "SQL", "sqlExpression": "uniqExact(user)", "label": label}
            answer = person("ada").answer("runs", ["user"], metrics=[count])
            assert {row["user"] for row in answer.json()["result"][0]["data"]} == {"ada"}
    finally:
        project_leads.write_text(text)
    assert Visitor(ldap_site).name() is None
