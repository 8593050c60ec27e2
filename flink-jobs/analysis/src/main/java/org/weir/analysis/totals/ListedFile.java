package org.weir.analysis.totals;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.FileTable;
import org.weir.analysis.accumulate.FileTotals;
import org.weir.analysis.accumulate.FileUse;
import org.weir.analysis.log.Module;

/**
 * A file on a listed file system.
 *
 * @param filesystem id
 * @param recordId Darshan's
 * @param scale how many files it stands for, see {@link FileTable#scale}
 * @param sharing the widest that any module saw: below collective MPI-IO only aggregators open a
 *     file
 * @param bytesRead of POSIX and STDIO
 * @param bytesWritten likewise
 * @param extent last offset that was read or written + 1
 */
public record ListedFile(
    String filesystem,
    long recordId,
    FileTotals totals,
    long nprocs,
    double scale,
    Sharing sharing,
    double bytesRead,
    double bytesWritten,
    double extent) {
  /** Modules whose bytes reach the file system. */
  private static final List<Module> MOVING = List.of(Module.POSIX, Module.STDIO);

  /** Reading and writing each block makes one switch a request; half are those of every other. */
  private static final double ALTERNATING_SHARE = 0.5;

  static ListedFile of(
      String filesystem, long recordId, FileTotals totals, long nprocs, double scale) {
    double read = 0;
    double written = 0;
    double extent = 0;
    for (Module module : MOVING) {
      FileUse use = totals.use(module);
      if (use != null) {
        read += (double) use.bytesRead.value();
        written += (double) use.bytesWritten.value();
        extent = Math.max(extent, (double) use.extent);
      }
    }
    return new ListedFile(
        filesystem,
        recordId,
        totals,
        nprocs,
        scale,
        sharing(totals, nprocs),
        read,
        written,
        extent);
  }

  private static Sharing sharing(FileTotals totals, long nprocs) {
    Sharing widest = Sharing.UNIQUE;
    for (Module module : Module.DATA) {
      FileUse use = totals.use(module);
      Sharing sharing = use == null ? widest : Sharing.of(use, nprocs);
      widest = sharing.compareTo(widest) > 0 ? sharing : widest;
    }
    return widest;
  }

  /** Null where the module did not record the file. */
  public @Nullable FileUse use(Module module) {
    return totals.use(module);
  }

  public boolean hasMpiioData() {
    FileUse mpiio = totals.use(Module.MPIIO);
    return mpiio != null && mpiio.hasDataOperations();
  }

  public double bytes() {
    return bytesRead + bytesWritten;
  }

  /** Returns the bytes that one module moved. */
  public double bytesOf(Module module) {
    FileUse use = totals.use(module);
    return use == null ? 0 : use.bytes();
  }

  /** READ + WRITE seconds summed over ranks; NaN where a clock stepped back. */
  public double dataSeconds() {
    double sum = 0;
    for (Module module : MOVING) {
      FileUse use = totals.use(module);
      boolean known = use == null || use.dataTime.isAvailable();
      sum += use == null ? 0 : known ? use.dataTime.value() : Double.NaN;
    }
    return sum;
  }

  /** Reads and writes of POSIX and STDIO. */
  public double requests() {
    double sum = 0;
    for (Module module : MOVING) {
      FileUse use = totals.use(module);
      sum += use == null ? 0 : (double) use.requests.value();
    }
    return sum;
  }

  /** Bytes read beyond its extent. */
  public double rereadBytes() {
    return Math.max(0, bytesRead() - extent());
  }

  /** The file was read more than this many times over. */
  public boolean isReadMoreThan(double times) {
    return bytesRead() > times * extent();
  }

  /** 0 where it is on no Lustre, or Darshan did not know. */
  public long stripeCount() {
    return totals.layout() == null ? 0 : totals.layout().stripeCount();
  }

  public long stripeSize() {
    return totals.layout() == null ? 0 : totals.layout().stripeSize();
  }

  /** POSIX went to and fro between reading and writing, as to change blocks of the file. */
  public boolean alternates() {
    FileUse posix = totals.use(Module.POSIX);
    return posix != null && posix.switches.value() >= ALTERNATING_SHARE * posix.requests.value();
  }

  /** POSIX switches between reading and writing beyond one by each rank. */
  public double extraSwitches() {
    FileUse posix = totals.use(Module.POSIX);
    if (posix == null || hasMpiioData()) {
      return 0;
    }
    double allowed = posix.rankRecords + (posix.shared ? (double) nprocs : 0);
    return Math.max(0, posix.switches.value() - allowed);
  }
}
