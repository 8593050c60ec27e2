package org.weir.analysis.totals;

import java.util.Locale;
import org.weir.analysis.accumulate.FileUse;

/** How many ranks opened a file. */
public enum Sharing {
  /** One. */
  UNIQUE,
  /** Several, fewer than all. */
  PARTIAL,
  /** All of several. */
  SHARED;

  /** As it stands in reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Sharing of(FileUse use, long nprocs) {
    if (nprocs > 1 && (use.shared || use.rankRecords >= nprocs)) {
      return SHARED;
    }
    return use.rankRecords > 1 ? PARTIAL : UNIQUE;
  }
}
