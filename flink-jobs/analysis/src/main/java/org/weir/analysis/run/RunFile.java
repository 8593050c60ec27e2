package org.weir.analysis.run;

import org.weir.analysis.accumulate.FileUse;
import org.weir.analysis.log.Module;
import org.weir.analysis.totals.ListedFile;

/**
 * One of a run's files with most bytes, as far as a rule asks for it and advice needs it.
 *
 * @param recordId Darshan's, unsigned decimal; its name stands in the records
 * @param extentBytes last offset that was read or written + 1
 * @param requests reads and writes of POSIX and STDIO
 * @param smallRequests surely below 1 MiB
 * @param independentOperations of MPI-IO
 * @param collectiveOperations of MPI-IO
 * @param stripeCount Lustre; 0 where it is not known
 * @param stripeSizeBytes likewise
 */
public record RunFile(
    String recordId,
    String filesystem,
    String sharing,
    double bytesRead,
    double bytesWritten,
    double extentBytes,
    double requests,
    double smallRequests,
    double independentOperations,
    double collectiveOperations,
    double stripeCount,
    double stripeSizeBytes) {

  public static RunFile of(ListedFile file) {
    FileUse mpiio = file.use(Module.MPIIO);
    return new RunFile(
        Long.toUnsignedString(file.recordId()),
        file.filesystem(),
        file.sharing().text(),
        file.bytesRead(),
        file.bytesWritten(),
        file.extent(),
        file.requests(),
        smallRequests(file),
        mpiio == null ? 0 : (double) mpiio.independent,
        mpiio == null ? 0 : (double) mpiio.collective,
        (double) file.stripeCount(),
        (double) file.stripeSize());
  }

  /** As the application issued them: with MPI-IO data operations, those of MPI-IO. */
  private static double smallRequests(ListedFile file) {
    FileUse use = file.use(file.hasMpiioData() ? Module.MPIIO : Module.POSIX);
    return use == null ? 0 : (double) use.small.readsLower.value() + use.small.writesLower.value();
  }
}
