package org.weir.alerting;

import static org.weir.flink.Streams.named;
import static org.weir.flink.Streams.to;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.ClickHouseSink;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.SinkLimits;
import org.weir.flink.config.ConfigReader;
import org.weir.flink.config.Connections;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.control.KafkaControlSnapshot;
import org.weir.flink.kafka.DeadLetters;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.flink.kafka.KafkaSinks;
import org.weir.flink.kafka.KafkaSources;
import org.weir.flink.kafka.Topics;
import org.weir.wire.JobResult;

/**
 * Turns results of jobs into cases and messages to users.
 *
 * <pre>
 * weir.job.result -> decode-job-results -> user-desk (by user)
 * weir.control -> decode-controls -> user-desk; rows of alert_controls
 * weir.delivery -> decode-deliveries -> rows of deliveries
 * user-desk -> weir.alert; rows of cases, alerts
 * weir.site (broadcast) -> user-desk
 * </pre>
 */
public final class AlertingJob {

  static final String NAME = "alerting";

  private AlertingJob() {}

  /** What the job reads. */
  record Sources(
      DataStream<KafkaMessage> results,
      DataStream<KafkaMessage> wishes,
      DataStream<KafkaMessage> deliveries,
      DataStream<KafkaMessage> sites,
      ControlSnapshot control,
      Past past) {}

  /** Where it writes. */
  record Sinks(Sink<Rows> rows, Sink<KafkaOut> alerts, Sink<KafkaOut> deadLetters) {}

  public static void main(String[] args) throws Exception {
    ConfigReader config = ConfigReader.fromArguments(args, System.getenv());
    Connections connections = Connections.read(config);
    AlertingSettings settings = AlertingSettings.read(config);
    StreamExecutionEnvironment env = Streams.environment();
    config.check();
    defineWorkflow(env, kafka(env, connections, settings), sinks(connections), settings);
    env.execute(NAME);
  }

  static Sources kafka(StreamExecutionEnvironment env, Connections to, AlertingSettings settings) {
    return new Sources(
        Streams.data(env, to, group(), Topics.JOB_RESULT, JobResult.class, "results"),
        compacted(env, to, Topics.CONTROL, "wishes"),
        compacted(env, to, Topics.DELIVERY, "deliveries"),
        compacted(env, to, Topics.SITE, "sites"),
        new KafkaControlSnapshot(to, Topics.SITE),
        new ClickHousePast(to.clickhouse(), settings.jobRetention()));
  }

  private static DataStream<KafkaMessage> compacted(
      StreamExecutionEnvironment env, Connections to, String topic, String name) {
    return Streams.from(env, KafkaSources.control(to, group(), topic), name).setParallelism(1);
  }

  private static String group() {
    return "weir-" + NAME;
  }

  static Sinks sinks(Connections to) {
    return new Sinks(
        new ClickHouseSink(to.clickhouse(), SinkLimits.forResults()),
        KafkaSinks.topic(to, Topics.ALERT),
        KafkaSinks.topic(to, Topics.DEAD_LETTER));
  }

  /** The graph; a test passes bounded sources and collecting sinks. */
  static void defineWorkflow(
      StreamExecutionEnvironment env, Sources sources, Sinks sinks, AlertingSettings settings) {
    SingleOutputStreamOperator<DeskInput> results =
        named(sources.results().process(new DecodeJobResults()), "decode-job-results");
    SingleOutputStreamOperator<DeskInput> wishes =
        named(sources.wishes().process(new DecodeControls()), "decode-controls");
    SingleOutputStreamOperator<Rows> deliveries =
        named(sources.deliveries().process(new DecodeDeliveries()), "decode-deliveries");
    BroadcastStream<KafkaMessage> sites = sources.sites().broadcast(Policies.DESCRIPTOR);
    SingleOutputStreamOperator<Rows> decided =
        named(
            results
                .union(wishes)
                .keyBy(DeskInput::key)
                .connect(sites)
                .process(new UserDesk(sources.control(), sources.past(), settings)),
            "user-desk");
    to(
        sinks.rows(),
        decided.union(deliveries, wishes.getSideOutput(DecodeControls.ROWS)),
        "land-decisions");
    to(sinks.alerts(), decided.getSideOutput(UserDesk.ALERTS), "publish-alerts");
    to(
        sinks.deadLetters(),
        results
            .getSideOutput(DeadLetters.TAG)
            .union(
                wishes.getSideOutput(DeadLetters.TAG), deliveries.getSideOutput(DeadLetters.TAG)),
        "publish-dead-letters");
  }
}
