package org.weir.analysis;

import java.util.Map;

/**
 * POSIX requests below 1 MiB that the application is to blame for: of a file with MPI-IO data
 * operations no more than MPI-IO itself issued small, since below it are the aggregators' pieces.
 * Where a table dropped files, the dropped ones count in the upper bounds only.
 */
final class SmallRequestJoin {
  private SmallRequestJoin() {}

  static SmallRequests of(ModuleTotals posix, ModuleTotals mpiio) {
    if (mpiio.smallByFile.isEmpty()) {
      return posix.small;
    }
    SmallRequests kept = new SmallRequests();
    SmallRequests joined = new SmallRequests();
    for (Map.Entry<Long, SmallRequests> file : posix.smallByFile.files().entrySet()) {
      kept.merge(file.getValue());
      joined.merge(joined(file.getKey(), file.getValue(), mpiio.smallByFile));
    }
    addDropped(joined.readsUpper, posix.small.readsUpper, kept.readsUpper);
    addDropped(joined.writesUpper, posix.small.writesUpper, kept.writesUpper);
    return joined;
  }

  private static SmallRequests joined(long id, SmallRequests posix, FileTable mpiio) {
    SmallRequests above = mpiio.files().get(id);
    boolean mayBeDropped = above == null && !mpiio.isComplete();
    SmallRequests result = new SmallRequests();
    addLesser(result.readsUpper, posix.readsUpper, above == null ? null : above.readsUpper);
    addLesser(result.writesUpper, posix.writesUpper, above == null ? null : above.writesUpper);
    if (!mayBeDropped) {
      addLesser(result.readsLower, posix.readsLower, above == null ? null : above.readsLower);
      addLesser(result.writesLower, posix.writesLower, above == null ? null : above.writesLower);
    }
    return result;
  }

  private static void addLesser(Count sum, Count posix, Count mpiio) {
    boolean limited = mpiio != null && mpiio.isAvailable() && mpiio.value() < posix.value();
    sum.merge(limited ? mpiio : posix);
  }

  /** What stands in the total but in no file of the table. */
  private static void addDropped(Count sum, Count total, Count kept) {
    sum.add(total.isAvailable() && kept.isAvailable() ? total.value() - kept.value() : -1);
  }
}
