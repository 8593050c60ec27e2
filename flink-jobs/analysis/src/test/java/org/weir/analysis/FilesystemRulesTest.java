package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.ruleengine.RuleOutcome.State.DOES_NOT_HOLD;
import static org.weir.analysis.ruleengine.RuleOutcome.State.HOLDS;
import static org.weir.analysis.ruleengine.RuleOutcome.State.UNKNOWABLE;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.log.Module;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunFeatures;

/** A rule of the scope filesystem holds for each by itself: no other one dilutes it or adds. */
class FilesystemRulesTest {
  private static final String UNALIGNED = "unaligned_io";

  private static TestLog.Row writes(String file, int writes, int unaligned, long alignment) {
    return posix(file, 0)
        .with("WRITES", writes)
        .with("SIZE_WRITE_1K_10K", writes)
        .with("FILE_NOT_ALIGNED", unaligned)
        .with("FILE_ALIGNMENT", alignment);
  }

  private static TestLog log(TestLog.Row... rows) {
    return new TestLog(4).noStriping().add(rows);
  }

  private static RuleOutcome outcome(String rule, TestLog log) {
    return ShippedRules.outcome(rule, log.features());
  }

  @Test
  void manyAlignedRequestsOnAnotherFileSystemDiluteNothing() {
    RuleOutcome found =
        outcome(
            UNALIGNED,
            log(writes("/scratch/a", 100_000, 0, MIB), writes("/home/b", 1_000, 101, 4_096)));
    assertThat(found.state()).isEqualTo(HOLDS);
    assertThat(found.evidence())
        .containsEntry("filesystem", "home")
        .containsEntry("surely_unaligned_requests", 101.0)
        .containsEntry("unaligned_share", 0.101)
        .containsEntry("writes", 1_000.0)
        .containsEntry("file_alignment_bytes", 4_096.0)
        .doesNotContainKey("other_filesystems");
    assertThat(found.advice().get(0).parameters()).containsEntry("alignment_bytes", 4_096.0);
  }

  @Test
  void moreUnalignedRequestsOfASmallerShareElsewhereHideNothing() {
    RuleOutcome found =
        outcome(
            UNALIGNED,
            log(
                writes("/scratch/a", 2_000_000, 100_000, MIB),
                writes("/home/b", 10_000, 5_000, 4_096)));
    assertThat(found.evidence()).containsEntry("filesystem", "home");
    assertThat(found.state()).isEqualTo(HOLDS);
  }

  @Test
  void fewOnEachOfTwoFileSystemsDoNotAddUp() {
    TestLog few = log(writes("/scratch/a", 60, 60, MIB), writes("/home/b", 60, 60, 4_096));
    assertThat(outcome(UNALIGNED, few).state()).isEqualTo(DOES_NOT_HOLD);
    assertThat(outcome("small_unaligned_writes", few).state()).isEqualTo(DOES_NOT_HOLD);
    TestLog together = log(writes("/home/a", 60, 60, MIB), writes("/home/b", 60, 60, 4_096));
    assertThat(outcome(UNALIGNED, together).state()).isEqualTo(HOLDS);
    assertThat(outcome("small_unaligned_writes", together).state()).isEqualTo(HOLDS);
  }

  @Test
  void whereItHoldsForTwoTheOneWithMoreRequestsComesFirst() {
    RuleOutcome found =
        outcome(
            "small_unaligned_writes",
            log(writes("/home/b", 300, 300, 4_096), writes("/scratch/a", 400, 400, MIB)));
    assertThat(found.evidence())
        .containsEntry("filesystem", "scratch")
        .containsEntry("other_filesystems", List.of("home"))
        .containsEntry("small_and_unaligned_writes", 400.0)
        .containsEntry("file_alignment_bytes", (double) MIB);
  }

  @Test
  void alignmentThatDiffersWithinAFileSystemIsARange() {
    RuleOutcome found =
        outcome(
            UNALIGNED,
            log(
                    writes("/scratch/a", 300, 300, MIB),
                    writes("/scratch/b", 300, 300, 4_096),
                    writes("/scratch/c", 300, 300, 0),
                    writes("/home/d", 10, 0, 512))
                .lustre("/scratch/a", 0, 4 * MIB, 1, 2)
                .lustre("/scratch/b", 0, MIB, 3));
    assertThat(found.evidence())
        .containsEntry("filesystem", "scratch")
        .containsEntry("file_alignment_smallest_bytes", 4_096.0)
        .containsEntry("file_alignment_bytes", (double) MIB)
        .containsEntry("stripe_size_smallest_bytes", (double) MIB)
        .containsEntry("stripe_size_largest_bytes", 4.0 * MIB);
  }

  @Test
  void whatIsALowerBoundOnOneFileSystemIsExactOnAnother() {
    RunFeatures run =
        log(
                writes("/home/b", 300, 300, 4_096),
                writes("/scratch/a", 300, 300, MIB).with("READS", 9).with("SIZE_READ_0_100", 9))
            .features();
    assertThat(run.feature("surely_unaligned_requests").evidence())
        .isEqualTo(EvidenceClass.LOWER_BOUND);
    assertThat(run.detail().filesystems())
        .extracting(part -> part.features().get("surely_unaligned_requests"))
        .extracting(Feature::value, Feature::evidence)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(300.0, EvidenceClass.EXACT),
            org.assertj.core.groups.Tuple.tuple(291.0, EvidenceClass.LOWER_BOUND));
  }

  @Test
  void filesOfAnotherFileSystemAreNotWhatTheAdviceIsAbout() {
    TestLog.Row mpiio = TestLog.mpiio("/scratch/a", 0).with("INDEP_WRITES", 5);
    RuleOutcome found =
        outcome(
            UNALIGNED,
            log(
                writes("/home/b", 300, 300, 4_096),
                writes("/scratch/a", 300, 0, MIB),
                mpiio,
                mpiio.on("/home/b")));
    assertThat(found.advice())
        .filteredOn(advice -> advice.id().equals("striping_hints"))
        .flatExtracting(advice -> advice.files())
        .containsExactly(Long.toUnsignedString(TestLog.idOf("/home/b")));
  }

  @Test
  void missingRecordsLeaveEachFileSystemOpen() {
    TestLog partial = log(writes("/home/b", 300, 3, 4_096)).state(Module.POSIX, "partial");
    assertThat(outcome(UNALIGNED, partial).state()).isEqualTo(UNKNOWABLE);
  }

  @Test
  void aRunThatWasKeptWithoutItsFileSystemsIsJudgedAsAWhole() {
    RunFeatures run = log(writes("/home/b", 300, 300, 4_096)).features();
    RuleOutcome found =
        ShippedRules.RULES.evaluate(run.features(), Map.of(), RunDetail.NONE).stream()
            .filter(outcome -> outcome.rule().id().equals(UNALIGNED))
            .findFirst()
            .orElseThrow();
    assertThat(found.state()).isEqualTo(HOLDS);
    assertThat(found.evidence()).doesNotContainKey("filesystem");
  }
}
