"""Signing in to Superset and out of it, as somebody tries it who knows a cookie or guesses passwords."""

import re
import secrets
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

SECONDS = 60  # for an answer: a worker of a busy machine checks passwords slowly
TOO_MANY = 200  # ten a minute are taken by each of the workers, which a slow machine reaches late
AT_ONCE = 10


@pytest.fixture
def visitor(stack):
    """A browser without pages."""
    with httpx.Client(base_url=stack.superset_url, timeout=SECONDS) as client:
        yield client


def form_of(visitor):
    """What the page's form sends along."""
    return {"csrf_token": re.search(r'"csrf_token"[^>]*value="([^"]+)"', visitor.get("/login/").text)[1]}


def sign_in(visitor, user, password):
    """Through the form, as a person does."""
    return visitor.post("/login/", data={"username": user, "password": password, **form_of(visitor)})


def me(stack, session):
    """The answer to who is signed in with this cookie."""
    url = f"{stack.superset_url}/api/v1/me/"
    return httpx.get(url, cookies={"session": session}, timeout=SECONDS).status_code


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

    login = {"username": guessed, "password": "wrong", "provider": "db"}
    form = form_of(visitor)

    def guess(number):
        # all of these addresses are this machine's own
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number % 200 + 1}")
        cookies = {"session": visitor.cookies["session"]}
        with httpx.Client(
            base_url=stack.superset_url, transport=transport, cookies=cookies, timeout=SECONDS
        ) as client:
            if way == "form":
                return client.post("/login/", data=login | form).status_code
            return client.post("/api/v1/security/login", json=login).status_code

    seen = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while 429 not in seen and len(seen) < TOO_MANY:
            seen += pool.map(guess, range(len(seen), len(seen) + AT_ONCE))
    assert seen[0] in (302, 401)
    assert 429 in seen
    sign_in(visitor, "admin", password)
    assert me(stack, visitor.cookies["session"]) == 200


@pytest.mark.parametrize("language", ["", "en", "de", "..%2f"])
def test_there_is_one_language_and_no_error_of_the_server(visitor, language):
    assert visitor.get(f"/lang/{language}").status_code == 404
