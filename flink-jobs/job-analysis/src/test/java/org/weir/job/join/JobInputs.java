package org.weir.job.join;

import java.util.ArrayList;
import java.util.List;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.job.assemble.LogPart;
import org.weir.job.assemble.LogParts;
import org.weir.job.load.LoadAnswer;
import org.weir.job.run.LoadFacts;
import org.weir.wire.LogBatch;
import org.weir.wire.LogHeader;
import org.weir.wire.PackedColumns;

/** Makes inputs of the job join for tests. */
public final class JobInputs {

  private JobInputs() {}

  public static JobInput run(String logId, String supersedes, long... opens) throws Exception {
    return runOf(logId, Messages.header(supersedes), opens);
  }

  /** Published again under the second site. */
  public static JobInput runElsewhere(String logId, long... opens) throws Exception {
    KafkaMessage elsewhere = Messages.site(2, Messages.SITE_ELSEWHERE);
    return runOf(Messages.log(logId, opens), List.of(elsewhere, Messages.control().get(1)));
  }

  static JobInput runOf(String logId, LogHeader header, long... opens) throws Exception {
    List<KafkaMessage> log = new ArrayList<>(Messages.log(logId, opens));
    log.set(0, Messages.part(logId, header));
    return runOf(log);
  }

  /** It needed 2 s for a MiB, where 1 ms would do. */
  static JobInput slowRun(String logId) throws Exception {
    LogBatch batch = Messages.batch(0, 200);
    batch.setIntNames(
        List.of("POSIX_OPENS", "POSIX_WRITES", "POSIX_BYTES_WRITTEN", "POSIX_BYTES_READ"));
    batch.setInts(PackedColumns.pack(200L, 1L, 1L << 20, 0L));
    List<KafkaMessage> log = new ArrayList<>(Messages.log(logId, 200));
    log.set(1, Messages.part(logId, batch));
    return runOf(log);
  }

  static JobInput runOf(List<KafkaMessage> log) throws Exception {
    return runOf(log, Messages.control());
  }

  static JobInput runOf(List<KafkaMessage> log, List<KafkaMessage> control) throws Exception {
    try (var assemble = Harnesses.assemble(control)) {
      for (LogPart part : LogParts.of(log, control)) {
        assemble.processElement(part, 0);
      }
      return JobInput.ofRun(assemble.extractOutputValues().get(0));
    }
  }

  public static JobInput submit(int rank) {
    return JobInput.ofSubmit(Messages.CLUSTER, Messages.JOB_ID, Messages.submit(rank).value, 1);
  }

  static JobInput manifest(boolean isFinal, String... logIds) {
    byte[] message = Messages.manifest(isFinal, logIds).value;
    return JobInput.ofManifest(Messages.CLUSTER, Messages.JOB_ID, message, 1);
  }

  /** The load of both busy seconds is closed; the run has as many batches, under the first site. */
  public static JobInput load(String logId, int batches) {
    LoadFacts facts = new LoadFacts();
    facts.state = "CLOSED";
    facts.bucketsExpected = 2;
    facts.bucketsClosed = 2;
    facts.utilMean = 0.1;
    facts.utilMax = 0.2;
    facts.deviceBytes = 1e6;
    facts.ownBytes = 1e6;
    facts.othersBytes = 0.0;
    facts.waitOver = true;
    facts.samples = 2;
    LoadAnswer answer = new LoadAnswer();
    answer.cluster = Messages.CLUSTER;
    answer.jobId = Messages.JOB_ID;
    answer.logId = logId;
    answer.batches = batches;
    answer.siteRevision = 1;
    answer.facts = facts;
    return JobInput.ofLoad(answer);
  }
}
