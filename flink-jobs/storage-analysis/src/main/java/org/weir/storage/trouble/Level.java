package org.weir.storage.trouble;

/** How near a number is to its threshold. */
public enum Level {
  CALM,

  /** Not high enough to begin anything, and too high to end it. */
  BETWEEN,

  HIGH;

  /**
   * Grades a number.
   *
   * @param share of its threshold
   * @param calmShare below which it is calm
   */
  static Level of(double share, double calmShare) {
    return share >= 1 ? HIGH : share >= calmShare ? BETWEEN : CALM;
  }
}
