package org.weir.storage.emit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.util.OutputTag;
import org.weir.flink.kafka.KafkaOut;
import org.weir.storage.bucket.FilesystemLoad;
import org.weir.storage.bucket.ServerBucket;
import org.weir.storage.bucket.UtilStats;
import org.weir.storage.sample.Columns;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireCodec;

/** Load as messages of weir.storage.load. Not serializable: build it in open(). */
public final class LoadMessages {

  public static final OutputTag<KafkaOut> TAG = new OutputTag<>("load-messages") {};

  private static final List<String> DEVICE_COLUMNS = deviceColumns();

  private final WireCodec<StorageLoad> codec = WireCodec.of(StorageLoad.class);

  private static List<String> deviceColumns() {
    List<String> columns = new ArrayList<>(Columns.NAMES);
    columns.add("util");
    return columns;
  }

  /**
   * Of a server.
   *
   * @param packed its devices, see {@link ServerBucket#packed}
   */
  KafkaOut of(ServerBucket bucket, ByteBuffer packed) {
    UtilStats util = UtilStats.of(bucket.util());
    return message(
        StorageLoad.newBuilder()
            .setCluster(bucket.cluster)
            .setKind("server")
            .setSubject(bucket.server)
            .setBucketStart(bucket.bucketStart)
            .setBucketSeconds(bucket.bucketSeconds)
            .setUtilMean(util.mean())
            .setUtilP95(util.p95())
            .setUtilMax(util.max())
            .setClosedUntil(bucket.closedUntil)
            .setServersReported(1)
            .setServersExpected(1)
            .setVersion(bucket.samples)
            .setDeviceIds(Arrays.asList(bucket.deviceIds))
            .setDeviceColumns(DEVICE_COLUMNS)
            .setDeviceValues(packed)
            .setOrigin(bucket.origin),
        bucket.totals());
  }

  KafkaOut of(FilesystemLoad load) {
    return message(
        StorageLoad.newBuilder()
            .setCluster(load.cluster)
            .setKind("filesystem")
            .setSubject(load.filesystem)
            .setBucketStart(load.bucketStart)
            .setBucketSeconds(load.bucketSeconds)
            .setUtilMean(load.utilMean)
            .setUtilP95(load.utilP95)
            .setUtilMax(load.utilMax)
            .setClosedUntil(load.closedUntil)
            .setServersReported(load.serversReported)
            .setServersExpected(load.serversExpected)
            .setVersion(load.samples)
            .setDeviceIds(List.of())
            .setDeviceColumns(List.of())
            .setDeviceValues(ByteBuffer.allocate(0))
            .setOrigin(load.origin),
        load.sums);
  }

  private KafkaOut message(StorageLoad.Builder load, double[] totals) {
    StorageLoad message =
        load.setReads(totals[Columns.READS])
            .setWrites(totals[Columns.WRITES])
            .setBytesRead(totals[Columns.BYTES_READ])
            .setBytesWritten(totals[Columns.BYTES_WRITTEN])
            .setReadWaitSeconds(totals[Columns.READ_WAIT_SECONDS])
            .setWriteWaitSeconds(totals[Columns.WRITE_WAIT_SECONDS])
            .build();
    String key = message.getCluster() + "/" + message.getKind() + "/" + message.getSubject();
    return new KafkaOut(key.getBytes(UTF_8), codec.encode(message));
  }
}
