package org.weir.analysis;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
    files();
    time();
    metadata();
    distribution();
    requests();
    sizes();
    mpiio();
    lustre();
    libraries();
    context();
  }

  /** Names the features that each listed file system also has alone; rules about it read these. */
  public static final List<String> OF_FILESYSTEM =
      List.of(
          "reads",
          "writes",
          "small_and_unaligned_writes",
          "small_and_unaligned_writes_upper",
          "small_and_unaligned_write_share",
          "surely_unaligned_requests",
          "unaligned_share",
          "file_alignment_bytes",
          "file_alignment_smallest_bytes",
          "stripe_size_bytes",
          "stripe_size_smallest_bytes",
          "stripe_size_largest_bytes");

  private FeatureCatalog() {}

  /**
   * What a feature is.
   *
   * @param ofLog computed from the log; else added when the run is judged ({@link JudgedFeatures})
   */
  public record Spec(String name, String unit, String doc, boolean ofLog) {}

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
        "mapped_processes",
        "1",
        "processes of a run that was killed whose memory-mapped logs are there, and sound; undefined"
            + " of a log that Darshan wrote at the end");
    add(
        "files",
        "1",
        "distinct POSIX and STDIO records, standard streams apart; estimated above "
            + DistinctIds.KEPT);
  }

  private static void volume() {
    String moved =
        "POSIX + STDIO + DFS, all mounts and standard streams; DAOS where there is no DFS, and what"
            + " is above POSIX (MPI-IO, H5D, PNETCDF_FILE) where Darshan did not record that";
    add("bytes_read", "B", moved);
    add("bytes_written", "B", "likewise");
    add("bytes_moved", "B", "bytes_read + bytes_written");
    add("site_bytes", "B", "POSIX + STDIO, both directions, listed");
    add(
        "slow_filesystem_bytes",
        "B",
        "POSIX + STDIO, both directions, on file systems that the site marks slow");
    add(
        "other_mount_bytes",
        "B",
        "POSIX + STDIO, both directions, on mounts the site does not list");
    add("standard_stream_bytes", "B", "STDIO on <STDIN>, <STDOUT> and <STDERR>");
    for (Module module : Module.DATA) {
      String name = module.featurePrefix();
      add(name + "_bytes", "B", module.logName() + ", both directions, all mounts");
      add(name + "_site_bytes", "B", module.logName() + ", both directions, listed");
      add(name + "_site_bytes_read", "B", module.logName() + ", listed");
      add(name + "_site_bytes_written", "B", module.logName() + ", listed");
    }
    for (Module module : Module.OBJECTS) {
      add(module.featurePrefix() + "_bytes", "B", module.logName() + ", both directions");
    }
  }

  private static void files() {
    String cut = "; estimated above " + FileTable.KEPT + " files";
    String some = "; of some files above " + FileTable.KEPT;
    add("data_files", "1", "listed files that POSIX or STDIO moved bytes of" + cut);
    add("read_only_files", "1", "of them read and not written" + cut);
    add("write_only_files", "1", "of them written and not read" + cut);
    add("mean_data_file_bytes", "B", "mean extent of data_files" + cut);
    add("largest_file_bytes", "B", "largest extent: last offset read or written + 1" + some);
    add("largest_shared_file_bytes", "B", "the same of the files that all ranks opened" + some);
    for (Sharing sharing : Sharing.values()) {
      String which =
          switch (sharing) {
            case UNIQUE -> "opened by one rank";
            case PARTIAL -> "opened by several ranks, fewer than all";
            case SHARED -> "opened by all of several ranks";
          };
      String widest = ", by the widest of POSIX, MPI-IO and STDIO";
      add(sharing.text() + "_files", "1", "data_files " + which + widest + cut);
      add(sharing.text() + "_file_bytes", "B", "bytes of files " + which + widest + some);
    }
    for (Module module : List.of(Module.POSIX, Module.STDIO)) {
      String of = module.logName() + ", both directions, of listed files that were ";
      String name = module.featurePrefix();
      add(name + "_read_only_file_bytes", "B", of + "read and not written" + some);
      add(name + "_written_file_bytes", "B", of + "written, by POSIX or STDIO" + some);
    }
    add("reread_bytes", "B", "bytes read beyond each file's extent, listed" + some);
    add("reread_bytes_above_2x", "B", "the same of files read more than 2 times over" + some);
    add("reread_bytes_above_4x", "B", "the same of files read more than 4 times over" + some);
  }

  private static void time() {
    for (Module module : Module.OBJECTS) {
      add(
          module.featurePrefix() + "_agg_time_by_slowest_seconds",
          "s",
          "as for POSIX, of " + module.logName());
    }
    for (Module module : Module.DATA) {
      String name = module.featurePrefix();
      String log = module.logName();
      add(
          name + "_agg_time_by_slowest_seconds",
          "s",
          "largest rank's time over its unshared files + sum of F_SLOWEST_RANK_TIME of the shared"
              + " ones; "
              + log
              + ", all mounts; equals darshan-parser --perf");
      add(
          name + "_agg_perf_by_slowest_mib_per_second",
          "MiB/s",
          "the module's MiB / agg_time_by_slowest, 0 if that is 0");
      add(name + "_site_agg_time_by_slowest_seconds", "s", "the same time, listed");
      String slowest = " bound of the slowest rank's META + READ + WRITE, " + log + ", listed";
      add(name + "_slowest_rank_seconds_lower", "s", "lower" + slowest);
      add(name + "_slowest_rank_seconds_upper", "s", "upper" + slowest);
      add(name + "_mean_rank_seconds", "s", "META + READ + WRITE / nprocs, " + log + ", listed");
    }
    add(
        "application_bytes",
        "B",
        "bytes at the layer that the application called: of a file with MPI-IO data operations those"
            + " of MPI-IO, else of POSIX; of streams those of STDIO");
    add(
        "io_time_seconds",
        "s",
        "time at the layer that the application called, as for application_bytes: largest rank's time"
            + " over its unshared files + the slowest rank's over each shared one; at MPI-IO waiting"
            + " for other processes is in it; below HDF5 and PnetCDF a lower bound");
    add("io_time_mpiio_seconds", "s", "the part of io_time_seconds that is taken at MPI-IO");
    add("mib_per_second", "MiB/s", "MiB of application_bytes / io_time_seconds");
    add("io_share", "1", "io_time_seconds / run_time_seconds; can exceed 1");
    add("stdio_time_share", "1", "stdio_site_agg_time_by_slowest_seconds / io_time_seconds");
    add(
        "collective_io_seconds",
        "s",
        "MPI-IO's time, by the slowest rank, of the listed files at least half of whose data"
            + " operations are collective; opens, closes and independent calls are in it");
    add(
        "collective_overhead_seconds",
        "s",
        "collective_io_seconds less POSIX's time of the same files, lower bound; of the files of"
            + " which POSIX wrote no less than MPI-IO, and only where the log has all POSIX records");
    add(
        "posix_ranks_above_3x_mean",
        "1",
        "ranks whose META + READ + WRITE is above 3 times posix_mean_rank_seconds, listed; of shared"
            + " files only the slowest rank's time is known");
    add("read_seconds", "s", "POSIX F_READ_TIME, summed over ranks, listed");
    add("write_seconds", "s", "POSIX F_WRITE_TIME, fsync with it, summed over ranks, listed");
    add("read_time_share", "1", "POSIX F_READ_TIME / (META + READ + WRITE), listed");
    add("write_time_share", "1", "POSIX F_WRITE_TIME / (META + READ + WRITE), listed");
    add("first_io_seconds", "s", "first open or access after the run's start, POSIX and STDIO");
    add("last_io_seconds", "s", "last close or access after the run's start, POSIX and STDIO");
    add(
        "busy_seconds",
        "s",
        "seconds in which the run moved bytes on its file system: heatmap bins, else the records'"
            + " intervals");
  }

  private static void metadata() {
    add("opens", "1", "POSIX_OPENS, listed");
    add("stats", "1", "POSIX_STATS, listed");
    add("seeks", "1", "POSIX_SEEKS, listed");
    add(
        "metadata_operations",
        "1",
        "opens + stats, and POSIX_SEEKS on file systems that the site marks forwards_seeks");
    add("metadata_seconds", "s", "POSIX F_META_TIME, summed over ranks, listed");
    add("metadata_share", "1", "POSIX F_META_TIME / (META + READ + WRITE), listed");
    String closing = "; fclose writes what the stream holds";
    add("stdio_data_seconds", "s", "STDIO F_READ_TIME + F_WRITE_TIME, summed over ranks, listed");
    add("stdio_metadata_seconds", "s", "STDIO F_META_TIME, summed over ranks, listed" + closing);
    add("stdio_metadata_share", "1", "STDIO F_META_TIME / (META + READ + WRITE), listed");
    add(
        "metadata_seconds_per_process",
        "s",
        "POSIX F_META_TIME, listed: the largest rank's sum over its unshared files + the sum over"
            + " shared files / nprocs");
  }

  private static void distribution() {
    for (Module module : Module.DATA) {
      for (Direction direction : Direction.values()) {
        String what =
            switch (direction) {
              case BOTH -> "the bytes";
              case READ -> "the bytes read";
              case WRITE -> "the bytes written";
            };
        String prefix = module.featurePrefix() + "_" + direction.infix();
        String log = ", " + module.logName() + ", listed";
        String ranks =
            " of the number of ranks that did "
                + what
                + ", (sum b)^2 / sum(b^2)"
                + log
                + "; 1 = one rank did it all, nprocs = even";
        add(prefix + "effective_ranks_lower", "1", "lower bound" + ranks);
        add(prefix + "effective_ranks_upper", "1", "upper bound" + ranks);
        String share = " of the largest rank's share of " + what + log;
        add(prefix + "largest_rank_share_lower", "1", "lower bound" + share);
        add(prefix + "largest_rank_share_upper", "1", "upper bound" + share);
      }
    }
    for (Module module : List.of(Module.POSIX, Module.MPIIO)) {
      String prefix = "collective_" + module.featurePrefix();
      String where = module.logName() + " of listed files with collective data operations";
      add(prefix + "_bytes", "B", "both directions, " + where);
      add(prefix + "_effective_ranks_lower", "1", "lower bound of the effective ranks, " + where);
      add(prefix + "_effective_ranks_upper", "1", "upper bound of the effective ranks, " + where);
    }
  }

  private static void requests() {
    add("reads", "1", "POSIX_READS, listed");
    add("writes", "1", "POSIX_WRITES, listed");
    add("fsyncs", "1", "POSIX_FSYNCS + POSIX_FDSYNCS, listed");
    String small =
        " below 1 MiB, listed: exact 1 MiB requests taken out; the lower bound counts of a file with"
            + " MPI-IO data operations no more than MPI-IO itself issued small, and of consecutive"
            + " requests of one process none above 100 KiB";
    add("small_reads", "1", "lower bound of POSIX reads" + small);
    add("small_reads_upper", "1", "upper bound of POSIX reads" + small);
    add("small_writes", "1", "lower bound of POSIX writes" + small);
    add("small_writes_upper", "1", "upper bound of POSIX writes" + small);
    String unaligned = " bound of POSIX writes that are small and unaligned, listed";
    add("small_and_unaligned_writes", "1", "lower" + unaligned);
    add("small_and_unaligned_writes_upper", "1", "upper" + unaligned);
    String share = " / max(requests, MiB moved) of that direction, listed";
    add("small_read_share", "1", "small_reads" + share);
    add("small_write_share", "1", "small_writes" + share);
    add("small_and_unaligned_write_share", "1", "small_and_unaligned_writes" + share);
    add("unaligned_requests", "1", "POSIX_FILE_NOT_ALIGNED, listed");
    add(
        "surely_unaligned_requests",
        "1",
        "of each record, less its reads below 100 B: at a file's end" + " these may be of 0 bytes");
    add("unaligned_share", "1", "surely_unaligned_requests / max(requests, MiB moved), listed");
    add("memory_unaligned_requests", "1", "POSIX_MEM_NOT_ALIGNED, listed");
    add("file_alignment_bytes", "B", "largest POSIX_FILE_ALIGNMENT, listed");
    add("file_alignment_smallest_bytes", "B", "smallest POSIX_FILE_ALIGNMENT, listed");
    for (String direction : List.of("read", "write")) {
      String counter = direction.toUpperCase(Locale.ROOT) + "S, listed";
      add("sequential_" + direction + "s", "1", "POSIX_SEQ_" + counter);
      add("consecutive_" + direction + "s", "1", "POSIX_CONSEC_" + counter);
      String random = " bound of POSIX " + direction + "s that jumped back, listed";
      add("random_" + direction + "s", "1", "lower" + random + ": of each record, n - SEQ - OPENS");
      add("random_" + direction + "s_upper", "1", "upper" + random + ": n - SEQ");
      add("random_" + direction + "_share", "1", "random_" + direction + "s" + share);
    }
    add(
        "extra_read_write_switches",
        "1",
        "POSIX_RW_SWITCHES beyond one per file and rank, listed files without MPI-IO data"
            + " operations");
    add(
        "extra_read_write_switch_share",
        "1",
        "extra_read_write_switches / reads and writes of the same files");
    String unasked =
        " of listed files that MPI-IO or HDF5 wrote, read below them without a read above, in turns"
            + " with the writes";
    add("rmw_small_reads", "1", "POSIX reads surely below 1 MiB" + unasked);
    add("rmw_small_writes", "1", "POSIX writes surely below 1 MiB of the same files");
    add(
        "rmw_read_bytes",
        "B",
        "POSIX bytes read of the same files beyond those that MPI-IO or HDF5 was asked for; 0 where"
            + " the blocks had not been written before");
    add(
        "sieved_read_bytes",
        "B",
        "POSIX bytes read of listed files that MPI-IO wrote and never read, and where POSIX"
            + " alternates between the two: data sieving");
    for (String counter : List.of("READS", "WRITES", "OPENS", "SEEKS", "FLUSHES")) {
      add("stdio_" + counter.toLowerCase(Locale.ROOT), "1", "STDIO_" + counter + ", listed");
    }
  }

  private static void sizes() {
    for (String direction : List.of("READ_", "WRITE_")) {
      for (String size : Module.Counters.SIZES) {
        size(Module.POSIX, "SIZE_" + direction + size);
        size(Module.MPIIO, "SIZE_" + direction + "AGG_" + size);
      }
    }
  }

  private static void size(Module module, String counter) {
    add(
        module.featurePrefix() + "_" + counter.toLowerCase(Locale.ROOT),
        "1",
        module.counterPrefix() + "_" + counter + ", listed; its top edge is inclusive");
  }

  private static void mpiio() {
    for (String kind : List.of("INDEP", "COLL", "SPLIT", "NB")) {
      for (String direction : List.of("READS", "WRITES")) {
        String counter = kind + "_" + direction;
        add("mpiio_" + counter.toLowerCase(Locale.ROOT), "1", "MPIIO_" + counter + ", listed");
      }
    }
    add("mpiio_syncs", "1", "MPIIO_SYNCS, listed");
    add("mpiio_hints", "1", "MPIIO_HINTS, listed");
    add("mpiio_views", "1", "MPIIO_VIEWS, listed");
    String shared = " reads and writes on files that all ranks opened with MPI-IO, listed";
    add("mpiio_shared_independent_operations", "1", "INDEP + NB" + shared);
    add("mpiio_shared_independent_only_operations", "1", "of them on files without COLL and SPLIT");
    add("mpiio_shared_collective_operations", "1", "COLL + SPLIT" + shared);
  }

  private static void lustre() {
    add("lustre_files", "1", "listed files with a known striping");
    add("single_stripe_files", "1", "of them with stripe count 1");
    add(
        "largest_single_stripe_shared_file_bytes",
        "B",
        "largest extent of a shared file with stripe count 1, 0 if there is none");
    add(
        "overstriped_files",
        "1",
        "data_files with a stripe count above 1 and an extent below one stripe");
    add("stripe_count", "1", "of the striped file with most bytes");
    add("stripe_size_bytes", "B", "of the striped file with most bytes");
    add("stripe_size_smallest_bytes", "B", "of the striped file with the smallest stripes");
    add("stripe_size_largest_bytes", "B", "of the striped file with the largest stripes");
    add("targets_used", "1", "distinct storage targets (OSTs) that hold parts of the files");
    add("stripes_per_target", "1", "distinct files' targets, summed / targets_used");
    add(
        "expected_stripes_per_target",
        "1",
        "D_load of data_files at the site's default stripe count over its targets; 0 where LUSTRE"
            + " tells the layouts, or on no Lustre");
    add("targets_timed", "1", "targets that moved at least 1 MiB in a known time");
    add("slowest_target", "1", "index of the slowest of them");
    String rate =
        "bytes / (READ + WRITE seconds) over a target's files, both divided by the file's targets: ";
    add("slowest_target_mib_per_second", "MiB/s", rate + "the slowest");
    add("median_target_mib_per_second", "MiB/s", rate + "the median");
    add("slowest_target_ratio", "1", "slowest / median");
  }

  private static void libraries() {
    add("h5f_files", "1", "distinct H5F records, all mounts");
    add("h5f_mpiio_files", "1", "of them opened for MPI-IO");
    add("h5d_datasets", "1", "distinct H5D records, all mounts");
    add("h5d_collective_datasets", "1", "of them accessed with collective transfers");
    add("h5d_chunked_datasets", "1", "of them with a chunked layout");
    add("h5d_reads", "1", "H5D_READS, all mounts");
    add("h5d_writes", "1", "H5D_WRITES, all mounts");
    add("h5d_flushes", "1", "H5D_FLUSHES, all mounts");
    add("h5d_bytes_read", "B", "H5D_BYTES_READ, all mounts");
    add("h5d_bytes_written", "B", "H5D_BYTES_WRITTEN, all mounts");
    String shared = " of datasets that all ranks opened and none accessed collectively";
    add("h5d_shared_independent_reads", "1", "H5D_READS" + shared);
    add("h5d_shared_independent_writes", "1", "H5D_WRITES" + shared);
    add("pnetcdf_files", "1", "distinct PNETCDF_FILE records, all mounts");
    add("pnetcdf_variables", "1", "distinct PNETCDF_VAR records, all mounts");
    add("pnetcdf_bytes_read", "B", "PNETCDF_FILE_BYTES_READ, all mounts");
    add("pnetcdf_bytes_written", "B", "PNETCDF_FILE_BYTES_WRITTEN, all mounts");
    add("pnetcdf_independent_operations", "1", "PNETCDF_VAR_INDEP_READS + _WRITES");
    add("pnetcdf_collective_operations", "1", "PNETCDF_VAR_COLL_READS + _WRITES");
    add("pnetcdf_nonblocking_operations", "1", "PNETCDF_VAR_NB_READS + _WRITES");
  }

  private static void context() {
    judged("nodes", "1", "allocated to the job, from the scheduler");
    judged("nodes_known", "1", "1 where the scheduler told them, else 0");
    judged("run_nodes", "1", "min(nodes, ceil(nprocs / cores per node))");
    judged("mib_per_second_per_run_node", "MiB/s", "mib_per_second / run_nodes");
    judged(
        "reference_mib_per_second_per_node",
        "MiB/s",
        "of comparable runs, else the site's stated peak, per run node");
    judged("time_lost_seconds", "s", "I/O time beyond the reference's");
    judged("slow", "1", "1 where the time lost reaches the site's thresholds, else 0");
    String devices =
        "of the devices that hold the run's files, or else of its file system, in its busy seconds";
    judged("load_util_mean", "1", devices);
    judged("load_device_bytes", "B", devices);
    judged("load_own_bytes", "B", "what the run itself moved there");
    judged("baseline_runs", "1", "earlier runs of the same application that compare with this one");
    judged("baseline_p10_mib_per_second", "MiB/s", "10th percentile of their mib_per_second");
    judged("baseline_median_mib_per_second", "MiB/s", "median of their mib_per_second");
    judged("load_others_bytes", "B", "device bytes that can't be the run's own: a lower bound");
    judged(
        "load_busiest_util",
        "1",
        "of the device (or other file system) of the run that others kept busiest; 0 if none is"
            + " known");
    judged("load_busiest_bytes", "B", "moved there, all jobs");
    judged("load_busiest_others_bytes", "B", "of them can't be the run's own: a lower bound");
  }

  private static void add(String name, String unit, String doc) {
    SPECS.put(name, new Spec(name, unit, doc, true));
  }

  private static void judged(String name, String unit, String doc) {
    SPECS.put(name, new Spec(name, unit, doc, false));
  }
}
