package org.weir.analysis;

import java.util.OptionalInt;

/**
 * When it is worth to reorganise data for its readers, in node-seconds (the study of WarpX data
 * layouts on Summit).
 *
 * @param nodes that compute, n
 * @param stagingNodes m
 * @param computeSeconds between outputs, t_c
 * @param simulationWriteSeconds of one output, t_w of the simulation
 * @param readSeconds of one output by the staging nodes, t_r
 * @param stagingSeconds to send one output to them, t_s
 * @param stagingWriteSeconds of one output by them, t_w of staging
 */
public record Reorganising(
    double nodes,
    double stagingNodes,
    double computeSeconds,
    double simulationWriteSeconds,
    double readSeconds,
    double stagingSeconds,
    double stagingWriteSeconds) {

  /** Node-seconds of N outputs that are written and reorganised afterwards. */
  public double afterwards(double outputs) {
    return nodes * outputs * (computeSeconds + simulationWriteSeconds)
        + stagingNodes * outputs * (readSeconds + stagingWriteSeconds);
  }

  /** Node-seconds of N outputs that are sent to staging nodes and reorganised there meanwhile. */
  public double inFlight(double outputs) {
    double staging = stagingSeconds + stagingWriteSeconds;
    double seconds =
        staging <= computeSeconds
            ? outputs * computeSeconds + staging
            : computeSeconds + outputs * staging;
    return (nodes + stagingNodes) * seconds;
  }

  /** The fewest outputs from which in flight costs less; empty if it never does. */
  public OptionalInt outputsUntilInFlightWins() {
    // Both grow linearly: only the slopes decide whether it ever wins.
    double saved = afterwards(2) - afterwards(1) - (inFlight(2) - inFlight(1));
    double ahead = inFlight(1) - afterwards(1);
    if (ahead < 0) {
      return OptionalInt.of(1);
    }
    return saved <= 0 ? OptionalInt.empty() : OptionalInt.of(2 + (int) Math.floor(ahead / saved));
  }
}
