package org.weir.storage.decode;

import java.nio.ByteBuffer;
import java.util.List;
import org.weir.flink.clickhouse.NativeBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.Table;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.EventTime;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.storage.control.StorageSettings;
import org.weir.wire.TargetLive;
import org.weir.wire.WireException;

/** Messages of weir.target.live to rows of target_live and target_io_sizes, as they are. */
public final class DecodeTargetsLive extends DecodeFunction<TargetLive, Rows> {

  private static final long serialVersionUID = 1L;

  private static final Table COUNTERS = Table.named("target_live_versions");
  private static final Table SIZES = Table.named("target_io_sizes_versions");

  /** A look never changes. */
  private static final long VERSION = 1;

  public DecodeTargetsLive() {
    super(TargetLive.class, StorageSettings.JOB);
  }

  @Override
  protected String clusterOf(TargetLive look) {
    return look.getCluster();
  }

  @Override
  protected void accept(TargetLive look, KafkaMessage from, Emissions<Rows> out)
      throws WireException {
    EventTime.check("time", look.getTime(), from);
    check(look);
    if (!look.getTargets().isEmpty()) {
      out.collect(counters(look, from.sentAt));
    }
    if (!look.getSizeTargets().isEmpty()) {
      out.collect(sizes(look, from.sentAt));
    }
  }

  private static void check(TargetLive look) throws WireException {
    String where = "targets of server " + look.getServer();
    LustreColumns.check(where, look.getTargets().size(), look.getColumns(), look.getValues());
    List<Integer> bins = lengths(look.getSizeBytes());
    if (bins.size() != look.getSizeTargets().size()
        || !bins.equals(lengths(look.getDiskReads()))
        || !bins.equals(lengths(look.getDiskWrites()))) {
      throw new WireException(
          where + ": size_targets, size_bytes, disk_reads and disk_writes differ in length");
    }
  }

  private static List<Integer> lengths(List<List<Long>> lists) {
    return lists.stream().map(List::size).toList();
  }

  private static Rows counters(TargetLive look, long sentAt) {
    ByteBuffer values = look.getValues();
    NativeBlock block = block(COUNTERS, look, look.getTargets(), values.remaining());
    LustreColumns.copy(block, look.getTargets().size(), look.getColumns(), values);
    return block.build(look.getCluster(), sentAt);
  }

  private static Rows sizes(TargetLive look, long sentAt) {
    int bins = lengths(look.getSizeBytes()).stream().mapToInt(Integer::intValue).sum();
    return block(SIZES, look, look.getSizeTargets(), 3 * bins * Long.BYTES)
        .column("size_bytes", look.getSizeBytes())
        .column("disk_reads", look.getDiskReads())
        .column("disk_writes", look.getDiskWrites())
        .build(look.getCluster(), sentAt);
  }

  /** What both tables have, a row a target. */
  private static NativeBlock block(Table table, TargetLive look, List<String> targets, int bytes) {
    return new NativeBlock(table, targets.size(), bytes + 200 * targets.size() + 512)
        .constant("cluster", look.getCluster())
        .constant("server", look.getServer())
        .column("target", targets)
        .constant("time", look.getTime())
        .constant("version", VERSION)
        .constant("is_deleted", 0)
        .constant("origin", look.getOrigin());
  }
}
