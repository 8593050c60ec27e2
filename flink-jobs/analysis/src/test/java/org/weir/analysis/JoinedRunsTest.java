package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.weir.analysis.TestLog.MIB;
import static org.weir.analysis.TestLog.posix;
import static org.weir.analysis.judge.Verdict.Value.BOTH;
import static org.weir.analysis.judge.Verdict.Value.NOT_SLOW;
import static org.weir.analysis.judge.Verdict.Value.STORAGE;
import static org.weir.analysis.judge.Verdict.Value.UNKNOWN;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.weir.analysis.JoinedRuns.Row;
import org.weir.analysis.compare.Application;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.EarlierRun;
import org.weir.analysis.judge.RunJudgement;
import org.weir.analysis.judge.Verdict;
import org.weir.analysis.load.BucketLoad;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.References;
import org.weir.site.Site;

/** History, contention and verdict over a year of repeated benchmarks on two machines. */
@Tag("slow")
class JoinedRunsTest {
  /** The peaks are round numbers near what the runs of that size usually got. */
  private static final Site SITE =
      Site.parse(
          """
          {"cluster": "joined", "time_zone": "UTC",
           "slow_threshold_seconds": 10, "slow_threshold_share": 0.1,
           "cores_per_node": {"default": 16},
           "file_systems": [
             {"id": "cscratch", "kind": "lustre", "mount_prefixes": ["/global/cscratch1"],
              "peak_mib_per_second": {"32": 50000.0, "256": 200000.0}},
             {"id": "burst", "kind": "unknown", "mount_prefixes": ["/var/opt/cray/dws"],
              "peak_mib_per_second": {"32": 85000.0, "256": 250000.0}},
             {"id": "mira-fs1", "kind": "gpfs", "mount_prefixes": ["/projects"],
              "peak_mib_per_second": {"1024": 15000.0}}]}
          """);

  /** What job-analysis keeps of an application. */
  private static final int MOST_RUNS = 32;

  private static List<Judged> all = List.of();

  /** A row and what is said of it. */
  private record Judged(Row row, RunFeatures run, RunJudgement judgement) {
    boolean has(String rule) {
      return judgement.findings().stream().anyMatch(finding -> finding.ruleId().equals(rule));
    }

    long endSeconds() {
      return row.startSeconds() + row.wallSeconds();
    }

    /** Bytes of the servers beyond the run's own. */
    double others() {
      return Math.max(0, row.serverBytesRead() + row.serverBytesWritten() - row.bytes());
    }

    boolean loadIsKnown() {
      return row.hasServers() && isWhole(row);
    }

    boolean besideOthers() {
      return others() >= Math.max(2 * row.bytes(), 64 * MIB);
    }
  }

  @BeforeAll
  static void judge() {
    List<Row> rows = Stream.concat(JoinedRuns.cori().stream(), JoinedRuns.mira().stream()).toList();
    List<Judged> judged = new ArrayList<>();
    Map<String, List<EarlierRun>> known = new HashMap<>();
    rows.stream()
        .sorted(Comparator.comparingLong(row -> row.startSeconds() + row.wallSeconds()))
        .forEach(
            row -> {
              RunFeatures run = features(row);
              EarlierRun own = EarlierRun.of(Integer.toString(judged.size()), run);
              String key = Application.key(row.machine(), 1, row.exe(), "", run);
              List<EarlierRun> earlier = known.computeIfAbsent(key, k -> new ArrayList<>());
              Baseline baseline = Baseline.of(own, earlier);
              earlier.add(own);
              if (earlier.size() > MOST_RUNS) {
                earlier.remove(0);
              }
              int nodes = (int) (row.nprocs() / 16);
              judged.add(
                  new Judged(
                      row,
                      run,
                      RunJudgement.of(
                          run,
                          nodes,
                          null,
                          load(row, run),
                          baseline,
                          new References(),
                          SITE,
                          ShippedRules.RULES)));
            });
    all = judged;
  }

  /** The row's sums as of one shared file. */
  private static RunFeatures features(Row row) {
    double seconds = row.bytes() / MIB / row.mibPerSecond();
    return new TestLog(row.nprocs())
        .start(row.startSeconds() * 1_000_000)
        .runTime(row.wallSeconds())
        .add(
            posix(row.mount() + "/file", -1)
                .with("BYTES_READ", Math.round(row.bytesRead()))
                .with("BYTES_WRITTEN", Math.round(row.bytesWritten()))
                .with("READS", Math.round(row.number("darshan_tot_reads_posix")))
                .with("WRITES", Math.round(row.number("darshan_tot_writes_posix")))
                .with("SEQ_READS", Math.round(row.number("darshan_tot_seq_reads_posix")))
                .with("SEQ_WRITES", Math.round(row.number("darshan_tot_seq_writes_posix")))
                .with("OPENS", Math.round(row.number("darshan_tot_opens_posix")))
                .with("STATS", Math.round(row.number("darshan_tot_stats_posix")))
                .with(
                    "FILE_NOT_ALIGNED",
                    Math.round(row.number("darshan_tot_file_not_aligned_posix")))
                .with("F_META_TIME", row.number("darshan_tot_f_meta_time_posix"))
                .with("F_READ_TIME", row.number("darshan_tot_f_read_time_posix"))
                .with("F_WRITE_TIME", row.number("darshan_tot_f_write_time_posix"))
                .with("F_SLOWEST_RANK_TIME", seconds))
        .features(SITE);
  }

  /**
   * The servers tell of 95 % of what the run itself moved, and Cori's lack 5 % of samples at most.
   */
  private static boolean isWhole(Row row) {
    boolean sampled = row.machine().equals("mira") || row.number("fs_frac_missing") <= 0.05;
    return sampled && row.covered() >= 0.95;
  }

  /**
   * One bucket of the run's length. No column says how busy the devices were: they are taken as
   * busy half the time, which is enough where others moved far more, and too little where they did
   * not.
   */
  private static LoadSummary load(Row row, RunFeatures run) {
    LoadWindow.OwnBucket own =
        new LoadWindow.OwnBucket(run.startTime(), row.bytesRead(), row.bytesWritten());
    LoadWindow window =
        new LoadWindow(run.filesystem(), row.wallSeconds() * 1_000_000, 1, List.of(own), List.of());
    if (!row.hasServers()) {
      return window.summarize(Map.of(), true);
    }
    BucketLoad load =
        new BucketLoad(
            row.serverBytesRead(), row.serverBytesWritten(), 0.5, 0.5, true, isWhole(row));
    return window.summarize(Map.of(own.start(), load), true);
  }

  @Test
  void theFilesHoldWhatTheirReadmeSays() {
    assertThat(of("cori")).hasSize(11_232);
    assertThat(of("mira")).hasSize(2_533);
    for (Judged each : all) {
      Row row = each.row;
      // With Cori's columns shifted by one none of these would hold.
      assertThat(row.exe()).matches("ior|hacc_io_(read|write)|vpicio_uni|dbscan_read");
      assertThat(row.bytesRead() > 0).isNotEqualTo(row.bytesWritten() > 0);
      assertThat(row.number("darshan_total_gibs_posix"))
          .isCloseTo(row.bytes() / (1 << 30), withinPercentage(0.001));
      assertThat(row.number("darshan_end_time") - row.startSeconds() + 1)
          .isEqualTo(row.wallSeconds());
      if (row.hasServers()) {
        assertThat(row.mount()).isIn("/global/cscratch1", "/projects");
      }
      if (row.machine().equals("mira")) {
        // The wrong time zone: seven hours in summer, eight in winter.
        assertThat(row.number("_datetime_start") - row.startSeconds()).isIn(25_200.0, 28_800.0);
      }
    }
    // The servers moved what the runs moved: the columns of both are of the same minutes.
    assertThat(share(of("cori"), each -> each.row.hasServers(), each -> each.row.covered() >= 0.95))
        .isGreaterThan(0.9);
    assertThat(share(of("mira"), each -> each.row.hasServers(), each -> each.row.covered() >= 0.95))
        .isGreaterThan(0.75);
  }

  @Test
  void whatIsComparedIsWhatDarshanSays() {
    for (Judged each : all) {
      assertThat(each.run.value("mib_per_second"))
          .isCloseTo(each.row.mibPerSecond(), withinPercentage(1e-6));
      assertThat(each.run.value("bytes_moved")).isCloseTo(each.row.bytes(), within(1.0));
      assertThat(each.run.filesystem()).isEqualTo(filesystem(each.row));
      assertThat(each.run.direction()).isEqualTo(each.row.reads() ? "read" : "write");
    }
  }

  /** The rule again, from the columns alone. */
  @Test
  void slowVsHistoryIsWhatTheColumnsSay() {
    Map<List<Object>, List<Judged>> applications =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    each ->
                        List.of(
                            each.row.machine(),
                            each.row.exe(),
                            filesystem(each.row),
                            each.row.reads())));
    assertThat(applications).hasSize(6 + 6 + 6);
    Map<List<Object>, List<Judged>> alike =
        all.stream()
            .collect(
                Collectors.groupingBy(
                    each ->
                        List.of(
                            each.row.machine(),
                            each.row.exe(),
                            filesystem(each.row),
                            each.row.reads(),
                            sizeClass(each.row))));
    int flagged = 0;
    for (List<Judged> runs : alike.values()) {
      for (int i = 0; i < runs.size(); i++) {
        Row row = runs.get(i).row;
        List<Double> before =
            runs.subList(Math.max(0, i - MOST_RUNS), i).stream()
                .filter(other -> other.endSeconds() < row.startSeconds() + row.wallSeconds())
                .filter(other -> Math.abs(log2(other.row.nprocs() / (double) row.nprocs())) <= 1)
                .filter(other -> Math.abs(log2(other.row.bytes() / row.bytes())) <= 1)
                .map(other -> other.row.mibPerSecond())
                .sorted()
                .toList();
        boolean slow =
            before.size() >= 5
                && row.mibPerSecond() < slowestTenth(before)
                && row.mibPerSecond() < 0.75 * median(before);
        assertThat(runs.get(i).has("slow_vs_history"))
            .as("%s, row %s", row.machine(), row.text(""))
            .isEqualTo(slow);
        flagged += slow ? 1 : 0;
      }
    }
    System.out.printf(Locale.ROOT, "slow_vs_history: %d of %d runs%n", flagged, all.size());
    assertThat(flagged).isPositive();
  }

  /** Requests within 4 times of a power of 16 bytes; the edges are 11.6 KiB, 185 KiB, 2.9 MiB. */
  private static long sizeClass(Row row) {
    double requests =
        row.number("darshan_tot_reads_posix") + row.number("darshan_tot_writes_posix");
    return (long) Math.floor((log2(row.bytes() / requests) + 2.5) / 4);
  }

  /** Time lost, load and whose it was, from the columns alone. */
  @Test
  void theVerdictIsWhatTheColumnsAllow() {
    Map<String, Integer> checked = new TreeMap<>();
    for (Judged each : all) {
      Row row = each.row;
      Verdict verdict = each.judgement.verdict();
      double mib = row.bytes() / MIB;
      double lost = mib / row.mibPerSecond() - mib / peak(row);
      String kind;
      if (lost < 10 || lost < 0.1 * row.wallSeconds()) {
        kind = "not slow";
        assertThat(verdict.value()).isEqualTo(NOT_SLOW);
      } else if (!row.hasServers()) {
        kind = "no samples";
        assertThat(verdict)
            .isEqualTo(
                Verdict.unknown(
                    "no storage samples of this time, or only ones longer than 1.5 load buckets"));
      } else if (!each.loadIsKnown()) {
        kind = "samples missing";
        assertThat(verdict.value()).isEqualTo(UNKNOWN);
        assertThat(verdict.reason()).startsWith("storage samples are missing");
      } else if (each.besideOthers()) {
        kind = "beside others";
        assertThat(verdict.value()).isIn(STORAGE, BOTH);
        assertThat(verdict.reason()).contains("others moved");
      } else {
        kind = "quiet";
        assertThat(verdict.reason()).doesNotContain("others moved");
        assertThat(verdict.value() == STORAGE || verdict.value() == BOTH)
            .isEqualTo(isStraggler(row));
      }
      checked.merge(kind, 1, Integer::sum);
      boolean contended =
          each.loadIsKnown() && each.besideOthers() && row.mibPerSecond() < peak(row);
      assertThat(each.has("device_contention")).isEqualTo(contended);
    }
    assertThat(checked).hasSize(5);
  }

  /** Nobody planted the others here, but that they slow a run down shows in both machines. */
  @ParameterizedTest
  @ValueSource(strings = {"cori", "mira"})
  void besideOthersMoreRunsAreSlowerThanTheirHistory(String machine) {
    Predicate<Judged> slower = each -> each.has("slow_vs_history");
    Predicate<Judged> beside = each -> each.loadIsKnown() && each.besideOthers();
    Predicate<Judged> quiet = each -> each.loadIsKnown() && !each.besideOthers();
    List<Judged> runs = of(machine);
    double besideOthers = share(runs, beside, slower);
    double inQuiet = share(runs, quiet, slower);
    System.out.printf(
        Locale.ROOT,
        "%s: slower than their history are %.1f %% of the runs beside others, %.1f %% in quiet%n",
        machine,
        100 * besideOthers,
        100 * inQuiet);
    tellVerdicts(machine + ", slower, beside others", runs, slower.and(beside));
    tellVerdicts(machine + ", slower, in quiet", runs, slower.and(quiet));
    tellVerdicts(
        machine + ", slower, load not known", runs, slower.and(each -> !each.loadIsKnown()));
    assertThat(besideOthers).isGreaterThan(3 * inQuiet);
    Predicate<Judged> known = Judged::loadIsKnown;
    double ofSlower = ownShare(runs, known.and(slower));
    double ofOthers = ownShare(runs, known.and(slower.negate()));
    System.out.printf(
        Locale.ROOT,
        "%s: median of the run's share of the servers' bytes %.2f, not slower %.2f%n",
        machine,
        ofSlower,
        ofOthers);
    assertThat(ofSlower).isLessThan(ofOthers);
  }

  private static void tellVerdicts(String what, List<Judged> runs, Predicate<Judged> which) {
    Map<String, Long> split =
        runs.stream()
            .filter(which)
            .collect(
                Collectors.groupingBy(
                    each -> each.judgement.verdict().value().text(),
                    TreeMap::new,
                    Collectors.counting()));
    System.out.println(what + ": " + split);
  }

  private static double ownShare(List<Judged> runs, Predicate<Judged> which) {
    return median(
        runs.stream()
            .filter(which)
            .map(each -> each.row.bytes() / (each.row.bytes() + each.others()))
            .sorted()
            .toList());
  }

  private static double share(List<Judged> runs, Predicate<Judged> of, Predicate<Judged> which) {
    List<Judged> whole = runs.stream().filter(of).toList();
    return whole.stream().filter(which).count() / (double) whole.size();
  }

  private static List<Judged> of(String machine) {
    return all.stream().filter(each -> each.row.machine().equals(machine)).toList();
  }

  private static String filesystem(Row row) {
    return switch (row.mount().split("/")[1]) {
      case "global" -> "cscratch";
      case "projects" -> "mira-fs1";
      default -> "burst";
    };
  }

  private static double peak(Row row) {
    boolean small = row.nprocs() == 512;
    return switch (filesystem(row)) {
      case "cscratch" -> small ? 50_000 : 200_000;
      case "burst" -> small ? 85_000 : 250_000;
      default -> 15_000;
    };
  }

  /** The slowest process took three times the mean; each of them moves as many bytes. */
  private static boolean isStraggler(Row row) {
    double all =
        row.number("darshan_tot_f_meta_time_posix")
            + row.number("darshan_tot_f_read_time_posix")
            + row.number("darshan_tot_f_write_time_posix");
    return row.bytes() / MIB / row.mibPerSecond() > 3 * all / row.nprocs();
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static double median(List<Double> sorted) {
    return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
  }

  /** In tenths of the way from one value to the next. */
  private static double slowestTenth(List<Double> sorted) {
    int whole = (sorted.size() - 1) / 10;
    int tenths = (sorted.size() - 1) % 10;
    double next = sorted.get(Math.min(whole + 1, sorted.size() - 1));
    return (sorted.get(whole) * (10 - tenths) + next * tenths) / 10;
  }
}
