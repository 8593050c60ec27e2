"""People of a real directory sign in on Superset's page: with their roles, and never as somebody else."""

import httpx
import pytest

from .people import Visitor
from .processes import PASSWORD as SUPERSET_PASSWORD
from .slapd import PASSWORD, certificates

EVERYBODY = {"Gamma", "Weir user"}


def by_program(site, name, password, provider):
    """Whether the interface of programs lets in whom it is told."""
    login = {"username": name, "password": password, "provider": provider}
    answer = httpx.post(f"{site.url}/api/v1/security/login", json=login, trust_env=False, timeout=60)
    assert answer.status_code in (200, 400, 401, 422), answer.text
    return answer.is_success


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("ada", "Weir project lead"),
        ("eve", "Weir support"),
        ("sam", "Weir storage"),
        ("mia", "Weir management"),
        ("max", "Weir staff"),
    ],
)
def test_a_group_of_the_directory_is_a_role(person, name, title):
    assert person(name).name() == name
    assert person(name).roles() == EVERYBODY | {title}


@pytest.mark.parametrize("name", ["dee", "cem"])
def test_without_a_group_or_in_an_unknown_one_a_person_has_the_first_role_alone(person, name):
    assert person(name).roles() == EVERYBODY


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("ada", "wrong"),
        ("ada", ""),
        ("ada", f"{PASSWORD}-of-bob"),
        ("nobody", f"{PASSWORD}-of-nobody"),
        ("*", f"{PASSWORD}-of-ada"),
        ("ad*", f"{PASSWORD}-of-ada"),
        ("ada)(uid=*", f"{PASSWORD}-of-ada"),
    ],
)
def test_a_wrong_name_or_password_is_refused(ldap_site, name, password):
    assert not Visitor(ldap_site).sign_in(name, password)


@pytest.mark.parametrize("name", ["ADA", "Ada", "ada ", " ada", "ada\u00a0"])
def test_a_name_that_is_another_to_the_scheduler_is_refused(ldap_site, name):
    """The directory takes most of them for ada; the page takes spaces away itself."""
    assert not by_program(ldap_site, name, f"{PASSWORD}-of-ada", "ldap")
    visitor = Visitor(ldap_site)
    visitor.sign_in(name, f"{PASSWORD}-of-ada")
    assert visitor.name() in (None, "ada")


@pytest.mark.parametrize(("name", "of"), [("two", "two"), ("names", "two"), ("twin", "twin")])
def test_a_name_that_is_not_that_of_one_person_is_refused(ldap_site, name, of):
    assert not Visitor(ldap_site).sign_in(name, f"{PASSWORD}-of-{of}")


def test_nobody_of_the_directory_becomes_the_administrator(ldap_site):
    assert not Visitor(ldap_site).sign_in("admin", f"{PASSWORD}-of-admin")
    ldap_site.admin().__exit__()  # who still signs in by the API


@pytest.mark.parametrize("provider", ["db", "ldap"])
@pytest.mark.parametrize("password", ["", "wrong", f"{PASSWORD}-of-ada"])
def test_the_interface_of_programs_lets_in_whom_the_page_does(ldap_site, person, provider, password):
    assert person("ada").name() == "ada"
    right = (provider, password) == ("ldap", f"{PASSWORD}-of-ada")
    assert by_program(ldap_site, "ada", password, provider) == right


def test_who_left_a_group_has_lost_its_role_at_the_next_login(ldap_site, directory):
    roles = []
    for _ in range(2):
        visitor = Visitor(ldap_site)
        assert visitor.sign_in("pat", f"{PASSWORD}-of-pat")
        roles.append(visitor.roles())
        if len(roles) == 1:
            directory.leave("staff", "pat")
    assert roles == [EVERYBODY | {"Weir staff"}, EVERYBODY]


def test_a_server_that_only_claims_to_be_the_directory_gets_no_password(tmp_path, asking):
    """Its certificate is of an authority that the site does not trust."""
    certificates(tmp_path)
    with asking(tmp_path, tmp_path / "ca.pem").started(loaded=False) as site:
        assert not Visitor(site).sign_in("ada", f"{PASSWORD}-of-ada")
        assert by_program(site, "admin", SUPERSET_PASSWORD, "db")
        assert "Could not activate TLS" in (site.folder / "superset.log").read_text()
