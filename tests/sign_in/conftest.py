"""A center of four people and two projects, a directory that knows them, and Superset over both."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
import yaml

from .people import Visitor
from .processes import ROOT, Front, Site
from .provider import Provider
from .slapd import BASE, SEARCHER, SLAPD, Directory
from .slapd import PASSWORD as DIRECTORY_PASSWORD

HOUR_AGO = datetime.now(UTC) - timedelta(hours=1)
RUNS = [("ada", "climate"), ("bob", "genomics"), ("cem", "genomics"), ("cem", "climate"), ("dee", None)]
LEADS = {"genomics": "ada", "climate": "dee"}
GROUPS = {
    "leads": "Weir project lead",
    "helpers": "Weir support",
    "storage": "Weir storage",
    "heads": "Weir management",
    "staff": "Weir staff",
}
MEMBERS = {
    "leads": ["ada", "bob"],
    "helpers": ["eve"],
    "storage": ["sam"],
    "heads": ["mia"],
    "staff": ["max", "pat"],
    "choir": ["cem"],
}


def give_up(reason):
    """Skip, or fail where nothing may be skipped."""
    pytest.fail(reason, pytrace=False) if os.environ.get("WEIR_REQUIRE_ALL") == "1" else pytest.skip(reason)


def stamp(moment):
    return f"{moment:%F %T}"


def tables():
    """Rows of a run and a job of each of RUNS, and what was found and sent."""
    common = {"cluster": "a", "version": 1}
    until = stamp(HOUR_AGO + timedelta(minutes=30))
    at = {"submit_time": stamp(HOUR_AGO), "start_time": stamp(HOUR_AGO), "end_time": until}
    found = {"runs": [], "job_results": [], "findings": [], "scheduler_jobs": []}
    for number, (user, account) in enumerate(RUNS, 1):
        who = common | {"user": user, "account": account, "job_id": number, "job_uid": f"a/{number}"}
        about = {"log_id": f"log{number}", "exe": f"/home/{user}/solver", "program": f"solver of {user}"}
        run = {"nprocs": 4, "run_time_seconds": 1800, "filesystem": "scratch", "mib_per_second": 10 * number}
        sizes = {"posix_size_read_1m_4m": number}
        found["runs"].append(who | at | about | run | sizes)
        found["job_results"].append(who | at | {"node_hours": 2, "node_hours_lost": 0.5, "job_name": user})
        finding = {"rule_id": "small-writes", "title": f"of {user}", "severity": "warning"}
        found["findings"].append(who | at | {"log_id": f"log{number}", "program": about["program"]} | finding)
        found["scheduler_jobs"].append(who | at | {"state": "COMPLETED"})
    return found


@pytest.fixture(scope="session")
def front(tmp_path_factory):
    with Front(tmp_path_factory.mktemp("front")).started() as front:
        for table, rows in tables().items():
            front.insert(table, rows)
        yield front


@pytest.fixture(scope="session")
def ldap_package(tmp_path_factory):
    """A folder with python-ldap, which is not part of Superset's environment: it has to be compiled."""
    folder = tmp_path_factory.mktemp("python-ldap")
    uv = [
        sys.executable,
        "-m",
        "uv",
        "--system-certs",
        "pip",
        "install",
        "-q",
        "--require-hashes",
        "--no-deps",
    ]
    lock = ROOT / "infra/embedded/superset-ldap.lock"
    command = [*uv, "--python", sys.executable, "--target", folder, "-r", lock]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        needed = "gcc python3-dev libldap-dev libsasl2-dev"
        give_up(f"python-ldap cannot be built here (Debian: {needed}): {done.stderr}")
    return folder


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    if SLAPD is None:
        give_up("no slapd here (Debian: slapd)")
    with Directory(tmp_path_factory.mktemp("slapd")).started() as directory:
        for name in ("ada", "bob", "cem", "dee", "eve", "max", "mia", "pat", "sam", "admin"):
            directory.person(name)
        directory.person("two", "names")
        directory.person("twin")
        directory.person("twin", unit="others")
        for group, people in MEMBERS.items():
            directory.group(group, *people)
        yield directory


@pytest.fixture(scope="session")
def project_leads(tmp_path_factory):
    """The file of who leads what."""
    file = tmp_path_factory.mktemp("leads") / "leads.yaml"
    file.write_text(yaml.safe_dump(LEADS))
    return file


@pytest.fixture(scope="session")
def asking(front, directory, ldap_package, project_leads):
    """Make a Superset that asks the directory, and trusts an authority."""

    def asking(folder, ca_file):
        (folder / "ldap").write_text(DIRECTORY_PASSWORD)
        server = {"uri": directory.uri, "base": BASE, "bind_dn": SEARCHER}
        sign_in = {
            "ldap": server | {"password_file": str(folder / "ldap"), "ca_file": str(ca_file)},
            "roles": {f"cn={group},ou=groups,{BASE}": [title] for group, title in GROUPS.items()},
            "project_leads": str(project_leads),
        }
        return Site(folder, front, sign_in, str(ldap_package))

    return asking


@pytest.fixture(scope="session")
def ldap_site(tmp_path_factory, asking, directory):
    """Superset that asks the directory."""
    with asking(tmp_path_factory.mktemp("superset"), directory.folder / "ca.pem").started() as site:
        yield site


@pytest.fixture(scope="session")
def provider(tmp_path_factory):
    with Provider(tmp_path_factory.mktemp("provider")).started() as provider:
        yield provider


@pytest.fixture(scope="session")
def oidc_site(tmp_path_factory, front, provider):
    """Superset that sends people to the provider."""
    folder = tmp_path_factory.mktemp("superset")
    sign_in = {"oidc": {"issuer": provider.issuer, "client_secret_file": str(folder / "secret")}}
    sign_in["roles"] = {"helpers": ["Weir support"]}
    site = Site(folder, front, sign_in)
    client, secret = provider.register(f"{site.url}/oauth-authorized/sso")
    sign_in["oidc"]["client_id"] = client
    (folder / "secret").write_text(secret)
    with site.started():
        yield site


@pytest.fixture(scope="session")
def person(ldap_site):
    """Somebody who has signed in through the form, once."""
    known = {}

    def person(name):
        if name not in known:
            known[name] = Visitor(ldap_site)
            assert known[name].sign_in(name, f"{DIRECTORY_PASSWORD}-of-{name}"), name
        return known[name]

    return person
