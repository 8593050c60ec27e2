package org.weir.flink;

import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.weir.flink.config.Connections;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaSources;

/** What the graphs of all jobs have in common. */
public final class Streams {

  /** Key groups of keyed state: can never change for a job that has state. */
  public static final int MAX_PARALLELISM = 128;

  private Streams() {}

  /** An environment that refuses types Flink could only serialize with Kryo. */
  public static StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setMaxParallelism(MAX_PARALLELISM);
    return env;
  }

  /** A source without watermarks: the clocks of Weir's sources have nothing in common. */
  public static SingleOutputStreamOperator<KafkaMessage> from(
      StreamExecutionEnvironment env, Source<KafkaMessage, ?, ?> source, String name) {
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), name).uid(name);
  }

  /**
   * The messages of a topic of data, from where the consumer group stopped.
   *
   * @param type of the messages
   * @param name of the source, by which its state is found again
   */
  public static SingleOutputStreamOperator<KafkaMessage> data(
      StreamExecutionEnvironment env,
      Connections to,
      String group,
      String topic,
      Class<? extends SpecificRecordBase> type,
      String name) {
    return from(env, KafkaSources.data(to, group, topic, type), name);
  }

  /**
   * Names an operator; its state is found again by that name.
   *
   * @return the same
   */
  public static <T> SingleOutputStreamOperator<T> named(
      SingleOutputStreamOperator<T> operator, String name) {
    return operator.uid(name).name(name);
  }

  /** Ends a stream in a sink. */
  public static <T> void to(Sink<T> sink, DataStream<T> stream, String name) {
    stream.sinkTo(sink).uid(name).name(name);
  }
}
