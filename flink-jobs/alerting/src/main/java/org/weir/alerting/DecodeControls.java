package org.weir.alerting;

import org.apache.flink.util.OutputTag;
import org.weir.alerts.Wish;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.wire.Control;

/** Decodes weir.control to rows, and to wishes for the users' desks. */
final class DecodeControls extends DecodeFunction<Control, DeskInput> {

  static final OutputTag<Rows> ROWS = new OutputTag<>("control-rows") {};

  private static final long serialVersionUID = 1L;

  DecodeControls() {
    super(Control.class, AlertingJob.NAME);
  }

  /** What is known of a person is deleted so: {@code weir person erase}. */
  @Override
  protected boolean isDeletedByKey() {
    return true;
  }

  @Override
  protected String clusterOf(Control control) {
    return control.getCluster();
  }

  @Override
  protected void accept(Control control, KafkaMessage from, Emissions<DeskInput> out) {
    out.output(ROWS, rows(control, from.sentAt));
    Wish wish = Wish.of(control);
    if (wish != null) {
      out.collect(DeskInput.of(control.getCluster(), control.getUser(), wish, from.sentAt));
    }
  }

  private static Rows rows(Control control, long sentAt) {
    boolean isWrong = control.getKind().equals("wrong");
    String[] words = control.getSubject().split(" ", 2);
    return new RowBlock("alert_controls_versions")
        .row()
        .set("cluster", control.getCluster())
        .set("user", control.getUser())
        .set("kind", control.getKind())
        .set("subject", control.getSubject())
        .set("alert", isWrong ? words[0] : "")
        .set("rule_id", isWrong ? words[words.length - 1] : "")
        .set("until", control.getUntil())
        .set("wanted", control.getWanted())
        .set("text", control.getText())
        .set("said_by", control.getSaidBy())
        .set("time", control.getTime())
        .set("version", control.getTime())
        .set("is_deleted", 0)
        .set("origin", "live")
        .build(control.getCluster(), sentAt);
  }
}
