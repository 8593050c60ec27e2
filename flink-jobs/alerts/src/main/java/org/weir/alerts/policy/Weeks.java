package org.weir.alerts.policy;

import java.time.LocalDate;
import java.time.temporal.IsoFields;

/** Names weeks. */
final class Weeks {

  private Weeks() {}

  /** ISO week of a day, such as 2026-W48. */
  static String of(LocalDate day) {
    return String.format(
        "%d-W%02d", day.get(IsoFields.WEEK_BASED_YEAR), day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
  }
}
