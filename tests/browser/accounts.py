"""Makes accounts of Superset's own, for people whose rows the recorded center has."""

import secrets
from contextlib import contextmanager

from weir_superset.client import SECURITY

USERS = f"{SECURITY}/users/"


def make(admin, name, *titles):
    """Make an account with these roles; its number and its password."""
    password = secrets.token_urlsafe(12)
    wanted = {"username": name, "first_name": name, "last_name": name, "email": f"{name}@localhost"}
    wanted |= {"active": True, "password": password, "roles": [admin.role(title) for title in titles]}
    answer = admin.request("POST", USERS, json=wanted)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], password


@contextmanager
def made(admin, name, *titles):
    """It is there meanwhile; gives the password."""
    number, password = make(admin, name, *titles)
    yield password
    answer = admin.request("DELETE", f"{USERS}{number}")
    assert answer.status_code == 200, answer.text
