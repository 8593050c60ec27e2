package org.weir.analysis.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.mpiio;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.TestLog.stdio;

import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;
import org.weir.wire.LogHeader;

class RunFeaturesTest {
  @Test
  void everyFeatureOfTheCatalogIsComputedAndNoOther() {
    assertThat(new TestLog(1).features().features().keySet())
        .containsExactlyInAnyOrderElementsOf(
            LogFeatures.all().stream().map(FeatureSpec::name).toList());
  }

  @Test
  void bytesArePosixAndStdioButNeverMpiio() {
    RunFeatures run =
        new TestLog(4)
            .add(
                posix("/scratch/a", 0).with("BYTES_READ", 1),
                posix("/tmp/b", 0).with("BYTES_WRITTEN", 10),
                stdio("/home/c", 0).with("BYTES_READ", 100),
                stdio("<STDOUT>", 0).with("BYTES_WRITTEN", 1_000),
                mpiio("/scratch/a", 0).with("BYTES_READ", 10_000))
            .features();
    assertThat(run.value("bytes_read")).isEqualTo(101);
    assertThat(run.value("bytes_written")).isEqualTo(1_010);
    assertThat(run.value("site_bytes")).isEqualTo(101);
    assertThat(run.value("other_mount_bytes")).isEqualTo(10);
    assertThat(run.value("standard_stream_bytes")).isEqualTo(1_000);
    assertThat(run.value("mpiio_bytes")).isEqualTo(10_000);
    assertThat(run.value("files")).isEqualTo(3);
    assertThat(run.filesystem()).isEqualTo("home");
    assertThat(run.direction()).isEqualTo("read");
  }

  @Test
  void timeBySlowestIsTheLargestRankPlusTheSharedFiles() {
    RunFeatures run =
        new TestLog(4)
            .add(
                posix("/scratch/a", 0).with("F_META_TIME", 1).with("F_READ_TIME", 2),
                posix("/scratch/b", 1).with("F_WRITE_TIME", 2.5),
                posix("/tmp/c", 1).with("F_WRITE_TIME", 1.5),
                posix("/scratch/d", -1).with("F_SLOWEST_RANK_TIME", 10).with("F_READ_TIME", 99),
                stdio("/scratch/e", 2).with("F_READ_TIME", 0.5))
            .features();
    assertThat(run.value("posix_agg_time_by_slowest_seconds")).isEqualTo(14);
    // Rank 1's 4 s in POSIX and the shared file's 10 s; rank 2's stream took less than rank 1.
    assertThat(run.value("io_time_seconds")).isEqualTo(14);
    assertThat(run.value("io_share")).isCloseTo(14.0 / 60, within(1e-12));
  }

  @Test
  void ranksFarAboveTheMeanAreCountedWhereTheirTimesAreKnown() {
    // mean (2 * 10 + 18 * 1) / 20 = 1.9 s: two ranks above 5.7 s
    TestLog log = new TestLog(20);
    for (int rank = 0; rank < 20; rank++) {
      log.add(posix("/scratch/" + rank, rank).with("F_WRITE_TIME", rank < 2 ? 10 : 1));
    }
    Feature slow = log.features().feature("posix_ranks_above_3x_mean");
    assertThat(slow.value()).isEqualTo(2);
    assertThat(slow.evidence()).isEqualTo(EvidenceClass.EXACT);
    log.add(posix("/scratch/all", -1).with("F_SLOWEST_RANK_TIME", 0.5).with("SLOWEST_RANK", 7));
    assertThat(log.features().feature("posix_ranks_above_3x_mean").evidence())
        .isEqualTo(EvidenceClass.LOWER_BOUND);
  }

  @Test
  void bytesOfFilesThatAreOnlyReadAreApart() {
    TestLog log =
        new TestLog(4)
            .add(
                posix("/scratch/in", 0).with("BYTES_READ", 5),
                posix("/scratch/out", 0).with("BYTES_WRITTEN", 7).with("BYTES_READ", 11),
                posix("/scratch/both", 0).with("BYTES_READ", 13),
                stdio("/scratch/both", 0).with("BYTES_WRITTEN", 17));
    RunFeatures run = log.features();
    assertThat(run.value("posix_read_only_file_bytes")).isEqualTo(5);
    assertThat(run.value("posix_written_file_bytes")).isEqualTo(7 + 11 + 13);
    assertThat(run.value("stdio_read_only_file_bytes")).isZero();
    assertThat(run.value("stdio_written_file_bytes")).isEqualTo(17);
    // A file that POSIX only read may have been written through STDIO.
    log.state(Module.STDIO, "suspect");
    assertThat(log.features().value("posix_read_only_file_bytes")).isNull();
    assertThat(log.features().value("posix_written_file_bytes")).isNull();
  }

  @Test
  void whatAMissingRecordCanTakeAwayIsNoLowerBound() {
    TestLog.Row row = posix("/scratch/a", 0).with("BYTES_READ", 5).with("READS", 9);
    // of another rank, or a write
    TestLog log = new TestLog(4).add(row).state(Module.POSIX, "partial");
    // of MPI-IO, which would excuse the small reads and the switches
    TestLog above =
        new TestLog(4)
            .add(row.with("SIZE_READ_0_100", 9).with("RW_SWITCHES", 9), mpiio("/scratch/b", 0))
            .state(Module.MPIIO, "partial");
    for (String name : new String[] {"unique_files", "unique_file_bytes", "read_only_files"}) {
      assertThat(log.features().feature(name).evidence()).isEqualTo(EvidenceClass.BOUNDED);
    }
    for (String name : new String[] {"small_reads", "extra_read_write_switches"}) {
      assertThat(above.features().feature(name).evidence()).isEqualTo(EvidenceClass.BOUNDED);
    }
    assertThat(log.features().feature("reads").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
  }

  @Test
  void interfacesAreThoseThatTheLogNames() {
    TestLog log = new TestLog(4).add(posix("/scratch/a", 0).with("BYTES_READ", 5)).unfinished();
    assertThat(log.features().traits()).contains("P").doesNotContain("M");
    assertThat(log.add(mpiio("/scratch/a", 0)).features().traits()).contains("M");
  }

  @Test
  void aPartialModuleWhoseDataMayBeWrongIsNotUsed() {
    TestLog log = new TestLog(4).add(posix("/scratch/a", 0).with("BYTES_READ", Long.MAX_VALUE / 2));
    log.flaggedPartial(Module.POSIX).state(Module.POSIX, "suspect");
    assertThat(log.features().feature("bytes_read").evidence()).isEqualTo(EvidenceClass.UNKNOWABLE);
    // What is left of a cut module is no sample of it, though it was partial before.
    log.state(Module.POSIX, "damaged");
    assertThat(log.features().value("mean_data_file_bytes")).isNull();
    assertThat(log.features().feature("bytes_read").evidence())
        .isEqualTo(EvidenceClass.LOWER_BOUND);
  }

  @Test
  void sharedMetadataTimeIsOfAllRanksTogether() {
    // 35,282 s summed over 65,536 ranks are 0.54 s each.
    RunFeatures run =
        new TestLog(65_536)
            .add(posix("/scratch/a", -1).with("F_META_TIME", 35_282).with("F_WRITE_TIME", 35_282))
            .features();
    assertThat(run.value("metadata_seconds_per_process")).isCloseTo(0.538, within(1e-3));
    assertThat(run.value("metadata_share")).isEqualTo(0.5);
  }

  @Test
  void metadataTimeAboveTheRunTimeIsBoundedAtBest() {
    RunFeatures run =
        new TestLog(2).runTime(1).add(posix("/scratch/a", 0).with("F_META_TIME", 2)).features();
    assertThat(run.feature("metadata_seconds_per_process").evidence())
        .isEqualTo(EvidenceClass.BOUNDED);
  }

  @Test
  void seeksCountOnlyWhereTheyAreForwarded() {
    RunFeatures run =
        new TestLog(2)
            .add(
                posix("/scratch/a", 0).with("SEEKS", 1_000).with("OPENS", 1).with("STATS", 2),
                posix("/home/b", 0).with("SEEKS", 30).with("OPENS", 4))
            .features();
    assertThat(run.value("metadata_operations")).isEqualTo(37);
  }

  @Test
  void exactMebibytesAreNotSmall() {
    RunFeatures run = new TestLog(1).add(writes(41_632, 41_600)).features();
    assertThat(run.value("small_writes")).isEqualTo(32);
    assertThat(run.feature("small_writes").evidence()).isEqualTo(EvidenceClass.EXACT);
  }

  @Test
  void whereBothDirectionsMayHoldThemTheyAreBounded() {
    RunFeatures run =
        new TestLog(1)
            .add(writes(50, 30).with("READS", 20).with("SIZE_READ_100K_1M", 20))
            .features();
    // 30 exact ones among 50 writes and 20 reads: 10 to 30 of them are writes.
    assertThat(run.value("small_writes")).isEqualTo(20);
    assertThat(run.value("small_writes_upper")).isEqualTo(40);
    assertThat(run.value("small_reads")).isEqualTo(0);
    assertThat(run.value("small_reads_upper")).isEqualTo(20);
    assertThat(run.feature("small_writes").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
  }

  private static TestLog.Row writes(long count, long exactMib) {
    return posix("/scratch/a", 0)
        .with("WRITES", count)
        .with("SIZE_WRITE_100K_1M", count)
        .with("ACCESS1_ACCESS", MIB)
        .with("ACCESS1_COUNT", exactMib);
  }

  @Test
  void aFileWithMpiioIsAsSmallAsMpiioItself() {
    TestLog.Row below = posix("/scratch/a", -1).with("WRITES", 900).with("SIZE_WRITE_1K_10K", 900);
    TestLog.Row above =
        mpiio("/scratch/a", -1).with("COLL_WRITES", 400).with("SIZE_WRITE_AGG_1K_10K", 7);
    TestLog.Row beside = below.on("/scratch/b").with("SIZE_WRITE_1K_10K", 20);
    RunFeatures run = new TestLog(4).add(below, above, beside).features();
    assertThat(run.value("small_writes")).isEqualTo(27);
    assertThat(run.feature("small_writes").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.value("small_writes_upper")).as("that there are").isEqualTo(920);
    RunFeatures openedOnly =
        new TestLog(4).add(below, above.with("COLL_WRITES", 0), beside).features();
    assertThat(openedOnly.value("small_writes")).isEqualTo(920);
  }

  @Test
  void negativeTimesAndCountersAreUnavailable() {
    RunFeatures run =
        new TestLog(2)
            .add(posix("/scratch/a", 0).with("F_META_TIME", -2_663).with("OPENS", -1))
            .features();
    for (String name : new String[] {"metadata_share", "io_time_seconds", "opens", "io_share"}) {
      assertThat(run.value(name)).as(name).isNull();
      assertThat(run.feature(name).evidence()).isEqualTo(EvidenceClass.UNKNOWABLE);
    }
    assertThat(run.value("bytes_read")).isEqualTo(0);
    assertThat(run.evidenceClasses())
        .containsEntry("opens", "unknowable")
        .doesNotContainKey("stats");
  }

  @Test
  void overflowIsUnknowable() {
    RunFeatures run =
        new TestLog(2)
            .add(
                posix("/scratch/a", 0).with("BYTES_READ", Long.MAX_VALUE),
                posix("/scratch/b", 0).with("BYTES_READ", 1))
            .features();
    assertThat(run.value("bytes_read")).isNull();
    assertThat(run.value("bytes_written")).isEqualTo(0);
  }

  @Test
  void aPartialModuleWeakensItsOwnFeaturesOnly() {
    RunFeatures run =
        new TestLog(2)
            .add(
                posix("/scratch/a", 0)
                    .with("OPENS", 5)
                    .with("BYTES_READ", 8)
                    .with("F_META_TIME", 1),
                stdio("/scratch/b", 0).with("WRITES", 3))
            .state(Module.POSIX, "partial")
            .features();
    assertThat(run.logState()).isEqualTo(LogState.PARTIAL);
    assertThat(run.feature("opens").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.feature("metadata_share").evidence()).isEqualTo(EvidenceClass.BOUNDED);
    assertThat(run.feature("stdio_writes").evidence()).isEqualTo(EvidenceClass.EXACT);
    assertThat(run.feature("mpiio_bytes").evidence()).isEqualTo(EvidenceClass.EXACT);
    assertThat(run.feature("stats").isKnown()).as("no stats seen is no proof").isFalse();
    assertThat(run.feature("opens").isKnown()).isTrue();
  }

  @Test
  void aLogThatKeptItsPartialNameIsPartialAndWeakensNoFeature() {
    TestLog log = new TestLog(2).add(posix("/scratch/a", 0).with("OPENS", 5));
    LogHeader header = log.header();
    header.setFileName("a_id101.darshan_partial");
    RunFeatures run =
        FeatureComputer.compute(header, log.end(), false, log.accumulator(), TestLog.SITE);
    assertThat(run.logState()).isEqualTo(LogState.PARTIAL);
    assertThat(run.feature("opens").evidence()).isEqualTo(EvidenceClass.EXACT);
  }

  @Test
  void damagedAndListedModulesAndMissingBatches() {
    TestLog log = new TestLog(2).add(posix("/scratch/a", 0).with("OPENS", 5));
    assertThat(log.state(Module.POSIX, "damaged").features().logState())
        .isEqualTo(LogState.DAMAGED);
    RunFeatures listed = log.state(Module.POSIX, "listed").features();
    assertThat(listed.feature("opens").evidence()).isEqualTo(EvidenceClass.UNKNOWABLE);
    log.state(Module.POSIX, "complete");
    RunFeatures missing =
        FeatureComputer.compute(log.header(), log.end(), true, log.accumulator(), TestLog.SITE);
    assertThat(missing.logState()).isEqualTo(LogState.INCOMPLETE);
    assertThat(missing.feature("opens").evidence()).isEqualTo(EvidenceClass.LOWER_BOUND);
    RunFeatures endless =
        FeatureComputer.compute(log.header(), null, false, log.accumulator(), TestLog.SITE);
    assertThat(endless.logState()).isEqualTo(LogState.INCOMPLETE);
  }

  @Test
  void ofRecordsThatAreMissingNobodySaysThatThereWereNoFiles() {
    TestLog log = new TestLog(2).add(posix("/scratch/a", 0).with("OPENS", 1));
    assertThat(log.features().traits()).contains("no_io", "no_files");
    RunFeatures missing =
        FeatureComputer.compute(log.header(), log.end(), true, log.accumulator(), TestLog.SITE);
    assertThat(missing.traits()).containsExactly("partial_log");
    log.add(posix("/scratch/b", 0).with("OPENS", 1).with("WRITES", 1).with("BYTES_WRITTEN", 4096));
    assertThat(log.features().traits()).contains("N:N");
    assertThat(log.state(Module.POSIX, "listed").features().traits())
        .doesNotContain("N:N", "no_files", "no_io");
  }
}
