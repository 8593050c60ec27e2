"""Two users of Superset see their own rows only: on a warm cache, and by every way round it (F26)."""

import csv
import io
import secrets
from itertools import product
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
import yaml
from sign_in.people import Visitor
from weir_superset import assets, bundle, charts, check, roles
from weir_superset.client import SECURITY, Superset, SupersetError
from weir_superset.identity import asset_uuid

from . import accounts, alert_rows, recorded_logs

ASSETS = assets.read()
JOBS = ASSETS.dashboards["jobs"]
SHOWN = list(JOBS.charts())
OF_USERS, OF_MANAGEMENT = (roles.opened(ASSETS.roles[name], ASSETS) for name in ("user", "management"))
OTHERS = sorted(set(ASSETS.datasets) - set(OF_USERS))
OWN = [name for name in roles.personal(ASSETS) if name in OF_USERS]
"""The datasets of which a user sees own rows."""
OF_ONE = sorted(
    {ASSETS.charts[name].dataset for page in ("run", "job") for name in ASSETS.dashboards[page].charts()}
)
"""The datasets of a page that shows one run or job."""
OF_LEADS = sorted(
    name
    for name in {*roles.opened(ASSETS.roles["project_lead"], ASSETS)} - {*OF_ONE}
    if not name.startswith("my_") and roles.PROJECT in roles.columns(ASSETS, name)
)
"""The datasets of pages for who leads a project, but those of one run, of who is signed in, and messages."""
WITHOUT_ROWS = {
    "shown_neighbors": {alert_rows.USER, alert_rows.OTHER},  # no two runs of theirs were side by side
    "storage_fault": {alert_rows.OTHER},  # storage slowed none of their runs down
    "alert_effect": {alert_rows.OTHER},  # the first message about their program went to nobody
}
"""Users who have no row in a dataset."""
NOBODY = "nobody-of-the-center"
REPORT = "/weir/report/"
LOOKING = ("can_samples", "can_get_column_values")
"""Rights to drill to detail and to have values suggested, which Superset's role Gamma lacks."""


class Person(Superset):
    """Somebody who has signed in, and asks as the page does."""

    def ask(self, context, **changed):
        """The rows of a query, and whether they came from the cache."""
        query = context["queries"][0] | changed
        found = self.chart_data(context | {"queries": [query]})
        return found["data"], bool(found["is_cached"])

    def signed_in(self):
        """The same person before a browser: some pages take no token, but who signed in through the form."""
        http = self.visitor.http
        if "X-CSRFToken" not in http.headers:
            assert self.visitor.sign_in(*self.login)
            token = http.get(f"{SECURITY}/csrf_token/").json()["result"]
            http.headers.update({"X-CSRFToken": token, "Referer": str(http.base_url)})
        return http

    def report(self, **of):
        """The page of a report; None where there is none."""
        answer = self.signed_in().get(REPORT, params=of)
        assert answer.status_code in (200, 404), answer.text
        return answer.text if answer.status_code == 200 else None


def of_visitor(person, stack, name, password):
    """Give a person what `signed_in` needs."""
    person.visitor, person.login = Visitor(SimpleNamespace(url=stack.superset_url)), (name, password)
    return person


@pytest.fixture(scope="module")
def admin(stack, superset_site):
    """The administrator of a Superset that has the recorded center, and messages of two users."""
    login = "admin", stack.secret("superset_admin").read_text().strip()
    with Person(stack.superset_url, *login) as admin:
        yield of_visitor(admin, stack, *login)


@pytest.fixture(scope="module")
def become(stack, admin):
    """Sign in as a new user of these roles."""
    people = []

    def become(name, *titles):
        _, password = accounts.make(admin, name, *titles)
        people.append(of_visitor(Person(stack.superset_url, name, password), stack, name, password))
        return people[-1]

    yield become
    for person in people:
        person.__exit__()


@pytest.fixture(scope="module")
def runs_of(sql, superset_site):
    """User -> how many runs the database has."""
    rows = sql.rows("SELECT user, count() AS runs FROM runs WHERE user IS NOT NULL GROUP BY user")
    return {row["user"]: row["runs"] for row in rows}


@pytest.fixture(scope="module")
def two(become, admin):
    """Two users who have runs and messages, by name; both may look at rows in every way that there is."""
    looking = "Looks at rows"
    granted = []
    for right in LOOKING:
        named = f"(filters:!((col:name,opr:eq,value:{right})))"
        (found,) = admin.request("GET", f"{SECURITY}/permissions/", params={"q": named}).json()["ids"]
        of_right = f"(filters:!((col:permission,opr:rel_o_m,value:{found})))"
        listed = admin.request("GET", f"{SECURITY}/permissions-resources/", params={"q": of_right})
        granted += listed.json()["ids"]
    admin.set_permissions(admin.role(looking), granted)
    titles = ("Gamma", ASSETS.roles["user"].title, looking)
    return {name: become(name, *titles) for name in (alert_rows.USER, alert_rows.OTHER)}


@pytest.fixture(scope="module")
def context(admin):
    """What a chart, or a query of columns alone, asks of its dataset."""
    numbers = admin.ids("dataset")

    def context(name=None, *, dataset=None, columns=()):
        chart = ASSETS.charts[name] if name else None
        dataset = chart.dataset if chart else dataset
        if chart is None:
            chart = assets.Chart(
                title=dataset, dataset=dataset, viz_type="table", params={"groupby": list(columns)}
            )
        asked = charts.query_context(chart, ASSETS.datasets[dataset])
        asked["datasource"]["id"] = numbers[str(asset_uuid("datasets", dataset))]
        return asked

    return context


@pytest.fixture(scope="module")
def shown(two, sql):
    """User -> the run and the job that the address of a page names."""
    of = recorded_logs.newest_of_users(sql)
    return {name: of[name] for name in two}


def charted(person, asked):
    """Gives rows as a chart has them."""
    return result(person, asked)


def written(person, asked):
    """Gives rows of the file as which Superset lets one save a chart."""
    answer = person.request("POST", "/api/v1/chart/data", json=asked | {"result_format": "csv"})
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))) if answer.is_success else []


def sampled(person, asked):
    """Gives rows of the dataset as they are, as one looks at them beside a chart."""
    return result(person, asked, result_type="samples")


def detailed(person, asked):
    """Gives the rows behind a bar, as everybody may ask for them."""
    return result(person, asked, result_type="drill_detail")


def drilled(person, asked):
    """Gives the rows behind a bar, as the page asks for them with "Drill to detail"."""
    of = {"datasource_type": "table", "datasource_id": asked["datasource"]["id"], "page": 1, "per_page": 200}
    filters = asked["queries"][0]["filters"]
    answer = person.signed_in().post("/datasource/samples", params=of, json={"filters": filters})
    return answer.json()["result"]["data"] if answer.is_success else []


def suggested(person, asked):
    """Gives what a filter of users suggests."""
    path = f"/api/v1/datasource/table/{asked['datasource']['id']}/column/user/values/"
    answer = person.request("GET", path, params=asked["queries"][0]["url_params"])
    return [{"user": name} for name in answer.json()["result"]] if answer.is_success else []


def drilled_by(person, asked):
    """Gives a bar's parts by another column, as the page asks for them with "Drill by"."""
    count = {"expressionType": "SQL", "sqlExpression": "count()", "label": "count"}
    query = asked["queries"][0] | {"columns": ["cluster"], "metrics": [count]}
    return result(person, asked | {"queries": [query]})


def result(person, asked, **how):
    """The rows of an answer; none if it is refused."""
    answer = person.request("POST", "/api/v1/chart/data", json=asked | how)
    return answer.json()["result"][0]["data"] if answer.is_success else []


WAYS = [charted, written, sampled, detailed, drilled, suggested]


def named(rows):
    """The users whose rows these are; a file has that column alone, under the name that readers see."""
    return {row["user"] if "user" in row else next(iter(row.values())) for row in rows}


def known(dataset, name, of):
    """Whose rows a user may see of a dataset, on the page of a run of somebody."""
    return {name} - WITHOUT_ROWS.get(dataset, set()) if dataset not in OF_ONE or name == of else set()


WAYS_OF_EACH = [
    (dataset, way)
    for dataset in OWN
    for way in WAYS
    if way is not drilled or dataset not in OF_ONE  # it does not tell which run the page shows
]


@pytest.mark.parametrize(("dataset", "way"), WAYS_OF_EACH)
def test_every_way_leads_to_own_rows_and_no_others(two, shown, context, dataset, way):
    """Both see rows of their own, so that there are rows of the other which they do not see."""
    asked = context(dataset=dataset, columns=["user"])
    for of in two if dataset in OF_ONE else [alert_rows.USER]:
        asked["queries"][0]["url_params"] = shown[of]
        for name, person in two.items():
            assert named(way(person, asked)) == known(dataset, name, of), (name, of)


@pytest.mark.parametrize(
    ("dataset", "way"), [*product(OWN, [drilled_by]), ("runs", drilled), ("alert_decisions", drilled)]
)
def test_drilling_into_anothers_bar_shows_nothing(two, shown, context, dataset, way):
    asked = context(dataset=dataset, columns=["user"])
    everything = asked["queries"][0]["filters"]
    for clicked in two:
        bar = {"col": "user", "op": "==", "val": clicked}
        asked["queries"][0] |= {"filters": [*everything, bar], "url_params": shown[clicked]}
        for name, person in two.items():
            wanted = {clicked} & known(dataset, name, clicked)
            assert bool(way(person, asked)) == bool(wanted), (name, clicked)


@pytest.mark.parametrize("dataset", OWN)
def test_no_cached_answer_is_given_to_another(two, shown, context, dataset):
    asked = context(dataset=dataset, columns=["user"])
    asked["queries"][0]["url_params"] = shown[alert_rows.USER]
    seen = [(name, *two[name].ask(asked)) for name in (*two, *two)]
    assert any(cached for *_, cached in seen), "nothing came from the cache"
    for name, rows, _ in seen:
        assert named(rows) == known(dataset, name, alert_rows.USER)


@pytest.mark.parametrize("dataset", [name for name in roles.with_mode(ASSETS) if name in OWN])
def test_users_see_the_messages_that_were_sent_to_them(admin, two, context, dataset):
    """What was decided in shadow mode is for staff, though it names the user."""
    asked = context(dataset=dataset, columns=["user", "mode"])
    for name, person in two.items():
        wanted = [{"user": name, "mode": "live"}] if known(dataset, name, name) else []
        assert person.ask(asked)[0] == wanted
    modes = {row["mode"] for row in admin.ask(asked)[0]}
    assert modes > {"live"} or dataset == "alert_deliveries"  # in another mode nothing was delivered


@pytest.mark.parametrize("chart", SHOWN)
def test_each_sees_own_rows_on_a_warm_cache(admin, two, context, chart):
    asked = context(chart)
    truth = {}
    for name in two:
        only = {"filters": [*asked["queries"][0]["filters"], {"col": "user", "op": "==", "val": name}]}
        truth[name], _ = admin.ask(asked, **only)
    everything, _ = admin.ask(asked)
    one, other = two
    assert truth[one] != truth[other], "the two have nothing by which they are told apart"
    seen = [(name, *two[name].ask(asked)) for name in (one, other, one, other)]
    assert any(cached for *_, cached in seen), "nothing came from the cache"
    for name, rows, _ in seen:
        assert rows == truth[name]
    assert everything not in (truth[one], truth[other])


def test_the_number_of_runs_is_that_of_the_database(two, context, runs_of):
    asked = context("jobs_runs")
    for name, person in two.items():
        assert person.ask(asked)[0] == [{"runs_count": runs_of[name]}]


@pytest.mark.parametrize(
    "where", ["1 = 1) OR (1 = 1", "1 = 1 OR user != ''", "user IN (SELECT user FROM runs)", "1 = 1 -- "]
)
def test_a_condition_of_their_own_opens_nothing(two, context, where):
    asked = context(dataset="runs", columns=["user"])
    for name, person in two.items():
        try:
            rows, _ = person.ask(asked, extras={"where": where})
        except SupersetError:
            continue  # refused
        assert {row["user"] for row in rows} <= {name}


def test_the_report_of_anothers_run_or_job_is_not_there(become, two, sql):
    of = recorded_logs.newest_of_users(sql)
    assert len(of) > 1
    for name in of:
        person = two.get(name) or become(name, "Gamma", ASSETS.roles["user"].title)
        for owner, named in of.items():
            for subject, value in named.items():
                report = person.report(**{subject: value})
                assert (report is not None and "I/O report" in report) == (name == owner), (
                    name,
                    owner,
                    subject,
                )


@pytest.mark.parametrize("value", ["' OR '1' = '1", "\\' OR 1 -- ", "../../etc/passwd", "--help", "%", ""])
def test_the_name_of_a_report_cannot_be_more(two, value):
    for person in two.values():
        assert person.report(run=value) is None
        assert person.report(job=value) is None


@pytest.mark.parametrize("dataset", OF_ONE)
def test_the_page_of_anothers_run_or_job_is_empty(admin, two, context, sql, dataset):
    asked = context(dataset=dataset, columns=["user"])
    one, other = two
    newest = "SELECT log_id, job_uid FROM runs WHERE user = {user:String} AND job_uid != '' LIMIT 1"
    (shown,) = sql.rows(newest, user=other)
    for subject, name in (("run", shown["log_id"]), ("job", shown["job_uid"])):
        if dataset.startswith(("run_", "job_")) and not dataset.startswith(subject):
            continue
        assert two[one].ask(asked, url_params={subject: name})[0] == []
        told = two[other].ask(asked, url_params={subject: name})[0]
        assert told == admin.ask(asked, url_params={subject: name})[0]
        assert {row["user"] for row in told} <= {other}


@pytest.mark.parametrize("in_the_address", [True, False])
@pytest.mark.parametrize(
    "value", ["x' OR '1' = '1", "x\\' OR 1 = 1 -- ", "x') OR (1 = 1", "{{ current_username() }}"]
)
def test_the_name_of_a_run_cannot_be_sql(two, context, value, in_the_address):
    asked = context(dataset="shown_runs", columns=["user"])
    for person in two.values():
        if in_the_address:
            path = "/api/v1/chart/data?" + urlencode({"run": value})
        else:
            path, asked["queries"][0]["url_params"] = "/api/v1/chart/data", {"run": value}
        answer = person.request("POST", path, json=asked)
        assert answer.status_code == 200, answer.text
        assert answer.json()["result"][0]["data"] == []


@pytest.mark.parametrize("dataset", OTHERS)
def test_what_is_not_theirs_is_refused(two, context, dataset):
    column = ASSETS.datasets[dataset].columns[0].name
    for person in two.values():
        with pytest.raises(SupersetError, match="403"):
            person.ask(context(dataset=dataset, columns=[column]))


def test_users_have_the_dashboards_that_show_what_is_theirs_and_no_sql(two):
    """Superset lists *Center* and *Projects*, too, as both have the list of jobs."""
    for person in two.values():
        listed = person.request("GET", "/api/v1/dashboard/").json()["result"]
        assert {each["slug"] for each in listed} == {
            *("home", "my_jobs", "jobs", "run", "job", "center", "projects", "alerts", "findings")
        }
        query = {"database_id": 1, "sql": "SELECT DISTINCT user FROM runs", "client_id": "x" * 10}
        assert person.request("POST", "/api/v1/sqllab/execute/", json=query).status_code in (403, 404)


def test_a_role_made_by_hand_opens_no_rows_of_others(become, context):
    assert become(NOBODY, "Alpha").ask(context(dataset="runs", columns=["user"]))[0] == []


def test_a_name_that_is_sql_is_a_name(become, context):
    sly = become(f"x') OR ('{secrets.token_hex(2)}' != '", "Gamma", ASSETS.roles["user"].title)
    for dataset in ("runs", "my_runs"):
        assert sly.ask(context(dataset=dataset, columns=["user"]))[0] == []


def test_who_may_see_everybody_sees_own_rows_among_my_jobs(become, context, two):
    """The rule of rows does not hold for staff, so that the dataset itself must."""
    name = next(iter(two))
    staff = become("staff-without-runs", "Gamma", ASSETS.roles["staff"].title)
    assert staff.ask(context(dataset="my_runs", columns=["user"]))[0] == []
    assert {row["user"] for row in two[name].ask(context(dataset="my_runs", columns=["user"]))[0]} == {name}


def test_staff_sees_everybody_and_every_chart(become, context, runs_of, tell):
    staff = become("staff-of-the-center", "Gamma", ASSETS.roles["staff"].title)
    seen = {row["user"] for row in staff.ask(context(dataset="runs", columns=["user"]))[0]}
    assert seen >= set(runs_of)
    listed = staff.request("GET", "/api/v1/dashboard/").json()["result"]
    assert {each["slug"] for each in listed} == set(ASSETS.dashboards)
    answers = list(check.answers(ASSETS, staff))
    assert {answer.chart for answer in answers} == set(ASSETS.charts)
    assert [answer for answer in answers if answer.error] == []
    slowest = sorted(answers, key=lambda answer: -answer.seconds)
    tell("\n".join(f"{each.dashboard}, {each.chart}: {each.seconds:.2f} s" for each in slowest[:5]))


@pytest.fixture(scope="module")
def lead(project_leads, become, sql):
    """Somebody who ran nothing and leads the project that most users run in, its name, and its users."""
    counted = "SELECT account, groupUniqArray(user) AS users FROM runs WHERE account != '' AND user != ''"
    found = sql.rows(f"{counted} GROUP BY account ORDER BY length(users) DESC, account LIMIT 1")
    project_leads.write_text(yaml.safe_dump({found[0]["account"]: "lead-of-a-project"}))
    person = become("lead-of-a-project", "Gamma", ASSETS.roles["project_lead"].title)
    yield person, found[0]["account"], set(found[0]["users"])
    project_leads.unlink()


@pytest.mark.parametrize("dataset", OF_LEADS)
def test_a_lead_sees_own_projects_and_no_other(admin, lead, context, dataset):
    person, account, users = lead
    asked = context(dataset=dataset, columns=["user", "account"])
    whole, seen = (sorted(asker.ask(asked)[0], key=str) for asker in (admin, person))
    assert seen == [row for row in whole if row["account"] == account] != whole
    assert seen
    assert {row["user"] for row in seen} <= users


@pytest.mark.parametrize("way", WAYS)
def test_every_way_leads_a_lead_to_the_project(lead, context, way):
    """Gamma alone has no suggestions, and does not drill to detail."""
    person, _, users = lead
    seen = named(way(person, context(dataset="runs", columns=["user"])))
    assert seen == (set() if way in (drilled, suggested) else users)


@pytest.mark.parametrize("dataset", [name for name in OF_ONE if name.startswith(("run_", "shown_"))])
def test_the_page_of_a_run_is_for_the_lead_of_its_project(admin, lead, context, sql, dataset):
    person, account, _ = lead
    asked = context(dataset=dataset, columns=["user", "account"])
    for same in (1, 0):
        newest = "SELECT log_id FROM runs WHERE (account = {account:String}) = {same:UInt8} LIMIT 1"
        subject = {"run": sql.one(newest, account=account, same=same)}
        whole, _ = admin.ask(asked, url_params=subject)
        seen, _ = person.ask(asked, url_params=subject)
        assert seen == [row for row in whole if row["account"] == account]


@pytest.fixture(scope="module")
def manager(become):
    """Somebody who sees totals, and no name of a person."""
    return become("manager-of-the-center", "Gamma", ASSETS.roles["management"].title)


@pytest.mark.parametrize("dataset", [*OF_MANAGEMENT, "runs", "my_runs", "storage_events"])
def test_management_reads_no_name(manager, context, runs_of, dataset):
    columns = [column.name for column in ASSETS.datasets[dataset].columns]
    asked = context(dataset=dataset, columns=columns)
    if dataset not in OF_MANAGEMENT:
        with pytest.raises(SupersetError, match="403"):
            manager.ask(asked)
        assert [way for way in WAYS if way(manager, asked)] == []
        return
    for rows in [way(manager, asked) for way in (charted, written, sampled, detailed)]:
        assert rows
        assert {value for row in rows for value in map(str, row.values())}.isdisjoint(runs_of)


def test_management_has_the_pages_with_totals_and_no_sql(manager):
    listed = manager.request("GET", "/api/v1/dashboard/").json()["result"]
    assert {each["slug"] for each in listed} == {"management", "center"}
    query = {"database_id": 1, "sql": "SELECT DISTINCT user FROM runs", "client_id": "x" * 10}
    assert manager.request("POST", "/api/v1/sqllab/execute/", json=query).status_code in (403, 404)


def test_two_roles_open_no_more_than_each(become, context, two):
    """Of a page that is not of the storage role its user sees own rows, everybody's on others."""
    asked = context(dataset="run_io_share_bins", columns=["user"])
    titles = [ASSETS.roles[name].title for name in ("user", "storage")]
    both = become("storage-admin-of-the-center", "Gamma", *titles)
    assert both.ask(asked)[0] == []
    support = become("support-of-the-center", "Gamma", ASSETS.roles["support"].title)
    assert {row["user"] for row in support.ask(asked)[0]} >= set(two)


def test_loading_twice_changes_no_role_and_no_rule(admin, two, stack):
    def state():
        kinds = ("rowlevelsecurity", "security/roles")
        counts = [admin.request("GET", f"/api/v1/{kind}/").json()["count"] for kind in kinds]
        return counts, {kind: admin.ids(kind) for kind in ("dataset", "chart", "dashboard")}

    before = state()
    uri = f"clickhousedb://reader@127.0.0.1:{stack.ports['clickhouse']}/weir"
    password = stack.clickhouse_secret("reader").read_text().strip()
    passwords = {bundle.database_path(name): password for name in ASSETS.databases}
    admin.import_assets(bundle.zipped(ASSETS, uri), passwords)
    roles.load(ASSETS, admin)
    assert state() == before
