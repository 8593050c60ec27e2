"""A signed-in connection to Superset's REST interface."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import httpx

TIMEOUT_SECONDS = 120
PAGE = 100  # more are not given at once
SECURITY = "/api/v1/security"
RULES = "/api/v1/rowlevelsecurity/"
OF_DATASET = re.compile(r"\(id:(\d+)\)$")


class SupersetError(Exception):
    """Superset refused a request; the text holds what it said."""


class Superset:
    """Signs in with user name and password; every change carries the CSRF token."""

    def __init__(self, url: str, user: str, password: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS, headers={"Referer": url})
        self._account = {"username": user, "password": password, "provider": "db", "refresh": False}
        self.sign_in()

    def sign_in(self) -> None:
        """Takes a token, which lasts for a quarter of an hour."""
        token = self._json("POST", "/api/v1/security/login", json=self._account)["access_token"]
        self._http.headers["Authorization"] = f"Bearer {token}"
        self._http.headers["X-CSRFToken"] = self._json("GET", "/api/v1/security/csrf_token/")["result"]

    def __enter__(self) -> "Superset":
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def import_assets(self, bundle: bytes, passwords: dict[str, str]) -> None:
        """Create or replace everything in the bundle; `passwords` by the database's path in it."""
        self._json(
            "POST",
            "/api/v1/assets/import/",
            files={"bundle": ("assets.zip", bundle, "application/zip")},
            data={"passwords": json.dumps(passwords)},
        )

    def ids(self, kind: str) -> dict[str, int]:
        """Superset's number of each object of a kind (`chart`, `dashboard`, ...) by uuid."""
        return {row["uuid"]: row["id"] for row in self._all(f"/api/v1/{kind}/", "columns:!(id,uuid)")}

    def chart_data(self, query_context: dict[str, Any]) -> dict[str, Any]:
        """Result of the first query of a chart; raises SupersetError with the database's message."""
        result: dict[str, Any] = self._json("POST", "/api/v1/chart/data", json=query_context)["result"][0]
        if result.get("error"):
            raise SupersetError(str(result["error"]))
        return result

    def role(self, name: str) -> int:
        """Superset's number of a role, which is made if it is missing."""
        found = self._named(f"{SECURITY}/roles/", name)
        return found or int(self._json("POST", f"{SECURITY}/roles/", json={"name": name})["id"])

    def dataset_access(self) -> dict[int, int]:
        """Number of the right to read each dataset, by the dataset's number."""
        right = self._named(f"{SECURITY}/permissions/", "datasource_access")
        of_right = f"filters:!((col:permission,opr:rel_o_m,value:{right}))"
        rights = self._all(f"{SECURITY}/permissions-resources/", of_right)
        named = ((OF_DATASET.search(each["view_menu"]["name"]), each["id"]) for each in rights)
        return {int(match[1]): number for match, number in named if match}

    def set_permissions(self, role: int, permissions: list[int]) -> None:
        """Give a role these rights and no others."""
        wanted = {"permission_view_menu_ids": permissions}
        self._json("POST", f"{SECURITY}/roles/{role}/permissions", json=wanted)

    def put_row_level_security(self, name: str, rule: dict[str, Any]) -> None:
        """Create or replace a rule that limits which rows are seen."""
        found = self._named(RULES, name)
        if found:
            self._json("PUT", f"{RULES}{found}", json={"name": name, **rule})
        else:
            self._json("POST", RULES, json={"name": name, **rule})

    def drop_row_level_security(self, is_old: Callable[[str], bool]) -> None:
        """Remove the rules whose name is an old one."""
        for row in list(self._all(RULES, "order_column:name,order_direction:asc")):
            if is_old(row["name"]):
                self._json("DELETE", f"{RULES}{row['id']}")

    def _named(self, path: str, name: str) -> int | None:
        """The number of the object of this name, which has no quote in it."""
        found = self._all(path, f"filters:!((col:name,opr:eq,value:'{name}'))")
        return next((int(row["id"]) for row in found), None)

    def _all(self, path: str, query: str) -> Iterator[dict[str, Any]]:
        for page in count():
            asked = {"q": f"({query},page:{page},page_size:{PAGE})"}
            rows = self._json("GET", path, params=asked)["result"]
            yield from rows
            if len(rows) < PAGE:
                return

    def request(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Returns the answer, whatever it is; a token that has grown old is taken anew."""
        answer = self._answer(method, path, **request)
        if answer.status_code == httpx.codes.UNAUTHORIZED and "expired" in answer.text:
            self.sign_in()
            answer = self._answer(method, path, **request)
        return answer

    def _answer(self, method: str, path: str, **request: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **request)
        except httpx.TransportError as error:
            raise SupersetError(f"no answer from {self._http.base_url}: {error}") from error

    def _json(self, method: str, path: str, **request: Any) -> Any:
        answer = self.request(method, path, **request)
        if answer.is_error:
            raise SupersetError(f"{method} {path}: {answer.status_code} {answer.text[:2000]}")
        return answer.json()
