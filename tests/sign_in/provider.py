"""A real provider of OpenID Connect, as a process: oidc-provider-mock, which asks for no password."""

import sys
from contextlib import contextmanager
from pathlib import Path

import httpx

from .processes import answers, free_port, running


class Provider:
    """Distinguishes people by `sub`; all else that it says of them are claims."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        # Another name than Superset's, as cookies know no ports.
        self.issuer = f"http://localhost:{self.port}"

    @contextmanager
    def started(self):
        """Answers, and knows nobody yet."""
        program = Path(sys.executable).with_name("oidc-provider-mock")
        command = [program, "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--require-registration", "true", "--require-nonce", "true"]
        ready = answers(f"{self.issuer}/.well-known/openid-configuration")
        with running(command, ready, self.folder / "provider.log", {"AUTHLIB_INSECURE_TRANSPORT": "1"}):
            yield self

    def register(self, redirect_uri):
        """The number and the secret of a client that people may be sent back to."""
        wanted = {"redirect_uris": [redirect_uri]}
        answer = httpx.post(
            f"{self.issuer}/oauth2/clients", json=wanted, trust_env=False, timeout=60
        ).raise_for_status()
        return answer.json()["client_id"], answer.json()["client_secret"]

    def person(self, sub, **claims):
        """Adds somebody, or changes what is said of them."""
        httpx.put(f"{self.issuer}/users/{sub}", json=claims, trust_env=False, timeout=60).raise_for_status()
