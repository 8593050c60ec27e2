package org.weir.flink.clickhouse;

import java.io.Serializable;
import java.time.Duration;

/**
 * How much one writer holds and how it groups and repeats.
 *
 * @param blocksPerFlush at this many waiting blocks they are sent
 * @param bytesPerFlush at this many waiting bytes they are sent; also the largest block
 * @param blocksHeld with this many waiting blocks the writer blocks and so slows its sources
 * @param flushesInFlight sent at the same time
 * @param longestWait of a block before it is sent
 * @param firstRetry pause before the first repetition, doubled each time
 * @param longestRetry longest pause between repetitions
 * @param longestAnswer an insert that is not acknowledged for this long has failed
 */
public record SinkLimits(
    int blocksPerFlush,
    long bytesPerFlush,
    int blocksHeld,
    int flushesInFlight,
    Duration longestWait,
    Duration firstRetry,
    Duration longestRetry,
    Duration longestAnswer)
    implements Serializable {

  private static final long MIB = 1024L * 1024L;

  /** For blocks of many rows, up to a megabyte each. */
  public static SinkLimits forBulk() {
    return new SinkLimits(
        32,
        8 * MIB,
        64,
        2,
        Duration.ofMillis(500),
        Duration.ofMillis(200),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30));
  }

  /** For blocks of a few rows. */
  public static SinkLimits forResults() {
    return new SinkLimits(
        1_000,
        8 * MIB,
        2_000,
        2,
        Duration.ofMillis(500),
        Duration.ofMillis(200),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30));
  }
}
