"""The first viewers: what the threads of Superset share is whole, and who signs in is not sent back."""

import os
import subprocess

import httpx

UNFINISHED = """
from superset.app import create_app
from superset.utils.date_parser import datetime_parser

def parts(part, known):
    if part not in known:
        known.append(part)
        for each in part.recurse():
            parts(each, known)
    return known

create_app()
print([str(part) for part in parts(datetime_parser(), []) if not part.streamlined])
"""


def test_no_two_viewers_simplify_the_grammar_of_time_ranges_at_once(oidc_site):
    """Of 300 times that six threads read "Last month" first, one or more refused it 138 times."""
    python = oidc_site.stack.superset_venv / "bin/python"
    done = subprocess.run(
        [python, "-c", UNFINISHED],
        env=os.environ | oidc_site.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_events_of_the_login_form_bring_no_cookie(oidc_site):
    """One that came after that of who had signed in meanwhile took its place: in two first logins of nine."""
    events = {
        "url": f"{oidc_site.url}/superset/log/",
        "params": {"explode": "events"},
        "data": {"events": "[]"},
    }
    with httpx.Client(trust_env=False, timeout=60) as browser:
        answer = browser.post(**events)
    assert (answer.status_code, answer.headers.get("set-cookie")) == (204, None)
