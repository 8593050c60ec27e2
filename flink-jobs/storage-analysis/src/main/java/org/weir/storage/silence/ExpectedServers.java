package org.weir.storage.silence;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.site.Site;
import org.weir.wire.Published;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/** A site to its servers, so that one is missed that never sent anything. */
public final class ExpectedServers extends ProcessFunction<KafkaMessage, Sighting> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ExpectedServers.class);

  private transient WireCodec<Published> codec;

  @Override
  public void open(OpenContext context) {
    codec = WireCodec.of(Published.class);
  }

  @Override
  public void processElement(KafkaMessage message, Context context, Collector<Sighting> out) {
    if (message.value == null) {
      return;
    }
    try {
      Published published = codec.decode(message.value);
      for (Site.Server server : Site.parse(published.getContent()).servers()) {
        out.collect(Sighting.expected(published.getId(), server.name()));
      }
    } catch (WireException | IllegalArgumentException e) {
      LOG.error("Publication at {} is passed over: {}", message.place(), e.getMessage());
    }
  }
}
