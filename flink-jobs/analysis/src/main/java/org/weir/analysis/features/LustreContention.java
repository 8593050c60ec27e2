package org.weir.analysis.features;

/**
 * How many stripes share a storage target where each of n tasks stripes over R of D targets chosen
 * at random (Wright). Where the LUSTRE module lists the targets, they are counted instead.
 */
public final class LustreContention {
  private LustreContention() {}

  /** Targets in use on average: {@code D - D * (1 - R/D)^n}. */
  public static double targetsInUse(double targets, double stripes, double tasks) {
    return targets - targets * Math.pow(1 - Math.min(stripes, targets) / targets, tasks);
  }

  /** Stripes on each target in use, D_load: {@code n * R / targetsInUse}. */
  public static double load(double targets, double stripes, double tasks) {
    return tasks * Math.min(stripes, targets) / targetsInUse(targets, stripes, tasks);
  }
}
