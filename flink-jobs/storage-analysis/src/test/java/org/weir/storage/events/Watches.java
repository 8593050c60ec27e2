package org.weir.storage.events;

import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.storage.control.Sites;
import org.weir.storage.load.ServerLoadFunctionTest;

/** Harnesses of the watches, and sites for them. */
public final class Watches {

  public static final long START = 1_000_000;

  /**
   * Silent after 60 s, hot or saturated after 60 s, over after 30 s; in maintenance are the first
   * server from 20,000 s to 30,000 s and the file system from 40,000 s to 50,000 s after the epoch.
   */
  public static final String SITE =
      """
      {"cluster": "c",
       "servers": [{"name": "s1", "sample_interval_seconds": 5},
                   {"name": "s2", "sample_interval_seconds": 5}],
       "file_systems": [{"id": "fs", "kind": "lustre", "mount_prefixes": ["/fs"],
                         "devices": {"s1": ["a", "w"], "s2": ["b"]},
                         "write_amplification": 2.0, "peak_mib_per_second": {"1": 100.0}}],
       "storage_events": {"silent_seconds": 60, "persist_seconds": 60, "recover_seconds": 30},
       "maintenance_windows": [
         {"from": "1970-01-01T05:33:20Z", "to": "1970-01-01T08:20:00Z", "servers": ["s1"]},
         {"from": "1970-01-01T11:06:40Z", "to": "1970-01-01T13:53:20Z", "file_systems": ["fs"]}]}
      """;

  private Watches() {}

  public static <T> KeyedBroadcastOperatorTestHarness<String, T, KafkaMessage, Event> open(
      KeyedBroadcastProcessFunction<String, T, KafkaMessage, Event> watch,
      KeySelector<T, String> key)
      throws Exception {
    KeyedBroadcastOperatorTestHarness<String, T, KafkaMessage, Event> harness = closed(watch, key);
    harness.open();
    harness.setProcessingTime(START);
    return harness;
  }

  public static <T> KeyedBroadcastOperatorTestHarness<String, T, KafkaMessage, Event> closed(
      KeyedBroadcastProcessFunction<String, T, KafkaMessage, Event> watch,
      KeySelector<T, String> key)
      throws Exception {
    return new KeyedBroadcastOperatorTestHarness<>(
        new CoBroadcastWithKeyedOperator<>(watch, List.of(Sites.DESCRIPTOR)),
        key,
        Types.STRING,
        128,
        1,
        0);
  }

  public static List<KafkaMessage> control() {
    return List.of(ServerLoadFunctionTest.site(1, SITE));
  }
}
