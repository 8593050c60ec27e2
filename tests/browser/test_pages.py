"""Every dashboard can be read at three widths, light and dark: nothing overlaps, and axe-core is content.

The long run `looks` takes one look at each, which `make test` repeats where they changed, `pages` all six.
`my_jobs` has charts only for somebody who runs jobs: a user of the recorded center opens it, the
administrator all others.
"""

import os
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from weir_superset import assets
from weir_superset.client import Superset

from . import accounts, alert_rows
from .chromium import session
from .pages import Dashboard, sign_in
from .site_under_test import need_ours

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:  # the fixture `browser` says what is missing
    Axe = None

ASSETS = assets.read()
SLUGS = sorted(ASSETS.dashboards)
LOOKS = list(product((1280, 1600, 2560), ("light", "dark")))
EVERY_LOOK = os.environ.get("WEIR_EVERY_LOOK") == "1"
OF_THE_LONG_RUN = {"center", "run", "storage"}
"""What these draw depends most on the data that other tests leave: the long run has a stack to itself."""
UNREADABLE = (Path(__file__).parent / "unreadable.js").read_text()
GRID = ".grid-container"
SUPERSETS_OWN = {
    ("aria-prohibited-attr", ".dashboard-chart"): "describes a chart on an element without a role",
}
"""What of Superset's own drawing we cannot mend: rule of axe-core, selector, and what it does."""


def looks():
    """Dashboard, width and scheme: all of them, or one for each dashboard, so that each look is taken."""
    for number, slug in enumerate(SLUGS):
        one = [] if slug in OF_THE_LONG_RUN else [LOOKS[number % len(LOOKS)]]
        for width, scheme in LOOKS if EVERY_LOOK else one:
            yield slug, width, scheme


@pytest.fixture(scope="module")
def user(browser, superset_site):
    """The session of a user who has runs, and no role but those of users."""
    roles = "Gamma", ASSETS.roles["user"].title
    with (
        Superset(superset_site.url, superset_site.user, superset_site.password) as admin,
        accounts.made(admin, alert_rows.USER, *roles) as password,
    ):
        context = session(browser, superset_site)
        with context.new_page() as page:
            sign_in(page, SimpleNamespace(user=alert_rows.USER, password=password))
        yield context
        context.close()


@pytest.fixture
def look(browser, superset_site):
    """Open a page of who has this session at this width, in a browser that asks for this scheme."""
    opened = []

    def look(signed_in, width, scheme):
        context = session(
            browser,
            superset_site,
            storage_state=signed_in.storage_state(),
            viewport={"width": width, "height": 4200},  # Superset draws what is in view
            color_scheme=scheme,
        )
        opened.append(context)
        return context.new_page()

    yield look
    for context in opened:
        context.close()


def barriers(page):
    """What axe-core calls serious or critical within the grid of a dashboard, but for Superset's own."""
    found = Axe().run(page, GRID, {"resultTypes": ["violations"]}).response["violations"]
    for violation in found:
        theirs = [selector for rule, selector in SUPERSETS_OWN if rule == violation["id"]]
        for node in violation["nodes"] if violation["impact"] in ("serious", "critical") else []:
            element = page.locator(node["target"][-1]).first
            if not any(element.evaluate("(it, selector) => it.matches(selector)", each) for each in theirs):
                yield f"{violation['id']}: {node['target']} {node['failureSummary']}"


@pytest.mark.parametrize(("slug", "width", "scheme"), list(looks()))
def test_a_page_can_be_read(look, screenshots, request, slug, width, scheme):
    if slug in ("lustre", "alerts", "findings", "my_jobs"):
        need_ours()
    of = request.getfixturevalue("shown")[slug] if ASSETS.dashboards[slug].subject else ""
    whose = request.getfixturevalue("user" if slug == "my_jobs" else "signed_in")
    page = look(whose, width, scheme)
    dashboard = Dashboard(page, slug, of)
    dashboard.wait_drawn(len(list(ASSETS.dashboards[slug].charts())))
    page.screenshot(path=screenshots / f"{slug}-{width}-{scheme}.png", full_page=True)
    assert page.evaluate(UNREADABLE) == []
    assert list(barriers(page)) == []
    assert dashboard.console_errors == []
