"""People of a real provider of OpenID Connect sign in: with their roles, and never as somebody else."""

from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from .people import Visitor

EVERYBODY = {"Gamma", "Weir user"}


def sign_in(site, sub, **decision):
    """Through the provider's page, and back; the browser afterwards."""
    visitor = Visitor(site)
    page = visitor.http.get("/login/sso")
    assert page.url.host == "localhost", page.text
    asked = parse_qs(urlsplit(str(page.url)).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["nonce"][0]
    visitor.http.post(page.url, data=decision or {"sub": sub})
    return visitor


def test_the_page_offers_the_provider(oidc_site):
    assert "sso" in Visitor(oidc_site).http.get("/login/").text


def test_a_group_of_the_provider_is_a_role(oidc_site, provider):
    provider.person("1", preferred_username="bob", groups=["helpers", "choir"])
    visitor = sign_in(oidc_site, "1")
    assert visitor.name() == "bob"
    assert visitor.roles() == EVERYBODY | {"Weir support"}
    provider.person("1", preferred_username="bob", groups=["choir"])
    assert sign_in(oidc_site, "1").roles() == EVERYBODY


@pytest.mark.parametrize(("sub", "groups"), [("2", []), ("3", ["choir"]), ("4", None)])
def test_without_a_group_or_in_an_unknown_one_a_person_sees_own_rows(oidc_site, provider, sub, groups):
    name = {"2": "cem", "3": "dee", "4": "ada"}[sub]
    provider.person(sub, preferred_username=name, **({} if groups is None else {"groups": groups}))
    visitor = sign_in(oidc_site, sub)
    assert visitor.roles() == EVERYBODY
    assert {user for (user,) in visitor.rows("runs", ["user"])} == {name}


def test_who_refuses_at_the_provider_is_not_signed_in(oidc_site):
    assert sign_in(oidc_site, "1", action="deny").name() is None


@pytest.mark.parametrize(
    ("sub", "claims"),
    [
        ("20", {"preferred_username": "eve"}),
        ("21", {"preferred_username": "admin"}),
        ("22", {"preferred_username": ""}),
        ("23", {"email": "eve@example.org"}),
    ],
)
def test_nobody_takes_the_name_of_another(oidc_site, provider, sub, claims):
    """A provider may let people choose the name; `sub` is theirs alone."""
    provider.person("10", preferred_username="eve", groups=["helpers"])
    assert sign_in(oidc_site, "10").name() == "eve"
    provider.person(sub, **claims)
    assert sign_in(oidc_site, sub).name() is None
    assert sign_in(oidc_site, "10").name() == "eve"


def test_nobody_has_two_names(oidc_site, provider):
    provider.person("30", preferred_username="fay")
    assert sign_in(oidc_site, "30").name() == "fay"
    provider.person("30", preferred_username="gus")
    assert sign_in(oidc_site, "30").name() is None


def test_another_spelling_is_another_user(oidc_site, provider):
    provider.person("40", preferred_username="hal")
    provider.person("41", preferred_username="Hal")
    assert [sign_in(oidc_site, sub).name() for sub in ("40", "41")] == ["hal", "Hal"]


def test_an_answer_that_was_not_asked_for_is_refused(oidc_site, provider):
    """The provider's answer to one browser lets in no other."""
    provider.person("50", preferred_username="ivy")
    first = Visitor(oidc_site)
    page = first.http.get("/login/sso")
    answer = first.http.post(page.url, data={"sub": "50"}, follow_redirects=False)
    other = Visitor(oidc_site)
    other.http.get(answer.headers["location"])
    assert other.name() is None


@pytest.mark.parametrize("provider_named", ["db", "ldap"])
def test_the_interface_of_programs_lets_in_nobody_of_the_provider(oidc_site, provider, provider_named):
    provider.person("60", preferred_username="joy")
    assert sign_in(oidc_site, "60").name() == "joy"
    for password in ("", "joy", "60@localhost"):
        login = {"username": "joy", "password": password, "provider": provider_named}
        answer = httpx.post(f"{oidc_site.url}/api/v1/security/login", json=login, trust_env=False, timeout=60)
        assert answer.status_code in (400, 401), answer.text


def test_nobody_registers_themselves(oidc_site):
    visitor = Visitor(oidc_site)
    form = {"username": "kim", "first_name": "k", "last_name": "k", "email": "k@example.org", "password": "k"}
    for path in ("/register/", "/register/form"):
        assert visitor.http.get(path).status_code == 404
        assert visitor.send(path, **form).status_code == 404
