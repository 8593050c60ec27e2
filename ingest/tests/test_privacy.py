"""What of names and command lines is shown under each policy of a site."""

from hashlib import blake2b

import pytest
from weir.privacy import Privacy

REDUCED = Privacy("directory_and_hash")


def hashed(name):
    return blake2b(name, digest_size=16).hexdigest().encode()


@pytest.mark.parametrize(
    ("module", "name", "directory"),
    [
        ("POSIX", b"/scratch/me/secret project.h5", b"/scratch/me/"),
        ("POSIX", b"/scratch/me/\xff\xfe", b"/scratch/me/"),
        ("POSIX", b"relative", b""),
        ("MPI-IO", b"ufs:/scratch/me/x", b"ufs:/scratch/me/"),
        ("H5D", b"/scratch/me/secret.h5:/group/patient", b"/scratch/me/"),
        ("H5D", b"/scratch/a:b/secret.h5:/group/patient", b"/scratch/"),
        ("PNETCDF_VAR", b"/scratch/me/secret.nc:var/x", b"/scratch/me/"),
    ],
)
def test_a_path_is_reduced_to_its_directory_and_a_hash(module, name, directory):
    assert REDUCED.names(module, [name, None]) == [directory + hashed(name), None]
    assert Privacy().names(module, [name, None]) == [name, None]


def test_names_that_are_no_paths_stay():
    assert REDUCED.names("STDIO", [b"<STDOUT>", b""]) == [b"<STDOUT>", b""]
    assert REDUCED.names("HEATMAP", [b"heatmap:POSIX"]) == [b"heatmap:POSIX"]


def test_a_command_line_is_kept_only_if_the_site_says_so():
    assert Privacy().kept_command(b"./sim --token=1") == {}
    site = {"privacy": {"command_lines": "full"}}
    assert Privacy.of(site).kept_command(b"./sim --token=1") == {b"command_line": b"./sim --token=1"}
    assert not Privacy.of({}).is_off
    assert Privacy("full", "full").is_off
