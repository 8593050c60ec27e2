package org.weir.analysis;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Every feature that a rule can read: name, unit and what it is. All are doubles in CEL. Those that
 * are columns of the table runs have the column's name.
 *
 * <p>"Listed" means on a file system that the site lists: only such bytes can raise a finding.
 * Everything else (local disks, /tmp, /proc, standard streams) counts in the plain totals only.
 */
public final class FeatureCatalog {
  private static final Map<String, Spec> SPECS = new LinkedHashMap<>();

  static {
    run();
    volume();
    time();
    metadata();
    distribution();
    requests();
  }

  private FeatureCatalog() {}

  /** What a feature is. */
  public record Spec(String name, String unit, String doc) {}

  /** All features in the order in which they are documented. */
  public static Collection<Spec> all() {
    return Collections.unmodifiableCollection(SPECS.values());
  }

  /** The feature with this name, or null. */
  public static Spec find(String name) {
    return SPECS.get(name);
  }

  private static void run() {
    add("nprocs", "1", "processes of the run, from the log's job record");
    add("run_time_seconds", "s", "run time, from the log's job record");
    add(
        "files",
        "1",
        "distinct POSIX and STDIO records, standard streams apart; estimated above "
            + DistinctIds.KEPT);
  }

  private static void volume() {
    add("bytes_read", "B", "POSIX + STDIO, all mounts and standard streams");
    add("bytes_written", "B", "POSIX + STDIO, all mounts and standard streams");
    add("bytes_moved", "B", "bytes_read + bytes_written");
    add("site_bytes", "B", "POSIX + STDIO, both directions, listed");
    add(
        "other_mount_bytes",
        "B",
        "POSIX + STDIO, both directions, on mounts the site does not list");
    add("standard_stream_bytes", "B", "STDIO on <STDIN>, <STDOUT> and <STDERR>");
    for (Module module : Module.values()) {
      String name = module.featurePrefix();
      add(name + "_bytes", "B", module.logName() + ", both directions, all mounts");
      add(name + "_site_bytes", "B", module.logName() + ", both directions, listed");
      add(name + "_site_bytes_read", "B", module.logName() + ", listed");
      add(name + "_site_bytes_written", "B", module.logName() + ", listed");
    }
  }

  private static void time() {
    for (Module module : Module.values()) {
      String name = module.featurePrefix();
      add(
          name + "_agg_time_by_slowest_seconds",
          "s",
          "largest rank's time over its unshared files + sum of F_SLOWEST_RANK_TIME of the shared"
              + " ones; "
              + module.logName()
              + ", all mounts; equals darshan-parser --perf");
      add(
          name + "_agg_perf_by_slowest_mib_per_second",
          "MiB/s",
          "the module's MiB / agg_time_by_slowest, 0 if that is 0");
    }
    add("io_time_seconds", "s", "agg_time_by_slowest of POSIX + of STDIO");
    add("mib_per_second", "MiB/s", "MiB of POSIX + STDIO / io_time_seconds");
    add("io_share", "1", "io_time_seconds / run_time_seconds; can exceed 1");
    add("read_time_share", "1", "POSIX F_READ_TIME / (META + READ + WRITE), listed");
    add("write_time_share", "1", "POSIX F_WRITE_TIME / (META + READ + WRITE), listed");
    add("first_io_seconds", "s", "first open or access after the run's start, POSIX and STDIO");
    add("last_io_seconds", "s", "last close or access after the run's start, POSIX and STDIO");
  }

  private static void metadata() {
    add("opens", "1", "POSIX_OPENS, listed");
    add("stats", "1", "POSIX_STATS, listed");
    add(
        "metadata_operations",
        "1",
        "opens + stats, and POSIX_SEEKS on file systems that the site marks forwards_seeks");
    add("metadata_share", "1", "POSIX F_META_TIME / (META + READ + WRITE), listed");
    add(
        "metadata_seconds_per_process",
        "s",
        "POSIX F_META_TIME, listed: the largest rank's sum over its unshared files + the sum over"
            + " shared files / nprocs");
  }

  private static void distribution() {
    for (Module module : Module.values()) {
      String name = module.featurePrefix() + "_effective_ranks";
      String doc =
          " of the number of ranks that did the bytes, (sum b)^2 / sum(b^2), "
              + module.logName()
              + ", listed; 1 = one rank did it all, nprocs = even";
      add(name + "_lower", "1", "lower bound" + doc);
      add(name + "_upper", "1", "upper bound" + doc);
    }
  }

  private static void requests() {
    add("reads", "1", "POSIX_READS, listed");
    add("writes", "1", "POSIX_WRITES, listed");
    String small =
        " below 1 MiB, listed: exact 1 MiB requests taken out; of a file with MPI-IO data"
            + " operations no more than MPI-IO itself issued small";
    add("small_reads", "1", "lower bound of POSIX reads" + small);
    add("small_reads_upper", "1", "upper bound of POSIX reads" + small);
    add("small_writes", "1", "lower bound of POSIX writes" + small);
    add("small_writes_upper", "1", "upper bound of POSIX writes" + small);
    String share = " / max(requests, MiB moved) of that direction, listed";
    add("small_read_share", "1", "small_reads" + share);
    add("small_write_share", "1", "small_writes" + share);
    add("stdio_writes", "1", "STDIO_WRITES, listed");
    add("stdio_flushes", "1", "STDIO_FLUSHES, listed");
  }

  private static void add(String name, String unit, String doc) {
    SPECS.put(name, new Spec(name, unit, doc));
  }
}
