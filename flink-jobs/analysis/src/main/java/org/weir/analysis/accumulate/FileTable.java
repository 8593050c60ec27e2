package org.weir.analysis.accumulate;

import java.util.Map;
import java.util.TreeMap;
import org.weir.analysis.state.StateBytes;

/**
 * The files of one file system, for all that takes more than one record of a file. Keeps the
 * {@value #KEPT} with the lowest record ids: the same files whatever the order, a fair sample of
 * the others because ids are hashes, and by the highest id kept an estimate of how many there are
 * in all (k minimum values; standard error below 2 %).
 */
public final class FileTable {
  public static final int KEPT = 4_096;

  private final TreeMap<Long, FileTotals> files = new TreeMap<>(Long::compareUnsigned);
  private boolean truncated;

  /** The file to add to; a throw-away one where the table is full of lower ids. */
  FileTotals of(long recordId) {
    FileTotals file = files.computeIfAbsent(recordId, id -> new FileTotals());
    if (files.size() > KEPT) {
      files.pollLastEntry();
      truncated = true;
    }
    return file;
  }

  /** In the order of their ids. */
  public Map<Long, FileTotals> files() {
    return files;
  }

  public boolean isComplete() {
    return !truncated;
  }

  /** Files that each one kept stands for: 1 where all are kept. */
  public double scale() {
    if (!truncated) {
      return 1;
    }
    double largest = (files.lastKey() >>> 1) + 1.0;
    return (KEPT - 1) * (0x1p63 / largest) / KEPT;
  }

  void write(StateBytes.Out out) {
    out.writeBoolean(truncated);
    out.writeInt(files.size());
    for (Map.Entry<Long, FileTotals> file : files.entrySet()) {
      out.writeLong(file.getKey());
      file.getValue().write(out);
    }
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    truncated |= in.readBoolean();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      of(in.readLong()).read(in);
    }
  }
}
