package org.weir.alerts;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.policy.Policy;

/** Holds what is remembered of a user beyond cases and jobs. */
public final class UserFacts {

  /** What a mute of everything is called. */
  public static final String ALL = "all";

  /** More than anybody asks for by hand. */
  private static final int MOST_MUTES = 1_000;

  /** Epoch day of the site on which messages were counted, in which mode, and how many. */
  public long day;

  public Policy.@Nullable Mode sentIn;

  public int sentOnDay;

  /** Case, rule or {@link #ALL} to the UTC milliseconds until which it is muted. */
  public Map<String, Long> mutes = new HashMap<>();

  /** Asked for messages, or for none; null for what the site does by itself. */
  public @Nullable Boolean wanted;

  /** Case id to the reason for which it was held back since the last digest. */
  public Map<String, Outcome.Reason> heldBack = new TreeMap<>();

  /** UTC milliseconds of the next digest; 0 while nothing waits for it. */
  public long digestAt;

  public UserFacts() {}

  /** A mute that ends in the past ends one. */
  void mute(String subject, long until, long now) {
    mutes.values().removeIf(end -> end <= now);
    mutes.remove(subject);
    if (until > now && mutes.size() < MOST_MUTES) {
      mutes.put(subject, until);
    }
  }

  boolean isMuted(CaseFacts it, long now) {
    return mutes.getOrDefault(it.id, 0L) > now
        || mutes.getOrDefault(it.rule, 0L) > now
        || mutes.getOrDefault(ALL, 0L) > now;
  }

  int sentOn(long epochDay, Policy.Mode mode) {
    return day == epochDay && sentIn == mode ? sentOnDay : 0;
  }

  /** Counts a message of a day, which is no earlier than those before. */
  void countMessage(long epochDay, Policy.Mode mode) {
    sentOnDay = sentOn(epochDay, mode) + 1;
    day = epochDay;
    sentIn = mode;
  }
}
