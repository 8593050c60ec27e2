package org.weir.analysis.judge;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.load.DeviceLoad;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.log.LogState;
import org.weir.analysis.ruleengine.Responsible;
import org.weir.analysis.ruleengine.RuleOutcome;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.slowness.Cost;
import org.weir.site.Site;

/**
 * Whose fault a slow run is. Whether a run is slow is decided in {@code
 * org.weir.analysis.slowness.Slowness}.
 *
 * @param reason one sentence for people
 */
public record Verdict(Value value, String reason) {
  /** Others moved this many times the run's own bytes: the storage was busy with them. */
  private static final double OTHERS_BUSY_FACTOR = 2;

  /** Below it a device has time for everybody, however much others move. */
  private static final double OTHERS_UTIL = 0.3;

  private static final double BUSY_UTIL = 0.8;
  private static final double MIB = 1 << 20;

  /** So little is journal and metadata. */
  private static final double OTHERS_LEAST_BYTES = 64 * MIB;

  /** Less than this share of the device bytes is journal and metadata, not somebody else. */
  private static final double OTHERS_NOTICEABLE_SHARE = 0.1;

  /** So many runs that were not slow acquit the program's pattern. */
  private static final int FEWEST_EARLIER_RUNS = 5;

  /** The column verdict. */
  public enum Value {
    NOT_SLOW,
    APPLICATION,
    STORAGE,
    BOTH,
    UNKNOWN;

    /** As it stands in tables and messages. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The verdict on a run. */
  public static Verdict of(
      RunFeatures run,
      Cost cost,
      LoadSummary load,
      Baseline baseline,
      List<RuleOutcome> outcomes,
      Site site) {
    if (cost.slow() == null) {
      return unknown(whySlowIsUnknown(run, cost));
    }
    if (!cost.slow()) {
      return notSlow(run, cost, site);
    }
    if (load.state() != LoadState.CLOSED) {
      return unknown(whyLoadIsUnknown(load));
    }
    List<String> patterns = blaming(Responsible.APPLICATION, outcomes);
    List<String> degraded = blaming(Responsible.STORAGE, outcomes);
    boolean busy = isBusyWithOthers(load);
    if (patterns.isEmpty() && degraded.isEmpty() && !busy) {
      return unknown("no pattern found and the storage was quiet");
    }
    String pattern = "found " + String.join(", ", patterns);
    if (!busy && degraded.isEmpty()) {
      return new Verdict(Value.APPLICATION, pattern + "; the storage was quiet");
    }
    String storage =
        busy ? busyWith(load) : "the storage was degraded: " + String.join(", ", degraded);
    if (patterns.isEmpty()) {
      return new Verdict(Value.STORAGE, storage + "; no pattern found");
    }
    return wereNotSlow(baseline, cost, run, site)
        ? new Verdict(
            Value.STORAGE,
            format("%s; %d earlier runs like this one were not slow", storage, baseline.runs()))
        : new Verdict(Value.BOTH, pattern + "; " + storage);
  }

  /** Whether there are enough earlier runs like this one, and they were not slow. */
  private static boolean wereNotSlow(Baseline baseline, Cost cost, RunFeatures run, Site site) {
    return baseline.runs() >= FEWEST_EARLIER_RUNS
        && !cost.wasSlow(
            requireNonNull(baseline.median(), "earlier runs have a median"), run, site);
  }

  private static List<String> blaming(Responsible whom, List<RuleOutcome> outcomes) {
    return outcomes.stream()
        .filter(outcome -> outcome.holds() && outcome.rule().blames() == whom)
        .map(outcome -> outcome.rule().id())
        .toList();
  }

  /** The storage that holds the run as a whole, or one device that the run may have waited for. */
  static boolean isBusyWithOthers(LoadSummary load) {
    return isBusy(asOneDevice(load), load) || isBusy(load.busiest(), load);
  }

  /** All devices together; null where no bucket of theirs is closed. */
  private static @Nullable DeviceLoad asOneDevice(LoadSummary load) {
    Double util = load.utilMean();
    Double bytes = load.deviceBytes();
    Double others = load.othersBytes();
    return util == null || bytes == null || others == null
        ? null
        : new DeviceLoad("", util, bytes, others);
  }

  /**
   * Others moved at least twice the run's bytes at 30 % utilization, or noticeably much at 80 %.
   */
  private static boolean isBusy(@Nullable DeviceLoad device, LoadSummary load) {
    return device != null
        && device.othersBytes() > 0
        && ((device.util() >= OTHERS_UTIL
                && device.othersBytes() >= OTHERS_LEAST_BYTES
                && device.othersBytes() >= OTHERS_BUSY_FACTOR * load.ownBytes())
            || (device.util() >= BUSY_UTIL
                && device.othersBytes() >= OTHERS_NOTICEABLE_SHARE * device.bytes()));
  }

  public static Verdict unknown(String reason) {
    return new Verdict(Value.UNKNOWN, reason);
  }

  private static Verdict notSlow(RunFeatures run, Cost cost, Site site) {
    if (cost.timeLostSeconds() != null) {
      return new Verdict(
          Value.NOT_SLOW,
          format(
              "lost %.1f s of a run time of %.1f s to I/O",
              cost.timeLostSeconds(), run.runTimeSeconds()));
    }
    Feature ioTime = run.feature("io_time_seconds");
    return new Verdict(
        Value.NOT_SLOW,
        format(
            ioTime.evidence() == EvidenceClass.EXACT
                ? "only %.1f s of a run time of %.1f s were I/O; slow starts at %.1f s and %.0f %%"
                : "the log records %.1f s of I/O of a run time of %.1f s, and the true time is taken"
                    + " to be at most twice that; slow starts at %.1f s and %.0f %%",
            ioTime.requiredValue(),
            run.runTimeSeconds(),
            site.slowThresholdSeconds(),
            100 * site.slowThresholdShare()));
  }

  private static String whySlowIsUnknown(RunFeatures run, Cost cost) {
    Feature ioTime = run.feature("io_time_seconds");
    Double mapped = run.value("mapped_processes");
    if (run.logState() == LogState.KILLED) {
      return "the run was killed: how long it took is not known";
    }
    if (run.logState() == LogState.UNFINISHED && mapped != null) {
      return format(
          "the run was killed, and the logs of %.0f of its %d processes are there",
          mapped, run.nprocs());
    }
    if (run.logState() != LogState.COMPLETE) {
      return "the log is " + run.logState().text() + ": the time spent in I/O is not known";
    }
    if (ioTime.value() == null) {
      return "the log's I/O times are not usable";
    }
    if (run.hasOverlappingTimes()) {
      return format(
          "its I/O times add up to %.1f s, more than the run time of %.1f s: threads or processes"
              + " waited at the same time, perhaps for each other",
          ioTime.value(), run.runTimeSeconds());
    }
    if (ioTime.evidence() == EvidenceClass.LOWER_BOUND) {
      return format(
          "at least %.1f s of a run time of %.1f s were I/O; "
              + (ioTime.incomplete()
                  ? "some times in the log are not usable"
                  : "what HDF5 or PnetCDF spend themselves is not in MPI-IO's time"),
          ioTime.value(),
          run.runTimeSeconds());
    }
    return cost.referenceReason().isEmpty()
        ? "the log's byte counts are not usable"
        : "no reference rate: " + cost.referenceReason();
  }

  private static String whyLoadIsUnknown(LoadSummary load) {
    return switch (load.state()) {
      case WAITING -> "waiting for the storage samples";
      case INCOMPLETE ->
          format(
              "storage samples are missing: %d of %d buckets",
              load.bucketsClosed(), load.bucketsExpected());
      case NO_SAMPLES ->
          load.bucketsExpected() == 0
              ? "the log does not tell when the run moved its bytes"
              : "no storage samples of this time, or only ones longer than 1.5 load buckets";
      case NO_FILESYSTEM -> "the run moved nothing on a file system of the site";
      case CLOSED -> throw new IllegalStateException("the load is known");
    };
  }

  private static String busyWith(LoadSummary load) {
    DeviceLoad whole = asOneDevice(load);
    if (whole != null && isBusy(whole, load)) {
      return format(
          "others moved %.0f MiB beside the run's %.0f MiB, devices busy %.0f %%",
          whole.othersBytes() / MIB, load.ownBytes() / MIB, 100 * whole.util());
    }
    DeviceLoad busiest = requireNonNull(load.busiest(), "nothing was busy with others");
    return format(
        "others moved %.0f of the %.0f MiB on %s, which was busy %.0f %%",
        busiest.othersBytes() / MIB, busiest.bytes() / MIB, busiest.name(), 100 * busiest.util());
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
