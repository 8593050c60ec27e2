package org.weir.analysis.evidence;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.FeatureSpec.Bounds;
import org.weir.analysis.evidence.FeatureSpec.Missing;
import org.weir.analysis.log.Module;

/**
 * Declares the features that one class computes, in the order in which they are documented.
 *
 * <p>"Listed" in a meaning is on a file system that the site lists: only such bytes can raise a
 * finding. Everything else (local disks, /tmp, /proc, standard streams) counts in the plain totals
 * only.
 */
public final class FeatureGroup {

  private static final String REAL = "Nullable(Float64)";
  private static final String WHOLE = "Nullable(Int64)";

  private final List<FeatureSpec> specs;
  private final @Nullable String columnType;
  private final boolean ofLog;
  private final boolean byFilesystem;

  private FeatureGroup(
      List<FeatureSpec> specs, @Nullable String columnType, boolean ofLog, boolean byFilesystem) {
    this.specs = specs;
    this.columnType = columnType;
    this.ofLog = ofLog;
    this.byFilesystem = byFilesystem;
  }

  /** Begins a group of features that are computed from the log. */
  public static FeatureGroup ofLog() {
    return new FeatureGroup(new ArrayList<>(), REAL, true, false);
  }

  /** Begins a group of features that are added when a run is judged. */
  public static FeatureGroup ofJudgement() {
    return new FeatureGroup(new ArrayList<>(), REAL, false, false);
  }

  /** The same group, for a feature whose column holds whole numbers. */
  public FeatureGroup whole() {
    return column(WHOLE);
  }

  /** The same group, for a feature whose column has another type; null if it has none. */
  public FeatureGroup column(@Nullable String type) {
    return new FeatureGroup(specs, type, ofLog, byFilesystem);
  }

  /** The same group, for a feature that each listed file system also has alone. */
  public FeatureGroup byFilesystem() {
    return new FeatureGroup(specs, columnType, ofLog, true);
  }

  public List<FeatureSpec> specs() {
    return specs;
  }

  /** Declares a number that records which are missing could only raise. */
  public FeatureSpec total(String name, String meaning, Module... modules) {
    return add(name, meaning, List.of(), Missing.RAISES, modules);
  }

  /** Declares a number that is true of the recorded part: a share, a mean, a rate, a bound. */
  public FeatureSpec ofPart(String name, String meaning, Module... modules) {
    return add(name, meaning, List.of(), Missing.LEAVES_PART, modules);
  }

  /** Declares the sum of counters over the listed files. */
  public FeatureSpec sum(String name, Module module, String... counters) {
    return sum(name, ", listed", module, counters);
  }

  /**
   * Declares the sum of counters over some files.
   *
   * @param where which files, as the end of its meaning
   */
  public FeatureSpec sum(String name, String where, Module module, String... counters) {
    String sum =
        Stream.of(counters)
            .map(counter -> module.counterPrefix() + "_" + counter)
            .collect(joining(" + "));
    return add(name, sum + where, List.of(counters), Missing.RAISES, module);
  }

  /** Declares two bounds of a sum, {@code name} and {@code name_upper}. */
  public Bounds bounds(String name, String meaning, String onlyLower, Module... modules) {
    return new Bounds(
        total(name, "lower bound of " + meaning + onlyLower, modules),
        upper(name, meaning, modules));
  }

  private FeatureSpec upper(String name, String meaning, Module... modules) {
    return column(REAL).ofPart(name + "_upper", "upper bound of " + meaning, modules);
  }

  /** Declares two bounds of a share or mean, {@code name_lower} and {@code name_upper}. */
  public Bounds range(String name, String meaning, Module... modules) {
    return new Bounds(
        ofPart(name + "_lower", "lower bound of " + meaning, modules),
        upper(name, meaning, modules));
  }

  private FeatureSpec add(
      String name, String meaning, List<String> counters, Missing missing, Module... modules) {
    FeatureSpec spec =
        new FeatureSpec(
            name, meaning, counters, columnType, ofLog, byFilesystem, missing, List.of(modules));
    specs.add(spec);
    return spec;
  }

  /** Declares one of a kind for each module. */
  public static <T> Map<Module, T> each(List<Module> modules, Function<Module, T> declare) {
    Map<Module, T> declared = new EnumMap<>(Module.class);
    modules.forEach(module -> declared.put(module, declare.apply(module)));
    return declared;
  }
}
