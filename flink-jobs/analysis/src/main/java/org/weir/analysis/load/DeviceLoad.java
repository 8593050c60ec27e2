package org.weir.analysis.load;

import static java.util.Objects.requireNonNull;

/**
 * What a device, or another file system, did in a run's busy seconds.
 *
 * @param name device id or id of the file system
 * @param util share of that time in which it was busy, 0 to 1
 * @param bytes both directions, all jobs
 * @param othersBytes of them that cannot be the run's own (a lower bound)
 */
public record DeviceLoad(String name, double util, double bytes, double othersBytes) {

  /** Takes a closed load, whose numbers are all known. */
  static DeviceLoad of(String name, LoadSummary load) {
    return new DeviceLoad(
        name,
        requireNonNull(load.utilMean(), name),
        requireNonNull(load.deviceBytes(), name),
        requireNonNull(load.othersBytes(), name));
  }

  /** The part of its utilization that is others', by the bytes. */
  double utilOfOthers() {
    return bytes == 0 ? 0 : util * othersBytes / bytes;
  }
}
