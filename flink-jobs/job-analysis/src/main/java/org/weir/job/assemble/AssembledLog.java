package org.weir.job.assemble;

import static java.util.Objects.requireNonNull;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * What there is of a log; at least its header.
 *
 * @param end null if it has not come
 * @param batches how many of them are in the sums
 * @param siteRevision of the site by which its files are placed on file systems; 0 without one
 * @param sentAt Kafka timestamp of the oldest part, microseconds
 */
record AssembledLog(
    String logId,
    LogHeader header,
    @Nullable LogEnd end,
    RunAccumulator sums,
    int batches,
    int siteRevision,
    String origin,
    long sentAt) {

  static AssembledLog of(
      String logId,
      Assembly log,
      RunAccumulator sums,
      int siteRevision,
      WireCodec<DarshanLogMessage> codec)
      throws WireException {
    DarshanLogMessage header =
        codec.decode(requireNonNull(log.header, "the log has no header yet"));
    return new AssembledLog(
        logId,
        (LogHeader) header.getBody(),
        log.end == null ? null : (LogEnd) codec.decode(log.end).getBody(),
        sums,
        BitSet.valueOf(log.seen).cardinality(),
        siteRevision,
        header.getOrigin(),
        log.sentAt);
  }

  /** Null where the end is not there. */
  @Nullable Integer batchesExpected() {
    return end == null ? null : Integer.valueOf(end.getBatches());
  }

  boolean batchesMissing() {
    return end == null || batches < end.getBatches();
  }
}
