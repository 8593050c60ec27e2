package org.weir.analysis.load;

import java.util.Locale;

/** What is known of the load beside a run: the column load_state of runs. */
public enum LoadState {
  /** Every bucket asked for is closed with all its servers. */
  CLOSED,
  /** Some are not closed yet. */
  WAITING,
  /** The wait is over and some never closed, or lacked a server. */
  INCOMPLETE,
  /** The wait is over and none came; or none is asked for, as no time of the bytes is known. */
  NO_SAMPLES,
  /** The run moved nothing on a listed file system. */
  NO_FILESYSTEM;

  /** As it stands in the column. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
