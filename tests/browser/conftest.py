"""A signed-in Chromium on a Superset that holds the recorded center."""

import os
import re

import pytest
from clients import CLUSTER
from weir_superset import assets
from weir_superset.client import Superset

from . import alert_rows, lustre_server
from .chromium import chromium_path, launch, session
from .pages import RUNS, Dashboard, sign_in
from .site_under_test import ROOT, Site, replay

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None


def give_up(reason):
    """Skip, or fail where nothing may be skipped."""
    if os.environ.get("WEIR_REQUIRE_ALL") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def superset_site(request, tmp_path_factory):
    """Superset with loaded dashboards and data: the one in the environment, else the test stack's."""
    if "WEIR_TEST_SUPERSET_URL" in os.environ:
        yield Site.from_environment()
        return
    stack = request.getfixturevalue("stack")
    replay(stack)
    lustre_server.publish(stack, CLUSTER, tmp_path_factory.mktemp("oss1"))
    with alert_rows.shown(stack):
        yield Site.from_stack(stack)


@pytest.fixture(scope="session")
def superset(superset_site):
    """Superset's API, signed in as the administrator."""
    with Superset(superset_site.url, superset_site.user, superset_site.password) as superset:
        yield superset


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium."""
    if sync_playwright is None:
        give_up("the Python package playwright is not installed")
    if chromium_path() is None:
        give_up("no Chromium here (Debian: apt-get install chromium), and WEIR_TEST_CHROMIUM is not set")
    with sync_playwright() as playwright:
        opened = launch(playwright)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def signed_in(browser, superset_site):
    """The session of the administrator, signed in once; its pages share what they have loaded.

    Its pages are tall, so that Superset draws every chart without scrolling.
    """
    context = session(browser, superset_site, viewport={"width": 1600, "height": 2600})
    with context.new_page() as page:
        sign_in(page, superset_site)
        page.wait_for_load_state()  # no script is left half loaded, which all pages share
    yield context
    context.close()


@pytest.fixture
def page(signed_in):
    """A new page of the administrator."""
    with signed_in.new_page() as page:
        yield page


@pytest.fixture(scope="session")
def screenshots():
    """Where pictures are kept for people to look at."""
    folder = ROOT / ".weir/screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def shown(signed_in):
    """What the pages of one thing show: the run that others disturbed most, and its job."""
    with signed_in.new_page() as page:
        dashboard = Dashboard(page, "jobs")
        dashboard.wait_drawn(len(list(assets.read().dashboards["jobs"].charts())))
        runs = dashboard.answers_of(RUNS)
    run = max(runs, key=lambda row: ("device_contention" in row["findings"], len(row["findings"])))
    pages = {"run": run["run_page"], "job": run["job_page"]}
    return {subject: re.search(r"\?([^\"]*)", link)[1] for subject, link in pages.items()}
