package org.weir.analysis.log;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The modules of a log that the features read. */
public enum Module {
  POSIX("POSIX", "POSIX", "posix", Counters.POSIX),
  MPIIO("MPI-IO", "MPIIO", "mpiio", Counters.MPIIO),
  STDIO("STDIO", "STDIO", "stdio", Counters.STDIO),
  H5F("H5F", "H5F", "h5f", List.of("OPENS", "FLUSHES")),
  H5D("H5D", "H5D", "h5d", Counters.H5D),
  PNETCDF_FILE("PNETCDF_FILE", "PNETCDF_FILE", "pnetcdf_file", Counters.PNETCDF_FILE),
  PNETCDF_VAR("PNETCDF_VAR", "PNETCDF_VAR", "pnetcdf_var", Counters.PNETCDF_VAR),
  LUSTRE("LUSTRE", "LUSTRE", "lustre", List.of()),
  DFS("DFS", "DFS", "dfs", Counters.OBJECTS),
  DAOS("DAOS", "DAOS", "daos", Counters.OBJECTS);

  /** Those that move bytes of files: time, bytes and ranks of each record are known. */
  public static final List<Module> DATA = List.of(POSIX, MPIIO, STDIO);

  /** Those of the object store DAOS: as {@link #DATA}, but their files are on no mount. */
  public static final List<Module> OBJECTS = List.of(DFS, DAOS);

  /** Those above them: only sums and numbers of objects are kept. */
  public static final List<Module> LIBRARIES = List.of(H5F, H5D, PNETCDF_FILE, PNETCDF_VAR);

  private final String logName;
  private final String counterPrefix;
  private final String featurePrefix;
  private final List<String> summed;

  Module(String logName, String counterPrefix, String featurePrefix, List<String> summed) {
    this.logName = logName;
    this.counterPrefix = counterPrefix;
    this.featurePrefix = featurePrefix;
    this.summed = summed;
  }

  /** Darshan's name of the module: {@code MPI-IO}. */
  public String logName() {
    return logName;
  }

  /** First part of its counters' names: {@code MPIIO}. */
  public String counterPrefix() {
    return counterPrefix;
  }

  /** First part of its features' names: {@code mpiio}. */
  public String featurePrefix() {
    return featurePrefix;
  }

  /** Counters, without the prefix, whose sum over the records means something. */
  public List<String> summed() {
    return summed;
  }

  /** The module with Darshan's name; null where no feature reads it. */
  public static @Nullable Module ofLogName(String name) {
    for (Module module : values()) {
      if (module.logName.equals(name)) {
        return module;
      }
    }
    return null;
  }

  /**
   * The module whose traffic a HEATMAP record such as {@code heatmap:MPIIO} shows; null where no
   * feature reads it.
   */
  public static @Nullable Module ofHeatmap(String recordName) {
    for (Module module : DATA) {
      if (recordName.equals("heatmap:" + module.counterPrefix)) {
        return module;
      }
    }
    return null;
  }

  /** Lists of counters; a class of their own because an enum's constants come first. */
  public static final class Counters {
    /** Upper edges are inclusive: an exact 1 MiB request stands in 100K_1M. */
    public static final List<String> SIZES =
        List.of(
            "0_100",
            "100_1K",
            "1K_10K",
            "10K_100K",
            "100K_1M",
            "1M_4M",
            "4M_10M",
            "10M_100M",
            "100M_1G",
            "1G_PLUS");

    private static final List<String> POSIX =
        join(
            Stream.of(
                "BYTES_READ",
                "BYTES_WRITTEN",
                "READS",
                "WRITES",
                "OPENS",
                "STATS",
                "SEEKS",
                "FSYNCS",
                "FDSYNCS",
                "RW_SWITCHES",
                "SEQ_READS",
                "SEQ_WRITES",
                "CONSEC_READS",
                "CONSEC_WRITES",
                "FILE_NOT_ALIGNED",
                "MEM_NOT_ALIGNED"),
            sizes("SIZE_READ_"),
            sizes("SIZE_WRITE_"));
    private static final List<String> MPIIO =
        join(
            Stream.of(
                "BYTES_READ",
                "BYTES_WRITTEN",
                "INDEP_OPENS",
                "COLL_OPENS",
                "INDEP_READS",
                "INDEP_WRITES",
                "COLL_READS",
                "COLL_WRITES",
                "SPLIT_READS",
                "SPLIT_WRITES",
                "NB_READS",
                "NB_WRITES",
                "SYNCS",
                "HINTS",
                "VIEWS"),
            sizes("SIZE_READ_AGG_"),
            sizes("SIZE_WRITE_AGG_"));
    private static final List<String> STDIO =
        List.of("BYTES_READ", "BYTES_WRITTEN", "READS", "WRITES", "OPENS", "SEEKS", "FLUSHES");
    private static final List<String> OBJECTS = List.of("BYTES_READ", "BYTES_WRITTEN");
    private static final List<String> H5D =
        List.of("READS", "WRITES", "FLUSHES", "BYTES_READ", "BYTES_WRITTEN");
    private static final List<String> PNETCDF_FILE =
        List.of("CREATES", "OPENS", "INDEP_WAITS", "COLL_WAITS", "BYTES_READ", "BYTES_WRITTEN");
    private static final List<String> PNETCDF_VAR =
        List.of(
            "INDEP_READS",
            "INDEP_WRITES",
            "COLL_READS",
            "COLL_WRITES",
            "NB_READS",
            "NB_WRITES",
            "BYTES_READ",
            "BYTES_WRITTEN");

    private Counters() {}

    private static Stream<String> sizes(String prefix) {
      return SIZES.stream().map(size -> prefix + size);
    }

    @SafeVarargs
    private static List<String> join(Stream<String>... parts) {
      List<String> all = new ArrayList<>();
      Stream.of(parts).flatMap(part -> part).forEach(all::add);
      return List.copyOf(all);
    }
  }
}
