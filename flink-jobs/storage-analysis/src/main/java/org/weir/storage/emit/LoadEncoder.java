package org.weir.storage.emit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.apache.flink.util.OutputTag;
import org.weir.flink.kafka.KafkaOut;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.LoadMessage;
import org.weir.load.bucket.ServerBucket;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireCodec;

/** Encodes load for weir.storage.load. Not serializable: build it in open(). */
public final class LoadEncoder {

  public static final OutputTag<KafkaOut> TAG = new OutputTag<>("load-messages") {};

  private final WireCodec<StorageLoad> codec = WireCodec.of(StorageLoad.class);

  /**
   * Encodes a bucket of a server.
   *
   * @param packed its devices, see {@link ServerBucket#packed}
   */
  KafkaOut of(ServerBucket bucket, ByteBuffer packed) {
    return encode(LoadMessage.of(bucket, packed));
  }

  /** Encodes a bucket of a file system. */
  KafkaOut of(FilesystemLoad load) {
    return encode(LoadMessage.of(load));
  }

  private KafkaOut encode(StorageLoad message) {
    String key = message.getCluster() + "/" + message.getKind() + "/" + message.getSubject();
    return new KafkaOut(key.getBytes(UTF_8), codec.encode(message));
  }
}
