"""What makes `weir analyze` start faster changes no result: the archive of classes and the early start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from weir.analyze import jvm

pytestmark = pytest.mark.usefixtures("analysis_jar")
COMMAND = [sys.executable, "-m", "weir", "analyze", "--json"]


@pytest.fixture
def log(recorded):
    (found,) = recorded.glob("darshan/*/small_unaligned_shared/*.darshan")
    return found


@pytest.fixture
def analyze(log, tmp_path):
    """Runs the command with a cache of its own."""

    def run(*arguments: object, cache: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        command = [*COMMAND, *map(str, arguments), log]
        return subprocess.run(command, capture_output=True, check=False, text=True, env=env, cwd=tmp_path)

    return run


@pytest.fixture
def truth(analyze, tmp_path):
    """What is said without an archive, and without one being written."""
    (tmp_path / "no folder").write_text("")
    done = analyze(cache=tmp_path / "no folder")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def archives(tmp_path):
    return list((tmp_path / "weir").iterdir())


def mapped(archive: Path) -> bool:
    """Whether a JVM that is told to start from this archive or not at all starts."""
    strict = ["java", "-Xshare:on", f"-XX:SharedArchiveFile={archive}", *jvm._QUICK[:-1]]
    done = subprocess.run([*strict, "-jar", jvm.find_jar(), "features"], capture_output=True, check=False)
    return done.returncode == 0


def test_the_first_use_leaves_an_archive_that_later_ones_start_from(analyze, truth, tmp_path):
    assert analyze().stdout == truth
    (archive,) = archives(tmp_path)
    before = archive.stat()
    assert mapped(archive)
    assert analyze().stdout == truth
    assert archives(tmp_path) == [archive]
    assert archive.stat().st_mtime_ns == before.st_mtime_ns


def test_an_archive_that_was_cut_is_replaced(analyze, truth, tmp_path):
    analyze()
    (archive,) = archives(tmp_path)
    archive.chmod(0o600)
    os.truncate(archive, archive.stat().st_size // 2)
    done = analyze()
    assert (done.returncode, done.stdout, done.stderr) == (0, truth, "")
    assert mapped(max(archives(tmp_path), key=lambda each: each.stat().st_size))


def test_an_archive_of_another_program_is_passed_over(analyze, truth, tmp_path):
    analyze()
    (archive,) = archives(tmp_path)
    archive.chmod(0o600)
    with archive.open("r+b") as stream:
        stream.write(bytes(4096))  # its header, where the JVM's version stands
    assert analyze().stdout == truth


def test_a_jvm_that_dies_of_its_archive_does_so_once(analyze, truth, tmp_path):
    analyze()
    (archive,) = archives(tmp_path)
    archive.chmod(0o600)
    with archive.open("r+b") as stream:
        stream.seek(archive.stat().st_size // 3)  # its classes
        stream.write(b"\xa5" * (archive.stat().st_size // 3))
    done = analyze()
    assert done.returncode == 1
    assert f"{archive} may have been damaged and was removed: try again" in done.stderr
    assert {each.name for each in tmp_path.iterdir()} == {"weir", "no folder"}  # no report of a crash
    assert analyze().stdout == truth


def test_several_first_uses_at_once(log, truth, tmp_path):
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    started = [
        subprocess.Popen([*COMMAND, log], stdout=subprocess.PIPE, text=True, env=env) for _ in range(3)
    ]
    assert [each.communicate()[0] for each in started] == [truth] * 3
    assert all(map(mapped, archives(tmp_path)))


def test_few_archives_are_kept(analyze, tmp_path):
    """Those of earlier versions, and what a first use that was killed left behind."""
    (tmp_path / "weir").mkdir()
    for number in range(5):
        old = tmp_path / f"weir/analysis-{number:016x}.{number}"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    analyze()
    assert sorted(each.name[:25] for each in archives(tmp_path) if each.stat().st_size == 0) == [
        f"analysis-{number:016x}" for number in (3, 4)
    ]


def test_what_has_begun_is_the_analysis_that_is_wanted(log, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    site, other = tmp_path / "site.yaml", tmp_path / "other.yaml"
    jvm.begin(["--site", str(site), str(log)])
    begun = jvm._begun
    assert begun
    wanted = jvm.judging(site)
    assert wanted is begun
    assert wanted.arguments[-2:] == ["--site", str(site)]
    assert jvm.judging(site) is not begun  # it was given away
    jvm.begin([str(log)])
    unwanted = jvm._begun
    assert unwanted
    assert jvm.judging(other).arguments[-2:] == ["--site", str(other)]
    assert unwanted._process.returncode is not None


def test_nothing_begins_without_a_log(log, tmp_path):
    for arguments in (["--help"], [str(tmp_path)], ["--html", str(tmp_path / log.name)]):
        jvm.begin(arguments)
        assert jvm._begun is None


@pytest.mark.parametrize("arguments", [["--nodes", "0"], ["--no-such-option"], ["--site", "/no/such/file"]])
def test_what_has_begun_ends_with_a_command_that_fails(log, arguments, tmp_path):
    marker = f"-Dweir.test={tmp_path}"
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "JDK_JAVA_OPTIONS": marker}
    done = subprocess.run([*COMMAND, log, *arguments], capture_output=True, check=False, text=True, env=env)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    environments = [each / "environ" for each in Path("/proc").iterdir() if each.name.isdigit()]
    assert not [each for each in environments if marker.encode() in _content(each)]


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""
