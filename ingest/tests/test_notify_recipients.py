"""Who gets an alert: addresses from the user database, a map file or LDAP, and whom the site names."""

import shutil
import subprocess
from pathlib import Path

import pytest
from notify_fakes import alert
from notify_servers import free_port, give_up
from pydantic import TypeAdapter, ValidationError
from weir.errors import UserError
from weir.notify import directory
from weir.notify.config import Chat, Domain, Ldap, Map, Passwd
from weir.notify.delivery import Channel, State
from weir.notify.directory import (
    DomainDirectory,
    LdapDirectory,
    MapDirectory,
    PasswdDirectory,
    PatientDirectory,
    WatchedMap,
)
from weir.notify.recipients import Recipients, is_unknown
from weir.notify.sending import Away

SITE = {"alerts": {"staff": ["staff@example.org"], "operators": ["one@example.org", "two@example.org"]}}
CHATS = [
    Chat(name="users-hook", audience="users", url_file="/dev/null"),
    Chat(name="ops", audience="operators", url_file="/dev/null"),
]


class Known:
    def __init__(self, **addresses):
        self.addresses = addresses

    def address(self, user):
        return self.addresses.get(user)


def got(alert, site=SITE, chats=(), pi=lambda account: None, **addresses):
    channels = Recipients(Known(**addresses), chats, True, pi).of(alert, site)
    return [(each.channel, each.address, each.state.value) for each in channels]


def job(account):
    return {
        **dict.fromkeys(("job_uid", "job_display_id", "job_name"), ""),
        "account": account,
        "runs": [],
    }


def test_a_user_gets_a_mail_and_chats_of_users():
    assert got(alert(), chats=CHATS, ada="ada@example.org") == [
        ("mail", "ada@example.org", "waiting"),
        ("users-hook", "", "waiting"),
    ]


def test_operators_get_theirs_in_any_mode():
    for mode in ("rehearsal", "live"):
        assert got(alert(recipient="operators", mode=mode), chats=CHATS) == [
            ("mail", "one@example.org", "waiting"),
            ("mail", "two@example.org", "waiting"),
            ("ops", "", "waiting"),
        ]


def test_a_rehearsal_goes_to_staff_alone():
    found = got(alert(mode="rehearsal"), chats=CHATS, pi=lambda account: "pi", ada="ada@example.org")
    assert found == [("mail", "staff@example.org", "waiting")]


@pytest.mark.parametrize(
    ("which", "site", "reason"),
    [
        (alert(recipient="eve"), SITE, "no address of user 'eve' is known"),
        (alert(mode="rehearsal"), {}, "the site file has no alerts.staff"),
        (
            alert(recipient="operators"),
            {},
            "the site file has no alerts.operators, and no chat is for operators",
        ),
    ],
)
def test_where_nobody_is_found_it_has_failed_and_says_why(which, site, reason):
    channels = Recipients(Known(), []).of(which, site)
    assert is_unknown(channels)
    assert [each.reason for each in channels] == [reason]


@pytest.mark.parametrize("which", [alert(mode="rehearsal"), alert(recipient="operators")])
def test_what_the_site_alone_says_waits_for_one(which):
    with pytest.raises(Away, match="has no usable site file"):
        Recipients(Known(), []).of(which, None)


def test_leaders_of_projects_get_one_copy_each():
    leaders = {"phys": "pi", "chem": "lead@example.org", "own": "ada", "lost": "nobody"}
    jobs = [job(account) for account in ("phys", "phys", "chem", "own", "lost", None)]
    known = Known(ada="ada@example.org", pi="pi@example.org")
    found = Recipients(known, [], True, leaders.get).of(alert(jobs=jobs), SITE)
    assert [each.address for each in found] == ["ada@example.org", "lead@example.org", "pi@example.org"]


def test_staff_get_a_copy_if_the_site_wants_it():
    site = {"alerts": {"staff": ["io-help@example.org"], "copy_to_staff": True}}
    found = Recipients(Known(ada="ada@example.org"), []).of(alert(), site)
    assert [each.address for each in found] == ["ada@example.org", "io-help@example.org"]


def test_without_a_mail_server_only_chats_are_used():
    assert Recipients(Known(), CHATS, False).of(alert(), SITE) == (Channel("users-hook"),)
    assert Recipients(Known(), CHATS, False).of(alert(recipient="operators"), SITE) == (Channel("ops"),)
    assert is_unknown(Recipients(Known(), [], False).of(alert(), SITE))


def test_a_chat_that_failed_is_not_unknown():
    assert not is_unknown([Channel("ops").now(State.failed, "404")])


def test_who_is_named_twice_gets_it_once():
    site = {"alerts": {"operators": ["one@example.org", "one@example.org"]}}
    assert got(alert(recipient="operators"), site=site) == [("mail", "one@example.org", "waiting")]


# --- map file --------------------------------------------------------------------------------------------


def test_a_map_is_read_again_when_it_changes(tmp_path):
    file = tmp_path / "map.yaml"
    file.write_text("ada: ada@example.org\n7: seven@example.org\nbad: 'a@b, c@d'\n")
    known = MapDirectory(Map(kind="map", file=file))
    assert known.address("ada") == "ada@example.org"
    assert known.address("7") == "seven@example.org"
    assert known.address("bad") is known.address("eve") is None
    file.write_text("ada: lovelace@example.org\n")
    assert known.address("ada") == "lovelace@example.org"


def test_a_map_that_is_wrong_for_a_while_is_away_and_nobody_unknown(tmp_path):
    file = tmp_path / "map.yaml"
    file.write_text("ada: ada@example.org\n")
    known = MapDirectory(Map(kind="map", file=file))
    file.write_text("ada: [")
    with pytest.raises(Away, match="not YAML"):
        known.address("ada")
    file.write_text("ada: ada@example.org\n\n")
    assert known.address("ada") == "ada@example.org"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file"),
        ("[a]", "not of the form"),
        ("\xff: {", "not"),
        ("ada: 2026-13-45", "not YAML: month"),
        ("ada: " + "[" * 2000, "not YAML: maximum recursion"),
    ],
)
def test_a_map_that_is_wrong_at_start_is_told(tmp_path, content, said):
    file = tmp_path / "map.yaml"
    if content is not None:
        file.write_text(content)
    with pytest.raises(UserError, match=said):
        WatchedMap(file)


# --- user database ---------------------------------------------------------------------------------------


def entry(gecos):
    return lambda name: type("Entry", (), {"pw_gecos": gecos})


@pytest.mark.parametrize(
    ("gecos", "address"),
    [
        ("Ada Lovelace,,,", "ada@example.org"),
        ("Ada,room 1,,,ada.lovelace@uni.example", "ada.lovelace@uni.example"),
        ("Ada <x@y\nz>", "ada@example.org"),
        ("", "ada@example.org"),
    ],
)
def test_an_address_in_gecos_comes_first(monkeypatch, gecos, address):
    monkeypatch.setattr(directory.pwd, "getpwnam", entry(gecos))
    assert PasswdDirectory(Passwd(domain="example.org")).address("ada") == address


@pytest.mark.parametrize("user", ["no-such-user-here", "a\0b", "\udcff", ""])
def test_who_is_no_user_has_no_address(user):
    assert PasswdDirectory(Passwd(domain="example.org")).address(user) is None


@pytest.mark.parametrize(("user", "address"), [("ada", "ada@example.org"), ("a\r\nb", None), ("a,b", None)])
def test_a_domain_has_an_address_for_every_name_that_can_be_one(user, address):
    assert DomainDirectory(Domain(kind="domain", domain="example.org")).address(user) == address


# --- LDAP ------------------------------------------------------------------------------------------------

SCHEMA_FOLDERS = [Path("/etc/ldap/schema"), Path("/etc/openldap/schema")]
MODULES = Path("/usr/lib/ldap")
SLAPD = shutil.which("slapd", path="/usr/sbin:/usr/local/sbin:/usr/lib/openldap:/usr/bin")
LDIF = """
dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
dc: example
o: example

dn: uid=ada,dc=example,dc=org
objectClass: inetOrgPerson
uid: ada
cn: Ada
sn: Lovelace
mail: ada@example.org
mail: second@example.org

dn: uid=bob,dc=example,dc=org
objectClass: inetOrgPerson
uid: bob
cn: Bob
sn: B

dn: uid=odd*(name),dc=example,dc=org
objectClass: inetOrgPerson
uid: odd*(name)
cn: Odd
sn: O
mail: odd@example.org
"""


@pytest.fixture(scope="module")
def slapd(tmp_path_factory):
    """The port of a real directory server without TLS."""
    if SLAPD is None:
        give_up("no slapd here (Debian: slapd)")
    folder = tmp_path_factory.mktemp("slapd")
    schemas = next(path for path in SCHEMA_FOLDERS if path.exists())
    lines = [f"include {schemas}/{name}.schema" for name in ("core", "cosine", "inetorgperson")]
    lines += [f"modulepath {MODULES}", "moduleload back_mdb"] if MODULES.exists() else []
    lines += ["database mdb", 'suffix "dc=example,dc=org"', f"directory {folder}", "maxsize 10485760"]
    lines += ['rootdn "cn=admin,dc=example,dc=org"', "rootpw hush"]
    (folder / "slapd.conf").write_text("\n".join(lines) + "\n")
    add = [SLAPD, "-T", "add", "-f", str(folder / "slapd.conf")]
    subprocess.run(add, input=LDIF.encode(), check=True, capture_output=True)
    port = free_port()
    command = [SLAPD, "-f", str(folder / "slapd.conf"), "-h", f"ldap://127.0.0.1:{port}", "-d", "0"]
    process = subprocess.Popen(command)
    yield port
    process.terminate()
    process.wait()


def ldap(port, **more):
    return LdapDirectory(Ldap(kind="ldap", uri=f"ldap://127.0.0.1:{port}", base="dc=example,dc=org", **more))


def once_it_listens(ask):
    """slapd takes a moment to start; each question waits for its own answer."""
    for _ in range(10_000):
        try:
            return ask()
        except Away:
            continue
    raise AssertionError("slapd does not answer")


def test_addresses_in_a_real_directory(slapd):
    known = ldap(slapd, without_tls=True)
    assert once_it_listens(lambda: known.address("ada")) == "ada@example.org"
    assert known.address("bob") is known.address("nobody") is None
    assert known.address("odd*(name)") == "odd@example.org"


@pytest.mark.parametrize("user", ["*", "a*", "ada)(uid=*", "ada\0", "\\2a", ")(|(uid=*"])
def test_a_name_is_no_filter(slapd, user):
    known = ldap(slapd, without_tls=True)
    assert once_it_listens(lambda: known.address(user)) is None


def test_a_login_of_its_own(slapd, tmp_path):
    (tmp_path / "password").write_text("hush\n")
    login = {"bind_dn": "cn=admin,dc=example,dc=org", "password_file": tmp_path / "password"}
    assert once_it_listens(lambda: ldap(slapd, without_tls=True, **login).address("ada")) == "ada@example.org"
    (tmp_path / "password").write_text("wrong")
    with pytest.raises(Away, match="invalidCredentials"):
        ldap(slapd, without_tls=True, **login).address("ada")


def test_a_directory_that_knows_no_tls_is_not_asked_in_the_clear(slapd):
    once_it_listens(lambda: ldap(slapd, without_tls=True).address("ada"))
    with pytest.raises(Away):
        ldap(slapd).address("ada")


def test_a_directory_that_is_not_there_is_away():
    with pytest.raises(Away, match=r"127\.0\.0\.1"):
        ldap(free_port(), without_tls=True).address("ada")


def test_a_filter_that_finds_everybody_is_refused():
    with pytest.raises(ValidationError, match="would find everybody"):
        TypeAdapter(Ldap).validate_python(
            {"kind": "ldap", "uri": "ldap://x", "base": "", "filter": "(uid=*)"}
        )


@pytest.mark.parametrize(("user", "filter_"), [("*", "(uid=\\2a)"), ("a)(b\0", "(uid=a\\29\\28b\\00)")])
def test_a_name_is_escaped_in_a_filter(monkeypatch, user, filter_):
    known = ldap(1)
    monkeypatch.setattr(known, "_searched", lambda filter_: filter_)
    assert known.address(user) == filter_


class Counted:
    asked = 0

    def address(self, user):
        self.asked += 1
        raise Away("no answer")


def test_a_directory_that_is_away_is_not_asked_for_every_user():
    now = [0.0]
    patient = PatientDirectory(Counted(), lambda: now[0])
    for _ in range(100):
        with pytest.raises(Away, match="no answer"):
            patient.address("ada")
    assert patient._directory.asked == 1
    now[0] = 31.0
    with pytest.raises(Away):
        patient.address("ada")
    assert patient._directory.asked == 2
