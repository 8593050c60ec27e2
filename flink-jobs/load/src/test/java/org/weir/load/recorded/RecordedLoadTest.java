package org.weir.load.recorded;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.load.sample.Columns;
import org.weir.load.sample.DeviceIds;
import org.weir.load.sample.Sample;
import org.weir.load.testing.Samples;
import org.weir.site.Site;
import org.weir.wire.PackedColumns;
import org.weir.wire.StorageLoad;

/** Compares the load of recorded samples with sums by hand; buckets are of ten seconds. */
class RecordedLoadTest {
  private static final long SECOND = 1_000_000;

  /** Two servers share scratch; one of them has home beside it, and none has archive. */
  private static final Site SITE =
      Site.parse(
          "{\"cluster\":\"c\",\"load_bucket_seconds\":10,\"file_systems\":["
              + "{\"id\":\"scratch\",\"kind\":\"lustre\",\"mount_prefixes\":[\"/s\"],"
              + "\"devices\":{\"oss1\":[\"a\",\"b\"],\"oss2\":[\"c\"]}},"
              + "{\"id\":\"home\",\"kind\":\"nfs\",\"mount_prefixes\":[\"/h\"],"
              + "\"devices\":{\"oss1\":[\"h\"]}},"
              + "{\"id\":\"archive\",\"kind\":\"nfs\",\"mount_prefixes\":[\"/a\"]}]}");

  /** What a device did: reads, writes, bytes read and written, busy seconds. */
  private record Device(String id, double... values) {}

  private static Sample sample(String server, long second, double interval, Device... devices) {
    Sample sample = Samples.of(server, "", second, 0);
    sample.intervalSeconds = interval;
    sample.devices = DeviceIds.pack(Arrays.stream(devices).map(Device::id).toList());
    sample.values = new double[devices.length * Columns.COUNT];
    for (int device = 0; device < devices.length; device++) {
      System.arraycopy(devices[device].values(), 0, sample.values, device * Columns.COUNT, 5);
    }
    return sample;
  }

  private static Sample sample(String server, long second, Device... devices) {
    return sample(server, second, 2, devices);
  }

  private static Device device(String id, double... values) {
    return new Device(id, values);
  }

  private static Map<Long, StorageLoad> load(String subject, Sample... samples) {
    return RecordedLoad.of(List.of(samples), SITE).stream()
        .filter(load -> load.getSubject().equals(subject))
        .collect(toMap(load -> load.getBucketStart() / SECOND, load -> load));
  }

  @Test
  void aBucketSumsTheSamplesWhoseMiddleItHolds() {
    // Their middles: 101, 109 and 111 s, and of the other server 100 s.
    Sample[] samples = {
      sample(
          "oss1",
          102,
          device("a", 1, 2, 30, 40, 1),
          device("b", 0, 1, 0, 5, 0.5),
          device("h", 9, 9, 9, 9, 2)),
      sample(
          "oss1",
          110,
          device("a", 1, 0, 10, 0, 2),
          device("b", 0, 0, 0, 0, 0),
          device("h", 0, 0, 0, 0, 0)),
      sample(
          "oss1",
          112,
          device("a", 0, 1, 0, 7, 2.5),
          device("b", 0, 0, 0, 0, 0),
          device("h", 0, 0, 0, 0, 0)),
      sample("oss2", 101, device("c", 0, 3, 0, 600, 0.2))
    };
    Map<Long, StorageLoad> scratch = load("scratch", samples);
    assertThat(scratch).containsOnlyKeys(100L, 110L);
    StorageLoad first = scratch.get(100L);
    assertThat(first.getReads()).isEqualTo(2);
    assertThat(first.getWrites()).isEqualTo(6);
    assertThat(first.getBytesRead()).isEqualTo(40);
    assertThat(first.getBytesWritten()).isEqualTo(645);
    // Busy: a 3 of 4 s, b 0.5 of 4 s, c 0.2 of 2 s.
    assertThat(first.getUtilMean()).isCloseTo((0.75 + 0.125 + 0.1) / 3, within(1e-12));
    assertThat(first.getUtilMax()).isEqualTo(0.75);
    assertThat(first.getUtilP95()).isEqualTo(0.75);
    assertThat(first.getServersReported()).isEqualTo(2);
    assertThat(first.getServersExpected()).isEqualTo(2);
    // 2.5 busy seconds of 2 are a whole interval.
    assertThat(scratch.get(110L).getUtilMax()).isEqualTo(1);
    assertThat(scratch.get(110L).getBytesWritten()).isEqualTo(7);
    assertThat(scratch.get(110L).getServersReported()).isEqualTo(1);
    // oss2 was sampled up to the bucket of 100 s only.
    assertThat(scratch.values()).allMatch(load -> load.getClosedUntil() == 100 * SECOND);
    StorageLoad home = load("home", samples).get(100L);
    assertThat(home.getBytesWritten()).isEqualTo(9);
    assertThat(home.getClosedUntil()).isEqualTo(110 * SECOND);
    assertThat(load("archive", samples)).isEmpty();
  }

  @Test
  void whatHappenedInSeveralBucketsIsOfNone() {
    Map<Long, StorageLoad> server =
        load(
            "oss1",
            sample("oss1", 110, device("a", 0, 1, 0, 7, 1)),
            sample("oss1", 150, 40, device("a", 0, 9, 0, 900, 9)),
            sample("oss1", 165, 15, device("a", 0, 2, 0, 5, 1)));
    assertThat(server).containsOnlyKeys(100L, 150L);
    assertThat(server.get(100L).getBytesWritten()).isEqualTo(7);
    assertThat(server.get(150L).getBytesWritten()).isEqualTo(5);
  }

  @Test
  void aServerWithoutSamplesClosesNothing() {
    StorageLoad only = load("scratch", sample("oss1", 102, device("a", 0, 1, 0, 5, 1))).get(100L);
    assertThat(only.getClosedUntil()).isZero();
    assertThat(only.getServersReported()).isEqualTo(1);
    assertThat(only.getServersExpected()).isEqualTo(2);
  }

  @Test
  void aServerHasEachOfItsDevices() throws Exception {
    Map<Long, StorageLoad> server =
        load(
            "oss1",
            sample("oss1", 112, device("a", 0, 1, 0, 7, 0.5), device("h", 0, 0, 0, 0, 0)),
            sample("oss1", 102, device("a", 1, 2, 30, 40, 1), device("h", 9, 9, 9, 9, 2)),
            sample("oss1", 104, device("a", 1, 0, 10, 0, 2), device("h", 0, 0, 0, 0, 0)));
    StorageLoad first = server.get(100L);
    assertThat(first.getKind()).isEqualTo("server");
    assertThat(first.getDeviceIds()).containsExactly("a", "h");
    PackedColumns columns = PackedColumns.of(first);
    assertThat(columns.doubles("bytes_read").get(0)).isEqualTo(40);
    assertThat(columns.doubles("bytes_written").get(1)).isEqualTo(9);
    assertThat(columns.doubles("util").get(0)).isEqualTo(0.75);
    assertThat(columns.doubles("util").get(1)).isEqualTo(0.5);
    assertThat(first.getBytesWritten()).isEqualTo(49);
    assertThat(first.getUtilMean()).isEqualTo(0.625);
    // A sample of the second bucket closes the first.
    assertThat(server.values()).allMatch(load -> load.getClosedUntil() == 110 * SECOND);
  }

  @Test
  void countersThatStartOverGiveNothingOfTheirInterval() {
    Map<Long, StorageLoad> server =
        load(
            "s1",
            Samples.cumulative(105, "boot 1", 1000, 10),
            Samples.cumulative(110, "boot 1", 1100, 11),
            Samples.cumulative(115, "boot 2", 50, 1),
            Samples.cumulative(120, "boot 2", 80, 2));
    assertThat(server).containsOnlyKeys(100L, 110L);
    assertThat(server.get(100L).getBytesWritten()).isEqualTo(100);
    assertThat(server.get(110L).getBytesWritten()).isEqualTo(30);
  }
}
