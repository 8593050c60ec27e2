package org.weir.analysis.features;

import static org.weir.analysis.evidence.EvidenceClass.BOUNDED;
import static org.weir.analysis.evidence.EvidenceClass.EXACT;
import static org.weir.analysis.log.Module.H5D;
import static org.weir.analysis.log.Module.H5F;
import static org.weir.analysis.log.Module.PNETCDF_FILE;
import static org.weir.analysis.log.Module.PNETCDF_VAR;

import org.weir.analysis.accumulate.LibraryTotals;
import org.weir.analysis.evidence.FeatureGroup;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.evidence.FeatureWriter;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.DistinctIds;
import org.weir.analysis.totals.RunTotals;

/** Computes what the program asked HDF5 and PnetCDF to do, all mounts. */
final class LibraryFeatures {

  static final FeatureGroup FEATURES = FeatureGroup.ofLog();

  private static final String ALL = ", all mounts";
  static final FeatureSpec H5F_FILES =
      FEATURES.total("h5f_files", "distinct H5F records" + ALL, H5F);
  private static final FeatureSpec H5F_MPIIO_FILES =
      FEATURES.total("h5f_mpiio_files", "h5f_files that were opened for MPI-IO", H5F);
  static final FeatureSpec H5D_DATASETS =
      FEATURES.total("h5d_datasets", "distinct H5D records" + ALL, H5D);
  private static final FeatureSpec H5D_COLLECTIVE_DATASETS =
      FEATURES.total(
          "h5d_collective_datasets",
          "h5d_datasets that were accessed with collective transfers",
          H5D);
  private static final FeatureSpec H5D_CHUNKED_DATASETS =
      FEATURES.total("h5d_chunked_datasets", "h5d_datasets with a chunked layout", H5D);
  private static final FeatureSpec H5D_READS = FEATURES.sum("h5d_reads", ALL, H5D, "READS");
  private static final FeatureSpec H5D_WRITES = FEATURES.sum("h5d_writes", ALL, H5D, "WRITES");
  private static final FeatureSpec H5D_FLUSHES = FEATURES.sum("h5d_flushes", ALL, H5D, "FLUSHES");
  private static final FeatureSpec H5D_BYTES_READ =
      FEATURES.sum("h5d_bytes_read", ALL, H5D, "BYTES_READ");
  private static final FeatureSpec H5D_BYTES_WRITTEN =
      FEATURES.sum("h5d_bytes_written", ALL, H5D, "BYTES_WRITTEN");
  private static final String SHARED =
      " of datasets that all ranks opened and none accessed collectively";
  private static final FeatureSpec H5D_SHARED_INDEPENDENT_READS =
      FEATURES.total("h5d_shared_independent_reads", "H5D_READS" + SHARED, H5D);
  private static final FeatureSpec H5D_SHARED_INDEPENDENT_WRITES =
      FEATURES.total("h5d_shared_independent_writes", "H5D_WRITES" + SHARED, H5D);
  static final FeatureSpec PNETCDF_FILES =
      FEATURES.total("pnetcdf_files", "distinct PNETCDF_FILE records" + ALL, PNETCDF_FILE);
  private static final FeatureSpec PNETCDF_VARIABLES =
      FEATURES.total("pnetcdf_variables", "distinct PNETCDF_VAR records" + ALL, PNETCDF_VAR);
  private static final FeatureSpec PNETCDF_BYTES_READ =
      FEATURES.sum("pnetcdf_bytes_read", ALL, PNETCDF_FILE, "BYTES_READ");
  private static final FeatureSpec PNETCDF_BYTES_WRITTEN =
      FEATURES.sum("pnetcdf_bytes_written", ALL, PNETCDF_FILE, "BYTES_WRITTEN");
  private static final FeatureSpec PNETCDF_INDEPENDENT_OPERATIONS =
      operations("independent", "INDEP");
  private static final FeatureSpec PNETCDF_COLLECTIVE_OPERATIONS = operations("collective", "COLL");
  private static final FeatureSpec PNETCDF_NONBLOCKING_OPERATIONS = operations("nonblocking", "NB");

  private LibraryFeatures() {}

  private static FeatureSpec operations(String kind, String prefix) {
    String name = "pnetcdf_" + kind + "_operations";
    return FEATURES.sum(name, ALL, PNETCDF_VAR, prefix + "_READS", prefix + "_WRITES");
  }

  static void write(RunTotals run, FeatureWriter out) {
    LibraryTotals files = run.library(H5F);
    distinct(out, H5F_FILES, files.objects);
    distinct(out, H5F_MPIIO_FILES, files.parallel);
    LibraryTotals datasets = run.library(H5D);
    distinct(out, H5D_DATASETS, datasets.objects);
    distinct(out, H5D_COLLECTIVE_DATASETS, datasets.parallel);
    distinct(out, H5D_CHUNKED_DATASETS, datasets.chunked);
    out.sum(H5D_READS, datasets.sums::of);
    out.sum(H5D_WRITES, datasets.sums::of);
    out.sum(H5D_FLUSHES, datasets.sums::of);
    out.sum(H5D_BYTES_READ, datasets.sums::of);
    out.sum(H5D_BYTES_WRITTEN, datasets.sums::of);
    // With one process every record is reduced, and nothing is shared.
    boolean many = run.nprocs > 1;
    Count none = new Count();
    out.total(H5D_SHARED_INDEPENDENT_READS, many ? datasets.sharedIndependentReads : none);
    out.total(H5D_SHARED_INDEPENDENT_WRITES, many ? datasets.sharedIndependentWrites : none);
    LibraryTotals netcdf = run.library(PNETCDF_FILE);
    LibraryTotals variables = run.library(PNETCDF_VAR);
    distinct(out, PNETCDF_FILES, netcdf.objects);
    distinct(out, PNETCDF_VARIABLES, variables.objects);
    out.sum(PNETCDF_BYTES_READ, netcdf.sums::of);
    out.sum(PNETCDF_BYTES_WRITTEN, netcdf.sums::of);
    out.sum(PNETCDF_INDEPENDENT_OPERATIONS, variables.sums::of);
    out.sum(PNETCDF_COLLECTIVE_OPERATIONS, variables.sums::of);
    out.sum(PNETCDF_NONBLOCKING_OPERATIONS, variables.sums::of);
  }

  private static void distinct(FeatureWriter out, FeatureSpec spec, DistinctIds ids) {
    out.put(spec, ids.value(), ids.isExact() ? EXACT : BOUNDED);
  }
}
