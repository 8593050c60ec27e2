package org.weir.analysis.totals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.posix;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;

class EffectiveRanksTest {
  private static final String LOWER = "posix_effective_ranks_lower";
  private static final String UPPER = "posix_effective_ranks_upper";

  private static void assertExactly(TestLog log, double expected) {
    RunFeatures features = log.features();
    assertThat(features.value(LOWER)).isCloseTo(expected, within(1e-6 * expected));
    assertThat(features.value(UPPER)).isCloseTo(expected, within(1e-6 * expected));
    assertThat(features.feature(LOWER).evidence()).isEqualTo(EvidenceClass.EXACT);
    assertThat(features.feature(UPPER).evidence()).isEqualTo(EvidenceClass.EXACT);
  }

  private static TestLog.Row shared(String name, long bytes, double variance) {
    return posix(name, -1)
        .with("BYTES_WRITTEN", bytes)
        .with("F_VARIANCE_RANK_BYTES", variance)
        .with("SLOWEST_RANK_BYTES", 1L);
  }

  /** k of n ranks share B evenly: V = (B/n)^2 * (n-k)/k, so that N_eff = k. */
  private static double varianceOf(long n, long k, double bytes) {
    return bytes / n * (bytes / n) * (n - k) / k;
  }

  @Test
  void aReducedFileThatSixtyFourOf384RanksWrote() {
    assertExactly(new TestLog(384).add(shared("/scratch/a", 384, varianceOf(384, 64, 384))), 64);
  }

  @Test
  void anEvenReducedFile() {
    assertExactly(new TestLog(2_048).add(shared("/scratch/a", 2_048 * MIB, 0)), 2_048);
  }

  @Test
  void oneRankOf65536DidItAll() {
    long bytes = 41_632 * MIB;
    TestLog.Row record = shared("/scratch/a", bytes, varianceOf(65_536, 1, (double) bytes));
    assertExactly(new TestLog(65_536).add(record), 1);
    // The slowest rank's bytes say so too, whatever the variance.
    assertExactly(
        new TestLog(65_536)
            .add(record.with("SLOWEST_RANK_BYTES", bytes).with("F_VARIANCE_RANK_BYTES", -1)),
        1);
  }

  @Test
  void unsharedRecordsAreExact() {
    // (1+2+3)^2 / (1+4+9)
    assertExactly(
        new TestLog(8)
            .add(
                posix("/scratch/a", 0).with("BYTES_READ", 1),
                posix("/scratch/b", 3).with("BYTES_READ", 2),
                posix("/scratch/c", 5).with("BYTES_WRITTEN", 3)),
        36.0 / 14);
  }

  @Test
  void twoReducedFilesAreOnlyBounded() {
    // Two files of 8 bytes, each by one of 4 ranks: the same rank (N = 1) or two (N = 2).
    RunFeatures features =
        new TestLog(4)
            .add(
                shared("/scratch/a", 8, varianceOf(4, 1, 8)),
                shared("/scratch/b", 8, varianceOf(4, 1, 8)))
            .features();
    assertThat(features.value(LOWER)).isCloseTo(1, within(1e-9));
    assertThat(features.value(UPPER)).isCloseTo(4, within(1e-9));
    assertThat(features.feature(LOWER).evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(features.feature(UPPER).evidence()).isEqualTo(EvidenceClass.UPPER_BOUND);
  }

  @Test
  void aHeatmapDecidesWhereReducedFilesOnlyBound() {
    TestLog log =
        new TestLog(4)
            .add(
                shared("/scratch/a", 800_000, varianceOf(4, 1, 800_000)),
                shared("/scratch/b", 800_000, varianceOf(4, 1, 800_000)))
            .heat(Module.POSIX, 1, 0, 0, 800_000)
            .heat(Module.POSIX, 2, 0, 0, 800_000);
    assertExactly(log, 2);
  }

  @Test
  void aHeatmapThatMissesBytesDoesNotStandForThem() {
    RunFeatures features =
        new TestLog(4)
            .add(
                shared("/scratch/a", 800_000, varianceOf(4, 1, 800_000)),
                shared("/scratch/b", 800_000, varianceOf(4, 1, 800_000)))
            .heat(Module.POSIX, 1, 0, 0, 800_000)
            .features();
    assertThat(features.feature(UPPER).evidence()).isEqualTo(EvidenceClass.UPPER_BOUND);
  }

  @Test
  void otherMountsAreTakenOutOfAHeatmap() {
    TestLog log =
        new TestLog(4)
            .add(
                shared("/scratch/a", 800_000, varianceOf(4, 1, 800_000)),
                shared("/scratch/b", 800_000, varianceOf(4, 1, 800_000)),
                posix("/tmp/x", 3).with("BYTES_READ", 500_000))
            .heat(Module.POSIX, 1, 0, 0, 1_600_000)
            .heat(Module.POSIX, 3, 0, 500_000, 0);
    assertExactly(log, 1);
  }

  @Test
  void withoutBytesTheyAreNotDefined() {
    RunFeatures features = new TestLog(4).add(posix("/scratch/a", 0)).features();
    assertThat(features.value(UPPER)).isNull();
    assertThat(features.feature(UPPER).evidence()).isEqualTo(EvidenceClass.EXACT);
  }

  @Test
  void aVarianceThatCannotBeLeavesEverythingOpen() {
    RunFeatures features = new TestLog(4).add(shared("/scratch/a", 8, Double.NaN)).features();
    assertThat(features.value(LOWER)).isEqualTo(1);
    assertThat(features.value(UPPER)).isEqualTo(4);
  }

  /** Bytes of each rank in two files; both files are reduced as Darshan does it. */
  @Property
  void theTruthLiesBetweenTheBounds(
      @ForAll @Size(8) List<@LongRange(min = 0, max = 1_000_000) Long> first,
      @ForAll @Size(8) List<@LongRange(min = 0, max = 1_000_000) Long> second) {
    double sum = 0;
    double squares = 0;
    for (int rank = 0; rank < 8; rank++) {
      double bytes = (double) (first.get(rank) + second.get(rank));
      sum += bytes;
      squares += bytes * bytes;
    }
    if (sum == 0) {
      return;
    }
    RunFeatures features =
        new TestLog(8).add(reduced("/scratch/a", first), reduced("/scratch/b", second)).features();
    double truth = sum * sum / squares;
    assertThat(features.value(LOWER)).isLessThanOrEqualTo(truth * (1 + 1e-6));
    assertThat(features.value(UPPER)).isGreaterThanOrEqualTo(truth * (1 - 1e-6));
  }

  private static TestLog.Row reduced(String name, List<Long> bytes) {
    double mean = 0;
    long total = 0;
    for (long b : bytes) {
      mean += (double) b / bytes.size();
      total += b;
    }
    double variance = 0;
    for (long b : bytes) {
      variance += (b - mean) * (b - mean) / bytes.size();
    }
    return shared(name, total, variance).with("SLOWEST_RANK_BYTES", -1L);
  }
}
