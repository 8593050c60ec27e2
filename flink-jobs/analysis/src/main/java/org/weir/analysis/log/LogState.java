package org.weir.analysis.log;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleEnd;
import org.weir.wire.ModuleHeader;

/** How whole a log is: the column log_state of runs. */
public enum LogState {
  COMPLETE,
  /**
   * A module, traces apart, ran out of memory or records while the run went on, or Darshan did not
   * come to the log's end: its file kept the name that it has until then.
   */
  PARTIAL,
  /** A module's data could not be read to its end. */
  DAMAGED,
  /** Parts of the log have not arrived. */
  INCOMPLETE,
  /**
   * The run did not come to its end: Darshan wrote none, as in the memory-mapped logs that killed
   * processes leave, one of each. How long it ran is unknown, and what other processes did.
   */
  UNFINISHED,
  /**
   * The run was killed, and what each of its processes did until then is there, merged of their
   * memory-mapped logs. How long it ran is unknown.
   */
  KILLED;

  /** State of a module that was read, though its data may be wrong. */
  private static final String SUSPECT = "suspect";

  /** How whole one module is, which is all that weakens its own features. */
  public enum OfModule {
    /** The run did not use it: its zeros are true zeros. */
    ABSENT,
    COMPLETE,
    /** Records are missing, for whatever reason: what is there is a sample of them. */
    LACKING,
    /** The last records are missing. They are in the order of their ranks: no sample. */
    CUT,
    /**
     * Listed in the log but not decoded, or read from damaged data. Of MPI-IO also where records
     * are missing: what excuses a pattern below may be in these.
     */
    UNDECODED
  }

  /** Returns whether nothing is missing of what the run counted while it lasted. */
  public boolean hasAllRecords() {
    return this == COMPLETE || this == KILLED;
  }

  /** As it stands in the column. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Decides the state of a whole log.
   *
   * @param end null where it has not arrived
   * @param batchesMissing fewer batches than the end says
   */
  public static LogState of(LogHeader header, @Nullable LogEnd end, boolean batchesMissing) {
    if (end == null || batchesMissing) {
      return INCOMPLETE;
    }
    if (isUnfinished(header)) {
      return hasAllProcesses(header, end) ? KILLED : UNFINISHED;
    }
    boolean damaged = end.getModules().stream().anyMatch(LogState::isDamaged);
    boolean partial =
        header.getFileName().endsWith(".darshan_partial")
            || header.getModules().stream().anyMatch(m -> m.getPartial() && !isTrace(m.getName()))
            || end.getModules().stream()
                .anyMatch(m -> m.getState().equals("partial") && !isTrace(m.getName()));
    return damaged ? DAMAGED : partial ? PARTIAL : COMPLETE;
  }

  private static boolean isUnfinished(LogHeader header) {
    return header.getEndTime() < header.getStartTime();
  }

  /** Counts only processes whose own log was sound. */
  private static boolean hasAllProcesses(LogHeader header, @Nullable LogEnd end) {
    return end != null
        && end.getProcesses() != null
        && end.getProcesses() == Math.max(1, header.getNprocs());
  }

  /** Seconds that the run took; not a number where that is unknown. */
  public static double runTimeSeconds(LogHeader header) {
    return isUnfinished(header) ? Double.NaN : header.getRunTimeSeconds();
  }

  /** A trace that ran out of memory takes nothing from the counters. */
  private static boolean isTrace(String module) {
    return module.startsWith("DXT_");
  }

  private static boolean isDamaged(ModuleEnd module) {
    Long expected = module.getRecordsExpected();
    return module.getState().equals("damaged")
        || module.getState().equals(SUSPECT)
        || (expected != null && module.getRecordsRead() < expected);
  }

  public static Map<Module, OfModule> modules(
      LogHeader header, @Nullable LogEnd end, boolean batchesMissing) {
    Map<Module, OfModule> states = new EnumMap<>(Module.class);
    boolean others = isUnfinished(header) && !hasAllProcesses(header, end);
    for (Module module : Module.values()) {
      // Another process may have used what this one did not.
      states.put(module, others ? OfModule.LACKING : OfModule.ABSENT);
    }
    for (ModuleHeader named : header.getModules()) {
      Module module = Module.ofLogName(named.getName());
      if (module != null) {
        boolean lacking = named.getPartial() || batchesMissing || others;
        states.put(module, ofEnd(end, named.getName(), lacking));
      }
    }
    return states;
  }

  /** No heatmap lacks a part: over a part of it nothing is what it is over the whole. */
  public static boolean hasWholeHeatmaps(@Nullable LogEnd end, boolean batchesMissing) {
    return end != null
        && !batchesMissing
        && end.getModules().stream()
            .filter(module -> module.getName().equals("HEATMAP"))
            .allMatch(module -> module.getState().equals("complete") && !isDamaged(module));
  }

  /**
   * State of a module by the end of its log.
   *
   * @param end null where it has not arrived
   * @param lacking records are missing besides those that the end says
   */
  private static OfModule ofEnd(@Nullable LogEnd end, String name, boolean lacking) {
    for (ModuleEnd module : end == null ? List.<ModuleEnd>of() : end.getModules()) {
      if (module.getName().equals(name)) {
        boolean suspect = module.getState().equals(SUSPECT);
        boolean exempts = name.equals(Module.MPIIO.logName()) && isDamaged(module);
        if (module.getState().equals("listed") || suspect || exempts) {
          return OfModule.UNDECODED;
        }
        boolean whole = module.getState().equals("complete") && !isDamaged(module) && !lacking;
        return whole ? OfModule.COMPLETE : isDamaged(module) ? OfModule.CUT : OfModule.LACKING;
      }
    }
    return OfModule.LACKING;
  }
}
