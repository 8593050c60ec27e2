package org.weir.flink.kafka;

import java.time.Duration;
import java.time.Instant;
import org.weir.wire.WireException;

/** Checks times of messages: each month or day of them is a partition of a table. */
public final class EventTime {

  private static final long EARLIEST = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli() * 1000;
  private static final long MOST_AHEAD = Duration.ofDays(1).toMillis() * 1000;

  private EventTime() {}

  /**
   * Refuses a time that no sound producer sends.
   *
   * @param field what the reason calls it
   * @param time microseconds since 1970
   */
  public static void check(String field, long time, KafkaMessage from) throws WireException {
    if (time < EARLIEST || time > from.sentAt + MOST_AHEAD) {
      throw new WireException(
          field
              + " "
              + time
              + ": expected microseconds from the year 2000 to a day after the message");
    }
  }
}
