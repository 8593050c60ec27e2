"""A person before a browser: signs in on the page, and asks as the page does."""

import csv
import io
import re
from urllib.parse import urlsplit

import httpx
from weir_superset import assets, charts, roles
from weir_superset.identity import asset_uuid

ASSETS = assets.read()
TOKEN = re.compile(r"csrf_token[^>]*?value=\"([^\"]+)\"|csrf_token&#34;: ?&#34;([^&]+)&#34;")


def opened(role):
    """Names of the datasets that a role opens."""
    return roles.opened(ASSETS.roles[role], ASSETS)


class Visitor:
    """The cookies of one browser."""

    def __init__(self, site):
        self.site = site
        self.http = httpx.Client(base_url=site.url, timeout=60, follow_redirects=True, trust_env=False)

    def sign_in(self, name, password):
        """Through the form of user name and password; whether that let one in."""
        self.send("/login/", username=name, password=password)
        return self.name() is not None

    def send(self, path, **form):
        """Sends a form, as the page of login does."""
        page = self.http.get("/login/")
        token = next(filter(None, TOKEN.search(page.text).groups()))
        headers = {"Referer": f"{self.site.url}/login/"}
        return self.http.post(path, data=form | {"csrf_token": token}, headers=headers)

    def name(self):
        """Of who is signed in; None of nobody."""
        answer = self.http.get("/api/v1/me/")
        return answer.json()["result"]["username"] if answer.is_success else None

    def roles(self):
        """Titles of one's roles."""
        return {*self.http.get("/api/v1/me/roles/").json()["result"]["roles"]}

    def home(self):
        """The path of the page that one is led to."""
        return urlsplit(str(self.http.get("/").url)).path

    def dashboards(self):
        """Those that one is offered."""
        listed = self.http.get("/api/v1/dashboard/").json()["result"]
        return {each["slug"] for each in listed}

    def post(self, path, **body):
        """Sends JSON, as the pages do."""
        token = self.http.get("/api/v1/security/csrf_token/").json()["result"]
        headers = {"X-CSRFToken": token, "Referer": self.site.url}
        return self.http.post(path, json=body, headers=headers)

    def answer(self, dataset, columns, how=None, changed=None, metrics=None, **url):
        """What a chart of these columns shows; `changed` is of its query, `how` of all that is sent."""
        chart = assets.Chart(title="", dataset=dataset, viz_type="table", params={"groupby": list(columns)})
        asked = charts.query_context(chart, ASSETS.datasets[dataset], url_params=url)
        asked["datasource"]["id"] = self.site.numbers[str(asset_uuid("datasets", dataset))]
        asked["queries"][0] |= (changed or {}) | ({"metrics": metrics} if metrics else {})
        return self.post("/api/v1/chart/data", **(asked | (how or {})))

    def rows(self, dataset, columns, **url):
        """Rows of a chart."""
        answer = self.answer(dataset, columns, **url)
        assert answer.status_code == 200, answer.text
        return [tuple(row[column] for column in columns) for row in answer.json()["result"][0]["data"]]

    def file(self, dataset, columns, **url):
        """Rows of a chart's file."""
        answer = self.answer(dataset, columns, {"result_format": "csv"}, **url)
        assert answer.status_code == 200, answer.text
        header, *lines = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
        assert len(header) == len(columns)
        return [tuple(line) for line in lines]

    def samples(self, dataset, columns, **url):
        """Rows as they are, which one sees beside a chart."""
        return self._whole(dataset, columns, "samples", **url)

    def details(self, dataset, columns, **url):
        """Rows behind a bar."""
        return self._whole(dataset, columns, "drill_detail", **url)

    def _whole(self, dataset, columns, result, **url):
        answer = self.answer(dataset, columns, {"result_type": result}, **url)
        assert answer.status_code == 200, answer.text
        return [tuple(row[column] for column in columns) for row in answer.json()["result"][0]["data"]]

    def suggestions(self, dataset, column):
        """What a filter of a column offers."""
        number = self.site.numbers[str(asset_uuid("datasets", dataset))]
        answer = self.http.get(f"/api/v1/datasource/table/{number}/column/{column}/values/")
        assert answer.status_code in (200, 403), answer.text
        return set(answer.json()["result"]) if answer.is_success else set()
