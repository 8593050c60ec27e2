package org.weir.analysis.evidence;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.Module;

/**
 * Declares a feature, once for all that use it: rules, the columns of the table runs and their
 * comments, and the reference page.
 *
 * @param name of the variable in rules and, where it has one, of the column; it states the unit
 * @param meaning what the number is: the comment of the column
 * @param counters of the one module whose sum it is, without the module's prefix; else empty
 * @param columnType ClickHouse type of the column of its name in the table runs; null if it has
 *     none, because it follows from other columns
 * @param ofLog computed from the log; else added when the run is judged ({@code JudgedFeatures})
 * @param byFilesystem each listed file system also has it alone, for rules that judge one
 * @param missing what becomes of it if records are missing
 * @param modules of the log that it is made of; of some runs fewer
 */
public record FeatureSpec(
    String name,
    String meaning,
    List<String> counters,
    @Nullable String columnType,
    boolean ofLog,
    boolean byFilesystem,
    Missing missing,
    List<Module> modules) {

  /** Says what becomes of a number if the log lacks records. */
  enum Missing {
    /** The number can only be more. */
    RAISES,
    /** The number is true of the recorded part. */
    LEAVES_PART
  }

  /** Returns the unit: B, s, MiB/s or 1. */
  public String unit() {
    if (name.contains("mib_per_second")) {
      return "MiB/s";
    }
    return name.contains("seconds") ? "s" : name.contains("bytes") ? "B" : "1";
  }

  /** Returns the counters that it is the sum of, or else the modules that it is made of. */
  public List<String> sources() {
    if (counters.isEmpty()) {
      return modules.stream().map(Module::logName).toList();
    }
    String prefix = modules.get(0).counterPrefix();
    return counters.stream().map(counter -> prefix + "_" + counter).toList();
  }

  Module[] moduleArray() {
    return modules.toArray(Module[]::new);
  }

  /** Pairs the features between which a number lies. */
  public record Bounds(FeatureSpec lower, FeatureSpec upper) {}
}
