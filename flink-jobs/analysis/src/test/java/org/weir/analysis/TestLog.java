package org.weir.analysis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.features.FeatureComputer;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;
import org.weir.site.Site;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleEnd;
import org.weir.wire.ModuleHeader;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;

/** A log written by hand: records with the counters that matter, all others 0. */
public final class TestLog {
  public static final long START = 1_795_247_969_000_000L;
  public static final long MIB = 1 << 20;

  public static final Site SITE =
      Site.parse(
          """
          {"cluster": "demo", "time_zone": "UTC", "load_bucket_seconds": 1,
           "cores_per_node": {"default": 16, "big": 64},
           "file_systems": [
             {"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"],
              "peak_mib_per_second": {"1": 500.0, "16": 4000.0}},
             {"id": "home", "kind": "nfs", "mount_prefixes": ["/home"], "slow": true,
              "forwards_seeks": true}]}
          """);

  /** One record; counters without the module's prefix, such as OPENS. */
  public record Row(Module module, String name, long rank, Map<String, Number> counters) {
    public Row with(String counter, Number value) {
      Map<String, Number> more = new HashMap<>(counters);
      more.put(counter, value);
      return new Row(module, name, rank, more);
    }

    public Row on(String otherName) {
      return new Row(module, otherName, rank, counters);
    }
  }

  private static final List<String> FLOATS =
      List.of(
          "F_META_TIME",
          "F_READ_TIME",
          "F_WRITE_TIME",
          "F_SLOWEST_RANK_TIME",
          "F_VARIANCE_RANK_BYTES",
          "F_OPEN_START_TIMESTAMP",
          "F_READ_START_TIMESTAMP",
          "F_READ_END_TIMESTAMP",
          "F_WRITE_START_TIMESTAMP",
          "F_WRITE_END_TIMESTAMP",
          "F_CLOSE_END_TIMESTAMP");

  private final long nprocs;
  private String fileName = "a_id101.darshan";
  private long start = START;
  private double runTimeSeconds = 60;
  private boolean finished = true;
  private Long mappedProcesses;
  private final List<Row> rows = new ArrayList<>();
  private final List<HeatRow> heat = new ArrayList<>();
  private final List<StripeRow> stripes = new ArrayList<>();
  private final Map<String, String> moduleStates = new HashMap<>();
  private final Set<String> flagged = new HashSet<>();

  /** One file's layout of one component, as one record tells it. */
  private record StripeRow(String name, long rank, long count, long size, long[] targets) {}

  private record HeatRow(Module module, long rank, long bin, long read, long written) {}

  public TestLog(long nprocs) {
    this.nprocs = nprocs;
  }

  public static Row posix(String name, long rank) {
    return new Row(Module.POSIX, name, rank, Map.of());
  }

  public static Row mpiio(String name, long rank) {
    return new Row(Module.MPIIO, name, rank, Map.of());
  }

  public static Row stdio(String name, long rank) {
    return new Row(Module.STDIO, name, rank, Map.of());
  }

  public static Row h5d(String name, long rank) {
    return new Row(Module.H5D, name, rank, Map.of());
  }

  /** Lustre striping of a file over these targets (OSTs), as a record of this rank tells it. */
  public TestLog lustre(String name, long rank, long stripeSize, long... targets) {
    stripes.add(new StripeRow(name, rank, targets.length, stripeSize, targets));
    moduleStates.putIfAbsent("LUSTRE", "complete");
    return this;
  }

  /** The Lustre module is there and has nothing to tell. */
  public TestLog noStriping() {
    moduleStates.putIfAbsent("LUSTRE", "complete");
    return this;
  }

  /** UTC microseconds, instead of {@link #START}. */
  public TestLog start(long time) {
    start = time;
    return this;
  }

  /** As what a killed process leaves: without an end. */
  public TestLog unfinished() {
    finished = false;
    return this;
  }

  /** As what is merged of the memory-mapped logs of so many processes that were killed. */
  public TestLog killed(long processes) {
    mappedProcesses = processes;
    return unfinished();
  }

  public TestLog runTime(double seconds) {
    runTimeSeconds = seconds;
    return this;
  }

  public TestLog add(Row... more) {
    for (Row row : more) {
      rows.add(row);
      moduleStates.putIfAbsent(row.module().logName(), "complete");
    }
    return this;
  }

  /** Bytes of a rank in a heatmap bin of 1 s. */
  public TestLog heat(Module module, long rank, long bin, long read, long written) {
    heat.add(new HeatRow(module, rank, bin, read, written));
    moduleStates.putIfAbsent("HEATMAP", "complete");
    return this;
  }

  public TestLog state(Module module, String state) {
    moduleStates.put(module.logName(), state);
    return this;
  }

  /** The header says that Darshan ran out of memory here, whatever could be read of it. */
  public TestLog flaggedPartial(Module module) {
    flagged.add(module.logName());
    return this;
  }

  /** Darshan did not come to the log's end. */
  public TestLog leftPartial() {
    fileName = "a_id101.darshan_partial";
    return this;
  }

  public LogHeader header() {
    List<ModuleHeader> modules = new ArrayList<>();
    moduleStates.forEach(
        (name, state) -> {
          boolean partial = state.equals("partial") || flagged.contains(name);
          modules.add(new ModuleHeader(name, 4, partial, 1_000L));
        });
    return new LogHeader(
        "demo",
        101L,
        1_000L,
        1_000L,
        "strict",
        fileName,
        "a",
        "0",
        nprocs,
        start,
        finished ? start + Math.round(runTimeSeconds * 1e6) : 0,
        finished ? runTimeSeconds : -start / 1e6,
        "3.41",
        Map.of(),
        List.of(),
        modules,
        null);
  }

  public LogEnd end() {
    List<ModuleEnd> modules = new ArrayList<>();
    moduleStates.forEach((name, state) -> modules.add(new ModuleEnd(name, state, null, 1L, null)));
    return new LogEnd(batches().size(), modules, mappedProcesses);
  }

  /** One batch per record. */
  public List<LogBatch> batches() {
    List<LogBatch> batches = new ArrayList<>();
    for (Row row : rows) {
      batches.add(batch(row, batches.size()));
    }
    for (StripeRow row : stripes) {
      batches.add(batch(row, batches.size()));
    }
    for (HeatRow row : heat) {
      batches.add(batch(row, batches.size()));
    }
    return batches;
  }

  public RunAccumulator accumulator() {
    return accumulator(SITE);
  }

  private RunAccumulator accumulator(Site site) {
    try {
      RunAccumulator accumulator = new RunAccumulator();
      for (LogBatch batch : batches()) {
        accumulator.add(batch, site);
      }
      return accumulator;
    } catch (WireException e) {
      throw new AssertionError(e);
    }
  }

  public RunFeatures features() {
    return features(SITE);
  }

  public RunFeatures features(Site site) {
    return FeatureComputer.compute(header(), end(), false, accumulator(site), site);
  }

  private LogBatch batch(Row row, int number) {
    String prefix = row.module().counterPrefix() + "_";
    List<String> intNames = ints(row.module());
    ByteBuffer ints =
        PackedColumns.pack(intNames.stream().mapToLong(n -> value(row, n).longValue()).toArray());
    ByteBuffer floats =
        PackedColumns.pack(FLOATS.stream().mapToDouble(n -> value(row, n).doubleValue()).toArray());
    // Darshan's ids are hashes of the name: the same file has the same id in every module.
    long id = idOf(row.name());
    return new LogBatch(
        "demo",
        101L,
        start,
        row.module().logName(),
        4,
        number,
        1,
        PackedColumns.pack(id),
        PackedColumns.pack(row.rank()),
        List.of(row.name()),
        prefixed(prefix, intNames),
        ints,
        prefixed(prefix, FLOATS),
        floats);
  }

  private LogBatch batch(HeatRow row, int number) {
    return new LogBatch(
        "demo",
        101L,
        start,
        "HEATMAP",
        1,
        number,
        1,
        PackedColumns.pack(7L),
        PackedColumns.pack(row.rank),
        List.of("heatmap:" + row.module.counterPrefix()),
        List.of("BIN", "BYTES_READ", "BYTES_WRITTEN"),
        PackedColumns.pack(row.bin, row.read, row.written),
        List.of("BIN_WIDTH_SECONDS"),
        PackedColumns.pack(1.0));
  }

  /** The record id of a file. */
  public static long idOf(String name) {
    return name.hashCode() * 0x9e3779b97f4a7c15L;
  }

  private LogBatch batch(StripeRow row, int number) {
    int rows = row.targets.length;
    long[] ids = new long[rows];
    long[] ranks = new long[rows];
    long[] ints = new long[3 * rows];
    for (int i = 0; i < rows; i++) {
      ids[i] = idOf(row.name);
      ranks[i] = row.rank;
      ints[i] = row.count;
      ints[rows + i] = row.size;
      ints[2 * rows + i] = row.targets[i];
    }
    return new LogBatch(
        "demo",
        101L,
        start,
        "LUSTRE",
        2,
        number,
        rows,
        PackedColumns.pack(ids),
        PackedColumns.pack(ranks),
        java.util.Collections.nCopies(rows, row.name),
        List.of("LUSTRE_COMP_STRIPE_COUNT", "LUSTRE_COMP_STRIPE_SIZE", "OST_ID"),
        PackedColumns.pack(ints),
        List.of(),
        PackedColumns.pack(new double[0]));
  }

  /** Where a test does not say: read and written once from the start, in order. */
  private static Number value(Row row, String counter) {
    Number value = row.counters().get(counter);
    if (value != null) {
      return value;
    }
    return switch (counter) {
      case "MAX_BYTE_READ" -> Math.max(0, value(row, "BYTES_READ").longValue() - 1);
      case "MAX_BYTE_WRITTEN" -> Math.max(0, value(row, "BYTES_WRITTEN").longValue() - 1);
      case "SEQ_READS" -> value(row, "READS");
      case "SEQ_WRITES" -> value(row, "WRITES");
      default -> 0;
    };
  }

  private static List<String> prefixed(String prefix, List<String> names) {
    return names.stream().map(name -> prefix + name).toList();
  }

  private static List<String> ints(Module module) {
    List<String> names = new ArrayList<>(module.summed());
    names.addAll(
        List.of(
            "SLOWEST_RANK",
            "SLOWEST_RANK_BYTES",
            "MAX_BYTE_READ",
            "MAX_BYTE_WRITTEN",
            "FILE_ALIGNMENT",
            "USE_MPIIO",
            "USE_MPIIO_COLLECTIVE",
            "CHUNK_SIZE_D1"));
    for (int i = 1; i <= 4; i++) {
      names.add("ACCESS" + i + "_ACCESS");
      names.add("ACCESS" + i + "_COUNT");
    }
    return names;
  }
}
