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


def chromium_path():
    """The browser's program, or None."""
    given = os.environ.get("WEIR_TEST_CHROMIUM")
    return given or next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright):
    """Start it with a fresh profile."""
    return playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
