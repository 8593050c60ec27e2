"""Saves a dashboard as a compact PNG: `cd tests; python -m browser.picture center ../docs/center.png`.

Where Superset is comes from the environment, as for the tests (site_under_test.py).
"""

import argparse
from pathlib import Path

from playwright.sync_api import sync_playwright
from weir_superset import assets

from .chromium import launch, session
from .pages import Dashboard, sign_in
from .site_under_test import Site

LARGEST_BYTES = 300_000
WIDTHS = (1600, 1440, 1280, 1120)


def main():
    """Take the widest picture that is small enough."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dashboard", choices=sorted(assets.read().dashboards))
    parser.add_argument("file", type=Path)
    parser.add_argument("--height", type=int, help="cut below this many pixels; default: the whole dashboard")
    parser.add_argument("--of", default="", help="which run or job: run=its log id, job=its id in runs")
    options = parser.parse_args()
    for width in WIDTHS:
        picture = take(options.dashboard, width, options.height, options.of)
        if len(picture) <= LARGEST_BYTES:
            break
    options.file.write_bytes(picture)
    print(f"{options.file}: {width} pixels wide, {len(picture):,} bytes")


def take(slug, width, height, of=""):
    """The dashboard without Superset's navigation bar."""
    site = Site.from_environment()
    with sync_playwright() as playwright:
        context = session(launch(playwright), site, viewport={"width": width, "height": 4200})
        page = context.new_page()
        sign_in(page, site)
        Dashboard(page, slug, of).wait_drawn(len(list(assets.read().dashboards[slug].charts())))
        top = page.locator(".dashboard-header-container").bounding_box()["y"]
        last = page.locator("[data-test=chart-grid-component], .dashboard-markdown").last.bounding_box()
        bottom = min(last["y"] + last["height"] + 32, top + (height or 10_000))
        return page.screenshot(clip={"x": 0, "y": top, "width": width, "height": bottom - top})


if __name__ == "__main__":
    main()
