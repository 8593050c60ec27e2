package org.weir.analysis.run;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.log.LogState;
import org.weir.analysis.traffic.OwnTraffic;

/**
 * Everything the analysis knows of a run from its log alone.
 *
 * @param logState how whole the log is
 * @param modules names of the modules in the log, all of them
 * @param filesystem id of the listed file system with most of the bytes; null if there is none
 * @param direction read or write: where most of the listed bytes go
 * @param nprocs processes
 * @param startTime UTC microseconds
 * @param runTimeSeconds of the log's job record
 * @param features by name, all that a log can have
 * @param traits what kind of run it was, sorted
 * @param traffic on {@code filesystem}, then on the other listed ones with a noticeable share of
 *     the bytes; empty where it was kept as state
 * @param detail by file system, storage target and file; where it was kept as state of files, and
 *     of file systems their features
 */
public record RunFeatures(
    LogState logState,
    List<String> modules,
    @Nullable String filesystem,
    String direction,
    long nprocs,
    long startTime,
    double runTimeSeconds,
    Map<String, Feature> features,
    List<String> traits,
    List<OwnTraffic> traffic,
    RunDetail detail) {

  /**
   * A feature.
   *
   * @throws IllegalArgumentException if the catalog has none of this name
   */
  public Feature feature(String name) {
    Feature feature = features.get(name);
    if (feature == null) {
      throw new IllegalArgumentException("no feature is called " + name);
    }
    return feature;
  }

  /** Value of a feature, null where it is unknown or not defined. */
  public @Nullable Double value(String name) {
    return feature(name).value();
  }

  /**
   * The I/O times add up to more than the run took: threads waited at the same time, or processes
   * for different files. How long the run waited is not known then.
   */
  public boolean hasOverlappingTimes() {
    Double seconds = value("io_time_seconds");
    return seconds != null && seconds > runTimeSeconds;
  }

  /**
   * Feature to class text, for those that are not exact: the column evidence_classes. One of a file
   * system stands there as {@code scratch/reads}.
   */
  public Map<String, String> evidenceClasses() {
    Map<String, String> classes = new TreeMap<>();
    addClasses("", features, classes);
    detail.filesystems().forEach(p -> addClasses(p.filesystem() + "/", p.features(), classes));
    return classes;
  }

  private static void addClasses(
      String prefix, Map<String, Feature> features, Map<String, String> classes) {
    for (Feature feature : features.values()) {
      if (feature.evidence() != EvidenceClass.EXACT) {
        classes.put(prefix + feature.name(), feature.evidence().text());
      }
    }
  }

  /** Names of features that the log lacks records for: the column features_lacking_records. */
  public List<String> featuresLackingRecords() {
    return features.values().stream().filter(Feature::incomplete).map(Feature::name).toList();
  }

  /** End of the run in UTC microseconds. */
  public long endTime() {
    // A run that did not come to its end has no run time: this is its start then.
    return startTime + Math.round(runTimeSeconds * 1e6);
  }
}
