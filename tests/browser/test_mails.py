"""Mails in a browser, on a desk and on a phone, light and dark: readable, and nothing hostile acts."""

import json
import sys

import pytest
from weir.notify import facts
from weir.notify.render import KINDS, Renderer

from .site_under_test import ROOT

sys.path.insert(0, str(ROOT / "ingest/tests"))

from alert_samples import HOSTILE, LINKS, REPORT, case, finding, trouble

WIDTHS = {"desk": 900, "phone": 390}
LEAST_CONTRAST = 4.5
"""Of text and what is behind it, by WCAG 2.2, level AA."""
CONTRASTS = """() => {
  const parts = color => color.match(/[\\d.]+/g).map(Number);
  const luminance = color => parts(color).slice(0, 3).map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if (parts(color)[3] !== 0) return color;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)";
  };
  return [...document.body.querySelectorAll("*")]
    .filter(each => [...each.childNodes].some(child => child.nodeType === 3 && child.data.trim()))
    .map(each => {
      const [dim, bright] = [getComputedStyle(each).color, behind(each)].map(luminance).sort((a, b) => a - b);
      return [(bright + 0.05) / (dim + 0.05), each.textContent.trim().slice(0, 40)];
    });
}"""


@pytest.fixture
def show(browser):
    """Open a mail's HTML; gives the page and what it asked the network for."""
    opened = []

    def show(html, width, scheme):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        opened.append(page)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
        page.set_content(html)
        return page, asked

    yield show
    for page in opened:
        page.close()


def html_of(kind, cases=(), **more):
    """A message of a kind, of a recorded run, to its user."""
    alert = trouble() if kind in ("trouble", "over") else finding(json.loads(REPORT.read_text()), cases=cases)
    message = facts.message(alert | {"kind": kind} | more, None, LINKS, facts.Reader())
    return Renderer(None).rendered(message).html


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_mail_is_readable(show, screenshots, kind, width, scheme):
    cases = [case(), case(rule="metadata_heavy", title="Metadata", held_back="storage", retracted=["7", "8"])]
    page, asked = show(html_of(kind, cases), WIDTHS[width], scheme)
    page.screenshot(path=screenshots / f"mail-{kind}-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width]
    contrasts = page.evaluate(CONTRASTS)
    assert contrasts
    assert [(ratio, text) for ratio, text in contrasts if ratio < LEAST_CONTRAST] == []
    assert asked == []


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_in_a_mail_does_nothing(show, text):
    html = html_of(
        "finding", [case(program=text, title=text, retracted=[text])], recipient=text, cluster=text
    )
    page, asked = show(html, WIDTHS["phone"], "light")
    assert asked == []
    assert page.locator("script, img, iframe, object, form").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS["phone"]
