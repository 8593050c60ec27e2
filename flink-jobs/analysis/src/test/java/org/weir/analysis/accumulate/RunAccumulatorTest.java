package org.weir.analysis.accumulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.weir.analysis.TestLog.SITE;
import static org.weir.analysis.TestLog.posix;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.features.FeatureComputer;
import org.weir.analysis.features.RunFeaturesBytes;
import org.weir.analysis.features.StateFormatTest;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;
import org.weir.wire.LogBatch;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;

class RunAccumulatorTest {
  @Provide
  Arbitrary<TestLog> logs() {
    Arbitrary<Double> times =
        Arbitraries.oneOf(
            Arbitraries.doubles().between(0, 1e6),
            Arbitraries.of(0.0, -1.0, 0.1, 1e-9, Double.NaN, Double.POSITIVE_INFINITY, 1e300));
    Arbitrary<Long> counters =
        Arbitraries.oneOf(
            Arbitraries.longs().between(0, 1L << 40),
            Arbitraries.of(-1L, 0L, 1L, Long.MIN_VALUE, Long.MAX_VALUE));
    Arbitrary<String> names =
        Arbitraries.of("/scratch/a", "/scratch/b", "/home/c", "/tmp/d", "<STDOUT>");
    Arbitrary<Map<String, Number>> values =
        Combinators.combine(counters, counters, counters, times, times, times)
            .as(
                (a, b, c, t, u, v) ->
                    Map.of(
                        "BYTES_READ",
                        a,
                        "BYTES_WRITTEN",
                        b,
                        "SIZE_READ_0_100",
                        c,
                        "F_META_TIME",
                        t,
                        "F_READ_TIME",
                        u,
                        "F_READ_START_TIMESTAMP",
                        t,
                        "F_READ_END_TIMESTAMP",
                        v,
                        "F_VARIANCE_RANK_BYTES",
                        u,
                        "F_SLOWEST_RANK_TIME",
                        v,
                        "INDEP_READS",
                        c));
    List<Module> modules = new ArrayList<>(Module.DATA);
    modules.addAll(Module.LIBRARIES);
    Arbitrary<long[]> targets =
        Arbitraries.longs().between(-1, 200).array(long[].class).ofMaxSize(80);
    Arbitrary<TestLog> logs =
        Combinators.combine(
                Arbitraries.of(modules), names, Arbitraries.longs().between(-1, 3), values)
            .as(TestLog.Row::new)
            .list()
            .ofMinSize(1)
            .ofMaxSize(12)
            .map(rows -> new TestLog(4).add(rows.toArray(new TestLog.Row[0])));
    return Combinators.combine(logs, targets, targets)
        .as(
            (log, first, second) ->
                log.lustre("/scratch/a", -1, 1 << 20, first)
                    .lustre("/scratch/a", 2, 2 << 20, second)
                    .lustre("/scratch/b", 1, 4 << 20, second));
  }

  @Property(tries = 300)
  void anyOrderAndAnySplitGiveTheSameBytes(@ForAll("logs") TestLog log, @ForAll long seed)
      throws WireException {
    byte[] expected = log.accumulator().toBytes();
    List<LogBatch> batches = new ArrayList<>(log.batches());
    Random random = new Random(seed);
    Collections.shuffle(batches, random);
    RunAccumulator left = new RunAccumulator();
    RunAccumulator right = new RunAccumulator();
    for (LogBatch batch : batches) {
      (random.nextBoolean() ? left : right).add(batch, SITE);
    }
    RunAccumulator merged = RunAccumulator.fromBytes(left.toBytes());
    merged.add(right.toBytes());
    assertThat(merged.toBytes()).isEqualTo(expected);
    RunFeatures features = FeatureComputer.compute(log.header(), log.end(), false, merged, SITE);
    assertThat(features).isEqualTo(log.features());
    assertThat(RunFeaturesBytes.read(RunFeaturesBytes.write(features)))
        .isEqualTo(StateFormatTest.kept(features));
  }

  @Test
  void whatIsUnknownOfAFileStaysUnknownThroughItsState() throws WireException {
    TestLog.Row unknown = posix("/scratch/a", -1).with("BYTES_READ", -1);
    TestLog.Row known = posix("/scratch/a", 0).with("BYTES_READ", 0);
    RunAccumulator merged =
        RunAccumulator.fromBytes(new TestLog(4).add(unknown).accumulator().toBytes());
    merged.add(new TestLog(4).add(known).accumulator().toBytes());
    assertThat(merged.toBytes())
        .isEqualTo(new TestLog(4).add(unknown, known).accumulator().toBytes());
  }

  @Test
  void memoryDoesNotGrowWithTheNumberOfFiles() throws WireException {
    RunAccumulator accumulator = new RunAccumulator();
    RunAccumulator otherHalf = new RunAccumulator();
    for (int batch = 0; batch < 1_000; batch++) {
      (batch % 2 == 0 ? accumulator : otherHalf).add(manyFiles(batch, 1_000), SITE);
    }
    accumulator.add(otherHalf.toBytes());
    assertThat(accumulator.toBytes().length).isLessThan(1_000_000);
    assertThat(accumulator.files().value()).isBetween(970_000.0, 1_030_000.0);
    assertThat(accumulator.files().isExact()).isFalse();
    TestLog log = new TestLog(1).add(posix("/scratch/a", 0));
    RunFeatures run = FeatureComputer.compute(log.header(), log.end(), false, accumulator, SITE);
    assertThat(run.value("unique_files")).as("none moved bytes").isZero();
    assertThat(run.feature("data_files").evidence()).isEqualTo(EvidenceClass.BOUNDED);
  }

  private static LogBatch manyFiles(int number, int rows) {
    long[] ids = new Random(number).longs(rows).toArray();
    long[] ones = new long[rows];
    java.util.Arrays.fill(ones, 1);
    return new LogBatch(
        "demo",
        1L,
        0L,
        "POSIX",
        4,
        number,
        rows,
        PackedColumns.pack(ids),
        PackedColumns.pack(new long[rows]),
        Collections.nCopies(rows, "/scratch/f"),
        List.of("POSIX_SIZE_READ_0_100"),
        PackedColumns.pack(ones),
        List.of(),
        PackedColumns.pack(new double[0]));
  }

  @Test
  void columnsThatDoNotFitAddNothing() {
    LogBatch batch = new TestLog(1).add(posix("/scratch/a", 0)).batches().get(0);
    batch.setRanks(PackedColumns.pack(new long[2]));
    RunAccumulator accumulator = new RunAccumulator();
    assertThatThrownBy(() -> accumulator.add(batch, SITE)).isInstanceOf(WireException.class);
    assertThat(accumulator.toBytes()).isEqualTo(new RunAccumulator().toBytes());
  }
}
