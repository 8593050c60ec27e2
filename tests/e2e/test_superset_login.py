"""Signing in to Superset and out of it, as somebody tries it who knows a cookie or guesses passwords."""

import re
import secrets

import httpx
import pytest

TOO_MANY = 30  # of one minute; each of the workers counts alone


@pytest.fixture
def visitor(stack):
    """A browser without pages."""
    with httpx.Client(base_url=stack.superset_url) as client:
        yield client


def sign_in(visitor, user, password):
    """Through the form, as a person does."""
    token = re.search(r'"csrf_token"[^>]*value="([^"]+)"', visitor.get("/login/").text)[1]
    form = {"username": user, "password": password, "csrf_token": token}
    return visitor.post("/login/", data=form)


def me(stack, session):
    """The answer to who is signed in with this cookie."""
    return httpx.get(f"{stack.superset_url}/api/v1/me/", cookies={"session": session}).status_code


@pytest.fixture
def password(stack):
    return stack.secret("superset_admin").read_text()


def test_a_cookie_is_worth_nothing_once_its_user_has_logged_out(stack, visitor, password):
    sign_in(visitor, "admin", password)
    kept = visitor.cookies["session"]
    assert me(stack, kept) == 200
    visitor.get("/logout/")
    assert me(stack, kept) == 401


def test_who_signs_in_gets_a_session_that_nobody_knew_before(stack, visitor, password):
    visitor.get("/login/")
    planted = visitor.cookies["session"]
    sign_in(visitor, "admin", password)
    assert me(stack, visitor.cookies["session"]) == 200
    assert me(stack, planted) == 401


@pytest.mark.parametrize("way", ["form", "program"])
def test_guessing_passwords_ends_after_some_and_only_for_that_user(stack, visitor, password, way):
    guessed = f"guessed-{secrets.token_hex(4)}"

    def guess(number):
        # all of these addresses are this machine's own
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number % 200 + 1}")
        with httpx.Client(base_url=stack.superset_url, transport=transport) as client:
            if way == "form":
                return sign_in(client, guessed, "wrong").status_code
            login = {"username": guessed, "password": "wrong", "provider": "db"}
            return client.post("/api/v1/security/login", json=login).status_code

    seen = [guess(number) for number in range(TOO_MANY)]
    assert seen[0] in (302, 401)
    assert seen[-1] == 429
    sign_in(visitor, "admin", password)
    assert me(stack, visitor.cookies["session"]) == 200


@pytest.mark.parametrize("language", ["", "en", "de", "..%2f"])
def test_there_is_one_language_and_no_error_of_the_server(visitor, language):
    assert visitor.get(f"/lang/{language}").status_code == 404
