package org.weir.alerting;

import java.util.List;
import java.util.function.Function;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.wire.Delivery;
import org.weir.wire.DeliveryChannel;

/** Decodes weir.delivery to rows. */
final class DecodeDeliveries extends DecodeFunction<Delivery, Rows> {

  private static final long serialVersionUID = 1L;

  DecodeDeliveries() {
    super(Delivery.class, AlertingJob.NAME);
  }

  /** What is known of a person is deleted so: {@code weir person erase}. */
  @Override
  protected boolean isDeletedByKey() {
    return true;
  }

  @Override
  protected String clusterOf(Delivery delivery) {
    return delivery.getCluster();
  }

  @Override
  protected void accept(Delivery delivery, KafkaMessage from, Emissions<Rows> out) {
    out.collect(
        new RowBlock("deliveries_versions")
            .row()
            .set("cluster", delivery.getCluster())
            .set("alert", delivery.getAlert())
            .set("kind", delivery.getKind())
            .set("unit", delivery.getUnit())
            .set("recipient", delivery.getRecipient())
            .set("mode", delivery.getMode())
            .set("state", delivery.getState())
            .set("cases", delivery.getCases())
            .set("subject", delivery.getSubject())
            .set("attempts", delivery.getAttempts())
            .set("channel_names", each(delivery, DeliveryChannel::getChannel))
            .set("channel_addresses", each(delivery, DeliveryChannel::getAddress))
            .set("channel_states", each(delivery, DeliveryChannel::getState))
            .set("channel_reasons", each(delivery, DeliveryChannel::getReason))
            .set("settled_at", delivery.getSettledAt())
            .set("decided_at", delivery.getDecidedAt())
            .set("time", delivery.getTime())
            .set("version", delivery.getTime())
            .set("is_deleted", 0)
            .set("origin", "live")
            .build(delivery.getCluster(), from.sentAt));
  }

  private static List<String> each(Delivery delivery, Function<DeliveryChannel, String> of) {
    return delivery.getChannels().stream().map(of).toList();
  }
}
