"""Damaged and hostile logs (faults F11 and F12): decoded, partly decoded or refused, within bounds."""

import darshan_hostile
import darshan_mutations as mutations
import darshan_writer as writer
import pytest
from darshan_decoding import decode, publish, show
from darshan_writer import LogWriter


@pytest.mark.parametrize(("way", "number"), [(decode, 120), (publish, 120), (show, 40)])
def test_damaged_logs(way, number):
    """A few of each; darshan_long_run.py tries thousands."""
    logs, outcomes = mutations.corpus(1 << 18, step=3), set()
    assert len(logs) > 30
    for name, _, result in mutations.campaign(number, 11, logs, way):
        assert not result.broken, name
        outcomes.add(result.outcome)
    assert outcomes == {"whole", "damaged", "refused"}


@pytest.mark.parametrize("way", [decode, publish, show])
def test_sound_logs_of_every_module_are_whole(way):
    for number, content in enumerate(mutations.written_logs()[::3]):
        result = way(content)
        assert (result.outcome, result.broken) == ("whole", []), number


@pytest.mark.parametrize(("version", "byteorder"), [("3.10", ">"), ("3.41", "<")])
def test_a_lie_in_the_header_loses_nothing_beside_it(version, byteorder):
    log = LogWriter(nprocs=64, version=version, byteorder=byteorder)
    for module, of in (("POSIX", 3), ("LUSTRE", 1), ("STDIO", 1)):
        log.add(module, of, [{"name": b"/f%d" % rank, "rank": rank} for rank in range(64)])
    anatomy = mutations.Anatomy(log.to_bytes())
    sound = decode(anatomy.content)
    for name, slot, part in anatomy.fields():
        for value in mutations.LIES[::2]:
            content = anatomy.with_lie(name, slot, part, value)
            result = decode(content)
            case = (name, slot, part, value)
            assert not result.broken, case
            if name == "magic":
                assert result.outcome == "refused", case
            if name.startswith("module"):
                others = set(sound.digests) - {anatomy.name(slot)}
                assert {other: result.digests.get(other) for other in others} == {
                    other: sound.digests[other] for other in others
                }, case


QUICK = [case for case in darshan_hostile.cases() if not case.slow]


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_hostile_logs(case):
    content = case.build()
    assert darshan_hostile.judge(case, decode(content)) == []
    if not case.reason:
        assert publish(content).broken + show(content).broken == []


def test_records_that_lie_about_their_length():
    for case in darshan_hostile.lies():
        assert darshan_hostile.judge(case, decode(case.build())) == [], case.name


def test_a_file_too_large_is_refused_unread(tmp_path):
    large = tmp_path / "large.darshan"
    large.write_bytes(LogWriter().to_bytes())
    with large.open("r+b") as file:
        file.truncate(20 << 30)
    result = decode(large)
    assert (result.outcome, result.broken) == ("refused", [])
    assert "the limit is" in result.reasons[0]


@pytest.mark.parametrize("way", [decode, publish, show])
def test_many_file_records_stream_in_bounded_memory(tmp_path, way):
    log, path = LogWriter(nprocs=512), tmp_path / "many.darshan"
    writer.many_files(log, 100_000)
    with path.open("wb") as file:
        log.write(file)
    result = way(path)
    assert (result.outcome, result.broken, result.rows) == ("whole", [], {"POSIX": 100_000})
    # the records alone are 70 MB
    assert result.mebibytes < 256
