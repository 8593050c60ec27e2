package org.weir.job.decode;

import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.control.JobSettings;
import org.weir.wire.DeadLetter;

/** Messages of weir.dead-letter, everybody's, to rows. */
public final class DecodeDeadLetters extends DecodeFunction<DeadLetter, Rows> {

  private static final long serialVersionUID = 1L;

  public DecodeDeadLetters() {
    super(DeadLetter.class, JobSettings.JOB);
  }

  @Override
  protected String clusterOf(DeadLetter letter) {
    return letter.getCluster();
  }

  @Override
  protected void accept(DeadLetter letter, KafkaMessage from, Emissions<Rows> out) {
    out.collect(
        new RowBlock("dead_letters_versions")
            .row()
            .set("cluster", letter.getCluster())
            .set("id", letter.getId())
            .set("source", letter.getSource())
            .set("reason", letter.getReason())
            .set("topic", letter.getTopic())
            .set("partition", letter.getPartition())
            .set("offset", letter.getOffset())
            .set("file", letter.getFile())
            .set("position", letter.getPosition())
            .set("bytes", letter.getBytes())
            .set("time", letter.getTime())
            .set("key", letter.getKey())
            .set("messages", Math.max(1, letter.getMessages()))
            // The same failure is the same row, and the higher count the newer one.
            .set("version", Math.max(1, letter.getMessages()))
            .set("is_deleted", 0)
            .set("origin", letter.getOrigin())
            .build(letter.getCluster(), from.sentAt));
  }
}
