package org.weir.analysis.accumulate;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.StateBytes;

/**
 * Keeps what POSIX and MPI-IO recorded of each file of a run, whatever its mount, so that the time
 * and the bytes of a file can be taken at one of the two layers. Keeps the files with the lowest
 * record ids until these have {@value #KEPT} times of ranks: the same files whatever the order of
 * the records.
 */
public final class LayerTable {
  public static final int KEPT = 32_768;

  private final TreeMap<Long, LayeredFile> files = new TreeMap<>(Long::compareUnsigned);

  /** {@link LayeredFile#times} of all files that are kept. */
  private int times;

  private boolean truncated;

  /** The lowest id that was dropped: whatever else comes of it or above it is incomplete. */
  private long lowestDropped;

  /** Adds a record of POSIX or MPI-IO. */
  void add(Module module, RecordColumns columns, long id, long rank, int row, boolean listed) {
    if (accepts(id)) {
      LayeredFile file = of(id);
      times += file.add(module, columns, rank, row, listed);
      cut();
    }
  }

  /** Notes that HDF5 or PnetCDF opened a file. */
  void addLibrary(long id) {
    if (accepts(id)) {
      of(id).belowLibrary = true;
      cut();
    }
  }

  private LayeredFile of(long id) {
    LayeredFile file = files.get(id);
    if (file == null) {
      file = new LayeredFile();
      files.put(id, file);
      times += file.times();
    }
    return file;
  }

  private boolean accepts(long id) {
    return !truncated || Long.compareUnsigned(id, lowestDropped) < 0;
  }

  private void cut() {
    while (times > KEPT) {
      Map.Entry<Long, LayeredFile> last = files.pollLastEntry();
      times -= last.getValue().times();
      lowestDropped = last.getKey();
      truncated = true;
    }
  }

  /** In the order of their ids; without some of the run's files where it is not complete. */
  public Iterable<LayeredFile> files() {
    return Collections.unmodifiableCollection(files.values());
  }

  /** The same with their ids. */
  public Map<Long, LayeredFile> byId() {
    return Collections.unmodifiableMap(files);
  }

  boolean isComplete() {
    return !truncated;
  }

  void write(StateBytes.Out out) {
    out.writeBoolean(truncated);
    out.writeLong(lowestDropped);
    out.writeInt(files.size());
    for (Map.Entry<Long, LayeredFile> file : files.entrySet()) {
      out.writeLong(file.getKey());
      file.getValue().write(out);
    }
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    if (in.readBoolean()) {
      dropFrom(in.readLong());
    } else {
      in.readLong();
    }
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      long id = in.readLong();
      if (accepts(id)) {
        LayeredFile file = of(id);
        times += file.read(in);
        cut();
      } else {
        new LayeredFile().read(in);
      }
    }
  }

  private void dropFrom(long id) {
    if (accepts(id)) {
      lowestDropped = id;
      truncated = true;
      Map<Long, LayeredFile> above = files.tailMap(id, true);
      above.values().forEach(file -> times -= file.times());
      above.clear();
    }
  }
}
