package org.weir.job.assemble;

import java.util.List;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.Harnesses;
import org.weir.job.Messages;

/** Decodes messages of a log to what the assembler takes, for tests. */
public final class LogParts {

  private LogParts() {}

  public static List<LogPart> of(List<KafkaMessage> messages) throws Exception {
    return of(messages, Messages.control());
  }

  public static List<LogPart> of(List<KafkaMessage> messages, List<KafkaMessage> control)
      throws Exception {
    try (var decode = Harnesses.decodeLogs(control)) {
      for (KafkaMessage message : messages) {
        decode.processElement(message, 0);
      }
      return decode.extractOutputValues();
    }
  }
}
