package org.weir.flink.clickhouse;

import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.base.sink.AsyncSinkBase;
import org.apache.flink.connector.base.sink.writer.BufferedRequestState;
import org.apache.flink.connector.base.sink.writer.ElementConverter;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Lands blocks of rows in ClickHouse, at least once: what waits is part of each checkpoint, and no
 * checkpoint completes while an insert is under way. Rows that arrive twice are one row, by their
 * identity and version (ReplacingMergeTree); insert tokens are not used, because batches regroup.
 */
public final class ClickHouseSink extends AsyncSinkBase<Rows, Rows> {

  private static final long serialVersionUID = 1L;

  private final ClickHouseAddress address;
  private final SinkLimits limits;

  public ClickHouseSink(ClickHouseAddress address, SinkLimits limits) {
    super(
        new SameRows(),
        limits.blocksPerFlush(),
        limits.flushesInFlight(),
        limits.blocksHeld(),
        limits.bytesPerFlush(),
        limits.longestWait().toMillis(),
        limits.bytesPerFlush());
    this.address = address;
    this.limits = limits;
  }

  @Override
  public ClickHouseWriter createWriter(WriterInitContext context) {
    return restoreWriter(context, List.of());
  }

  @Override
  public ClickHouseWriter restoreWriter(
      WriterInitContext context, Collection<BufferedRequestState<Rows>> recovered) {
    return new ClickHouseWriter(getElementConverter(), context, address, limits, recovered);
  }

  @Override
  public SimpleVersionedSerializer<BufferedRequestState<Rows>> getWriterStateSerializer() {
    return new RowsStateSerializer();
  }

  /** Blocks are built where the rows are made, so there is nothing left to convert. */
  static final class SameRows implements ElementConverter<Rows, Rows> {
    private static final long serialVersionUID = 1L;

    @Override
    public Rows apply(Rows rows, SinkWriter.Context context) {
      return rows;
    }
  }
}
