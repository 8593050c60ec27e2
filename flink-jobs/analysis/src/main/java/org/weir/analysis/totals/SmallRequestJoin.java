package org.weir.analysis.totals;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.FileTotals;
import org.weir.analysis.accumulate.FileUse;
import org.weir.analysis.accumulate.SmallRequests;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;

/**
 * Counts the POSIX requests below 1 MiB that the application is responsible for: of a file with
 * MPI-IO data operations no more than MPI-IO itself issued small, since below it are the
 * aggregators' pieces. These are a lower bound of those that there are, which the upper bounds
 * count.
 */
public final class SmallRequestJoin {
  private SmallRequestJoin() {}

  public static SmallRequests of(
      SmallRequests total, List<FileTotals> files, boolean mpiioMovedData) {
    if (!mpiioMovedData) {
      return total;
    }
    SmallRequests joined = new SmallRequests();
    joined.readsUpper.merge(total.readsUpper);
    joined.writesUpper.merge(total.writesUpper);
    joined.unalignedWritesUpper.merge(total.unalignedWritesUpper);
    for (FileTotals file : files) {
      FileUse posix = file.use(Module.POSIX);
      if (posix != null) {
        add(joined, posix.small, file.use(Module.MPIIO));
      }
    }
    return joined;
  }

  private static void add(SmallRequests sum, SmallRequests posix, @Nullable FileUse above) {
    SmallRequests mpiio = above == null || !above.hasDataOperations() ? posix : above.small;
    addLesser(sum.readsLower, posix.readsLower, mpiio.readsLower);
    addLesser(sum.writesLower, posix.writesLower, mpiio.writesLower);
    addLesser(sum.unalignedWritesLower, posix.unalignedWritesLower, mpiio.writesLower);
  }

  private static void addLesser(Count sum, Count posix, Count mpiio) {
    boolean limited = mpiio.isAvailable() && mpiio.value() < posix.value();
    sum.merge(limited ? mpiio : posix);
  }
}
