package org.weir.analysis.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.mpiio;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.TestLog.stdio;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.accumulate.LayerTable;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.judge.Severity;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.analysis.slowness.References;
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
            .with("ACCESS1_ACCESS", MIB)
            .with("ACCESS1_COUNT", 647)
            .with("RW_SWITCHES", 10_890)
            .with("BYTES_READ", 7 * MIB);
    RunFeatures run = new TestLog(8).add(sieved, COLLECTIVE).features();
    assertThat(run.value("rmw_small_reads")).isEqualTo(5_445);
    assertThat(run.value("rmw_small_writes")).isEqualTo(5_000);
    assertThat(run.value("rmw_read_bytes")).isEqualTo(7 * MIB);
    assertThat(run.value("sieved_read_bytes")).isEqualTo(7 * MIB);
    for (TestLog log :
        new TestLog[] {
          // asked for in as many reads, in few large ones, or by the program itself afterwards
          new TestLog(8).add(sieved, COLLECTIVE.with("COLL_READS", 6_000)),
          new TestLog(8).add(sieved, COLLECTIVE.with("COLL_READS", 2).with("BYTES_READ", 7 * MIB)),
          new TestLog(8).add(sieved.with("RW_SWITCHES", 8), COLLECTIVE)
        }) {
      assertThat(log.features().value("rmw_small_reads")).isZero();
      assertThat(log.features().value("sieved_read_bytes")).isZero();
    }
  }

  @Test
  void ofFilesMostlyIndependentNothingIsTheOverheadOfCollectives() {
    RunFeatures run = new TestLog(8).add(BELOW, COLLECTIVE.with("INDEP_WRITES", 401)).features();
    assertThat(run.value("collective_io_seconds")).isZero();
    assertThat(run.value("collective_overhead_seconds")).isZero();
  }

  @Test
  void theOverheadIsNotKnownWherePosixLacksWhatWasDoneBelow() {
    TestLog log = new TestLog(8).add(BELOW, COLLECTIVE);
    log.state(Module.POSIX, "partial");
    assertThat(log.features().value("collective_overhead_seconds")).isNull();
    log.state(Module.POSIX, "damaged");
    assertThat(log.features().value("collective_overhead_seconds")).isNull();
    for (TestLog.Row less :
        List.of(
            BELOW.with("BYTES_WRITTEN", 90 * MIB - 1),
            BELOW.with("F_SLOWEST_RANK_TIME", Double.NaN))) {
      RunFeatures run = new TestLog(8).add(less, COLLECTIVE).features();
      assertThat(run.value("collective_io_seconds")).isCloseTo(30.6, within(1e-9));
      assertThat(run.value("collective_overhead_seconds")).isZero();
    }
  }

  @Test
  void timesThatAddUpToMoreThanTheRunTookAreNoBound() {
    // eight threads of one process wait 50 s each in open
    TestLog log = new TestLog(1).add(posix("/scratch/in", 0).with("BYTES_READ", MIB));
    for (int i = 0; i < 8; i++) {
      log.add(posix("/tmp/pipe" + i, 0).with("F_META_TIME", 50));
    }
    RunFeatures run = log.features();
    assertThat(run.value("io_time_seconds")).isCloseTo(400, within(1e-9));
    for (String name : List.of("io_time_seconds", "io_share", "mib_per_second")) {
      assertThat(run.feature(name).evidence()).as(name).isEqualTo(EvidenceClass.BOUNDED);
    }
    Cost cost = Cost.of(run, 1, null, TestLog.SITE, new References());
    assertThat(cost.slow()).isNull();
    assertThat(cost.timeLostSeconds()).isNull();
    assertThat(Severity.withoutNodes(run, TestLog.SITE)).isEqualTo(Severity.INFO);
    assertThat(log.runTime(400).features().feature("io_time_seconds").evidence())
        .isEqualTo(EvidenceClass.EXACT);
  }

  @Test
  void ofManyTinyCallsDarshanMeasuresTooLittle() {
    // 400,000 lines in 2.2 s: the program itself took 2.44 s
    TestLog.Row lines =
        stdio("/scratch/a", 0).with("WRITES", 400_000).with("BYTES_WRITTEN", 100 * MIB);
    RunFeatures run = new TestLog(1).add(lines.with("F_WRITE_TIME", 2.2)).features();
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.feature("mib_per_second").evidence()).isEqualTo(EvidenceClass.UPPER_BOUND);
    run = new TestLog(1).add(lines.with("F_WRITE_TIME", 4.1)).features();
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.EXACT);
  }

  @Test
  void withoutMpiiosRecordsTheApplicationMayHaveAskedForLess() {
    // below a file whose MPI-IO record is missing POSIX may have read whole blocks
    TestLog log = new TestLog(8).add(BELOW).state(Module.MPIIO, "partial");
    assertThat(log.features().feature("application_bytes").evidence())
        .isEqualTo(EvidenceClass.BOUNDED);
    // DAOS below MPI-IO may have moved more than was asked for
    RunFeatures run =
        new TestLog(8)
            .add(COLLECTIVE, new TestLog.Row(Module.DFS, "a", -1, Map.of("BYTES_WRITTEN", MIB)))
            .features();
    assertThat(run.feature("mib_per_second").evidence()).isEqualTo(EvidenceClass.BOUNDED);
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
    RunFeatures run = FeatureComputer.compute(log.header(), log.end(), false, sums, TestLog.SITE);
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.value("io_time_seconds")).isBetween(0.001 * files, 0.002 * files);
    assertThat(sums.toBytes()).isEqualTo(RunAccumulator.fromBytes(sums.toBytes()).toBytes());
  }
}
