"""A signed-in connection to Superset's REST interface."""

import json
from typing import Any

import httpx

TIMEOUT_SECONDS = 120


class SupersetError(Exception):
    """Superset refused a request; the text holds what it said."""


class Superset:
    """Signs in with user name and password; every change carries the CSRF token."""

    def __init__(self, url: str, user: str, password: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS, headers={"Referer": url})
        token = self._json(
            "POST",
            "/api/v1/security/login",
            json={"username": user, "password": password, "provider": "db", "refresh": False},
        )["access_token"]
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
        query = "(columns:!(id,uuid),page:0,page_size:1000)"
        rows = self._json("GET", f"/api/v1/{kind}/", params={"q": query})["result"]
        return {row["uuid"]: row["id"] for row in rows}

    def chart_data(self, query_context: dict[str, Any]) -> dict[str, Any]:
        """Result of the first query of a chart; raises SupersetError with the database's message."""
        result: dict[str, Any] = self._json("POST", "/api/v1/chart/data", json=query_context)["result"][0]
        if result.get("error"):
            raise SupersetError(str(result["error"]))
        return result

    def _json(self, method: str, path: str, **request: Any) -> Any:
        try:
            response = self._http.request(method, path, **request)
        except httpx.TransportError as error:
            raise SupersetError(f"no answer from {self._http.base_url}: {error}") from error
        if response.is_error:
            raise SupersetError(f"{method} {path}: {response.status_code} {response.text[:2000]}")
        return response.json()
