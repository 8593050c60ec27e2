"""Superset's pages ask no other host for anything, and try nothing that the security policy has to refuse."""

import re
from urllib.parse import urlsplit

import pytest
from weir_superset import assets

from .pages import Dashboard

PAGES = (
    "/superset/welcome/",
    "/dashboard/list/",
    "/chart/list/",
    "/tablemodelview/list/",
    "/sqllab/",
    "/users/",
)


@pytest.fixture
def hosts(page):
    """Those that the page has asked so far, or has tried to: the browser complains of what it refuses."""
    asked = set()

    def complaint(message):
        if message.type == "error":
            asked.update(urlsplit(url).netloc for url in re.findall(r"\w+://[^\s'\"]+", message.text))

    page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    page.on("console", complaint)
    return asked


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_its_own_host_alone(page, superset_site, hosts, path):
    page.goto(path)
    page.get_by_text("Settings").first.wait_for()  # the menu is drawn by then
    page.wait_for_load_state("networkidle")
    assert hosts - {""} == {urlsplit(superset_site.url).netloc}


def test_a_dashboard_asks_its_own_host_alone(page, superset_site, hosts):
    dashboard = Dashboard(page, "center")
    dashboard.wait_drawn(len(list(assets.read().dashboards["center"].charts())))
    assert hosts - {""} == {urlsplit(superset_site.url).netloc}
