package org.weir.alerts.policy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjusters;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Set;
import org.weir.analysis.judge.Severity;

/**
 * Says what messages a center wants its users to get: the field {@code alerts} of the site file,
 * whose schema gives each default with its reason.
 *
 * @param mode what becomes of a message
 * @param leastSeverity of a finding that is reason for a message
 * @param leastNodeHours lost by a unit that is reason for a message
 * @param leastShare of its run time that one of its runs lost
 * @param perUserAndDay further messages wait for the digest
 * @param gather a unit's results are gathered this long before its message
 * @param newest a job that ended longer ago is no reason for a message
 * @param remind an open case is named again no sooner than this
 * @param cleanRuns so many later runs without the cause close a case
 * @param optIn only users who asked for messages get them
 * @param trustArchive also of runs whose log file has another owner than the job
 */
public record Policy(
    Mode mode,
    Severity leastSeverity,
    double leastNodeHours,
    double leastShare,
    int perUserAndDay,
    Duration gather,
    Duration newest,
    Duration remind,
    int cleanRuns,
    boolean optIn,
    boolean trustArchive,
    Digest digest,
    QuietHours quiet,
    Exclusions excluded) {

  /** When people begin to read their mail. */
  private static final LocalTime DIGEST_TIME = LocalTime.of(8, 0);

  /** What becomes of a message: kept, sent to staff instead, or sent. */
  public enum Mode {
    SHADOW,
    REHEARSAL,
    LIVE;

    /** As messages and rows have it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How often what was held back is sent in one message. */
  public enum Digest {
    NEVER,
    DAILY,
    WEEKLY
  }

  /** Whom and what no message is about. */
  public record Exclusions(
      Set<String> users,
      Set<String> accounts,
      Set<String> partitions,
      Set<String> programs,
      Set<String> rules) {

    /** Nobody and nothing. */
    public static final Exclusions NONE =
        new Exclusions(Set.of(), Set.of(), Set.of(), Set.of(), Set.of());
  }

  /**
   * Hours and days on which no message leaves.
   *
   * @param from of each day; equal to {@code to} where there are none
   * @param to may be of the next day
   * @param weekends quiet as a whole
   * @param holidays quiet as a whole
   */
  public record QuietHours(
      ZoneId zone, LocalTime from, LocalTime to, boolean weekends, Set<LocalDate> holidays) {

    /** Returns the earliest time, from this one on, at which a message may leave. */
    public Instant next(Instant time) {
      ZonedDateTime at = time.atZone(zone);
      while (true) {
        ZonedDateTime later = isFree(at.toLocalDate()) ? endOfQuiet(at) : nextDay(at);
        if (!later.isAfter(at)) {
          return at.toInstant();
        }
        at = later;
      }
    }

    private boolean isFree(LocalDate day) {
      return !(weekends && day.getDayOfWeek().getValue() > 5) && !holidays.contains(day);
    }

    private static ZonedDateTime nextDay(ZonedDateTime at) {
      return at.toLocalDate().plusDays(1).atStartOfDay(at.getZone());
    }

    /** The end of the quiet hours that hold this time; the time itself outside of them. */
    private ZonedDateTime endOfQuiet(ZonedDateTime at) {
      LocalTime now = at.toLocalTime();
      if (from.equals(to)) {
        return at;
      }
      if (from.isBefore(to)) {
        return now.isBefore(from) || !now.isBefore(to) ? at : end(at);
      }
      if (now.isBefore(to)) {
        return end(at);
      }
      return now.isBefore(from) ? at : end(nextDay(at));
    }

    /** When the clocks of a day pass {@code to}: where they leap over it, when they do. */
    private ZonedDateTime end(ZonedDateTime day) {
      ZoneOffsetTransition leap = zone.getRules().getTransition(day.toLocalDate().atTime(to));
      boolean isLeaptOver = leap != null && leap.isGap();
      return isLeaptOver ? leap.getInstant().atZone(zone) : day.with(to);
    }
  }

  /** Returns the day of the site on which a message counts. */
  public LocalDate day(Instant time) {
    return time.atZone(quiet.zone()).toLocalDate();
  }

  /** Returns when the next digest leaves: not before tomorrow, or Monday. */
  public Instant nextDigest(Instant now) {
    LocalDate tomorrow = day(now).plusDays(1);
    LocalDate day =
        digest == Digest.WEEKLY
            ? tomorrow.with(TemporalAdjusters.nextOrSame(DayOfWeek.MONDAY))
            : tomorrow;
    return quiet.next(day.atTime(DIGEST_TIME).atZone(quiet.zone()).toInstant());
  }

  /** Names the period of a digest that leaves now: a day, or an ISO week. */
  public String period(Instant now) {
    return digest == Digest.WEEKLY ? Weeks.of(day(now)) : day(now).toString();
  }
}
