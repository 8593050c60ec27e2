package org.weir.analysis.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.SITE;
import static org.weir.analysis.TestLog.START;
import static org.weir.analysis.TestLog.posix;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.judge.Verdict;
import org.weir.analysis.log.Module;
import org.weir.analysis.ruleengine.RuleSet;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.References;

class LoadWindowTest {
  private static final long SECOND = 1_000_000;

  /** Reads 100 B in second 0 and writes 200 B in second 2. */
  private static LoadWindow window() {
    return LoadWindow.of(
        new TestLog(2)
            .add(posix("/scratch/a", 0).with("BYTES_READ", 100).with("BYTES_WRITTEN", 200))
            .heat(Module.POSIX, 0, 0, 100, 0)
            .heat(Module.POSIX, 1, 2, 0, 200)
            .features(),
        SITE);
  }

  private static BucketLoad load(double read, double written, double util) {
    return new BucketLoad(read, written, util, util, true, true);
  }

  @Test
  void asksForTheSecondsInWhichTheRunMovedBytes() {
    assertThat(window().bucketStarts()).containsExactly(START, START + 2 * SECOND);
    assertThat(window().end()).isEqualTo(START + 3 * SECOND);
  }

  @Test
  void withoutHeatmapsTheRecordsIntervalsServeAndAreBounded() {
    RunFeatures run =
        new TestLog(2)
            .add(
                posix("/scratch/a", 0)
                    .with("BYTES_READ", 100)
                    .with("F_READ_START_TIMESTAMP", 1.5)
                    .with("F_READ_END_TIMESTAMP", 3.5))
            .features();
    assertThat(run.traffic().get(0).evidence()).isEqualTo(EvidenceClass.BOUNDED);
    LoadWindow window = LoadWindow.of(run, SITE);
    assertThat(window.own())
        .extracting(LoadWindow.OwnBucket::start)
        .containsExactly(START + SECOND, START + 2 * SECOND, START + 3 * SECOND);
    assertThat(window.own().get(1).bytesRead()).isCloseTo(50, within(1.0));
  }

  @Test
  void whatTheRunCannotHaveMovedIsOthers() {
    Map<Long, BucketLoad> loads = new HashMap<>();
    loads.put(START, load(150, 0, 0.5));
    loads.put(START + SECOND, load(9_999, 9_999, 1));
    loads.put(START + 2 * SECOND, load(0, 260, 0.7));
    LoadSummary summary = window().summarize(loads, false);
    assertThat(summary.state()).isEqualTo(LoadState.CLOSED);
    assertThat(summary.ownBytes()).isEqualTo(300);
    assertThat(summary.deviceBytes()).isEqualTo(410);
    assertThat(summary.othersBytes()).isEqualTo(110);
    assertThat(summary.utilMean()).isCloseTo(0.6, within(1e-12));
    assertThat(summary.utilMax()).isEqualTo(0.7);
  }

  @Test
  void ownWritesMayReachTheDevicesUpTo30SecondsLater() {
    TestLog log =
        new TestLog(2)
            .add(posix("/scratch/a", 0).with("BYTES_READ", 2).with("BYTES_WRITTEN", 500))
            .heat(Module.POSIX, 0, 0, 0, 500)
            .heat(Module.POSIX, 0, 30, 1, 0)
            .heat(Module.POSIX, 0, 31, 1, 0);
    LoadWindow window = LoadWindow.of(log.features(), SITE);
    Map<Long, BucketLoad> loads = new HashMap<>();
    loads.put(START, load(0, 100, 0.1));
    loads.put(START + 30 * SECOND, load(1, 300, 0.1));
    loads.put(START + 31 * SECOND, load(1, 70, 0.1));
    // Of 500 written 100 landed at once and 300 within 30 s; at 31 s it is too late.
    assertThat(window.summarize(loads, false).othersBytes()).isEqualTo(70);
  }

  @Test
  void statesOfTheAnswer() {
    Map<Long, BucketLoad> loads = new HashMap<>();
    assertThat(window().summarize(loads, false).state()).isEqualTo(LoadState.WAITING);
    assertThat(window().summarize(loads, true).state()).isEqualTo(LoadState.NO_SAMPLES);
    loads.put(START, load(0, 0, 0));
    LoadSummary half = window().summarize(loads, true);
    assertThat(half.state()).isEqualTo(LoadState.INCOMPLETE);
    assertThat(half.bucketsClosed()).isEqualTo(1);
    assertThat(half.bucketsExpected()).isEqualTo(2);
    loads.put(START + 2 * SECOND, new BucketLoad(0, 0, 0, 0, false, true));
    assertThat(window().summarize(loads, false).state()).isEqualTo(LoadState.WAITING);
    loads.put(START + 2 * SECOND, new BucketLoad(0, 0, 0, 0, true, false));
    assertThat(window().summarize(loads, false).state())
        .as("a server was silent")
        .isEqualTo(LoadState.INCOMPLETE);
    RunFeatures nothing = new TestLog(2).features();
    assertThat(LoadWindow.of(nothing, SITE).summarize(loads, false).state())
        .isEqualTo(LoadState.NO_FILESYSTEM);
  }

  /** 38 s lost over 1,000 MiB, and no heatmap or interval that tells when they were moved. */
  @Test
  void bytesWithoutATimeHaveNoKnownLoad() {
    RunFeatures run =
        new TestLog(32)
            .runTime(100)
            .add(
                posix("/scratch/a", 0)
                    .with("BYTES_WRITTEN", 1_000L << 20)
                    .with("F_WRITE_TIME", 40)
                    .with("WRITES", 10))
            .features();
    LoadWindow window = LoadWindow.of(run, SITE);
    assertThat(window.filesystem()).isEqualTo("scratch");
    assertThat(window.own()).isEmpty();
    LoadSummary load = window.summarize(Map.of(), false);
    assertThat(load.state()).isEqualTo(LoadState.NO_SAMPLES);
    assertThat(load.isFinal(false)).as("nothing is asked for").isTrue();
    RunJudgement judgement =
        RunJudgement.of(
            run, 2, "batch", load, Baseline.NONE, new References(), SITE, RuleSet.empty());
    assertThat(judgement.cost().slow()).isTrue();
    assertThat(judgement.verdict())
        .isEqualTo(Verdict.unknown("the log does not tell when the run moved its bytes"));
  }
}
