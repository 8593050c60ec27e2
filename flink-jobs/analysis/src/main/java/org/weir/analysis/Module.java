package org.weir.analysis;

/** The modules of a log that move bytes and that the features read. */
public enum Module {
  POSIX("POSIX", "POSIX", "posix"),
  MPIIO("MPI-IO", "MPIIO", "mpiio"),
  STDIO("STDIO", "STDIO", "stdio");

  private final String logName;
  private final String counterPrefix;
  private final String featurePrefix;

  Module(String logName, String counterPrefix, String featurePrefix) {
    this.logName = logName;
    this.counterPrefix = counterPrefix;
    this.featurePrefix = featurePrefix;
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

  /** The module with Darshan's name, or null where no feature reads it. */
  public static Module ofLogName(String name) {
    for (Module module : values()) {
      if (module.logName.equals(name)) {
        return module;
      }
    }
    return null;
  }

  /** The module whose traffic a HEATMAP record such as {@code heatmap:MPIIO} shows, or null. */
  static Module ofHeatmap(String recordName) {
    for (Module module : values()) {
      if (recordName.equals("heatmap:" + module.counterPrefix)) {
        return module;
      }
    }
    return null;
  }
}
