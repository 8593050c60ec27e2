package org.weir.job.decode;

import static java.util.Objects.requireNonNull;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.Decoder;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.EventTime;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.assemble.LogPart;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.WireException;

/**
 * Messages of weir.darshan.log to parts of logs. The records leave here for their tables; what goes
 * on to the keyed operators is only what they add up to, kilobytes whatever their number.
 */
public final class DecodeLogs
    extends BroadcastProcessFunction<KafkaMessage, KafkaMessage, LogPart> {

  public static final OutputTag<Rows> ROWS = new OutputTag<>("record-rows") {};

  private static final double MOST_SECONDS = 10 * 366 * 86_400.0;
  private static final long serialVersionUID = 1L;

  /** A log of more batches than this is not one: 512 KiB each make 500 GiB. */
  private static final int MOST_BATCHES = 1_000_000;

  private final ControlSnapshot snapshot;
  private transient Control control;
  private transient Decoder<DarshanLogMessage> decoder;

  public DecodeLogs(ControlSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  @Override
  public void open(OpenContext context) {
    control = Control.ofSites(snapshot);
    decoder =
        new Decoder<>(
            DarshanLogMessage.class,
            JobSettings.JOB,
            DecodeLogs::clusterOf,
            getRuntimeContext().getMetricGroup());
  }

  private static String clusterOf(DarshanLogMessage message) {
    if (message.getBody() instanceof LogHeader header) {
      return header.getCluster();
    }
    return message.getBody() instanceof LogBatch batch ? batch.getCluster() : "";
  }

  @Override
  public void processBroadcastElement(
      KafkaMessage message, Context context, Collector<LogPart> out) {
    control.take(message);
  }

  @Override
  public void processElement(
      KafkaMessage message, ReadOnlyContext context, Collector<LogPart> out) {
    decoder.decode(
        message, (decoded, emissions) -> take(decoded, message, emissions), out, context::output);
  }

  private void take(DarshanLogMessage message, KafkaMessage from, Emissions<LogPart> out)
      throws WireException {
    String logId = message.getLogId();
    byte[] encoded = requireNonNull(from.value, "the message was decoded from it");
    Object body = message.getBody();
    if (body instanceof LogBatch batch) {
      checkNumber(batch.getNumber());
      EventTime.check("start_time", batch.getStartTime(), from);
      RunAccumulator sums = new RunAccumulator();
      sums.add(batch, control.site(batch.getCluster()));
      Rows rows = RecordTables.of(message, batch, from.sentAt);
      if (batch.getRows() > 0) {
        out.output(ROWS, rows);
      }
      boolean placed = control.knowsSite(batch.getCluster());
      LogPart part =
          new LogPart(
              logId,
              batch.getCluster(),
              placed ? LogPart.BATCH : LogPart.UNPLACED_BATCH,
              batch.getNumber(),
              placed ? sums.toBytes() : encoded,
              from.sentAt);
      part.siteRevision = control.siteRevision(batch.getCluster());
      out.collect(part);
    } else if (body instanceof LogHeader header) {
      EventTime.check("start_time", header.getStartTime(), from);
      checkRunTime(header);
      if (header.getSupersedes() != null && !header.getSupersedes().equals(logId)) {
        out.output(ROWS, supersededRow(message, header, from.sentAt));
      }
      out.collect(new LogPart(logId, header.getCluster(), LogPart.HEADER, 0, encoded, from.sentAt));
    } else if (body instanceof LogEnd end) {
      checkNumber(end.getBatches());
      out.collect(new LogPart(logId, null, LogPart.END, 0, encoded, from.sentAt));
    }
  }

  /** What hides the records of the log that this one replaces, whichever of them comes first. */
  private static Rows supersededRow(DarshanLogMessage message, LogHeader header, long sentAt) {
    return new RowBlock("superseded_logs_versions")
        .row()
        .set("cluster", header.getCluster())
        .set("log_id", header.getSupersedes())
        .set("superseded_by", message.getLogId())
        .set("start_time", header.getStartTime())
        .set("version", 1)
        .set("is_deleted", 0)
        .set("origin", message.getOrigin())
        .build(header.getCluster(), sentAt);
  }

  /** Where the end is before the start there is none: the run did not come to it. */
  private static void checkRunTime(LogHeader header) throws WireException {
    boolean ended = header.getEndTime() >= header.getStartTime();
    if (ended && !(header.getRunTimeSeconds() >= 0 && header.getRunTimeSeconds() < MOST_SECONDS)) {
      throw new WireException(
          "run_time_seconds "
              + header.getRunTimeSeconds()
              + " of "
              + header.getFileName()
              + ": expected 0 to ten years");
    }
  }

  private static void checkNumber(int number) throws WireException {
    if (number < 0 || number > MOST_BATCHES) {
      throw new WireException(
          "batch number or count " + number + ", expected 0 to " + MOST_BATCHES);
    }
  }
}
