package org.weir.load.bucket;

import java.util.Arrays;
import org.weir.load.sample.Columns;

/**
 * Holds what one device did in one bucket, by one server or put together from several.
 *
 * @param sums {@link Columns#COUNT}
 * @param samples of the servers behind it
 * @param servers how many reported it
 */
public record DevicePart(
    String server, double[] sums, double sampledSeconds, long samples, int servers) {

  static DevicePart of(ServerBucket share, int device) {
    int at = device * Columns.COUNT;
    return new DevicePart(
        share.server,
        Arrays.copyOfRange(share.sums, at, at + Columns.COUNT),
        share.sampledSeconds[device],
        share.samples,
        1);
  }

  /**
   * Joins what this and another server report of the device. A device that has moved within the
   * bucket was sampled by one server after the other, and the parts add up. One that several
   * servers have sampled at the same time counts once, as the server reports through which it was
   * used: the other only stands by, or reports the same once more.
   */
  DevicePart and(DevicePart other, double bucketSeconds) {
    double together = sampledSeconds + other.sampledSeconds;
    DevicePart busier = compare(other) >= 0 ? this : other;
    double[] both = busier.sums;
    double seconds = busier.sampledSeconds;
    if (together <= bucketSeconds * 1.001) {
      both = new double[Columns.COUNT];
      Arrays.setAll(both, column -> sums[column] + other.sums[column]);
      seconds = together;
    }
    return new DevicePart(
        busier.server, both, seconds, samples + other.samples, servers + other.servers);
  }

  private int compare(DevicePart other) {
    int byBusy = Double.compare(sums[Columns.BUSY_SECONDS], other.sums[Columns.BUSY_SECONDS]);
    return byBusy != 0 ? byBusy : Double.compare(bytes(), other.bytes());
  }

  double bytes() {
    return sums[Columns.BYTES_READ] + sums[Columns.BYTES_WRITTEN];
  }

  public double util() {
    return Columns.util(sums[Columns.BUSY_SECONDS], sampledSeconds);
  }

  /** Mean wait of a request in seconds; 0 without requests. */
  public double latency() {
    double requests = sums[Columns.READS] + sums[Columns.WRITES];
    double wait = sums[Columns.READ_WAIT_SECONDS] + sums[Columns.WRITE_WAIT_SECONDS];
    return requests > 0 ? wait / requests : 0;
  }
}
