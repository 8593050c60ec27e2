package org.weir.analysis.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.posix;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.weir.analysis.ShippedRules;
import org.weir.analysis.TestLog;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.Module;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.analysis.slowness.References;

public class BaselineTest {
  private static EarlierRun run(long end, double rate) {
    return new EarlierRun("log" + end, end, 64, 1_000, rate);
  }

  @Test
  void earlierComparableRunsOnly() {
    EarlierRun run = new EarlierRun("this", 100, 64, 1_000, 5);
    List<EarlierRun> known =
        List.of(
            run,
            run(100, 1), // ended with it, not before
            run(101, 1),
            run(99, 40),
            run(7, 20),
            new EarlierRun("half", 8, 32, 500, 30),
            new EarlierRun("twice", 9, 128, 2_000, 10),
            new EarlierRun("processes", 10, 31, 1_000, 1),
            new EarlierRun("processes", 11, 129, 1_000, 1),
            new EarlierRun("bytes", 12, 64, 499, 1),
            new EarlierRun("bytes", 13, 64, 2_001, 1));
    // Of 10, 20, 30, 40: a tenth of the way over three steps is 0.3 of the first.
    assertThat(Baseline.of(run, known)).isEqualTo(new Baseline(4, 99L, 13.0, 25.0));
    assertThat(Baseline.of(run, List.of(run))).isEqualTo(Baseline.NONE);
  }

  private static TestLog writes(long bytes, double seconds) {
    TestLog.Row row = posix("/scratch/a", 0);
    return new TestLog(4).add(row.with("BYTES_WRITTEN", bytes).with("F_WRITE_TIME", seconds));
  }

  @Test
  void onlyWholeRunsOfSomeVolumeAreCompared() {
    RunFeatures run = writes(64 * MIB, 2).features();
    EarlierRun earlier = EarlierRun.of("log", run);
    assertThat(earlier.endTime()).isEqualTo(TestLog.START + 60_000_000);
    assertThat(earlier.nprocs()).isEqualTo(4);
    assertThat(earlier.bytes()).isEqualTo(64 * MIB);
    assertThat(earlier.mibPerSecond()).isCloseTo(32, within(1e-9));
    assertThat(EarlierRun.of("log", writes(16 * MIB, 2).features())).isNotNull();
    assertThat(EarlierRun.of("log", writes(16 * MIB - 1, 2).features())).isNull();
    assertThat(EarlierRun.of("log", writes(64 * MIB, 0).features())).isNull();
    assertThat(EarlierRun.of("log", writes(64 * MIB, 2).state(Module.POSIX, "partial").features()))
        .isNull();
    // Another one may come for it (.darshan_partial).
    assertThat(EarlierRun.of("log", writes(64 * MIB, 2).leftPartial().features())).isNull();
    TestLog local = new TestLog(4);
    local.add(posix("/tmp/a", 0).with("BYTES_WRITTEN", 64 * MIB).with("F_WRITE_TIME", 2));
    assertThat(EarlierRun.of("log", local.features())).isNull();
  }

  /** The run moves 64 MiB/s. */
  @ParameterizedTest
  @CsvSource({
    "HOLDS, 5, 100, 100", // all earlier runs at 100
    "DOES_NOT_HOLD, 4, 100, 100", // too few
    "DOES_NOT_HOLD, 5, 85, 85", // slower than any, but more than 3/4 of the median
    "HOLDS, 5, 86, 86",
    "DOES_NOT_HOLD, 5, 60, 100", // as slow has happened before
    "HOLDS, 5, 70, 100",
  })
  void slowerThanTheSlowestTenthAndMarkedly(
      RuleOutcome.State state, int runs, double slowest, double others) {
    RunFeatures run = writes(128 * MIB, 2).features();
    List<EarlierRun> known = new ArrayList<>();
    EarlierRun own = EarlierRun.of("log", run);
    DoubleStream.concat(DoubleStream.of(slowest, slowest), DoubleStream.generate(() -> others))
        .limit(runs)
        .forEach(rate -> known.add(new EarlierRun("r", 1 + known.size(), 4, own.bytes(), rate)));
    Cost cost = Cost.of(run, null, null, TestLog.SITE, new References());
    LoadSummary load = new LoadSummary(LoadState.NO_SAMPLES, 1, 0, null, null, null, 0, null);
    Baseline baseline = Baseline.of(own, known);
    assertThat(
            ShippedRules.outcome(
                    "slow_vs_history", JudgedFeatures.of(run.features(), cost, load, baseline), run)
                .state())
        .isEqualTo(state);
  }

  @Test
  void unknowableOnAnIncompleteLog() {
    RunFeatures run = writes(128 * MIB, 2).state(Module.POSIX, "partial").features();
    Cost cost = Cost.of(run, null, null, TestLog.SITE, new References());
    LoadSummary load = new LoadSummary(LoadState.NO_SAMPLES, 1, 0, null, null, null, 0, null);
    Map<String, Feature> judged = JudgedFeatures.of(run.features(), cost, load, Baseline.NONE);
    assertThat(ShippedRules.outcome("slow_vs_history", judged, run).state())
        .isEqualTo(RuleOutcome.State.UNKNOWABLE);
  }

  @Test
  void interpretersAreToldApartByTheirCommandLine() {
    RunFeatures run = writes(64 * MIB, 2).features();
    assertThat(Application.key("c", 1, "python3.11", "a", run))
        .isNotEqualTo(Application.key("c", 1, "python3.11", "b", run));
    assertThat(Application.key("c", 1, "ior", "a", run))
        .isEqualTo(Application.key("c", 1, "ior", "b", run))
        .isNotEqualTo(Application.key("c", 2, "ior", "a", run))
        .isNotEqualTo(Application.key("c", 1, "mdtest", "a", run));
  }

  private static String keyOf(TestLog log) {
    return Application.key("c", 1, "ior", "", log.features());
  }

  private static TestLog requests(int rank, long bytes) {
    return new TestLog(4)
        .add(
            posix("/scratch/a", rank)
                .with("BYTES_WRITTEN", 64 * MIB)
                .with("WRITES", 64 * MIB / bytes));
  }

  @Test
  void settingsOfOneProgramAreToldApart() {
    String key = keyOf(requests(-1, MIB));
    assertThat(keyOf(requests(-1, MIB - 1_000))).isEqualTo(key);
    assertThat(keyOf(requests(-1, 2 * MIB))).isEqualTo(key);
    assertThat(keyOf(requests(-1, MIB / 16))).isNotEqualTo(key);
    assertThat(keyOf(requests(0, MIB))).isNotEqualTo(key);
  }
}
