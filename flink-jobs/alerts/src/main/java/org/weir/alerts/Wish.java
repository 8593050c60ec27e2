package org.weir.alerts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.weir.wire.Control;

/**
 * What a user, or staff for them, wants of messages.
 *
 * @param subject of a mute: a case, a rule or {@link UserFacts#ALL}
 * @param until UTC milliseconds at which a mute ends
 * @param wanted of opt: messages, or none
 */
public record Wish(Kind kind, String subject, long until, boolean wanted) {

  /** What a user can want of the desk. */
  public enum Kind {
    MUTE,
    OPT
  }

  /** Reads a control; null if the desk has nothing to do with it. */
  public static @Nullable Wish of(Control control) {
    return switch (control.getKind()) {
      case "mute" ->
          new Wish(Kind.MUTE, control.getSubject(), milliseconds(control.getUntil()), false);
      case "opt" ->
          new Wish(Kind.OPT, control.getSubject(), 0, Boolean.TRUE.equals(control.getWanted()));
      default -> null;
    };
  }

  private static long milliseconds(@Nullable Long micros) {
    return micros == null ? Long.MAX_VALUE : Math.floorDiv(micros, 1000);
  }

  void applyTo(UserFacts user, Instant now) {
    switch (kind) {
      case MUTE -> user.mute(subject, until, now.toEpochMilli());
      case OPT -> user.wanted = wanted;
    }
  }
}
