"""Where Chromium is and how it is started without a display."""

import os
import shutil

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome")


# What a page may take on a machine that has other work.
PATIENCE_SECONDS = 150


def chromium_path():
    """The browser's program, or None."""
    given = os.environ.get("WEIR_TEST_CHROMIUM")
    return given or next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright):
    """Start it with a fresh profile."""
    return playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))


def session(browser, site, **options):
    """A new one, not signed in, that waits patiently."""
    context = browser.new_context(base_url=site.url, **options)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    return context
