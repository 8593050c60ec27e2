package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.mpiio;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.TestLog.stdio;
import static org.weir.analysis.ruleengine.RuleOutcome.State.DOES_NOT_HOLD;
import static org.weir.analysis.ruleengine.RuleOutcome.State.HOLDS;
import static org.weir.analysis.ruleengine.RuleOutcome.State.UNKNOWABLE;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.Module;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.References;

/** The shipped rules: each fires, stays silent just beside each threshold, and never lies. */
class RulesTest {
  private static RuleOutcome outcome(String rule, TestLog log) {
    return ShippedRules.outcome(rule, log.features());
  }

  private static void assertState(String rule, RuleOutcome.State state, TestLog log) {
    assertThat(outcome(rule, log).state()).isEqualTo(state);
  }

  @Nested
  class Rank0Io {
    private static final String RULE = "rank0_io";

    private TestLog.Row written(long rank, long bytes) {
      return posix("/scratch/a", rank).with("BYTES_WRITTEN", bytes);
    }

    @Test
    void firesWhereOneRankWroteIt() {
      RuleOutcome outcome = outcome(RULE, new TestLog(4).add(written(0, 16 * MIB)));
      assertThat(outcome.state()).isEqualTo(HOLDS);
      assertThat(outcome.evidenceClass()).isEqualTo(EvidenceClass.EXACT);
      assertThat(outcome.evidence()).containsEntry("posix_effective_ranks_upper", 1.0);
    }

    @Test
    void firesOnStdioAndOnAFunnelAboveIt() {
      assertState(
          RULE, HOLDS, new TestLog(4).add(stdio("/scratch/a", 2).with("BYTES_WRITTEN", 16 * MIB)));
      assertState(
          RULE,
          HOLDS,
          new TestLog(4)
              .add(written(0, 16 * MIB), mpiio("/scratch/a", 0).with("BYTES_WRITTEN", 16 * MIB)));
    }

    @Test
    void notBelowTheVolumeGate() {
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(written(0, 16 * MIB - 1)));
      TestLog.Row most = posix("/tmp/b", 0).with("BYTES_READ", 9 * 16 * MIB);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(written(0, 16 * MIB), most));
      TestLog.Row less = posix("/tmp/b", 0).with("BYTES_READ", 9 * 16 * MIB - 1);
      assertState(RULE, HOLDS, new TestLog(4).add(written(0, 16 * MIB), less));
    }

    @Test
    void notWithThreeProcesses() {
      assertState(RULE, DOES_NOT_HOLD, new TestLog(3).add(written(0, 16 * MIB)));
    }

    @Test
    void notAboveOneAndAHalfEffectiveRanks() {
      // (a+b)^2/(a^2+b^2): 100 and 26 give 1.487, 100 and 27 give 1.503.
      TestLog.Row most = written(0, 100 * MIB);
      assertState(RULE, HOLDS, new TestLog(4).add(most, written(1, 26 * MIB)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(most, written(1, 27 * MIB)));
    }

    @Test
    void notABroadcastStyleInput() {
      TestLog.Row input = posix("/scratch/a", 0);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(input.with("BYTES_READ", (1 << 30) - 1)));
      assertState(RULE, HOLDS, new TestLog(4).add(input.with("BYTES_READ", 1 << 30)));
      // what else it wrote makes it no other input
      TestLog beside = new TestLog(4).add(input.with("BYTES_READ", 576 * MIB));
      assertState(RULE, DOES_NOT_HOLD, beside.add(written(0, 16 * MIB - 1).on("/scratch/b")));
      TestLog more = new TestLog(4).add(input.with("BYTES_READ", 100 * MIB));
      assertState(RULE, HOLDS, more.add(written(0, 16 * MIB).on("/scratch/b")));
    }

    @Test
    void notWhereTheCollectiveLayerFunnels() {
      TestLog.Row even =
          mpiio("/scratch/a", -1).with("BYTES_WRITTEN", 16 * MIB).with("SLOWEST_RANK_BYTES", 1);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(written(0, 16 * MIB), even));
    }

    @Test
    void notOnMountsThatTheSiteDoesNotList() {
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(written(0, 64 * MIB).on("/tmp/a")));
      TestLog.Row stream = stdio("<STDOUT>", 0).with("BYTES_WRITTEN", 64 * MIB);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(stream));
    }

    @Test
    void notWhereOnlyTheLowerBoundIsSmall() {
      // Two reduced files, one rank each: 1 or 2 effective ranks, or anything up to 4.
      TestLog.Row reduced =
          written(-1, 16 * MIB)
              .with("F_VARIANCE_RANK_BYTES", 3.0 * (4 * MIB) * (4 * MIB))
              .with("SLOWEST_RANK_BYTES", 1);
      RuleOutcome outcome = outcome(RULE, new TestLog(4).add(reduced, reduced.on("/scratch/b")));
      assertThat(outcome.state()).isEqualTo(DOES_NOT_HOLD);
      assertThat(outcome.evidenceClass()).isEqualTo(EvidenceClass.BOUNDED);
    }

    @Test
    void boundedOrUnknowableOnAnIncompleteLog() {
      TestLog.Row row = written(0, 16 * MIB);
      RuleOutcome partial = outcome(RULE, new TestLog(4).add(row).state(Module.POSIX, "partial"));
      assertThat(partial.state()).isEqualTo(HOLDS);
      assertThat(partial.evidenceClass()).isEqualTo(EvidenceClass.BOUNDED);
      TestLog little = new TestLog(4).add(written(0, MIB)).state(Module.POSIX, "partial");
      assertState(RULE, UNKNOWABLE, little);
      // MPI-IO without a byte so far, but it lacks records: it may have been even.
      TestLog open = new TestLog(4).add(row, mpiio("/scratch/a", 0)).state(Module.MPIIO, "damaged");
      assertState(RULE, UNKNOWABLE, open);
    }
  }

  @Nested
  class SmallIo {
    private static final String RULE = "small_io";

    private TestLog.Row reads(long small, long large) {
      return posix("/scratch/a", 0)
          .with("READS", small + large)
          .with("SIZE_READ_1K_10K", small)
          .with("BYTES_READ", large * 4 * MIB);
    }

    @Test
    void firesByDirectionAndSaysWhich() {
      RuleOutcome outcome = outcome(RULE, new TestLog(4).add(reads(101, 0)));
      assertThat(outcome.state()).isEqualTo(HOLDS);
      assertThat(outcome.evidenceClass()).isEqualTo(EvidenceClass.EXACT);
      assertThat(outcome.evidence())
          .containsEntry("small_read_share", 1.0)
          .doesNotContainKey("small_write_share");
      TestLog.Row writes = posix("/scratch/a", 0).with("WRITES", 101).with("SIZE_WRITE_0_100", 101);
      assertThat(outcome(RULE, new TestLog(4).add(writes)).evidence())
          .containsEntry("small_write_share", 1.0);
    }

    @Test
    void notForAHundred() {
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(reads(100, 0)));
    }

    @Test
    void notForATenthOfTheRequestsOrOfTheMebibytes() {
      // 120 small of 1,200; the MiB moved are kept below the number of requests.
      TestLog.Row tenth = reads(120, 1_080).with("BYTES_READ", MIB);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(tenth));
      assertState(RULE, HOLDS, new TestLog(4).add(reads(121, 1_079).with("BYTES_READ", MIB)));
      // 300 small reads beside 11 GB.
      TestLog.Row beside = reads(300, 88).with("BYTES_READ", 11_000 * MIB);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(beside));
    }

    @Test
    void exactMebibytesAreNotSmall() {
      TestLog.Row writes =
          posix("/scratch/a", -1)
              .with("WRITES", 41_632)
              .with("SIZE_WRITE_100K_1M", 41_632)
              .with("ACCESS1_ACCESS", MIB)
              .with("ACCESS1_COUNT", 41_600)
              .with("BYTES_WRITTEN", 41_600 * MIB);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(writes));
    }

    @Test
    void notForAggregatorsPieces() {
      TestLog.Row collective = mpiio("/scratch/a", 0).with("COLL_READS", 4);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(reads(1_000, 0), collective));
    }

    @Test
    void stdioFlushesWithTheVolumeGate() {
      TestLog.Row flushed =
          stdio("/scratch/a", 0)
              .with("WRITES", 1_000)
              .with("FLUSHES", 101)
              .with("BYTES_WRITTEN", 16 * MIB);
      assertState(RULE, HOLDS, new TestLog(4).add(flushed));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(flushed.with("FLUSHES", 100)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(flushed.with("WRITES", 1_010)));
      TestLog.Row tiny = flushed.with("BYTES_WRITTEN", 16 * MIB - 1);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(tiny));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(flushed.on("<STDERR>")));
    }

    @Test
    void boundedOrUnknowableOnAnIncompleteLog() {
      RuleOutcome partial =
          outcome(RULE, new TestLog(4).add(reads(101, 0)).state(Module.POSIX, "partial"));
      assertThat(partial.state()).isEqualTo(HOLDS);
      assertThat(partial.evidenceClass()).isEqualTo(EvidenceClass.BOUNDED);
      assertState(
          RULE, UNKNOWABLE, new TestLog(4).add(reads(100, 0)).state(Module.POSIX, "partial"));
    }
  }

  @Nested
  class MetadataHeavy {
    private static final String RULE = "metadata_heavy";

    private TestLog.Row meta(double seconds, double data) {
      return posix("/scratch/a", 0).with("F_META_TIME", seconds).with("F_READ_TIME", data);
    }

    @Test
    void firesForManyOperations() {
      TestLog.Row many = meta(0.5, 1).with("OPENS", 300).with("STATS", 200);
      RuleOutcome outcome = outcome(RULE, new TestLog(50).add(many));
      assertThat(outcome.state()).isEqualTo(HOLDS);
      assertThat(outcome.evidenceClass()).isEqualTo(EvidenceClass.EXACT);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(51).add(many));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(many.with("STATS", 199)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(many.with("F_READ_TIME", 1.17)));
    }

    @Test
    void firesForLongMetadataTime() {
      assertState(RULE, HOLDS, new TestLog(4).runTime(1_000).add(meta(5.1, 1)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).runTime(1_000).add(meta(5, 1)));
      assertState(RULE, HOLDS, new TestLog(4).runTime(20).add(meta(1.1, 1)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).runTime(22).add(meta(1.1, 1)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).runTime(10).add(meta(1, 1)));
    }

    @Test
    void firesForStreamsThatAreOpenedAgainAndAgain() {
      TestLog.Row lines =
          stdio("/scratch/a", -1)
              .with("OPENS", 500)
              .with("F_META_TIME", 2)
              .with("F_WRITE_TIME", 4.5)
              .with("F_SLOWEST_RANK_TIME", 1.1);
      assertState(RULE, HOLDS, new TestLog(50).add(lines));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(51).add(lines));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(50).add(lines.with("OPENS", 499)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(50).add(lines.with("F_SLOWEST_RANK_TIME", 1)));
      assertState(RULE, DOES_NOT_HOLD, new TestLog(50).add(lines.with("F_WRITE_TIME", 4.7)));
    }

    @Test
    void notForOneOpenByEachRank() {
      TestLog.Row each =
          posix("/scratch/a", -1)
              .with("OPENS", 65_537)
              .with("F_META_TIME", 35_282)
              .with("F_WRITE_TIME", 1_000);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(65_536).runTime(600).add(each));
    }

    @Test
    void notForSeeksUnlessTheyAreForwarded() {
      TestLog.Row seeks = meta(0.5, 0.5).with("SEEKS", 10_000).with("OPENS", 4);
      assertState(RULE, DOES_NOT_HOLD, new TestLog(4).add(seeks));
      assertState(RULE, HOLDS, new TestLog(4).add(seeks.on("/home/a")));
    }

    @Test
    void notForMilliseconds() {
      assertState(
          RULE, DOES_NOT_HOLD, new TestLog(2).runTime(0.06).add(meta(0.014, 0).with("OPENS", 9)));
    }

    @Test
    void boundedOrUnknowableOnAnIncompleteLog() {
      TestLog.Row many = meta(0.5, 1).with("OPENS", 500).with("STATS", 1);
      RuleOutcome partial = outcome(RULE, new TestLog(4).add(many).state(Module.POSIX, "partial"));
      assertThat(partial.state()).isEqualTo(HOLDS);
      assertThat(partial.evidenceClass()).isEqualTo(EvidenceClass.BOUNDED);
      TestLog few = new TestLog(4).add(many.with("OPENS", 5)).state(Module.POSIX, "partial");
      assertState(RULE, UNKNOWABLE, few);
      assertState(RULE, UNKNOWABLE, new TestLog(4).add(many.with("F_META_TIME", -221)));
    }
  }

  @Test
  void aTinyRunIsNoFinding() {
    TestLog tiny =
        new TestLog(4)
            .runTime(0.1)
            .add(
                posix("/scratch/a", 0)
                    .with("BYTES_WRITTEN", 151)
                    .with("WRITES", 1)
                    .with("SIZE_WRITE_100_1K", 1)
                    .with("F_META_TIME", 0.01)
                    .with("OPENS", 1));
    RunFeatures run = tiny.features();
    LoadSummary load =
        new LoadSummary(LoadState.CLOSED, 1, 1, 1.0, 1.0, 64.0 * MIB, 151, 63.0 * MIB);
    RunJudgement judgement =
        RunJudgement.of(
            run, 1, null, load, Baseline.NONE, new References(), TestLog.SITE, ShippedRules.RULES);
    assertThat(judgement.findings()).isEmpty();
    assertThat(judgement.unknowable()).isEmpty();
  }
}
