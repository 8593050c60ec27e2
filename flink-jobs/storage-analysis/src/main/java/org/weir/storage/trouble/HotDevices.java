package org.weir.storage.trouble;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.weir.load.bucket.DevicePart;
import org.weir.site.Site;

/** Which devices of a file system are far above their siblings. */
final class HotDevices {

  static final String[] NUMBERS = {
    "util", "siblings_util", "latency_seconds", "siblings_latency_seconds"
  };

  /** With fewer nobody can say which of them is unlike the others. */
  private static final int FEWEST_SIBLINGS = 2;

  /** A device that is hot or not quite calm. */
  public static final class Suspect {

    /** Marks a device that is calm. */
    static final Suspect NONE = new Suspect();

    public Level level = Level.CALM;

    /** As {@link HotDevices#NUMBERS}; siblings are medians. */
    public double[] numbers = {};

    public String server = "";

    public Suspect() {}
  }

  private HotDevices() {}

  /** Returns the devices of one bucket that are not calm. */
  static Map<String, Suspect> of(Map<String, DevicePart> devices, Site.StorageEvents limits) {
    double[] utils = devices.values().stream().mapToDouble(DevicePart::util).sorted().toArray();
    // A device without requests has no latency.
    double[] latencies =
        devices.values().stream()
            .mapToDouble(DevicePart::latency)
            .filter(latency -> latency > 0)
            .sorted()
            .toArray();
    Map<String, Suspect> suspects = new HashMap<>();
    devices.forEach(
        (id, device) -> {
          double util = device.util();
          double latency = device.latency();
          if (util < limits.hotUtil() * limits.calmShare()
              && latency < limits.hotLatencySeconds() * limits.calmShare()) {
            return;
          }
          double[] numbers = {
            util, medianWithout(utils, util), latency, medianWithout(latencies, latency)
          };
          double share =
              Math.max(
                  share(util, numbers[1], limits.hotUtil(), limits),
                  share(latency, numbers[3], limits.hotLatencySeconds(), limits));
          Level level = Level.of(share, limits.calmShare());
          if (level != Level.CALM) {
            Suspect suspect = new Suspect();
            suspect.level = level;
            suspect.server = device.server();
            suspect.numbers = numbers;
            suspects.put(id, suspect);
          }
        });
    return suspects;
  }

  /** Both thresholds have to be reached, the number's own and that of its siblings. */
  private static double share(
      double number, double siblings, double threshold, Site.StorageEvents limits) {
    return Double.isNaN(siblings)
        ? 0
        : Math.min(number / threshold, number / (siblings * limits.hotTimesSiblings()));
  }

  /** Median of the others; NaN where they are too few. */
  private static double medianWithout(double[] sorted, double one) {
    int others = sorted.length - 1;
    if (others < FEWEST_SIBLINGS) {
      return Double.NaN;
    }
    int without = Arrays.binarySearch(sorted, one);
    if (without < 0) {
      return Double.NaN;
    }
    return (other(sorted, without, (others - 1) / 2) + other(sorted, without, others / 2)) / 2;
  }

  private static double other(double[] sorted, int without, int position) {
    return sorted[position < without ? position : position + 1];
  }
}
