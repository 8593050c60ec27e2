"""Site and rules by the command: what is wrong is told with its line; the same content is published once."""

import pytest
import yaml
from clients import CENTER
from weir.admin import rules

RULE = """\
id: big
title: Big
condition: |
  posix_bytes > 1.0
  && {second}
evidence: [posix_bytes]
advice: [larger_blocks]
"""


@pytest.mark.parametrize(
    ("second", "reason"), [("no_such_feature > 1.0", "no_such_feature"), ("posix_bytes + ", "")]
)
def test_a_condition_that_does_not_compile_is_refused_with_its_line(weir, tmp_path, second, reason):
    (tmp_path / "big.yaml").write_text(RULE.format(second=second))
    told = weir("rules", "check", tmp_path, code=1)
    assert f"{tmp_path}/big.yaml:5: condition: " in told or f"{tmp_path}/big.yaml:6: condition: " in told
    assert reason in told


def test_the_shipped_rules_and_the_recorded_site_are_right(weir):
    shipped = len(list(rules.SHIPPED.glob("*.yaml")))
    assert weir("rules", "check").startswith(f"{shipped} rules, no problem")
    assert "no problem" in weir("site", "check", CENTER / "site.yaml")


def test_a_new_revision_only_for_a_new_content(weir, tmp_path):
    site = yaml.safe_load((CENTER / "site.yaml").read_text()) | {"cluster": "revised"}
    file = tmp_path / "site.yaml"
    for threshold, told in (
        (1, "revision 1 published"),
        (1, "revision 1 is active"),
        (2, "revision 2 published"),
    ):
        file.write_text(yaml.safe_dump(site | {"slow_threshold_seconds": threshold}))
        assert told in weir("site", "publish", file)
