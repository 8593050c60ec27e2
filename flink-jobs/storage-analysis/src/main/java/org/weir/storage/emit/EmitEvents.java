package org.weir.storage.emit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.KafkaOut;
import org.weir.storage.events.Event;
import org.weir.wire.StorageEvent;
import org.weir.wire.WireCodec;

/** An event as a row of storage_events and as a message of weir.storage.event. */
public final class EmitEvents extends ProcessFunction<Event, Rows> {

  public static final OutputTag<KafkaOut> MESSAGES = new OutputTag<>("event-messages") {};

  /** Events are made of live samples only. */
  private static final String ORIGIN = "live";

  private static final long serialVersionUID = 1L;

  private transient WireCodec<StorageEvent> codec;

  @Override
  public void open(OpenContext context) {
    codec = WireCodec.of(StorageEvent.class);
  }

  @Override
  public void processElement(Event event, Context context, Collector<Rows> out) {
    List<Double> numbers = Arrays.stream(event.numbers).boxed().toList();
    Long ended = event.ended == 0 ? null : event.ended;
    out.collect(
        new RowBlock("storage_events_versions")
            .row()
            .set("cluster", event.cluster)
            .set("event_id", event.id())
            .set("kind", event.kind)
            .set("subject_kind", event.subjectKind)
            .set("subject", event.subject)
            .set("server", event.server)
            .set("filesystem", event.filesystem)
            .set("since", event.since)
            .set("ended", ended)
            .set("state", event.state)
            .set("in_maintenance", event.inMaintenance)
            .set("names", Arrays.asList(event.names))
            .set("numbers", numbers)
            .set("version", event.version)
            .set("is_deleted", event.state.equals(Event.WITHDRAWN) ? 1 : 0)
            .set("origin", ORIGIN)
            .build(event.cluster, 0));
    StorageEvent message =
        StorageEvent.newBuilder()
            .setCluster(event.cluster)
            .setEventId(event.id())
            .setKind(event.kind)
            .setSubjectKind(event.subjectKind)
            .setSubject(event.subject)
            .setServer(event.server)
            .setFilesystem(event.filesystem)
            .setSince(event.since)
            .setEnded(ended)
            .setState(event.state)
            .setInMaintenance(event.inMaintenance)
            .setNames(Arrays.asList(event.names))
            .setNumbers(numbers)
            .setVersion(event.version)
            .setOrigin(ORIGIN)
            .build();
    String key = event.cluster + "/" + event.subjectKind + "/" + event.subject;
    context.output(MESSAGES, new KafkaOut(key.getBytes(UTF_8), codec.encode(message)));
  }
}
