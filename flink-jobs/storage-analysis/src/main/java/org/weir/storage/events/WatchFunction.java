package org.weir.storage.events;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;

/** What all watches have in common: they follow the site files, and emit events. */
public abstract class WatchFunction<T>
    extends KeyedBroadcastProcessFunction<String, T, KafkaMessage, Event> {

  private static final long serialVersionUID = 1L;

  private final ControlSnapshot control;
  protected final StorageSettings settings;

  protected transient Sites sites;

  public WatchFunction(ControlSnapshot control, StorageSettings settings) {
    this.control = control;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    sites = new Sites(control);
  }

  @Override
  public void processBroadcastElement(KafkaMessage message, Context context, Collector<Event> out) {
    sites.take(message);
  }
}
