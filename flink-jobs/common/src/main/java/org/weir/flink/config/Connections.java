package org.weir.flink.config;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.weir.flink.clickhouse.ClickHouseAddress;

/**
 * What every job connects to.
 *
 * @param kafkaBootstrap such as 127.0.0.1:19092
 * @param readsAgain a job without state reads each topic from its beginning, not from where its
 *     consumer group stopped
 * @param kafkaClient further settings of every Kafka client: security, timeouts
 * @param refusedSchemas fingerprints, in hex, whose messages are refused wherever they come from
 */
public record Connections(
    String kafkaBootstrap,
    boolean readsAgain,
    TreeMap<String, String> kafkaClient,
    TreeSet<String> refusedSchemas,
    ClickHouseAddress clickhouse)
    implements Serializable {

  /** Reads the keys {@code kafka.*} and {@code clickhouse.*}. */
  public static Connections read(ConfigReader config) {
    return new Connections(
        config.text("kafka.bootstrap"),
        config.oneOf("kafka.start", "committed", "earliest").equals("earliest"),
        new TreeMap<>(config.below("kafka.client.")),
        new TreeSet<>(List.of(config.text("kafka.refused.schemas", "").split("[, ]+"))),
        new ClickHouseAddress(
            config.text("clickhouse.url"),
            config.text("clickhouse.user"),
            config.secretInFile("clickhouse.password.file"),
            config.text("clickhouse.database", "weir")));
  }

  /** Settings that every Kafka client takes. */
  public Properties kafkaProperties() {
    Properties properties = new Properties();
    for (Map.Entry<String, String> entry : kafkaClient.entrySet()) {
      properties.setProperty(entry.getKey(), entry.getValue());
    }
    properties.setProperty("bootstrap.servers", kafkaBootstrap);
    return properties;
  }
}
