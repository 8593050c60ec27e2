package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Small requests by file, for the join of POSIX and MPI-IO records. Keeps the {@value #KEPT} files
 * with the lowest record ids, so that two tables keep the same files; the others are known only in
 * the module's totals.
 */
final class FileTable {
  static final int KEPT = 4_096;

  private final TreeMap<Long, SmallRequests> files = new TreeMap<>(Long::compareUnsigned);
  private boolean truncated;

  void add(long recordId, SmallRequests requests) {
    files.computeIfAbsent(recordId, id -> new SmallRequests()).merge(requests);
    if (files.size() > KEPT) {
      files.pollLastEntry();
      truncated = true;
    }
  }

  void merge(FileTable other) {
    other.files.forEach(this::add);
    truncated |= other.truncated;
  }

  Map<Long, SmallRequests> files() {
    return files;
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  boolean isComplete() {
    return !truncated;
  }

  void write(DataOutput out) throws IOException {
    out.writeBoolean(truncated);
    out.writeInt(files.size());
    for (Map.Entry<Long, SmallRequests> file : files.entrySet()) {
      out.writeLong(file.getKey());
      file.getValue().write(out);
    }
  }

  static FileTable read(DataInput in) throws IOException {
    FileTable table = new FileTable();
    table.truncated = in.readBoolean();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      long id = in.readLong();
      table.files.put(id, SmallRequests.read(in));
    }
    return table;
  }
}
