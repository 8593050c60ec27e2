package org.weir.analysis.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.posix;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.weir.analysis.TestLog;
import org.weir.analysis.run.RunFeatures;
import org.weir.site.Site;

/** Compares the model of contention with its published values. */
class LustreContentionTest {
  @ParameterizedTest
  @CsvSource({"512, 2.4", "688, 3.0", "2048, 8.53", "4096, 17.07"})
  void lustreContention(double tasks, double load) {
    assertThat(LustreContention.load(480, 2, tasks)).isCloseTo(load, within(0.05));
    assertThat(LustreContention.targetsInUse(480, 2, 1)).isCloseTo(2, within(1e-9));
    assertThat(LustreContention.targetsInUse(4, 8, tasks)).isEqualTo(4);
  }

  @Test
  void withoutLayoutsTheSitesStripingIsExpected() {
    Site site =
        Site.parse(
            """
            {"cluster": "c", "file_systems": [{"id": "scratch", "kind": "lustre",
              "mount_prefixes": ["/scratch"], "default_stripe_count": 2,
              "targets": {"0": "a", "1": "b", "2": "c", "3": "d"}}]}
            """);
    TestLog log = new TestLog(3);
    for (int i = 0; i < 3; i++) {
      log.add(posix("/scratch/f" + i, i).with("BYTES_WRITTEN", MIB));
    }
    RunFeatures run =
        FeatureComputer.compute(log.header(), log.end(), false, log.accumulator(), site);
    // 4 targets, 2 stripes, 3 files: 4 - 4 * (1/2)^3 = 3.5 targets for 6 stripes.
    assertThat(run.value("expected_stripes_per_target")).isCloseTo(6 / 3.5, within(1e-9));
    assertThat(run.value("stripes_per_target")).isNull();
  }
}
