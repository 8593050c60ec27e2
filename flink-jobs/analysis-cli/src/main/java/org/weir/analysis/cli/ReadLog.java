package org.weir.analysis.cli;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.features.FeatureComputer;
import org.weir.analysis.report.RunReport;
import org.weir.analysis.run.RunFeatures;
import org.weir.site.Site;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;

/** One log as far as its messages have come. */
final class ReadLog {
  final String logId;
  final LogHeader header;
  final Site site;
  private final RunAccumulator sums = new RunAccumulator();
  private final BitSet batches = new BitSet();
  private final Map<String, String> names = new HashMap<>();
  private @Nullable LogEnd end;

  ReadLog(String logId, LogHeader header, Site site) {
    this.logId = logId;
    this.header = header;
    this.site = site;
  }

  void add(LogBatch batch) {
    if (batches.get(batch.getNumber())) {
      return;
    }
    try {
      sums.add(batch, site);
      PackedColumns columns = PackedColumns.of(batch);
      for (int row = 0; row < columns.rows(); row++) {
        String id = Long.toUnsignedString(columns.recordIds().get(row));
        names.putIfAbsent(id, batch.getNames().get(row));
      }
      batches.set(batch.getNumber());
    } catch (WireException e) {
      throw new InputException("log " + logId + ": " + e.getMessage(), e);
    }
  }

  void end(LogEnd message) {
    end = message;
  }

  /**
   * Names the run for its report.
   *
   * @param jobUid null if it is joined to no job
   */
  RunReport.Subject subject(@Nullable String jobUid) {
    return new RunReport.Subject(
        logId,
        header.getFileName(),
        header.getExe(),
        header.getCluster(),
        header.getJobId(),
        jobUid,
        header.getUid(),
        header.getStartTime(),
        header.getLogVersion(),
        site,
        names::get);
  }

  RunFeatures features() {
    boolean missing = end != null && batches.cardinality() < end.getBatches();
    return FeatureComputer.compute(header, end, missing, sums, site);
  }
}
