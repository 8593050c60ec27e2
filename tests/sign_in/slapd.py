"""A real directory server with TLS, groups and people."""

import shutil
import ssl
import subprocess
from contextlib import contextmanager
from pathlib import Path

import ldap3

from .processes import free_port, listens, running

SCHEMAS = [Path("/etc/ldap/schema"), Path("/etc/openldap/schema")]
MODULES = Path("/usr/lib/ldap")
SLAPD = shutil.which("slapd", path="/usr/sbin:/usr/local/sbin:/usr/lib/openldap:/usr/bin")
BASE = "dc=example,dc=org"
ROOT = f"cn=root,{BASE}"
SEARCHER = f"cn=superset,{BASE}"
PASSWORD = "hush"


class Directory:
    """One server; a person's password is `PASSWORD-OF-` and the name."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.uri = f"ldap://127.0.0.1:{self.port}"

    @contextmanager
    def started(self):
        """Answers where StartTLS is spoken, and has no people yet."""
        certificates(self.folder)
        file = self.folder / "slapd.conf"
        file.write_text("\n".join(self._configuration()) + "\n")
        command = [SLAPD, "-f", file, "-h", self.uri, "-d", "0"]
        with running(command, listens(self.port), self.folder / "slapd.log"):
            self._add(BASE, ["dcObject", "organization"], dc="example", o="example")
            for unit in ("people", "others", "groups"):
                self._add(f"ou={unit},{BASE}", ["organizationalUnit"], ou=unit)
            login = ["organizationalRole", "simpleSecurityObject"]
            self._add(SEARCHER, login, cn="superset", userPassword=PASSWORD)
            yield self

    def _configuration(self):
        schemas = next(path for path in SCHEMAS if path.exists())
        yield from (f"include {schemas}/{name}.schema" for name in ("core", "cosine", "inetorgperson"))
        if MODULES.exists():
            yield f"modulepath {MODULES}"
            yield from (f"moduleload {name}" for name in ("back_mdb", "memberof"))
        yield f"TLSCertificateFile {self.folder}/server.pem"
        yield f"TLSCertificateKeyFile {self.folder}/server.key"
        # As some directories do: who gives a name and no password is signed in as nobody.
        yield "allow bind_anon_cred"
        yield from ("database mdb", f'suffix "{BASE}"', f"directory {self.folder}", "maxsize 10485760")
        yield from (f'rootdn "{ROOT}"', f"rootpw {PASSWORD}", "overlay memberof")
        yield "access to attrs=userPassword by anonymous auth"
        yield "access to * by users read"

    def person(self, *names, unit="people"):
        """Adds somebody; more names are more values of `uid`."""
        about = {"uid": list(names), "cn": names[0], "sn": "Somebody", "mail": "office@example.org"}
        dn = f"uid={names[0]},ou={unit},{BASE}"
        self._add(dn, ["inetOrgPerson"], userPassword=f"{PASSWORD}-of-{names[0]}", **about)

    def group(self, name, *people):
        """Adds a group."""
        self._add(f"cn={name},ou=groups,{BASE}", ["groupOfNames"], cn=name, member=[*map(dn_of, people)])

    def leave(self, name, person):
        """Takes a person out of a group."""
        with self._connection() as connection:
            change = {"member": [(ldap3.MODIFY_DELETE, [dn_of(person)])]}
            connection.modify(f"cn={name},ou=groups,{BASE}", change)

    def _add(self, dn, classes, **attributes):
        with self._connection() as connection:
            connection.add(dn, classes, attributes)

    def _connection(self):
        tls = ldap3.Tls(validate=ssl.CERT_REQUIRED, ca_certs_file=str(self.folder / "ca.pem"))
        server = ldap3.Server(self.uri, tls=tls, get_info=ldap3.NONE)
        start = ldap3.AUTO_BIND_TLS_BEFORE_BIND
        return ldap3.Connection(
            server, ROOT, PASSWORD, auto_bind=start, raise_exceptions=True, check_names=False
        )


def dn_of(person):
    """Where a person is, as the server writes it."""
    return f"uid={person},ou=people,{BASE}"


def certificates(folder):
    """An authority, and a certificate of 127.0.0.1 that it signed."""
    new = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    ca = (*new, "-subj", "/CN=authority", "-out", "ca.pem", "-keyout", "ca.key")
    server = ("-subj", "/CN=127.0.0.1", "-out", "server.pem", "-keyout", "server.key")
    more = ("-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE")
    signed = (*new, *server, *more, "-CA", "ca.pem", "-CAkey", "ca.key")
    for command in (ca, signed):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
