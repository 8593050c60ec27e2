"""The saved questions in SQL Lab: each is there once, runs as it stands, and is for all who have SQL Lab."""

import re
import secrets
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from weir_superset import assets, bundle
from weir_superset.client import Superset

from .pages import Dashboard

QUESTIONS = assets.read().questions
PATH = "/api/v1/saved_query/"


class Person(Superset):
    """Somebody who has signed in, and works in SQL Lab."""

    def request(self, method, path, **request):
        """The answer, whatever it is."""
        return self._http.request(method, path, **request)

    def listed(self):
        """Saved queries by label, each label once."""
        rows = list(self._all(PATH, "columns:!(id,label,sql,database.id)"))
        found = {row["label"]: row for row in rows}
        assert len(found) == len(rows)
        return found

    def run(self, query):
        """The lines that SQL Lab shows of a saved query."""
        asked = {"database_id": query["database"]["id"], "sql": query["sql"], "schema": "weir"}
        asked |= {"client_id": secrets.token_hex(5), "queryLimit": 1000, "runAsync": False}
        answer = self.request("POST", "/api/v1/sqllab/execute/", json=asked)
        assert answer.status_code == 200, answer.text
        assert answer.json()["status"] == "success"
        return answer.json()["data"]


def label(name):
    return bundle.SHIPPED + QUESTIONS[name].title


@pytest.fixture(scope="module")
def admin(superset_site):
    with Person(superset_site.url, superset_site.user, superset_site.password) as admin:
        yield admin


@pytest.fixture(scope="module")
def queries(admin):
    return admin.listed()


def test_each_question_is_there_with_what_its_file_says(queries):
    shipped = {name: query["sql"] for name, query in queries.items() if name.startswith(bundle.SHIPPED)}
    assert shipped == {label(name): question.statement() for name, question in QUESTIONS.items()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_runs_as_it_stands(admin, queries, name):
    lines = admin.run(queries[label(name)])
    assert all("cluster" in line for line in lines)


@pytest.mark.parametrize(
    ("rest", "numbers"),
    [
        ("LIMIT 5", [99, 98, 97, 96, 95]),
        ("LIMIT 2 OFFSET 3", [96, 95]),
        ("LIMIT 1 + 1", [99, 98]),
        ("LIMIT 2 BY number % 3", [99, 98, 97, 96, 95, 94]),
        ("FETCH FIRST 2 ROWS ONLY", [99, 98]),
    ],
)
def test_a_limit_is_kept(admin, queries, rest, numbers):
    asked = queries[label("interfaces")] | {"sql": f"SELECT number FROM numbers(100) ORDER BY 1 DESC {rest}"}
    assert [line["number"] for line in admin.run(asked)] == numbers


@pytest.mark.parametrize("rest", ["", "LIMIT 3000"])
def test_no_more_is_shown_than_the_page_asks_for(admin, queries, rest):
    asked = queries[label("interfaces")] | {"sql": f"SELECT number FROM numbers(5000) {rest}"}
    assert [line["number"] for line in admin.run(asked)] == list(range(1000))


def test_ties_are_no_more_than_the_page_asks_for(admin, queries):
    tied = "SELECT 7 AS number FROM numbers(5000) ORDER BY 1 LIMIT 1 WITH TIES"
    assert len(admin.run(queries[label("interfaces")] | {"sql": tied})) == 1000


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("toUInt64('18446744073709551615')", "18446744073709551615"),
        ("toInt64('-9007199254740993')", "-9007199254740993"),
        ("toNullable(toUInt64('9223372036854775808'))", "9223372036854775808"),
        ("3.219833409849377e28", "3.219833409849377e+28"),
        ("toUInt64(9007199254740991)", 9007199254740991),
        ("0.5", 0.5),
    ],
)
def test_a_number_is_shown_as_it_is(admin, queries, number, shown):
    asked = queries[label("interfaces")] | {"sql": f"SELECT {number} AS n UNION ALL SELECT NULL"}
    assert shown in [line["n"] for line in admin.run(asked)]


def test_an_answer_is_that_of_the_tables(admin, queries):
    used = {line["module"]: line for line in admin.run(queries[label("interfaces")])}
    assert used["POSIX"]["runs"] >= used["MPI-IO"]["runs"] > 0


def test_loading_again_brings_back_what_was_changed_and_leaves_what_people_saved(
    superset_site, admin, queries
):
    if superset_site.database_uri is None:
        pytest.skip("WEIR_TEST_SUPERSET_DATABASE_URI is not set: this Superset is not ours to load into")
    shipped = queries[label("io_by_user")]
    own = {"label": f"mine {secrets.token_hex(4)}", "sql": "SELECT 1", "db_id": shipped["database"]["id"]}
    made = admin.request("POST", PATH, json=own)
    assert made.status_code == 201, made.text
    try:
        changed = admin.request("PUT", f"{PATH}{shipped['id']}", json={"sql": "SELECT 2"})
        assert changed.status_code == 200, changed.text
        superset_site.load()
        after = admin.listed()
        assert after.pop(own["label"])["sql"] == own["sql"]
        assert after == queries
    finally:
        admin.request("DELETE", f"{PATH}{made.json()['id']}")


def test_others_with_sql_lab_read_them_and_change_none(superset_site, admin, queries):
    name, password = f"lab-{secrets.token_hex(4)}", secrets.token_urlsafe(12)
    wanted = {"username": name, "first_name": name, "last_name": name, "email": f"{name}@localhost"}
    wanted |= {"active": True, "password": password, "roles": [admin.role("Gamma"), admin.role("sql_lab")]}
    made = admin.request("POST", "/api/v1/security/users/", json=wanted)
    assert made.status_code == 201, made.text
    try:
        with Person(superset_site.url, name, password) as person:
            assert set(person.listed()) == {each for each in queries if each.startswith(bundle.SHIPPED)}
            shipped = f"{PATH}{queries[label('io_by_user')]['id']}"
            assert person.request("GET", shipped).status_code == 200
            assert person.request("PUT", shipped, json={"sql": "SELECT 2"}).status_code == 404
            assert person.request("DELETE", shipped).status_code == 404
            trap = {"label": f"{bundle.SHIPPED}trap", "sql": "SELECT 1"}
            trap["db_id"] = queries[label("io_by_user")]["database"]["id"]
            assert person.request("POST", PATH, json=trap).status_code == 201
            assert trap["label"] not in admin.listed()
    finally:
        admin.request("DELETE", f"/api/v1/security/users/{made.json()['id']}")


@pytest.mark.parametrize("one", ["run", "job"])
def test_the_page_of_one_leads_to_its_rows(page, shown, one):
    Dashboard(page, one, shown[one])
    page.get_by_role("link", name="all columns", exact=True).click()
    page.wait_for_url(re.compile(r"/sqllab"))
    page.locator(".ace_line", has_text=parse_qs(shown[one])[one][0]).first.wait_for()


@pytest.mark.parametrize("one", ["run", "job"])
@pytest.mark.parametrize(
    "value", ["' OR '1' = '1", "\\' OR 1 -- ", "\\", "x' UNION ALL SELECT * FROM runs -- "]
)
def test_an_address_of_rows_cannot_be_sql(admin, one, value):
    answer = admin.request("GET", f"/weir/rows/?{urlencode({one: value})}")
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    query = {"database": {"id": int(asked["dbid"][0])}, "sql": asked["sql"][0]}
    assert answer.status_code == 302
    assert admin.run(query) == []


def test_an_address_that_names_nothing_is_none(admin):
    assert admin.request("GET", "/weir/rows/").status_code == 404


@pytest.mark.parametrize("value", ["a", "a&run=b", "//elsewhere.example/", "a\r\nSet-Cookie: b=c"])
def test_an_address_of_a_job_leads_to_its_page_alone(admin, value):
    answer = admin.request("GET", f"/weir/job/?{urlencode({'job': value})}")
    to = urlsplit(answer.headers["location"])
    assert (answer.status_code, to.netloc, to.path) == (302, "", "/superset/dashboard/job/")
    assert parse_qs(to.query) == {"job": [value]}
