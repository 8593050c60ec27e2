package org.weir.analysis.slowness;

import static java.util.Objects.requireNonNull;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.run.RunFeatures;
import org.weir.wire.Reference;

/** Rates of comparable runs, as published on weir.reference: class to day to rate. */
public final class References {
  private static final int MOST_DAYS_OLD = 7;

  private final Map<RateClass, TreeMap<LocalDate, Double>> rates = new HashMap<>();

  /**
   * Which runs compare.
   *
   * @param direction read or write
   * @param nodesDecade floor of log10 of the run's nodes
   */
  public record RateClass(String filesystem, String direction, int nodesDecade) {
    /** The class of a run with this many nodes, which moved bytes on a listed file system. */
    public static RateClass of(RunFeatures run, int runNodes) {
      return new RateClass(
          requireNonNull(run.filesystem(), "the run is on no listed file system"),
          run.direction(),
          (int) Math.log10(Math.max(1, runNodes)));
    }
  }

  /** Takes in a published rate; the last one of a class and day counts. */
  public void put(Reference reference) {
    RateClass key =
        new RateClass(
            reference.getFilesystem(), reference.getDirection(), reference.getNodesDecade());
    rates
        .computeIfAbsent(key, k -> new TreeMap<>())
        .put(LocalDate.ofEpochDay(reference.getDay()), reference.getMibPerSecondPerNodeP75());
  }

  /**
   * MiB/s per run node as of the day, or of the newest of the week before it: a class that has too
   * few runs gets no rate any more, and an old one must not stand for ever.
   *
   * @return null where there is none
   */
  public @Nullable Double find(RateClass key, LocalDate day) {
    TreeMap<LocalDate, Double> days = rates.get(key);
    Map.Entry<LocalDate, Double> entry = days == null ? null : days.floorEntry(day);
    return entry == null || entry.getKey().isBefore(day.minusDays(MOST_DAYS_OLD))
        ? null
        : entry.getValue();
  }
}
