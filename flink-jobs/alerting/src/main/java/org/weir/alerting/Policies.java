package org.weir.alerting;

import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.alerts.policy.Policy;
import org.weir.alerts.policy.PolicyReader;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.control.Documents;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.wire.WireException;

/** Keeps the current policies of all clusters, as one operator knows them. */
final class Policies {

  /** Flink wants a descriptor for a broadcast; nothing is stored under it (see Documents). */
  static final MapStateDescriptor<String, String> DESCRIPTOR =
      new MapStateDescriptor<>("policy", Types.STRING, Types.STRING);

  /** Without a site file the mode is shadow. */
  private static final Policy NO_SITE = PolicyReader.read("{}");

  private static final Logger LOG = LoggerFactory.getLogger(Policies.class);

  private final Documents<Policy> documents = new Documents<>(Topics.SITE, PolicyReader::read);

  Policies(ControlSnapshot snapshot) {
    snapshot.read().forEach(this::take);
  }

  /** Takes a publication. One that cannot be used is reported in the log, and changes nothing. */
  void take(KafkaMessage message) {
    try {
      documents.take(message);
    } catch (WireException e) {
      LOG.error("Publication at {} is passed over: {}", message.place(), e.getMessage());
    }
  }

  Policy of(String cluster) {
    Policy policy = documents.get(cluster);
    return policy == null ? NO_SITE : policy;
  }
}
