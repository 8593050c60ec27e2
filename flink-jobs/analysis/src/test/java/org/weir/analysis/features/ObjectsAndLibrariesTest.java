package org.weir.analysis.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.h5d;
import static org.weir.analysis.TestLog.mpiio;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.TestLog.stdio;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;

/** By hand: runs whose bytes POSIX did not move, or did not record. */
class ObjectsAndLibrariesTest {
  private static TestLog.Row object(Module module, String name, long bytes, double seconds) {
    return new TestLog.Row(module, name, -1, Map.of())
        .with("BYTES_WRITTEN", bytes)
        .with("BYTES_READ", bytes)
        .with("F_SLOWEST_RANK_TIME", seconds);
  }

  @Test
  void whatDaosRecordedBelowDfsCountsOnce() {
    RunFeatures run =
        new TestLog(16)
            .add(
                object(Module.DFS, "/testfile", 16 * MIB, 2),
                object(Module.DAOS, "/testfile", 16 * MIB, 1.9),
                object(Module.DAOS, "", 44, 0.1),
                stdio("<STDOUT>", 0).with("BYTES_WRITTEN", 2_216).with("F_WRITE_TIME", 0.001))
            .features();
    assertThat(run.value("bytes_moved")).isEqualTo(32 * MIB + 2_216);
    assertThat(run.value("application_bytes")).isEqualTo(32 * MIB + 2_216);
    assertThat(run.value("dfs_bytes")).isEqualTo(32 * MIB);
    assertThat(run.value("daos_bytes")).isEqualTo(32 * MIB + 88);
    assertThat(run.value("io_time_seconds")).isEqualTo(2.001);
    assertThat(run.feature("io_time_seconds").evidence()).isEqualTo(EvidenceClass.EXACT);
    assertThat(run.traits()).contains("D").doesNotContain("no_io", "posix_unrecorded");
  }

  @Test
  void objectsOfDaosCountWhereTheProgramDidNotCallDfs() {
    RunFeatures run = new TestLog(16).add(object(Module.DAOS, "", MIB, 3)).features();
    assertThat(run.value("bytes_moved")).isEqualTo(2 * MIB);
    assertThat(run.value("io_time_seconds")).isEqualTo(3);
  }

  @Test
  void whatMpiioDoesOnDaosIsTakenAtMpiio() {
    RunFeatures run =
        new TestLog(16)
            .add(
                mpiio("daos:/a", -1)
                    .with("COLL_WRITES", 64)
                    .with("BYTES_WRITTEN", 30 * MIB)
                    .with("F_SLOWEST_RANK_TIME", 5),
                object(Module.DFS, "/a", 16 * MIB, 2))
            .features();
    assertThat(run.value("io_time_seconds")).isEqualTo(5);
    assertThat(run.value("bytes_moved")).isEqualTo(32 * MIB);
    assertThat(run.value("application_bytes")).isEqualTo(30 * MIB);
    assertThat(run.feature("application_bytes").evidence()).isEqualTo(EvidenceClass.BOUNDED);
  }

  @Test
  void withoutPosixMpiioSpeaksForIt() {
    RunFeatures run =
        new TestLog(8)
            .add(
                mpiio("/scratch/a", -1)
                    .with("COLL_WRITES", 64)
                    .with("BYTES_WRITTEN", 30 * MIB)
                    .with("F_SLOWEST_RANK_TIME", 5))
            .features();
    assertThat(run.value("bytes_moved")).isEqualTo(30 * MIB);
    assertThat(run.feature("bytes_moved").evidence()).isEqualTo(EvidenceClass.BOUNDED);
    assertThat(run.value("application_bytes")).isEqualTo(30 * MIB);
    assertThat(run.value("io_time_seconds")).isEqualTo(5);
    assertThat(run.feature("writes").isKnown()).as("POSIX writes").isFalse();
    assertThat(run.traits()).contains("posix_unrecorded").doesNotContain("no_io");
  }

  @Test
  void withHdf5AloneTheTimeIsUnknown() {
    RunFeatures run =
        new TestLog(8)
            .add(h5d("/scratch/a:x", -1).with("WRITES", 9).with("BYTES_WRITTEN", 30 * MIB))
            .features();
    assertThat(run.value("bytes_moved")).isEqualTo(30 * MIB);
    assertThat(run.feature("io_time_seconds").isKnown()).isFalse();
    assertThat(run.feature("mib_per_second").isKnown()).isFalse();
    assertThat(run.traits()).contains("posix_unrecorded").doesNotContain("no_io");
  }

  @Test
  void aRunOfStreamsLacksNothing() {
    RunFeatures run =
        new TestLog(1).add(stdio("/scratch/a", 0).with("BYTES_WRITTEN", 5)).features();
    assertThat(run.traits()).doesNotContain("posix_unrecorded");
    assertThat(run.value("writes")).isZero();
    RunFeatures idle = new TestLog(1).add(posix("/scratch/a", 0)).features();
    assertThat(idle.traits()).contains("no_io").doesNotContain("posix_unrecorded", "D");
  }
}
