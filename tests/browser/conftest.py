"""A signed-in Chromium on a Superset that holds the recorded center."""

import os

import pytest
from clients import CLUSTER

from . import lustre_server
from .chromium import chromium_path, launch
from .pages import sign_in
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
        return Site.from_environment()
    stack = request.getfixturevalue("stack")
    replay(stack)
    lustre_server.publish(stack, CLUSTER, tmp_path_factory.mktemp("oss1"))
    return Site.from_stack(stack)


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
    """The session of the administrator, signed in once."""
    context = browser.new_context(base_url=superset_site.url)
    sign_in(context.new_page(), superset_site)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def page(browser, superset_site, signed_in):
    """A tall page, so that Superset draws every chart without scrolling."""
    context = browser.new_context(
        base_url=superset_site.url, storage_state=signed_in, viewport={"width": 1600, "height": 2600}
    )
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def screenshots():
    """Where pictures are kept for people to look at."""
    folder = ROOT / ".weir/screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
