from weir_embedded.stamps import Stamp, fingerprint


def project(folder):
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "A.java").write_text("class A {}")
    (folder / "pom.xml").write_text("<project/>")
    return folder


def test_a_step_is_done_again_when_a_source_changes_or_moves_but_not_for_its_own_results(tmp_path):
    folder = project(tmp_path / "jobs")
    before = fingerprint([folder])
    (folder / "target").mkdir()
    (folder / "target" / "a.jar").write_text("built")
    (folder / "dependency-reduced-pom.xml").write_text("<project/>")
    assert fingerprint([folder]) == before
    (folder / "src" / "A.java").write_text("class A { }")
    changed = fingerprint([folder])
    assert changed != before
    (folder / "src" / "A.java").rename(folder / "src" / "B.java")
    assert fingerprint([folder]) not in (before, changed)


def test_the_same_sources_elsewhere_have_the_same_fingerprint(tmp_path):
    assert fingerprint([project(tmp_path / "x" / "jobs")]) == fingerprint([project(tmp_path / "y" / "jobs")])


def test_words_count(tmp_path):
    assert fingerprint([], "2.2.1") != fingerprint([], "2.2.2")
    assert fingerprint([], "ab", "c") != fingerprint([], "a", "bc")


def test_a_stamp_is_fresh_for_what_it_was_renewed_with(tmp_path):
    stamp = Stamp(tmp_path / "stamps" / "kafka")
    assert not stamp.is_fresh("one")
    stamp.renew("one")
    assert stamp.is_fresh("one")
    assert not stamp.is_fresh("two")
