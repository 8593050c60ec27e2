package org.weir.analysis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleEnd;
import org.weir.wire.ModuleHeader;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;

/** A log written by hand: records with the counters that matter, all others 0. */
final class TestLog {
  static final long START = 1_795_247_969_000_000L;
  static final long MIB = 1 << 20;

  static final Site SITE =
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
  record Row(Module module, String name, long rank, Map<String, Number> counters) {
    Row with(String counter, Number value) {
      Map<String, Number> more = new HashMap<>(counters);
      more.put(counter, value);
      return new Row(module, name, rank, more);
    }

    Row on(String otherName) {
      return new Row(module, otherName, rank, counters);
    }
  }

  private static final List<String> INTS = ints();
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
  private double runTimeSeconds = 60;
  private final List<Row> rows = new ArrayList<>();
  private final List<HeatRow> heat = new ArrayList<>();
  private final Map<String, String> moduleStates = new HashMap<>();

  private record HeatRow(Module module, long rank, long bin, long read, long written) {}

  TestLog(long nprocs) {
    this.nprocs = nprocs;
  }

  static Row posix(String name, long rank) {
    return new Row(Module.POSIX, name, rank, Map.of());
  }

  static Row mpiio(String name, long rank) {
    return new Row(Module.MPIIO, name, rank, Map.of());
  }

  static Row stdio(String name, long rank) {
    return new Row(Module.STDIO, name, rank, Map.of());
  }

  TestLog runTime(double seconds) {
    runTimeSeconds = seconds;
    return this;
  }

  TestLog add(Row... more) {
    for (Row row : more) {
      rows.add(row);
      moduleStates.putIfAbsent(row.module().logName(), "complete");
    }
    return this;
  }

  /** Bytes of a rank in a heatmap bin of 1 s. */
  TestLog heat(Module module, long rank, long bin, long read, long written) {
    heat.add(new HeatRow(module, rank, bin, read, written));
    moduleStates.putIfAbsent("HEATMAP", "complete");
    return this;
  }

  TestLog state(Module module, String state) {
    moduleStates.put(module.logName(), state);
    return this;
  }

  LogHeader header() {
    List<ModuleHeader> modules = new ArrayList<>();
    moduleStates.forEach(
        (name, state) -> modules.add(new ModuleHeader(name, 4, state.equals("partial"), 1_000L)));
    return new LogHeader(
        "demo",
        101L,
        1_000L,
        1_000L,
        "strict",
        "a_id101.darshan",
        "a",
        "0",
        nprocs,
        START,
        START + Math.round(runTimeSeconds * 1e6),
        runTimeSeconds,
        "3.41",
        Map.of(),
        List.of(),
        modules,
        null);
  }

  LogEnd end() {
    List<ModuleEnd> modules = new ArrayList<>();
    moduleStates.forEach((name, state) -> modules.add(new ModuleEnd(name, state, null, 1L, null)));
    return new LogEnd(batches().size(), modules);
  }

  /** One batch per record. */
  List<LogBatch> batches() {
    List<LogBatch> batches = new ArrayList<>();
    for (Row row : rows) {
      batches.add(batch(row, batches.size()));
    }
    for (HeatRow row : heat) {
      batches.add(batch(row, batches.size()));
    }
    return batches;
  }

  RunAccumulator accumulator() {
    try {
      RunAccumulator accumulator = new RunAccumulator();
      for (LogBatch batch : batches()) {
        accumulator.add(batch, SITE);
      }
      return accumulator;
    } catch (WireException e) {
      throw new AssertionError(e);
    }
  }

  RunFeatures features() {
    return RunFeatures.of(header(), end(), false, accumulator(), SITE);
  }

  private static LogBatch batch(Row row, int number) {
    String prefix = row.module().counterPrefix() + "_";
    ByteBuffer ints =
        PackedColumns.pack(INTS.stream().mapToLong(n -> value(row, n).longValue()).toArray());
    ByteBuffer floats =
        PackedColumns.pack(FLOATS.stream().mapToDouble(n -> value(row, n).doubleValue()).toArray());
    // Darshan's ids are hashes of the name: the same file has the same id in every module.
    long id = row.name().hashCode() * 0x9e3779b97f4a7c15L;
    return new LogBatch(
        "demo",
        101L,
        START,
        row.module().logName(),
        4,
        number,
        1,
        PackedColumns.pack(id),
        PackedColumns.pack(row.rank()),
        List.of(row.name()),
        prefixed(prefix, INTS),
        ints,
        prefixed(prefix, FLOATS),
        floats);
  }

  private static LogBatch batch(HeatRow row, int number) {
    return new LogBatch(
        "demo",
        101L,
        START,
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

  private static Number value(Row row, String counter) {
    return row.counters().getOrDefault(counter, 0);
  }

  private static List<String> prefixed(String prefix, List<String> names) {
    return names.stream().map(name -> prefix + name).toList();
  }

  private static List<String> ints() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "BYTES_READ",
                "BYTES_WRITTEN",
                "READS",
                "WRITES",
                "OPENS",
                "STATS",
                "SEEKS",
                "FLUSHES",
                "SLOWEST_RANK",
                "SLOWEST_RANK_BYTES"));
    for (String bin : List.of("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M")) {
      for (String kind : List.of("READ_", "WRITE_", "READ_AGG_", "WRITE_AGG_")) {
        names.add("SIZE_" + kind + bin);
      }
    }
    for (int i = 1; i <= 4; i++) {
      names.add("ACCESS" + i + "_ACCESS");
      names.add("ACCESS" + i + "_COUNT");
    }
    for (String kind : List.of("INDEP", "COLL", "SPLIT", "NB")) {
      names.add(kind + "_READS");
      names.add(kind + "_WRITES");
    }
    return List.copyOf(names);
  }
}
