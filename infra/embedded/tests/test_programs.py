import os

from weir_embedded import passwords, programs
from weir_embedded.settings import Stack
from weir_keeper import declared_jobs


def test_what_is_in_force_changes_with_the_next_start_and_not_with_a_build(tmp_path):
    stack = Stack(root=tmp_path, home=tmp_path / "home", parallelism=3)
    passwords.generate_missing(stack)
    assert declared_jobs(stack) == []
    built, *_ = programs.built_jars(stack)
    built.parent.mkdir(parents=True)
    built.write_text("one")
    (stack.conf / "flink").mkdir(parents=True)
    (stack.conf / "flink" / "config.yaml").write_text("parallelism.default: 3\n")
    programs.install(stack)
    (job,) = declared_jobs(stack)
    assert (job.name, job.jar.read_text(), job.parallelism) == ("storage-analysis", "one", 3)
    built.write_text("two, longer")
    os.utime(built, (1, 1))
    assert declared_jobs(stack)[0].jar.read_text() == "one"
    programs.install(stack)
    assert declared_jobs(stack)[0].jar.read_text() == "two, longer"
