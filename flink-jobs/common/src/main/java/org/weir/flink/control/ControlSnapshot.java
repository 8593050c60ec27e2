package org.weir.flink.control;

import java.io.Serializable;
import java.util.List;
import org.weir.flink.kafka.KafkaMessage;

/** What the control topics hold at a moment, oldest first; deleted entries have no value. */
@FunctionalInterface
public interface ControlSnapshot extends Serializable {

  /** Reads it; called once when an operator opens, before its first element. */
  List<KafkaMessage> read();
}
