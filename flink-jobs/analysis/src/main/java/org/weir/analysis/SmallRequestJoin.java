package org.weir.analysis;

import java.util.List;

/**
 * POSIX requests below 1 MiB that the application is to blame for: of a file with MPI-IO data
 * operations no more than MPI-IO itself issued small, since below it are the aggregators' pieces.
 * Where the table of files is cut, the files beyond it count in the upper bounds only.
 */
final class SmallRequestJoin {
  private SmallRequestJoin() {}

  static SmallRequests of(SmallRequests total, List<FileTotals> files, boolean mpiioMovedData) {
    if (!mpiioMovedData) {
      return total;
    }
    SmallRequests kept = new SmallRequests();
    SmallRequests joined = new SmallRequests();
    for (FileTotals file : files) {
      FileUse posix = file.use(Module.POSIX);
      if (posix != null) {
        kept.merge(posix.small);
        add(joined, posix.small, file.use(Module.MPIIO));
      }
    }
    addBeyond(joined.readsUpper, total.readsUpper, kept.readsUpper);
    addBeyond(joined.writesUpper, total.writesUpper, kept.writesUpper);
    addBeyond(joined.unalignedWritesUpper, total.unalignedWritesUpper, kept.unalignedWritesUpper);
    return joined;
  }

  private static void add(SmallRequests sum, SmallRequests posix, FileUse above) {
    SmallRequests mpiio = above == null || !above.hasDataOperations() ? posix : above.small;
    addLesser(sum.readsLower, posix.readsLower, mpiio.readsLower);
    addLesser(sum.readsUpper, posix.readsUpper, mpiio.readsUpper);
    addLesser(sum.writesLower, posix.writesLower, mpiio.writesLower);
    addLesser(sum.writesUpper, posix.writesUpper, mpiio.writesUpper);
    addLesser(sum.unalignedWritesLower, posix.unalignedWritesLower, mpiio.writesLower);
    addLesser(sum.unalignedWritesUpper, posix.unalignedWritesUpper, mpiio.writesUpper);
  }

  private static void addLesser(Count sum, Count posix, Count mpiio) {
    boolean limited = mpiio.isAvailable() && mpiio.value() < posix.value();
    sum.merge(limited ? mpiio : posix);
  }

  /** What stands in the total but in no file of the table. */
  private static void addBeyond(Count sum, Count total, Count kept) {
    sum.add(total.isAvailable() && kept.isAvailable() ? total.value() - kept.value() : -1);
  }
}
