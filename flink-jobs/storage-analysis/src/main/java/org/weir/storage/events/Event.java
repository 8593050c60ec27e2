package org.weir.storage.events;

import java.util.Arrays;
import org.weir.wire.Identity;

/** What is wrong with a server, device or file system. Times in microseconds. */
public final class Event {

  public static final String OPEN = "open";
  public static final String RECOVERED = "recovered";
  public static final String ABANDONED = "abandoned";

  /** Samples that came later show that it never was. */
  public static final String WITHDRAWN = "withdrawn";

  public String cluster;

  /** silent, hot or saturated. */
  public String kind;

  /** server, device or filesystem. */
  public String subjectKind;

  public String subject;

  /** Where a device was seen last; empty for other subjects. */
  public String server = "";

  /** The file system of a device, or the subject itself; else empty. */
  public String filesystem = "";

  /** Last sample before the silence, or first bucket of the trouble. */
  public long since;

  /** 0 while it is open. */
  public long ended;

  public String state = OPEN;
  public boolean inMaintenance;

  /** Names of the numbers that prove it. */
  public String[] names = {};

  public double[] numbers = {};

  /** Microsecond at which its state became known. */
  public long version;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public Event() {}

  public static Event of(
      String cluster, String kind, String subjectKind, String subject, long since) {
    Event event = new Event();
    event.cluster = cluster;
    event.kind = kind;
    event.subjectKind = subjectKind;
    event.subject = subject;
    event.since = since;
    return event;
  }

  public String id() {
    return Identity.storageEventId(cluster, kind, subjectKind, subject, since);
  }

  /** Sets the numbers; the names in their order. */
  public Event with(String[] names, double... numbers) {
    this.names = names;
    this.numbers = numbers;
    return this;
  }

  /** Its next state, known at a microsecond. */
  public Event at(long version) {
    this.version = Math.max(this.version + 1, version);
    return this;
  }

  /** Whether another version of it says the same. */
  public boolean saysTheSameAs(Event other) {
    return state.equals(other.state)
        && ended == other.ended
        && inMaintenance == other.inMaintenance
        && server.equals(other.server)
        && Arrays.equals(numbers, other.numbers);
  }

  public Event end(String state, long ended) {
    this.state = state;
    this.ended = ended;
    return this;
  }
}
