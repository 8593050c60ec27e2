package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.mpiio;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.TestLog.stdio;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.wire.LogBatch;

/** By hand: what the application waited for, and what MPI-IO cost beyond POSIX. */
class LayerFeaturesTest {
  private static final TestLog.Row BELOW =
      posix("/scratch/a", -1)
          .with("BYTES_WRITTEN", 100 * MIB)
          .with("WRITES", 100)
          .with("F_SLOWEST_RANK_TIME", 1.29);
  private static final TestLog.Row COLLECTIVE =
      mpiio("/scratch/a", -1)
          .with("BYTES_WRITTEN", 90 * MIB)
          .with("COLL_WRITES", 400)
          .with("F_SLOWEST_RANK_TIME", 30.6);

  @Test
  void aFileIsTakenAtMpiioWhereThatMovedItsDataAndElseAtPosix() {
    RunFeatures run =
        new TestLog(8)
            .add(
                BELOW,
                COLLECTIVE,
                posix("/scratch/b", -1).with("BYTES_READ", 10 * MIB).with("F_SLOWEST_RANK_TIME", 2),
                mpiio("/scratch/b", -1).with("COLL_OPENS", 8).with("F_SLOWEST_RANK_TIME", 50),
                stdio("/scratch/c", 3).with("BYTES_WRITTEN", MIB).with("F_WRITE_TIME", 0.5))
            .features();
    assertThat(run.value("io_time_seconds")).isCloseTo(30.6 + 2 + 0.5, within(1e-9));
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.EXACT);
    assertThat(run.value("io_time_mpiio_seconds")).isCloseTo(30.6, within(1e-9));
    assertThat(run.value("application_bytes")).isEqualTo(101 * MIB);
    assertThat(run.value("bytes_moved")).isEqualTo(111 * MIB);
    assertThat(run.value("mib_per_second")).isCloseTo(101 / 33.1, within(1e-9));
    assertThat(run.value("io_share")).isCloseTo(33.1 / 60, within(1e-9));
  }

  @Test
  void theSlowestRankIsTheOneThatWaitedLongestOverAllLayers() {
    RunFeatures run =
        new TestLog(4)
            .add(
                posix("/scratch/a", 0).with("F_WRITE_TIME", 9),
                mpiio("/scratch/a", 0).with("INDEP_WRITES", 5).with("F_WRITE_TIME", 10),
                posix("/scratch/b", 1).with("F_READ_TIME", 4),
                stdio("/scratch/c", 1).with("F_READ_TIME", 7),
                stdio("/scratch/c", 2).with("F_READ_TIME", 8))
            .features();
    assertThat(run.value("io_time_seconds")).isCloseTo(11, within(1e-9));
  }

  @Test
  void belowALibraryTheTimeIsALowerBound() {
    RunFeatures run =
        new TestLog(8)
            .add(BELOW, COLLECTIVE, new TestLog.Row(Module.H5F, "/scratch/a", -1, Map.of()))
            .features();
    assertThat(run.value("io_time_seconds")).isCloseTo(30.6, within(1e-9));
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.feature("io_share").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.feature("mib_per_second").evidence()).isEqualTo(EvidenceClass.UPPER_BOUND);
  }

  @Test
  void anUnknownTimeMakesItsFileUnknownAndTheRunALowerBound() {
    TestLog log =
        new TestLog(4)
            .add(
                posix("/scratch/a", -1).with("F_SLOWEST_RANK_TIME", 5),
                stdio("<STDERR>", 0).with("F_META_TIME", -1_924).with("F_WRITE_TIME", 1));
    RunFeatures run = log.features();
    assertThat(run.value("io_time_seconds")).isCloseTo(6, within(1e-9));
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    // a stream's time is of little weight: the run can still be judged
    assertThat(run.feature("io_time_seconds").incomplete()).isFalse();
    RunFeatures onListed =
        log.add(posix("/scratch/b", 1).with("F_READ_TIME", Double.NaN)).features();
    assertThat(onListed.feature("io_time_seconds").incomplete()).isTrue();
  }

  @Test
  void withoutUsableTimesAtMpiioTheFileIsTakenAtPosix() {
    RunFeatures run =
        new TestLog(8).add(BELOW, COLLECTIVE.with("F_SLOWEST_RANK_TIME", -3)).features();
    assertThat(run.value("io_time_seconds")).isCloseTo(1.29, within(1e-9));
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
  }

  @Test
  void withoutMpiiosRecordsTheTimeIsALowerBound() {
    RunFeatures run =
        new TestLog(8).add(BELOW, COLLECTIVE).state(Module.MPIIO, "partial").features();
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.feature("io_time_seconds").incomplete()).isTrue();
    run = new TestLog(8).add(BELOW, COLLECTIVE).state(Module.MPIIO, "damaged").features();
    assertThat(run.feature("io_time_seconds").isKnown()).isFalse();
  }

  @Test
  void theOverheadOfCollectivesIsWhatPosixDoesNotExplain() {
    RunFeatures run =
        new TestLog(8)
            .add(
                BELOW,
                COLLECTIVE,
                // on a communicator of two ranks; only rank 4 wrote below
                posix("/scratch/b", 4).with("F_WRITE_TIME", 3),
                mpiio("/scratch/b", 4).with("COLL_WRITES", 1).with("F_WRITE_TIME", 4),
                mpiio("/scratch/b", 5).with("COLL_WRITES", 1).with("F_WRITE_TIME", 7),
                // independent: no overhead of collectives
                posix("/scratch/c", -1).with("F_SLOWEST_RANK_TIME", 1),
                mpiio("/scratch/c", -1).with("INDEP_WRITES", 9).with("F_SLOWEST_RANK_TIME", 2))
            .features();
    assertThat(run.value("collective_io_seconds")).isCloseTo(30.6 + 7, within(1e-9));
    assertThat(run.value("collective_overhead_seconds")).isCloseTo(30.6 - 1.29 + 4, within(1e-9));
  }

  @Test
  void readsThatNobodyAskedForAreOfALibraryThatModifiesBlocks() {
    TestLog.Row sieved =
        posix("/scratch/a", -1)
            .with("READS", 5_445)
            .with("SIZE_READ_0_100", 5_445)
            .with("WRITES", 5_647)
            .with("SIZE_WRITE_100K_1M", 5_647)
            .with("BYTES_READ", 7 * MIB);
    RunFeatures run = new TestLog(8).add(sieved, COLLECTIVE).features();
    assertThat(run.value("rmw_small_reads")).isEqualTo(5_445);
    assertThat(run.value("rmw_small_writes")).isEqualTo(5_647);
    assertThat(run.value("sieved_read_bytes")).isEqualTo(7 * MIB);
    RunFeatures asked = new TestLog(8).add(sieved, COLLECTIVE.with("COLL_READS", 6_000)).features();
    assertThat(asked.value("rmw_small_reads")).isZero();
    assertThat(asked.value("sieved_read_bytes")).isZero();
  }

  @Test
  void beyondTheTableMpiioLeavesABound() throws Exception {
    TestLog log = new TestLog(4);
    RunAccumulator sums = new RunAccumulator();
    int files = LayerTable.KEPT / 2;
    for (int i = 0; i < files; i++) {
      String name = "/scratch/" + i;
      log.add(
          posix(name, 0).with("F_WRITE_TIME", 0.001),
          mpiio(name, 0).with("INDEP_WRITES", 1).with("F_WRITE_TIME", 0.002));
    }
    for (LogBatch batch : log.batches()) {
      sums.add(batch, TestLog.SITE);
    }
    RunFeatures run = RunFeatures.of(log.header(), log.end(), false, sums, TestLog.SITE);
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.value("io_time_seconds")).isBetween(0.001 * files, 0.002 * files);
    assertThat(sums.toBytes()).isEqualTo(RunAccumulator.fromBytes(sums.toBytes()).toBytes());
  }
}
