package org.weir.storage.load;

import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.gather.FilesystemBucket;
import org.weir.load.gather.ShareStore;

/** Keeps a file system's shares in Flink's state: of the key that is worked on at the moment. */
final class ShareState implements ShareStore {

  private final MapState<Long, FilesystemBucket> buckets;

  /** By start of the bucket and server. */
  private final MapState<Tuple2<Long, String>, ServerBucket> shares;

  private final MapState<Long, Long> pending;

  ShareState(RuntimeContext context) {
    buckets =
        context.getMapState(
            new MapStateDescriptor<>(
                "buckets", Types.LONG, TypeInformation.of(FilesystemBucket.class)));
    shares =
        context.getMapState(
            new MapStateDescriptor<>(
                "shares",
                Types.TUPLE(Types.LONG, Types.STRING),
                TypeInformation.of(ServerBucket.class)));
    pending = context.getMapState(new MapStateDescriptor<>("pending", Types.LONG, Types.LONG));
  }

  @Override
  public FilesystemBucket bucket(long start) throws Exception {
    return buckets.get(start);
  }

  @Override
  public void putBucket(long start, FilesystemBucket bucket) throws Exception {
    buckets.put(start, bucket);
  }

  @Override
  public void removeBucket(long start) throws Exception {
    buckets.remove(start);
  }

  @Override
  public Iterable<Long> starts() throws Exception {
    return buckets.keys();
  }

  @Override
  public ServerBucket share(long start, String server) throws Exception {
    return shares.get(Tuple2.of(start, server));
  }

  @Override
  public void putShare(ServerBucket share) throws Exception {
    shares.put(Tuple2.of(share.bucketStart, share.server), share);
  }

  @Override
  public void removeShare(long start, String server) throws Exception {
    shares.remove(Tuple2.of(start, server));
  }

  @Override
  public Iterable<Map.Entry<Long, Long>> pending() throws Exception {
    return pending.entries();
  }

  @Override
  public boolean isPending(long start) throws Exception {
    return pending.contains(start);
  }

  @Override
  public void putPending(long start, long arrival) throws Exception {
    pending.put(start, arrival);
  }

  @Override
  public void removePending(long start) throws Exception {
    pending.remove(start);
  }

  @Override
  public void clear() {
    buckets.clear();
    shares.clear();
    pending.clear();
  }
}
