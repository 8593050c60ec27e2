"""The key by which processes know each other: who holds it may do all, nobody else anything.

A private key and its self-signed certificate, which is all that its holders trust: `NAME.pem` holds both, and
`NAME.p12` is the same for Java.
"""

import os
import ssl
import subprocess
from pathlib import Path

DAYS = 3650
KEYSTORE_PASSWORD = "weir"  # noqa: S105 - Java wants one; what protects the file is its mode
HOSTS = "subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:jobmanager"


def make(folder: Path, name: str) -> None:
    """Make both files with mode 0600, unless they are there."""
    pem, keystore = folder / f"{name}.pem", folder / f"{name}.p12"
    if not keystore.exists():
        key, certificate, partial = (folder / f"{name}.{suffix}" for suffix in ("key", "crt", "partial"))
        request = ("-subj", f"/CN={name}", "-addext", HOSTS, "-days", DAYS)
        _openssl(
            "req", "-x509", "-newkey", "rsa:3072", "-nodes", *request, "-keyout", key, "-out", certificate
        )
        _write(pem, key.read_text() + certificate.read_text())
        _write(partial, "")
        _openssl("pkcs12", "-export", "-in", pem, "-out", partial, "-passout", f"pass:{KEYSTORE_PASSWORD}")
        partial.rename(keystore)
        key.unlink()
        certificate.unlink()


def context(pem: Path) -> ssl.SSLContext:
    """TLS that shows the key and trusts its certificate alone, whatever host that is on."""
    trust = ssl.create_default_context(cafile=str(pem))
    trust.check_hostname = False
    trust.load_cert_chain(pem)
    return trust


def _write(file: Path, text: str) -> None:
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as output:
        output.write(text)


def _openssl(*words: object) -> None:
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"openssl {words[0]}: {done.stderr.strip()}")
