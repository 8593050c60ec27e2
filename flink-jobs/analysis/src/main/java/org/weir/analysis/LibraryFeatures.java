package org.weir.analysis;

import static org.weir.analysis.EvidenceClass.BOUNDED;
import static org.weir.analysis.EvidenceClass.EXACT;
import static org.weir.analysis.Module.H5D;
import static org.weir.analysis.Module.H5F;
import static org.weir.analysis.Module.PNETCDF_FILE;
import static org.weir.analysis.Module.PNETCDF_VAR;

import java.util.List;
import org.weir.analysis.FeatureWriter.Kind;

/** What the program asked HDF5 and PnetCDF to do, all mounts. */
final class LibraryFeatures {
  private LibraryFeatures() {}

  static void write(RunTotals run, FeatureWriter out) {
    LibraryTotals files = run.library(H5F);
    distinct(out, "h5f_files", files.objects, H5F);
    distinct(out, "h5f_mpiio_files", files.parallel, H5F);
    LibraryTotals datasets = run.library(H5D);
    distinct(out, "h5d_datasets", datasets.objects, H5D);
    distinct(out, "h5d_collective_datasets", datasets.parallel, H5D);
    distinct(out, "h5d_chunked_datasets", datasets.chunked, H5D);
    out.total("h5d_reads", datasets.sums.of("READS"), H5D);
    out.total("h5d_writes", datasets.sums.of("WRITES"), H5D);
    out.total("h5d_flushes", datasets.sums.of("FLUSHES"), H5D);
    out.total("h5d_bytes_read", datasets.sums.of("BYTES_READ"), H5D);
    out.total("h5d_bytes_written", datasets.sums.of("BYTES_WRITTEN"), H5D);
    // With one process every record is reduced, and nothing is shared.
    boolean many = run.nprocs > 1;
    Count none = new Count();
    out.total("h5d_shared_independent_reads", many ? datasets.sharedIndependentReads : none, H5D);
    out.total("h5d_shared_independent_writes", many ? datasets.sharedIndependentWrites : none, H5D);
    LibraryTotals netcdf = run.library(PNETCDF_FILE);
    LibraryTotals variables = run.library(PNETCDF_VAR);
    distinct(out, "pnetcdf_files", netcdf.objects, PNETCDF_FILE);
    distinct(out, "pnetcdf_variables", variables.objects, PNETCDF_VAR);
    out.total("pnetcdf_bytes_read", netcdf.sums.of("BYTES_READ"), PNETCDF_FILE);
    out.total("pnetcdf_bytes_written", netcdf.sums.of("BYTES_WRITTEN"), PNETCDF_FILE);
    out.total(
        "pnetcdf_independent_operations",
        List.of(variables.sums.of("INDEP_READS"), variables.sums.of("INDEP_WRITES")),
        PNETCDF_VAR);
    out.total(
        "pnetcdf_collective_operations",
        List.of(variables.sums.of("COLL_READS"), variables.sums.of("COLL_WRITES")),
        PNETCDF_VAR);
    out.total(
        "pnetcdf_nonblocking_operations",
        List.of(variables.sums.of("NB_READS"), variables.sums.of("NB_WRITES")),
        PNETCDF_VAR);
  }

  private static void distinct(FeatureWriter out, String name, DistinctIds ids, Module module) {
    out.put(name, ids.value(), ids.isExact() ? EXACT : BOUNDED, Kind.TOTAL, module);
  }
}
