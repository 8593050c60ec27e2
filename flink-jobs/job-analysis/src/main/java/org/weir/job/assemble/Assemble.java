package org.weir.job.assemble;

import static java.util.Objects.requireNonNull;

import java.util.BitSet;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.job.load.LoadRequest;
import org.weir.job.run.RunSummary;
import org.weir.site.Site;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * Parts of logs to runs. Keyed by log id.
 *
 * <p>A run is emitted when its end and all its batches are there; when parts stop coming, as
 * incomplete, and again if more of them come. What comes before the first site file of its cluster
 * waits a while for it: without, no file has a file system. A part that comes twice counts once.
 * Memory per log is bounded whatever its number of files, and goes away after the retention; that a
 * log was complete is remembered for a while, so that late duplicates do not start it anew, unless
 * the site is another by now. If they do after that, the result is the same, or it is of a lesser
 * share and therefore of a lower version.
 */
public final class Assemble
    extends KeyedBroadcastProcessFunction<String, LogPart, KafkaMessage, RunSummary> {

  public static final OutputTag<Rows> ROWS = new OutputTag<>("log-module-rows") {};
  public static final OutputTag<LoadRequest> REQUESTS = new OutputTag<>("load-requests") {};

  private static final long serialVersionUID = 1L;

  /** Batches that are added up together: each time takes reading and writing all of the sums. */
  private static final int AT_ONCE = 16;

  private final ControlSnapshot snapshot;
  private final JobSettings settings;
  private transient Control control;
  private transient WireCodec<DarshanLogMessage> codec;
  private transient ValueState<Assembly> assembly;

  /** What batches add up to that are not in the sums yet, by number. */
  private transient MapState<Integer, byte[]> apart;

  /** Batches that came before the site of their cluster, by number. */
  private transient MapState<Integer, byte[]> unplaced;

  private transient Counter withoutHeader;

  public Assemble(ControlSnapshot snapshot, JobSettings settings) {
    this.snapshot = snapshot;
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    control = Control.ofSites(snapshot);
    codec = WireCodec.of(DarshanLogMessage.class);
    assembly = getRuntimeContext().getState(new ValueStateDescriptor<>("assembly", Assembly.class));
    apart = batches("batches-apart");
    unplaced = batches("unplaced-batches");
    withoutHeader = getRuntimeContext().getMetricGroup().counter("logsWithoutHeader");
  }

  private MapState<Integer, byte[]> batches(String name) {
    return getRuntimeContext()
        .getMapState(
            new MapStateDescriptor<>(
                name, Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
  }

  @Override
  public void processBroadcastElement(
      KafkaMessage message, Context context, Collector<RunSummary> out) {
    control.take(message);
  }

  @Override
  public void processElement(LogPart part, ReadOnlyContext context, Collector<RunSummary> out)
      throws Exception {
    Assembly log = assembly.value();
    if (log == null) {
      log = new Assembly();
    }
    if (log.complete && knownSiteRevision(log) > log.siteRevision) {
      log = anew(log);
    }
    if (log.complete || !take(part, log)) {
      return;
    }
    long now = context.timerService().currentProcessingTime();
    log.lastArrival = now;
    log.emitted = false;
    if (log.siteWaitUntil == 0) {
      log.siteWaitUntil = now + settings.siteWait().toMillis();
    }
    boolean waitsForSite = waitsForSite(log, now);
    if (!waitsForSite) {
      log = emitIfComplete(part.logId, log, out, context::output);
    }
    // The timer may be far away: at the end of the retention, if parts had stopped coming before.
    long next = now + (waitsForSite ? JobSettings.SITE_LOOK_MILLIS : settings.logWait().toMillis());
    if (log.timer == 0 || log.timer > next) {
      context.timerService().deleteProcessingTimeTimer(log.timer);
      context.timerService().registerProcessingTimeTimer(next);
      log.timer = next;
    }
    assembly.update(log);
  }

  private boolean waitsForSite(Assembly log, long now) {
    return log.cluster != null && !control.knowsSite(log.cluster) && now < log.siteWaitUntil;
  }

  /** Returns the log, or where it was complete what is remembered of it. */
  private Assembly emitIfComplete(
      String logId, Assembly log, Collector<RunSummary> out, SideOutput side) throws Exception {
    if (log.unplaced) {
      place(log);
    }
    if (!isComplete(log)) {
      return log;
    }
    emit(logId, log, out, side);
    apart.clear();
    Assembly done = anew(log);
    done.complete = true;
    done.cluster = log.cluster;
    done.siteRevision = siteRevision(log);
    done.lastArrival = log.lastArrival;
    return done;
  }

  /** Begins with nothing; the timer is the key's and stays. */
  private static Assembly anew(Assembly log) {
    Assembly anew = new Assembly();
    anew.timer = log.timer;
    return anew;
  }

  private int siteRevision(Assembly log) {
    return Math.min(log.siteRevision, knownSiteRevision(log));
  }

  private int knownSiteRevision(Assembly log) {
    return log.cluster == null ? 0 : control.siteRevision(log.cluster);
  }

  private void place(Assembly log) throws Exception {
    Site site = control.site(requireNonNull(log.cluster, "each batch names its cluster"));
    for (Map.Entry<Integer, byte[]> batch : unplaced.entries()) {
      RunAccumulator sums = new RunAccumulator();
      sums.add((LogBatch) codec.decode(batch.getValue()).getBody(), site);
      apart.put(batch.getKey(), sums.toBytes());
    }
    unplaced.clear();
    log.unplaced = false;
    log.siteRevision = siteRevision(log);
  }

  /** Returns whether the part is new. */
  private boolean take(LogPart part, Assembly log) throws Exception {
    log.sentAt = Math.min(log.sentAt, part.sentAt);
    log.cluster = log.cluster == null ? part.cluster : log.cluster;
    if (part.kind == LogPart.BATCH || part.kind == LogPart.UNPLACED_BATCH) {
      return takeBatch(part, log);
    }
    boolean isNew = part.kind == LogPart.HEADER ? log.header == null : log.end == null;
    if (part.kind == LogPart.HEADER) {
      log.header = part.bytes;
    } else {
      log.end = part.bytes;
    }
    return isNew;
  }

  private boolean takeBatch(LogPart part, Assembly log) throws Exception {
    BitSet seen = BitSet.valueOf(log.seen);
    if (seen.get(part.number)) {
      return false;
    }
    seen.set(part.number);
    log.seen = seen.toByteArray();
    if (part.kind == LogPart.UNPLACED_BATCH) {
      unplaced.put(part.number, part.bytes);
      log.unplaced = true;
    } else {
      apart.put(part.number, part.bytes);
      log.siteRevision = Math.min(log.siteRevision, part.siteRevision);
    }
    if (seen.cardinality() % AT_ONCE == 0) {
      log.sums = sums(log).toBytes();
      apart.clear();
    }
    return true;
  }

  private RunAccumulator sums(Assembly log) throws Exception {
    RunAccumulator sums = new RunAccumulator();
    if (log.sums != null) {
      sums.add(log.sums);
    }
    for (byte[] batch : apart.values()) {
      sums.add(batch);
    }
    return sums;
  }

  private boolean isComplete(Assembly log) throws WireException {
    if (log.header == null || log.end == null) {
      return false;
    }
    LogEnd end = (LogEnd) codec.decode(log.end).getBody();
    return BitSet.valueOf(log.seen).nextClearBit(0) >= end.getBatches();
  }

  /** One timer at a time: the wait for a site, that for more parts, the end of the retention. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<RunSummary> out)
      throws Exception {
    Assembly log = assembly.value();
    if (!log.complete && waitsForSite(log, time)) {
      look(log, time + JobSettings.SITE_LOOK_MILLIS, context.timerService());
      return;
    }
    if (!log.complete) {
      log = emitIfComplete(context.getCurrentKey(), log, out, context::output);
    }
    long retention =
        (log.complete ? settings.completeLogRetention() : settings.logRetention()).toMillis();
    long idle = time - log.lastArrival;
    if (idle >= retention) {
      if (!log.complete && log.header == null) {
        withoutHeader.inc();
      }
      assembly.clear();
      apart.clear();
      return;
    }
    if (!log.complete && !log.emitted && idle >= settings.logWait().toMillis()) {
      log.emitted = true;
      if (log.header != null) {
        emit(context.getCurrentKey(), log, out, context::output);
      }
    }
    boolean waits = !log.complete && !log.emitted;
    look(
        log,
        log.lastArrival + (waits ? settings.logWait().toMillis() : retention),
        context.timerService());
  }

  private void look(Assembly log, long time, TimerService timers) throws Exception {
    log.timer = time;
    timers.registerProcessingTimeTimer(time);
    assembly.update(log);
  }

  /** The side outputs; the two contexts of Flink have no common type for them. */
  private interface SideOutput {
    <X> void output(OutputTag<X> tag, X value);
  }

  private void emit(String logId, Assembly log, Collector<RunSummary> out, SideOutput side)
      throws Exception {
    AssembledLog assembled = AssembledLog.of(logId, log, sums(log), siteRevision(log), codec);
    AnalyzedRun run = AnalyzedRun.of(assembled, control.site(assembled.header().getCluster()));
    out.collect(run.summary());
    run.requests().forEach(request -> side.output(REQUESTS, request));
    if (assembled.end() != null && !assembled.header().getModules().isEmpty()) {
      side.output(ROWS, LogModuleRows.of(assembled));
    }
  }
}
