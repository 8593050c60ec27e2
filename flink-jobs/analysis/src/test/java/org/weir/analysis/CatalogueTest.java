package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.h5d;
import static org.weir.analysis.TestLog.mpiio;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.TestLog.stdio;
import static org.weir.analysis.ruleengine.RuleOutcome.State.DOES_NOT_HOLD;
import static org.weir.analysis.ruleengine.RuleOutcome.State.HOLDS;
import static org.weir.analysis.ruleengine.RuleOutcome.State.UNKNOWABLE;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.JudgedFeatures;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.Module;
import org.weir.analysis.ruleengine.Advice;
import org.weir.analysis.ruleengine.Rule;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.analysis.slowness.References;

/**
 * The rules beyond those of {@link RulesTest}: each fires, is silent just beside each threshold,
 * and on an incomplete log is bounded where it fires and unknowable where what is missing may
 * decide.
 */
class CatalogueTest {
  private static final long GIB = 1 << 30;

  /** A case: what the log holds, and what the rule says. */
  record Case(String rule, String what, RuleOutcome.State state, TestLog log, Integer nodes) {
    @Override
    public String toString() {
      return rule + ": " + what;
    }
  }

  private static final Stream.Builder<Case> CASES = Stream.builder();
  private static final Map<String, Set<RuleOutcome.State>> SEEN = new TreeMap<>();

  private static void add(String rule, String what, RuleOutcome.State state, TestLog log) {
    CASES.add(new Case(rule, what, state, log, null));
    SEEN.computeIfAbsent(rule, r -> new TreeSet<>()).add(state);
  }

  /** Fires whole, bounded where its module lacks records; the beside log then cannot tell. */
  private static void fires(String rule, Module module, TestLog fires, TestLog beside) {
    add(rule, "fires", HOLDS, fires);
    add(rule, "beside", DOES_NOT_HOLD, beside);
    SEEN.get(rule).add(UNKNOWABLE);
    INCOMPLETE.add(new Incomplete(rule, module, fires, beside));
  }

  record Incomplete(String rule, Module module, TestLog fires, TestLog beside) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static final Stream.Builder<Incomplete> INCOMPLETE = Stream.builder();

  private static TestLog log(long nprocs, Consumer<TestLog> rows) {
    TestLog log = new TestLog(nprocs).noStriping();
    rows.accept(log);
    return log;
  }

  private static TestLog log(long nprocs, TestLog.Row... rows) {
    return log(nprocs, log -> log.add(rows));
  }

  private static TestLog files(long nprocs, int count, TestLog.Row each) {
    return log(
        nprocs,
        log -> {
          for (int i = 0; i < count; i++) {
            log.add(new TestLog.Row(each.module(), "/scratch/f" + i, i % nprocs, each.counters()));
          }
        });
  }

  static Stream<Case> cases() {
    return CASES.build();
  }

  static Stream<Incomplete> incomplete() {
    return INCOMPLETE.build();
  }

  static {
    funnel();
    striping();
    requests();
    filesAndRanks();
    libraries();
    layers();
    storage();
  }

  /** All of a file by two of 64 ranks below, evenly above. */
  private static TestLog funnel(long nprocs, double ranks, long bytes, long collective) {
    double mean = (double) bytes / nprocs;
    return log(
        nprocs,
        posix("/scratch/a", -1)
            .with("BYTES_WRITTEN", bytes)
            .with("SLOWEST_RANK_BYTES", 1)
            .with("F_VARIANCE_RANK_BYTES", mean * mean * (nprocs - ranks) / ranks),
        mpiio("/scratch/a", -1)
            .with("BYTES_WRITTEN", bytes)
            .with("SLOWEST_RANK_BYTES", 1)
            .with("COLL_WRITES", collective));
  }

  private static void funnel() {
    String rule = "collective_funnel";
    fires(rule, Module.POSIX, funnel(64, 4, 16 * MIB, 64), funnel(64, 4.1, 16 * MIB, 64));
    add(rule, "volume", DOES_NOT_HOLD, funnel(64, 4, 16 * MIB - 1, 64));
    add(rule, "not collective", DOES_NOT_HOLD, funnel(64, 4, 16 * MIB, 0));
    add(rule, "few processes, nodes unknown", DOES_NOT_HOLD, funnel(63, 1, 16 * MIB, 64));
    CASES.add(new Case(rule, "two nodes", HOLDS, funnel(8, 1, 16 * MIB, 64), 2));
    CASES.add(new Case(rule, "one node", DOES_NOT_HOLD, funnel(64, 1, 16 * MIB, 64), 1));
  }

  private static TestLog collective(double below, double seconds, double others) {
    return log(
        8,
        posix("/scratch/a", -1).with("BYTES_WRITTEN", 64 * MIB).with("F_SLOWEST_RANK_TIME", below),
        posix("/scratch/b", -1).with("F_SLOWEST_RANK_TIME", others),
        mpiio("/scratch/a", -1)
            .with("BYTES_WRITTEN", 64 * MIB)
            .with("SLOWEST_RANK_BYTES", 8 * MIB)
            .with("COLL_WRITES", 80)
            .with("F_SLOWEST_RANK_TIME", seconds));
  }

  private static TestLog modified(long reads, long writes, long asked) {
    return log(
        8,
        posix("/scratch/a", -1)
            .with("READS", reads)
            .with("SIZE_READ_10K_100K", reads)
            .with("WRITES", writes)
            .with("RW_SWITCHES", reads + writes - 1)
            .with("SIZE_WRITE_10K_100K", writes),
        mpiio("/scratch/a", -1).with("INDEP_WRITES", writes).with("INDEP_READS", asked));
  }

  private static TestLog sieved(long bytes, long asked) {
    return log(
        8,
        posix("/scratch/a", -1)
            .with("READS", 20)
            .with("WRITES", 20)
            .with("RW_SWITCHES", 39)
            .with("BYTES_READ", bytes)
            .with("BYTES_WRITTEN", 9 * bytes - 8),
        mpiio("/scratch/a", -1).with("INDEP_WRITES", 80).with("INDEP_READS", asked));
  }

  private static void layers() {
    String rule = "collective_overhead";
    fires(rule, Module.MPIIO, collective(1, 4, 1), collective(1, 4, 2));
    add(rule, "half a second of overhead", DOES_NOT_HOLD, collective(0.1, 0.6, 0));
    add(rule, "POSIX explains it", DOES_NOT_HOLD, collective(3, 4, 0));
    TestLog.Row alone = mpiio("/scratch/a", -1).with("INDEP_WRITES", 81);
    add(rule, "mostly independent", DOES_NOT_HOLD, collective(1, 4, 1).add(alone));
    rule = "read_modify_write";
    fires(rule, Module.POSIX, modified(101, 101, 0), modified(100, 101, 0));
    add(rule, "four writes for five reads", HOLDS, modified(1_000, 800, 0));
    add(rule, "more reads", DOES_NOT_HOLD, modified(1_000, 799, 0));
    add(rule, "more writes", DOES_NOT_HOLD, modified(799, 1_000, 0));
    add(rule, "the program reads itself", DOES_NOT_HOLD, modified(1_000, 800, 101));
    add(rule, "sieving", HOLDS, sieved(16 * MIB, 0));
    add(rule, "little sieving", DOES_NOT_HOLD, sieved(16 * MIB - 1, 0));
    add(rule, "reads that were asked for", DOES_NOT_HOLD, sieved(16 * MIB, 1));
  }

  private static TestLog shared(long nprocs, long extent, long... targets) {
    TestLog.Row file =
        posix("/scratch/a", -1).with("BYTES_WRITTEN", extent).with("SLOWEST_RANK_BYTES", 1);
    return new TestLog(nprocs).add(file).lustre("/scratch/a", -1, MIB, targets);
  }

  private static void striping() {
    String rule = "single_stripe_shared_file";
    fires(rule, Module.POSIX, shared(64, GIB, 7), shared(64, GIB - 1, 7));
    add(rule, "few processes", DOES_NOT_HOLD, shared(63, 10 * GIB - 1, 7));
    add(rule, "few processes, large", HOLDS, shared(2, 10 * GIB, 7));
    add(rule, "two stripes", DOES_NOT_HOLD, shared(64, 100 * GIB, 7, 8));
    TestLog unique =
        new TestLog(64)
            .add(posix("/scratch/a", 0).with("BYTES_WRITTEN", 100 * GIB))
            .lustre("/scratch/a", 0, MIB, 7);
    add(rule, "not shared", DOES_NOT_HOLD, unique);
    TestLog untold =
        new TestLog(64)
            .add(posix("/scratch/a", -1).with("BYTES_WRITTEN", GIB).with("SLOWEST_RANK_BYTES", 1));
    add(rule, "Darshan without LUSTRE", UNKNOWABLE, untold);

    String over = "overstriped_small_files";
    TestLog almost =
        striped(999, MIB - 1, 2).add(posix("/scratch/other", 0).with("BYTES_WRITTEN", 1));
    fires(over, Module.LUSTRE, striped(1_000, MIB - 1, 2), almost);
    add(over, "999 files", DOES_NOT_HOLD, striped(999, MIB - 1, 2));
    add(over, "one stripe", DOES_NOT_HOLD, striped(1_000, MIB - 1, 1));
    add(over, "a whole stripe", DOES_NOT_HOLD, striped(1_000, MIB, 2));

    String load = "target_overload";
    fires(load, Module.LUSTRE, striped(97, MIB, 1, 32), striped(96, MIB, 1, 32));
    add(load, "64 files", DOES_NOT_HOLD, striped(64, MIB, 4, 64));
    TestLog oneFile = shared(1_024, GIB, 1, 2);
    for (int rank = 0; rank < 1_024; rank++) {
      oneFile.lustre("/scratch/a", rank, MIB, 1, 2);
    }
    add(load, "1,024 unreduced records of one file", DOES_NOT_HOLD, oneFile);
  }

  private static TestLog striped(int files, long bytes, int stripes) {
    return striped(files, bytes, stripes, 100_000);
  }

  /** Files of one rank, each over so many neighboring ones of the targets. */
  private static TestLog striped(int files, long bytes, int stripes, int targets) {
    TestLog log = new TestLog(files);
    for (int i = 0; i < files; i++) {
      long[] on = new long[stripes];
      for (int s = 0; s < stripes; s++) {
        on[s] = (i + s) % targets;
      }
      log.add(posix("/scratch/f" + i, i).with("BYTES_WRITTEN", bytes))
          .lustre("/scratch/f" + i, i, MIB, on);
    }
    return log;
  }

  private static void requests() {
    TestLog.Row io = posix("/scratch/a", 0).with("WRITES", 1_000).with("FILE_NOT_ALIGNED", 101);
    String unaligned = "unaligned_io";
    fires(unaligned, Module.POSIX, log(4, io), log(4, io.with("FILE_NOT_ALIGNED", 100)));
    add(unaligned, "a tenth", DOES_NOT_HOLD, log(4, io.with("WRITES", 1_010)));
    TestLog.Row huge =
        posix("/scratch/a", 0)
            .with("WRITES", 16_401)
            .with("FILE_NOT_ALIGNED", 16_401)
            .with("BYTES_WRITTEN", 16_401 * 128 * MIB);
    add(unaligned, "16,401 requests of 128 MiB", DOES_NOT_HOLD, log(4, huge));
    TestLog.Row ends = io.with("READS", 200).with("SIZE_READ_0_100", 200);
    add(unaligned, "reads of 0 bytes", DOES_NOT_HOLD, log(4, ends.with("FILE_NOT_ALIGNED", 300)));

    String both = "small_unaligned_writes";
    TestLog.Row small =
        posix("/scratch/a", 0)
            .with("WRITES", 200)
            .with("SIZE_WRITE_1K_10K", 200)
            .with("FILE_NOT_ALIGNED", 101);
    fires(both, Module.POSIX, log(4, small), log(4, small.with("FILE_NOT_ALIGNED", 100)));
    add(both, "as many reads", DOES_NOT_HOLD, log(4, small.with("READS", 1)));
    TestLog.Row aggregated = mpiio("/scratch/a", 0).with("COLL_WRITES", 10);
    add(both, "aggregators' pieces", DOES_NOT_HOLD, log(4, small, aggregated));
    TestLog.Row tenth = small.with("WRITES", 1_010).with("SIZE_WRITE_1K_10K", 1_010);
    add(both, "a tenth", DOES_NOT_HOLD, log(4, tenth));

    String random = "random_io";
    TestLog.Row jumps =
        posix("/scratch/a", 0).with("READS", 400).with("SEQ_READS", 298).with("OPENS", 1);
    fires(random, Module.POSIX, log(4, jumps), log(4, jumps.with("SEQ_READS", 299)));
    add(random, "a fifth", DOES_NOT_HOLD, log(4, jumps.with("READS", 505).with("SEQ_READS", 403)));
    add(random, "first accesses", DOES_NOT_HOLD, log(4, jumps.with("OPENS", 102)));

    String sync = "fsync_heavy";
    TestLog.Row synced =
        posix("/scratch/a", 0).with("WRITES", 1_000).with("FSYNCS", 50).with("FDSYNCS", 51);
    fires(sync, Module.POSIX, log(4, synced), log(4, synced.with("FDSYNCS", 50)));
    add(sync, "a tenth", DOES_NOT_HOLD, log(4, synced.with("WRITES", 1_010)));

    String switching = "read_write_switching";
    TestLog.Row switched =
        posix("/scratch/a", 0).with("READS", 250).with("WRITES", 250).with("RW_SWITCHES", 102);
    fires(switching, Module.POSIX, log(4, switched), log(4, switched.with("RW_SWITCHES", 101)));
    add(switching, "a fifth", DOES_NOT_HOLD, log(4, switched.with("READS", 255)));
    TestLog.Row sieved = mpiio("/scratch/a", 0).with("INDEP_WRITES", 10);
    add(switching, "data sieving", DOES_NOT_HOLD, log(4, switched, sieved));
    TestLog once =
        files(4, 200, posix("", 0).with("READS", 1).with("WRITES", 1).with("RW_SWITCHES", 1));
    add(switching, "written once and read once", DOES_NOT_HOLD, once);

    String reread = "redundant_read";
    TestLog.Row twice =
        posix("/scratch/a", 0).with("BYTES_READ", 2 * GIB + 2).with("MAX_BYTE_READ", GIB);
    TestLog.Row more =
        posix("/scratch/a", 0).with("BYTES_READ", 3 * GIB).with("MAX_BYTE_READ", GIB);
    fires(reread, Module.POSIX, log(4, more), log(4, twice));
    TestLog.Row often =
        posix("/scratch/a", 0).with("BYTES_READ", 100 * MIB).with("MAX_BYTE_READ", 20 * MIB - 1);
    add(reread, "five times, 80 MiB", HOLDS, log(4, often));
    add(reread, "four times", DOES_NOT_HOLD, log(4, often.with("MAX_BYTE_READ", 25 * MIB - 1)));
    add(reread, "64 MiB", DOES_NOT_HOLD, log(4, often.with("MAX_BYTE_READ", 36 * MIB - 1)));

    String streams = "stdio_heavy";
    TestLog.Row much = stdio("/scratch/a", 0).with("BYTES_WRITTEN", 64 * MIB + 1);
    TestLog.Row time = posix("/scratch/t", 0).with("F_META_TIME", 1);
    fires(
        streams,
        Module.STDIO,
        log(4, much, time),
        log(4, much.with("BYTES_WRITTEN", 64 * MIB), time));
    TestLog.Row beside = posix("/scratch/b", 0).with("BYTES_WRITTEN", 700 * MIB);
    add(streams, "a tenth of the bytes", DOES_NOT_HOLD, log(4, much, beside, time));
    TestLog.Row slow =
        stdio("/scratch/a", 0).with("BYTES_WRITTEN", 16 * MIB).with("F_WRITE_TIME", 3.1);
    TestLog.Row rest = beside.with("F_WRITE_TIME", 7);
    add(streams, "three tenths of the time", HOLDS, log(4, slow, rest));
    add(streams, "less", DOES_NOT_HOLD, log(4, slow.with("F_WRITE_TIME", 2.9), rest));
    add(streams, "16 MiB", DOES_NOT_HOLD, log(4, slow.with("BYTES_WRITTEN", 151), rest));
    add(streams, "streams", DOES_NOT_HOLD, log(4, much.on("<STDERR>")));
  }

  private static void filesAndRanks() {
    String small = "many_small_files";
    TestLog.Row file = posix("", 0).with("BYTES_WRITTEN", MIB - 1);
    fires(small, Module.POSIX, files(8, 501, file), files(8, 500, file));
    add(small, "1 MiB", DOES_NOT_HOLD, files(8, 501, file.with("BYTES_WRITTEN", MIB)));
    add(small, "two by each of 1,024", DOES_NOT_HOLD, files(1_024, 2_048, file));
    add(small, "more by each", HOLDS, files(1_024, 2_049, file));
    add(small, "no bytes", DOES_NOT_HOLD, files(8, 501, file.with("BYTES_WRITTEN", 0)));

    String each = "file_per_process_at_scale";
    fires(each, Module.POSIX, files(4_096, 4_096, file), files(4_096, 4_095, file));
    add(each, "fewer processes", DOES_NOT_HOLD, files(4_095, 4_095, file));

    String uneven = "load_imbalance";
    TestLog.Row most = posix("/scratch/a", 0).with("BYTES_WRITTEN", 40 * MIB);
    TestLog.Row little = posix("/scratch/b", 1).with("BYTES_WRITTEN", 40 * MIB);
    fires(uneven, Module.POSIX, log(8, most, little), log(7, most, little));
    add(
        uneven,
        "volume",
        DOES_NOT_HOLD,
        log(8, most.with("BYTES_WRITTEN", 8 * MIB), little.with("BYTES_WRITTEN", 8 * MIB - 1)));
    TestLog.Row input = posix("/scratch/a", 0).with("BYTES_READ", GIB - 1);
    add(uneven, "broadcast-style input", DOES_NOT_HOLD, log(16, input));
    TestLog.Row collective =
        mpiio("/scratch/a", -1)
            .with("BYTES_WRITTEN", 80 * MIB)
            .with("SLOWEST_RANK_BYTES", 1)
            .with("COLL_WRITES", 8);
    add(uneven, "healthy aggregators", DOES_NOT_HOLD, log(8, most, little, collective));

    String straggler = "straggler";
    TestLog.Row even =
        posix("/scratch/a", -1)
            .with("BYTES_WRITTEN", 16 * MIB)
            .with("SLOWEST_RANK_BYTES", 1)
            .with("F_WRITE_TIME", 4)
            .with("F_SLOWEST_RANK_TIME", 3.1);
    fires(straggler, Module.POSIX, log(4, even), log(4, even.with("F_SLOWEST_RANK_TIME", 3)));
    add(straggler, "volume", DOES_NOT_HOLD, log(4, even.with("BYTES_WRITTEN", 16 * MIB - 1)));
    add(
        straggler,
        "uneven bytes",
        DOES_NOT_HOLD,
        log(4, even.with("F_VARIANCE_RANK_BYTES", 3.0 * (4 * MIB) * (4 * MIB))));
  }

  private static void libraries() {
    String collective = "no_collective";
    TestLog.Row independent =
        mpiio("/scratch/a", -1).with("INDEP_WRITES", 101).with("SIZE_WRITE_AGG_1K_10K", 101);
    TestLog.Row below = posix("/scratch/a", -1).with("WRITES", 101).with("SIZE_WRITE_1K_10K", 101);
    TestLog.Row fewer = independent.with("INDEP_WRITES", 100);
    fires(collective, Module.MPIIO, log(4, independent, below), log(4, fewer, below));
    add(
        collective,
        "some collective",
        DOES_NOT_HOLD,
        log(4, independent.with("COLL_WRITES", 1), below));
    TestLog.Row large = below.with("SIZE_WRITE_1K_10K", 0);
    add(collective, "large requests", DOES_NOT_HOLD, log(4, independent, large));
    TestLog.Row own = new TestLog.Row(Module.MPIIO, "/scratch/a", 0, independent.counters());
    add(collective, "not shared", DOES_NOT_HOLD, log(4, own, below));

    String hdf5 = "h5_no_chunk_or_collective";
    TestLog.Row dataset = h5d("/scratch/a:d", -1).with("WRITES", 8);
    fires(hdf5, Module.H5D, log(4, dataset, below), log(4, dataset.with("WRITES", 0), below));
    TestLog.Row transfer = dataset.with("USE_MPIIO_COLLECTIVE", 1);
    add(hdf5, "collective", DOES_NOT_HOLD, log(4, transfer, below));
    add(hdf5, "large requests", DOES_NOT_HOLD, log(4, dataset, large));
    add(hdf5, "one process", DOES_NOT_HOLD, log(1, dataset, below));
  }

  private static TestLog targets(int targets, double slowest, long bytes) {
    TestLog log = new TestLog(targets);
    for (int i = 0; i < targets; i++) {
      log.add(
              posix("/scratch/f" + i, i)
                  .with("BYTES_WRITTEN", bytes)
                  .with("F_WRITE_TIME", i == 3 ? slowest : 1))
          .lustre("/scratch/f" + i, i, MIB, i);
    }
    return log;
  }

  private static void storage() {
    String target = "slow_target";
    fires(target, Module.LUSTRE, targets(8, 4.1, 2 * MIB), targets(8, 4, 2 * MIB));
    add(target, "seven targets", DOES_NOT_HOLD, targets(7, 9, 4 * MIB));
    add(target, "tiny", DOES_NOT_HOLD, targets(64, 9, 512 * 1_024));

    String home = "slow_storage_io";
    TestLog.Row most = posix("/home/a", 0).with("BYTES_WRITTEN", 16 * MIB);
    TestLog.Row beside = posix("/scratch/b", 0).with("BYTES_WRITTEN", 16 * MIB - 1);
    fires(
        home,
        Module.POSIX,
        log(4, most, beside),
        log(4, most, beside.with("BYTES_WRITTEN", 16 * MIB)));
    add(home, "volume", DOES_NOT_HOLD, log(4, most.with("BYTES_WRITTEN", 16 * MIB - 1)));
  }

  private static RuleOutcome outcome(String rule, TestLog log, Integer nodes) {
    RunFeatures run = log.features();
    Cost cost = Cost.of(run, nodes, null, TestLog.SITE, new References());
    LoadSummary load = new LoadSummary(LoadState.NO_SAMPLES, 1, 0, null, null, null, 0, null);
    return ShippedRules.outcome(
        rule, JudgedFeatures.of(run.features(), cost, load, Baseline.NONE), run);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void holdsOrNot(Case run) {
    assertThat(outcome(run.rule(), run.log(), run.nodes()).state()).isEqualTo(run.state());
  }

  @ParameterizedTest
  @MethodSource("incomplete")
  void boundedOrUnknowableOnAnIncompleteLog(Incomplete run) {
    RuleOutcome fires = outcome(run.rule(), run.fires().state(run.module(), "partial"), null);
    run.fires().state(run.module(), "complete");
    assertThat(fires.state()).isEqualTo(HOLDS);
    assertThat(fires.evidenceClass()).isEqualTo(EvidenceClass.BOUNDED);
    RuleOutcome beside = outcome(run.rule(), run.beside().state(run.module(), "partial"), null);
    run.beside().state(run.module(), "complete");
    assertThat(beside.state()).isEqualTo(UNKNOWABLE);
  }

  @Test
  void everyRuleIsTested() {
    Set<String> tested = new TreeSet<>(SEEN.keySet());
    // In RulesTest and BaselineTest, and the one below that needs the load.
    tested.addAll(
        Set.of("rank0_io", "small_io", "metadata_heavy", "device_contention", "slow_vs_history"));
    assertThat(ShippedRules.RULES.rules().stream().map(Rule::id))
        .containsExactlyInAnyOrderElementsOf(tested);
    assertThat(SEEN.values())
        .allSatisfy(states -> assertThat(states).contains(HOLDS, DOES_NOT_HOLD, UNKNOWABLE));
  }

  private static RuleOutcome contention(LoadState state, double util, long others, long device) {
    RunFeatures run =
        log(
                16,
                posix("/scratch/a", -1)
                    .with("BYTES_WRITTEN", 16 * MIB)
                    .with("SLOWEST_RANK_BYTES", 1)
                    .with("F_SLOWEST_RANK_TIME", 10))
            .features();
    Cost cost = Cost.of(run, 1, null, TestLog.SITE, new References());
    LoadSummary load =
        new LoadSummary(
            state, 4, 4, util, util, (double) device * MIB, 16.0 * MIB, (double) others * MIB);
    return ShippedRules.outcome(
        "device_contention", JudgedFeatures.of(run.features(), cost, load, Baseline.NONE), run);
  }

  @Test
  void deviceContentionNeedsBusyOthersAndAClosedLoad() {
    assertThat(contention(LoadState.CLOSED, 0.3, 64, 80).state()).isEqualTo(HOLDS);
    assertThat(contention(LoadState.CLOSED, 0.3, 64, 80).evidenceClass())
        .isEqualTo(EvidenceClass.BOUNDED);
    // idle devices serve everybody, and little is nobody's load
    assertThat(contention(LoadState.CLOSED, 0.29, 640, 656).state()).isEqualTo(DOES_NOT_HOLD);
    assertThat(contention(LoadState.CLOSED, 0.3, 63, 79).state()).isEqualTo(DOES_NOT_HOLD);
    assertThat(contention(LoadState.CLOSED, 0.8, 2, 20).state()).isEqualTo(HOLDS);
    assertThat(contention(LoadState.CLOSED, 0.79, 2, 20).state()).isEqualTo(DOES_NOT_HOLD);
    assertThat(contention(LoadState.CLOSED, 0.8, 2, 21).state()).isEqualTo(DOES_NOT_HOLD);
    assertThat(contention(LoadState.INCOMPLETE, 0.8, 32, 48).state()).isEqualTo(UNKNOWABLE);
  }

  /** 1,000 writes of 256 KiB each, one behind the other but for the first. */
  private static RuleOutcome writesOf256Kib(int rank, int consecutive) {
    return outcome(
        "small_io",
        log(
            4,
            posix("/scratch/a", rank)
                .with("BYTES_WRITTEN", 1_000 * 256 * 1_024)
                .with("WRITES", 1_000)
                .with("SEQ_WRITES", 999)
                .with("CONSEC_WRITES", consecutive)
                .with("SIZE_WRITE_100K_1M", 1_000)),
        null);
  }

  @Test
  void writesThatThePageCacheGathersAreNotSmall() {
    assertThat(writesOf256Kib(0, 999).state()).isEqualTo(DOES_NOT_HOLD);
    assertThat(writesOf256Kib(0, 899).state()).isEqualTo(HOLDS);
    // of a shared file the processes' writes interleave
    assertThat(writesOf256Kib(-1, 999).state()).isEqualTo(HOLDS);
  }

  @Test
  void adviceNamesTheStripeCountAndTheFiles() {
    RuleOutcome outcome = outcome("single_stripe_shared_file", shared(64, 30 * GIB, 7), null);
    Advice advice = outcome.advice().get(0);
    assertThat(advice.id()).isEqualTo("lfs_setstripe");
    assertThat(advice.parameters())
        .containsEntry("stripe_count", 24.0)
        .containsEntry("stripe_size_bytes", (double) MIB);
    assertThat(advice.files()).containsExactly(Long.toUnsignedString(TestLog.idOf("/scratch/a")));
  }

  @Test
  void aSiteHasThresholdsOfItsOwn() {
    RunFeatures run = shared(64, GIB, 7).features();
    Map<String, Map<String, Double>> own =
        Map.of("single_stripe_shared_file", Map.of("many_processes", 65.0));
    assertThat(
            ShippedRules.RULES.evaluate(run.features(), own, run.detail()).stream()
                .filter(o -> o.rule().id().equals("single_stripe_shared_file"))
                .map(RuleOutcome::state))
        .containsExactly(DOES_NOT_HOLD);
    assertThat(ShippedRules.RULES.checkThresholds(own)).isEmpty();
    assertThat(ShippedRules.RULES.checkThresholds(Map.of("small_io", Map.of("typo", 1.0))))
        .hasToString("[rule small_io, rule_thresholds: the rule has no threshold typo]");
    assertThat(ShippedRules.RULES.checkThresholds(Map.of("nothing", Map.of())))
        .hasToString("[rule nothing, rule_thresholds: there is no such rule]");
  }
}
