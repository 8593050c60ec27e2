package org.weir.storage.trouble;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.weir.load.bucket.DevicePart;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.sample.Columns;
import org.weir.site.Site;

/** How a file system did in one bucket, as far as its troubles go. */
public final class FilesystemVitals {

  static final String[] SATURATION_NUMBERS = {
    "util_mean", "bytes_per_second", "peak_bytes_per_second"
  };

  public String cluster;
  public String filesystem;

  /** Microseconds. */
  public long bucketStart;

  public double bucketSeconds;

  public Level saturation;

  /** As {@link #SATURATION_NUMBERS}; a peak that the site does not state is 0. */
  public double[] numbers;

  /** Devices that are hot or not quite calm, by id. */
  public Map<String, HotDevices.Suspect> suspects;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public FilesystemVitals() {}

  public static FilesystemVitals of(
      FilesystemLoad load, Map<String, DevicePart> devices, Site site) {
    Site.FileSystem filesystem = requireNonNull(site.fileSystem(load.filesystem), load.filesystem);
    FilesystemVitals vitals = new FilesystemVitals();
    vitals.cluster = load.cluster;
    vitals.filesystem = load.filesystem;
    vitals.bucketStart = load.bucketStart;
    vitals.bucketSeconds = load.bucketSeconds;
    // The peak is what programs get; devices may write more than that.
    double bytes =
        load.sums[Columns.BYTES_READ]
            + load.sums[Columns.BYTES_WRITTEN] / filesystem.writeAmplification();
    Double stated = filesystem.largestPeak();
    double peak = stated == null ? 0 : stated * (1 << 20);
    vitals.numbers = new double[] {load.utilMean, bytes / load.bucketSeconds, peak};
    vitals.saturation = saturation(vitals.numbers, site.storageEvents());
    vitals.suspects = HotDevices.of(devices, site.storageEvents());
    return vitals;
  }

  private static Level saturation(double[] numbers, Site.StorageEvents limits) {
    double share = numbers[2] > 0 ? numbers[1] / numbers[2] : 0;
    double most =
        Math.max(numbers[0] / limits.saturatedUtil(), share / limits.saturatedShareOfPeak());
    return Level.of(most, limits.calmShare());
  }
}
