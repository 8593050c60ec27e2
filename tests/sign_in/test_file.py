"""The site's file of how people sign in: what Superset does not start with."""

import json
import os
import subprocess

import pytest
from weir_embedded.parts import superset as superset_part
from weir_embedded.settings import Stack

from .processes import PASSWORD, ROOT

LDAP = {"uri": "ldaps://ldap.example.org", "base": "dc=x", "bind_dn": "cn=x", "password_file": "secret"}
OIDC = {"issuer": "https://login.example.org", "client_id": "weir", "client_secret_file": "secret"}
FILES = {
    "right": {"ldap": LDAP},
    "StartTLS": {"ldap": LDAP | {"uri": "ldap://ldap.example.org"}},
    "here": {"ldap": LDAP | {"uri": "ldap://127.0.0.1:389", "without_tls": True}},
    "provider": {"oidc": OIDC},
    "provider here": {"oidc": OIDC | {"issuer": "http://localhost:8080"}},
    "both": {"ldap": LDAP, "oidc": OIDC},
    "readable passwords": {"ldap": LDAP | {"uri": "ldap://ldap.example.org", "without_tls": True}},
    "readable tokens": {"oidc": OIDC | {"issuer": "http://login.example.org"}},
    "nobody searches": {"ldap": LDAP | {"bind_dn": ""}},
    "misspelt": {"ldap": LDAP, "role": {}},
    "two mistakes": {"ldap": {"uri": "ldap.example.org"}, "session_hours": 0},
}
COMPLAINTS = {
    "both": ["give either ldap or oidc"],
    "readable passwords": ["passwords would be readable"],
    "readable tokens": ["write https://"],
    "nobody searches": ["ldap.bind_dn"],
    "misspelt": ["role"],
    "two mistakes": ["ldap.uri", "ldap.base", "session_hours"],
}
READ = """
import json, sys
import weir_sign_in
answers = {}
for name, content in json.load(sys.stdin).items():
    try:
        answers[name] = [str(weir_sign_in.SignIn.model_validate(content).settings()), ""]
    except ValueError as error:
        answers[name] = ["", str(error)]
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Settings, or the error about each of FILES, as Superset's own Python reads them."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "secret").write_text(PASSWORD)
    python, *_ = superset_part.preparation(Stack())
    done = subprocess.run(
        [python, "-c", READ],
        input=json.dumps(FILES),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "superset"), "WEIR_SUPERSET_SIGN_IN_FILE": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", FILES)
def test_all_that_is_wrong_is_named_at_once(read, name):
    settings, error = read[name]
    assert bool(settings) == (name not in COMPLAINTS)
    for each in COMPLAINTS.get(name, []):
        assert each in error


def test_certificates_are_checked(read):
    assert "'AUTH_LDAP_USE_TLS': True, 'AUTH_LDAP_TLS_DEMAND': True" in read["StartTLS"][0]
    assert "'AUTH_LDAP_USE_TLS': False, 'AUTH_LDAP_TLS_DEMAND': True" in read["right"][0]
    assert "'verify': True" in read["provider"][0]
