package org.weir.analysis.accumulate;

import static org.weir.analysis.accumulate.RecordColumns.get;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.BusyGrid;
import org.weir.analysis.state.DistinctIds;
import org.weir.analysis.state.StateBytes;
import org.weir.site.Site;
import org.weir.wire.LogBatch;
import org.weir.wire.PackedColumns;
import org.weir.wire.PackedColumns.DoubleColumn;
import org.weir.wire.PackedColumns.LongColumn;
import org.weir.wire.WireException;

/**
 * What the records of one log add up to: the batches in any order and any split give the same
 * bytes. Memory is bounded whatever the number of files. A batch counted twice counts twice: the
 * caller remembers which numbers it has seen.
 *
 * <p>Records are put to the file system of the active site when their batch is added.
 */
public final class RunAccumulator {
  /** First byte of the state; raise it when the layout changes and keep reading the old ones. */
  private static final int FORMAT = 6;

  private static final int OLDEST_FORMAT = 6;

  private static final Set<String> STANDARD_STREAMS = Set.of("<STDIN>", "<STDOUT>", "<STDERR>");

  /** Mount class of everything the site does not list; no file system id is empty. */
  public static final String OTHER_MOUNTS = "";

  /** Mount class of the standard streams; no file system id starts with this. */
  public static final String STREAMS = "<streams>";

  private final TreeMap<String, MountTotals> mounts = new TreeMap<>();
  private final Map<Module, HeatmapTotals> heatmaps = new EnumMap<>(Module.class);
  private final DistinctIds files = new DistinctIds();
  private final LayerTable layers = new LayerTable();
  private boolean sharedRecords;
  private boolean rankRecords;
  private double firstSeconds = Double.POSITIVE_INFINITY;
  private double lastSeconds = Double.NEGATIVE_INFINITY;

  /**
   * Adds the rows of a batch; modules that no feature reads are skipped.
   *
   * @throws WireException if the batch's columns do not fit its rows; nothing was added then
   */
  public void add(LogBatch batch, Site site) throws WireException {
    Module module = Module.ofLogName(batch.getModule());
    if (module != null) {
      addRecords(module, batch, PackedColumns.of(batch), site);
    } else if (batch.getModule().equals("HEATMAP")) {
      addHeatmap(batch, PackedColumns.of(batch));
    }
  }

  /** Adds the row of a batch to the totals of its mount class. */
  private interface RowAdder {
    void add(String mount, MountTotals totals, int row);
  }

  private void addRecords(Module module, LogBatch batch, PackedColumns columns, Site site) {
    RowAdder adder =
        module == Module.LUSTRE
            ? layouts(columns)
            : Module.DATA.contains(module)
                ? dataRecords(module, columns)
                : Module.OBJECTS.contains(module)
                    ? objectRecords(module, columns)
                    : libraryRecords(module, columns);
    Map<String, String> known = new HashMap<>();
    for (int row = 0; row < columns.rows(); row++) {
      String name = batch.getNames().get(row);
      // A path in a container of DAOS is not one of the mounts.
      String mount =
          Module.OBJECTS.contains(module)
              ? OTHER_MOUNTS
              : known.computeIfAbsent(name, n -> mountClass(n, site));
      adder.add(mount, mounts.computeIfAbsent(mount, m -> new MountTotals()), row);
    }
  }

  private RowAdder dataRecords(Module module, PackedColumns columns) {
    RecordColumns counters = new RecordColumns(module, columns);
    return (mount, totals, row) -> {
      long id = columns.recordIds().get(row);
      long rank = columns.ranks().get(row);
      totals.module(module).add(counters, rank, row);
      sharedRecords |= rank < 0;
      rankRecords |= rank >= 0;
      if (isListed(mount)) {
        totals.files().of(id).useToAdd(module).add(module, counters, rank, row);
      }
      if (module != Module.STDIO) {
        layers.add(module, counters, id, rank, row, isListed(mount));
      }
      if (module != Module.MPIIO) {
        addTimes(totals, counters, row);
        if (!mount.equals(STREAMS)) {
          files.add(id);
        }
      }
    };
  }

  private RowAdder objectRecords(Module module, PackedColumns columns) {
    RecordColumns counters = new RecordColumns(module, columns);
    return (mount, totals, row) -> {
      long rank = columns.ranks().get(row);
      totals.module(module).add(counters, rank, row);
      sharedRecords |= rank < 0;
      rankRecords |= rank >= 0;
      if (module == Module.DFS) {
        files.add(columns.recordIds().get(row));
      }
      addSpan(counters, row);
    };
  }

  private RowAdder libraryRecords(Module module, PackedColumns columns) {
    LibraryTotals.Columns counters = new LibraryTotals.Columns(module, columns);
    boolean ofFiles = module == Module.H5F || module == Module.PNETCDF_FILE;
    return (mount, totals, row) -> {
      long id = columns.recordIds().get(row);
      totals.library(module).add(module, counters, id, columns.ranks().get(row), row);
      if (ofFiles) {
        layers.addLibrary(id);
      }
    };
  }

  private static RowAdder layouts(PackedColumns columns) {
    LongColumn ostIds = columns.longs("OST_ID");
    LongColumn counts = columns.longs("LUSTRE_COMP_STRIPE_COUNT");
    LongColumn sizes = columns.longs("LUSTRE_COMP_STRIPE_SIZE");
    return (mount, totals, row) -> {
      if (!isListed(mount)) {
        return;
      }
      long ostId = get(ostIds, row);
      FileTotals file = totals.files().of(columns.recordIds().get(row));
      file.layoutToAdd().add(ostId, get(counts, row), get(sizes, row));
      if (ostId >= 0) {
        totals.targets().add(ostId);
      }
    };
  }

  public static boolean isListed(String mount) {
    return !mount.equals(OTHER_MOUNTS) && !mount.equals(STREAMS);
  }

  private static String mountClass(String name, Site site) {
    if (STANDARD_STREAMS.contains(name)) {
      return STREAMS;
    }
    Site.FileSystem fileSystem = site.fileSystemOf(name);
    return fileSystem == null ? OTHER_MOUNTS : fileSystem.id();
  }

  private void addTimes(MountTotals totals, RecordColumns c, int row) {
    BusyGrid busy = totals.busy();
    busy.addRead(get(c.readStart, row), get(c.readEnd, row), get(c.bytesRead, row));
    busy.addWritten(get(c.writeStart, row), get(c.writeEnd, row), get(c.bytesWritten, row));
    addSpan(c, row);
  }

  private void addSpan(RecordColumns c, int row) {
    // 0 means that it never happened.
    for (@Nullable DoubleColumn column :
        new @Nullable DoubleColumn[] {c.openStart, c.readStart, c.writeStart}) {
      double time = get(column, row);
      firstSeconds = time > 0 ? Math.min(firstSeconds, time) : firstSeconds;
    }
    for (@Nullable DoubleColumn column :
        new @Nullable DoubleColumn[] {c.closeEnd, c.readEnd, c.writeEnd}) {
      double time = get(column, row);
      lastSeconds = time > 0 ? Math.max(lastSeconds, time) : lastSeconds;
    }
  }

  private void addHeatmap(LogBatch batch, PackedColumns columns) {
    LongColumn bins = columns.longs("BIN");
    LongColumn read = columns.longs("BYTES_READ");
    LongColumn written = columns.longs("BYTES_WRITTEN");
    DoubleColumn width = columns.doubles("BIN_WIDTH_SECONDS");
    for (int row = 0; row < columns.rows(); row++) {
      Module module = Module.ofHeatmap(batch.getNames().get(row));
      if (module != null) {
        heatmaps
            .computeIfAbsent(module, m -> new HeatmapTotals())
            .add(
                columns.ranks().get(row),
                get(bins, row),
                get(width, row),
                get(read, row),
                get(written, row));
      }
    }
  }

  public Map<String, MountTotals> mounts() {
    return Collections.unmodifiableMap(mounts);
  }

  /** Null where the log has no heatmap of the module. */
  public @Nullable HeatmapTotals heatmap(Module module) {
    return heatmaps.get(module);
  }

  public DistinctIds files() {
    return files;
  }

  public LayerTable layers() {
    return layers;
  }

  /** All records are of single ranks: with one process, a program without MPI. */
  public boolean hasRankRecordsOnly() {
    return rankRecords && !sharedRecords;
  }

  /** Seconds after the run's start; infinite where there is none. */
  public double firstSeconds() {
    return firstSeconds;
  }

  /** Seconds after the run's start; negative infinite where there is none. */
  public double lastSeconds() {
    return lastSeconds;
  }

  /** The state; equal for equal content. */
  public byte[] toBytes() {
    StateBytes.Out out = new StateBytes.Out(FORMAT);
    out.writeInt(mounts.size());
    for (Map.Entry<String, MountTotals> mount : mounts.entrySet()) {
      out.writeText(mount.getKey());
      mount.getValue().write(out);
    }
    out.writeByte(heatmaps.size());
    for (Map.Entry<Module, HeatmapTotals> heatmap : heatmaps.entrySet()) {
      out.writeText(heatmap.getKey().name());
      heatmap.getValue().write(out);
    }
    files.write(out);
    layers.write(out);
    out.writeBoolean(sharedRecords);
    out.writeBoolean(rankRecords);
    out.writeDouble(firstSeconds);
    out.writeDouble(lastSeconds);
    return out.toByteArray();
  }

  /**
   * The accumulator that {@link #toBytes} wrote, of this version of the program or of an older one.
   *
   * @throws IllegalArgumentException if the bytes are of a later format or damaged
   */
  public static RunAccumulator fromBytes(byte[] bytes) {
    RunAccumulator accumulator = new RunAccumulator();
    accumulator.add(bytes);
    return accumulator;
  }

  /**
   * Adds what another accumulator of the same log has seen.
   *
   * @param bytes its {@link #toBytes}
   * @throws IllegalArgumentException if the bytes are of a later format or damaged; what they add
   *     up to is not known then
   */
  public void add(byte[] bytes) {
    try {
      StateBytes.In in = new StateBytes.In(bytes, "sums of a run", OLDEST_FORMAT, FORMAT);
      read(in);
      if (!in.isAtEnd()) {
        throw new IllegalArgumentException("sums of a run: damaged state, bytes are left over");
      }
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("sums of a run: damaged state", e);
    }
  }

  private void read(StateBytes.In in) {
    int mountCount = in.readInt();
    for (int i = 0; i < mountCount; i++) {
      mounts.computeIfAbsent(in.readText(), m -> new MountTotals()).read(in);
    }
    int heatmapCount = in.readByte();
    for (int i = 0; i < heatmapCount; i++) {
      heatmaps.computeIfAbsent(Module.valueOf(in.readText()), m -> new HeatmapTotals()).read(in);
    }
    files.read(in);
    layers.read(in);
    sharedRecords |= in.readBoolean();
    rankRecords |= in.readBoolean();
    firstSeconds = Math.min(firstSeconds, in.readDouble());
    lastSeconds = Math.max(lastSeconds, in.readDouble());
  }
}
