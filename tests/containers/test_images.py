"""What the images hold, and what they must not."""

import io
import json
import os
import re
import subprocess
import tarfile

import pytest

from . import services

PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----")
# A value that is given, not the file that holds it: `..._PASSWORD_FILE=/config/...` is allowed.
PASSWORD = re.compile(
    r"(?i)(?:passw(?:or)?d|secret|token|api_?key)(?!\w*_file\b)\w*[=:]\s*[^\s,]+|://[^/\s:@]*:[^/\s@]+@"
)


def private_keys(stream):
    """(number of layers, files that are keys) of what `docker save` writes.

    In any layer, also one that a later layer deletes.
    """
    layers, found = 0, []
    with tarfile.open(fileobj=stream, mode="r|") as saved:
        for part in filter(tarfile.TarInfo.isfile, saved):
            try:
                found += keys_of_layer(saved.extractfile(part))
            except tarfile.ReadError:
                continue  # what is no layer describes the image
            layers += 1
    return layers, found


def keys_of_layer(stream):
    with tarfile.open(fileobj=stream, mode="r|*") as layer:
        files = filter(tarfile.TarInfo.isfile, layer)
        return [file.name for file in files if PRIVATE_KEY.match(layer.extractfile(file).read(100))]


def tar(mode="w", **files):
    """A tar archive of files by name."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return written.getvalue()


def docker(*words):
    return subprocess.run(["docker", *words], stdout=subprocess.PIPE, text=True, check=True).stdout


@pytest.fixture(params=services.OURS)
def image(request):
    if reason := services.why_not():
        pytest.fail(reason) if os.environ.get("WEIR_REQUIRE_CONTAINERS") else pytest.skip(reason)
    return f"weir/{request.param}:dev"


def test_a_planted_key_is_found_in_plain_and_compressed_layers():
    key = b"-----BEGIN RSA PRIVATE KEY-----\nMII"
    image = tar(
        manifest=b'[{"Config": "x"}]' * 100,
        version=b"1.0",
        first=tar(passwd=b"root", planted=key),
        second=tar("w:gz", packed=b"-----BEGIN PRIVATE KEY-----\n", public=b"-----BEGIN CERTIFICATE-----\n"),
        third=tar(),
    )
    assert private_keys(io.BytesIO(image)) == (3, ["planted", "packed"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("POSTGRES_PASSWORD=hunter2", True),
        ("|1 admin_token=abc /bin/sh -c true", True),
        ("RUN pip install --index-url https://me:hunter2@host/simple x", True),
        ("ENV WEIR_SUPERSET_SECRET_KEY_FILE=/config/superset/secret_key", False),
        ("RUN --mount=type=secret,id=ca /with-ca pip install", False),
        ("HEALTHCHECK curl http://127.0.0.1:8080/healthy", False),
    ],
)
def test_what_a_password_in_an_image_s_description_looks_like(text, told):
    assert bool(PASSWORD.search(text)) is told


def test_no_image_holds_a_private_key(image):
    """All other secrets are made at the first start."""
    (described,) = json.loads(docker("image", "inspect", image))
    with subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE) as saving:
        layers, found = private_keys(saving.stdout)
    assert layers >= len(set(described["RootFS"]["Layers"]))
    assert found == []


def test_no_image_s_environment_or_history_tells_a_password(image):
    (described,) = json.loads(docker("image", "inspect", image))
    history = docker("history", "--no-trunc", "--format", "{{.CreatedBy}}", image)
    assert "apt-get install" in history
    lines = [*described["Config"]["Env"], *history.splitlines()]
    assert [line for line in lines if PASSWORD.search(line)] == []
