"""A certificate authority of this deployment's own, and the certificates that it signs, by openssl."""

import subprocess
from ipaddress import ip_address
from pathlib import Path

CA_DAYS, SERVER_DAYS = 3650, 825
RENEWED_SECONDS = 30 * 86_400
"""A certificate that ends sooner is renewed."""


def authority(folder: Path) -> None:
    """Make ca.key and ca.pem in `folder`, unless they are there."""
    if not (folder / "ca.pem").exists():
        _openssl(
            "req", "-x509", *_new_key(folder / "ca.key"), "-out", folder / "ca.pem.partial",
            "-days", CA_DAYS, "-subj", "/CN=Weir",
        )  # fmt: skip
        (folder / "ca.pem.partial").rename(folder / "ca.pem")


def server(folder: Path, name: str, hosts: list[str]) -> str:
    """Key and certificate of a server as PEM, signed by the authority in `folder`, good for `hosts`.

    Kept there as NAME.pem; made again when its hosts have changed or its end is near.
    """
    kept, made_for = folder / f"{name}.pem", folder / f"{name}.hosts"
    wanted = ",".join(map(_named, [*hosts, name]))
    if not (kept.exists() and made_for.exists() and made_for.read_text() == wanted and _lasts(kept)):
        key, request, signed = (folder / f"{name}.{suffix}" for suffix in ("key", "csr", "crt"))
        extensions = folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={wanted}\nextendedKeyUsage=serverAuth,clientAuth\n")
        _openssl("req", *_new_key(key), "-out", request, "-subj", f"/CN={name}")
        _openssl(
            "x509", "-req", "-in", request, "-out", signed, "-days", SERVER_DAYS, "-extfile", extensions,
            "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-CAcreateserial",
        )  # fmt: skip
        kept.write_text(key.read_text() + signed.read_text())
        made_for.write_text(wanted)
        for file in (key, request, signed, extensions):
            file.unlink()
    return kept.read_text()


def _named(host: str) -> str:
    try:
        return f"IP:{ip_address(host)}"
    except ValueError:
        return f"DNS:{host}"


def _new_key(file: Path) -> tuple[object, ...]:
    return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file)


def _lasts(certificate: Path) -> bool:
    checked = subprocess.run(
        ["openssl", "x509", "-in", certificate, "-noout", "-checkend", str(RENEWED_SECONDS)],
        capture_output=True,
        check=False,
    )
    return checked.returncode == 0


def _openssl(*words: object) -> None:
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"openssl {words[0]}: {done.stderr.strip()}")
