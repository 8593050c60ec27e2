package org.weir.alerting;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.AlertRecords;
import org.weir.alerts.Desk;
import org.weir.alerts.JobFacts;
import org.weir.alerts.Outcome;
import org.weir.alerts.policy.Policy;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.wire.Alert;
import org.weir.wire.WireCodec;

/** Runs a {@link Desk} for each user, keyed by cluster and user. */
final class UserDesk extends KeyedBroadcastProcessFunction<String, DeskInput, KafkaMessage, Rows> {

  static final OutputTag<KafkaOut> ALERTS = new OutputTag<>("alerts") {};

  private static final long serialVersionUID = 1L;

  private final ControlSnapshot control;
  private final Past past;
  private final AlertingSettings settings;

  private transient Policies policies;
  private transient StateMemory memory;
  private transient WireCodec<Alert> codec;

  /** Cluster and user, for a timer; nothing of a user who was never seen. */
  private transient ValueState<String> cluster;

  private transient ValueState<String> user;

  /** Processing time of the registered timer. */
  private transient ValueState<Long> timer;

  UserDesk(ControlSnapshot control, Past past, AlertingSettings settings) {
    this.control = control;
    this.past = past;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    policies = new Policies(control);
    memory = new StateMemory(getRuntimeContext(), settings);
    codec = WireCodec.of(Alert.class);
    cluster = text("cluster");
    user = text("name");
    timer = getRuntimeContext().getState(new ValueStateDescriptor<>("timer", Types.LONG));
  }

  private ValueState<String> text(String name) {
    return getRuntimeContext().getState(new ValueStateDescriptor<>(name, Types.STRING));
  }

  @Override
  public void processBroadcastElement(KafkaMessage message, Context context, Collector<Rows> out) {
    policies.take(message);
  }

  @Override
  public void processElement(DeskInput input, ReadOnlyContext context, Collector<Rows> out)
      throws Exception {
    Instant now = Instant.ofEpochMilli(context.timerService().currentProcessingTime());
    if (cluster.value() == null) {
      past.of(input.cluster, input.user, now).restore(memory, policies.of(input.cluster), now);
      cluster.update(input.cluster);
      user.update(input.user);
    }
    Desk desk = desk();
    if (input.wish != null) {
      desk.take(input.wish, now);
    } else {
      JobFacts job = requireNonNull(input.job, "neither a result nor a wish");
      emit(desk.take(job, input.sentAt / 1000, now), now, input.sentAt, context, out);
    }
    lookAgain(timer.value() == null ? desk.nextDue() : desk.firstScheduled(), context);
  }

  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Rows> out) throws Exception {
    timer.clear();
    long now = context.timerService().currentProcessingTime();
    Desk desk = desk();
    Instant at = Instant.ofEpochMilli(now);
    emit(desk.decide(at), at, 1000 * now, context, out);
    lookAgain(desk.nextDue(), context);
  }

  private Desk desk() throws Exception {
    return new Desk(cluster.value(), user.value(), policies.of(cluster.value()), memory);
  }

  /** Nothing that waits is due before the registered timer. */
  private void lookAgain(@Nullable Long next, ReadOnlyContext context) throws Exception {
    TimerService timers = context.timerService();
    Long registered = timer.value();
    if (next == null || registered != null && registered <= next) {
      return;
    }
    if (registered != null) {
      timers.deleteProcessingTimeTimer(registered);
    }
    timers.registerProcessingTimeTimer(next);
    timer.update(next);
  }

  private void emit(
      List<Outcome> outcomes,
      Instant now,
      long sentAt,
      ReadOnlyContext context,
      Collector<Rows> out)
      throws Exception {
    String of = cluster.value();
    Policy.Mode mode = policies.of(of).mode();
    AlertRows rows = new AlertRows(of, user.value(), mode, now.toEpochMilli());
    for (Outcome outcome : outcomes) {
      if (outcome instanceof Outcome.Message message) {
        Alert alert = AlertRecords.of(message, of, user.value(), mode, now.toEpochMilli());
        byte[] key = alert.getAlert().getBytes(UTF_8);
        context.output(ALERTS, new KafkaOut(key, codec.encode(alert)));
      }
      out.collect(rows.of(outcome).build(of, sentAt));
    }
  }
}
