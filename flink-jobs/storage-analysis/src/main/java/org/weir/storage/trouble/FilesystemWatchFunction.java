package org.weir.storage.trouble;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.util.Collector;
import org.weir.flink.control.ControlSnapshot;
import org.weir.site.Site;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.events.Event;
import org.weir.storage.events.WatchFunction;

/**
 * Buckets of a file system to what is persistently too high in it: hot devices and saturation.
 * Keyed by cluster and file system. How long something lasts is counted in buckets, which are the
 * file system's own time.
 *
 * <p>A bucket that comes late or again, within the retention, is judged as if it had come in its
 * turn: all from it on are judged again from what was settled before them, and what then reads
 * otherwise than it was emitted is emitted again. So the events do not depend on the order of the
 * samples.
 */
public final class FilesystemWatchFunction extends WatchFunction<FilesystemVitals> {

  private static final long serialVersionUID = 1L;

  private transient ValueState<FilesystemWatch> watch;

  /** Buckets since the settled ones, by start. */
  private transient MapState<Long, FilesystemVitals> buckets;

  private transient TypeSerializer<Troubles> troubles;
  private transient TypeSerializer<Event> events;

  public FilesystemWatchFunction(ControlSnapshot control, StorageSettings settings) {
    super(control, settings);
  }

  @Override
  public void open(OpenContext context) {
    super.open(context);
    watch =
        getRuntimeContext().getState(new ValueStateDescriptor<>("watch", FilesystemWatch.class));
    buckets =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "buckets", Types.LONG, TypeInformation.of(FilesystemVitals.class)));
    troubles = getRuntimeContext().createSerializer(TypeInformation.of(Troubles.class));
    events = getRuntimeContext().createSerializer(TypeInformation.of(Event.class));
  }

  @Override
  public void processElement(FilesystemVitals vitals, ReadOnlyContext context, Collector<Event> out)
      throws Exception {
    FilesystemWatch at = watch.value();
    if (at == null) {
      at = new FilesystemWatch();
    }
    if (vitals.bucketStart < at.settledUntil) {
      return;
    }
    long now = context.currentProcessingTime();
    at.lastArrival = now;
    if (at.timer == 0) {
      at.timer = now + settings.sampleRetention().toMillis();
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    buckets.put(vitals.bucketStart, vitals);
    if (vitals.bucketStart > at.newestBucket) {
      at.newestBucket = vitals.bucketStart;
      emit(judge(at.newest, vitals), at, out);
    } else {
      judgeAgain(at, out);
    }
    settle(at);
    watch.update(at);
  }

  private List<Event> judge(Troubles at, FilesystemVitals vitals) {
    Site site = sites.of(vitals.cluster);
    Instant time = Instant.EPOCH.plus(vitals.bucketStart, ChronoUnit.MICROS);
    boolean inMaintenance = site != null && site.isFileSystemInMaintenance(vitals.filesystem, time);
    return at.judge(vitals, inMaintenance, sites.events(vitals.cluster));
  }

  private void emit(Collection<Event> changed, FilesystemWatch at, Collector<Event> out) {
    for (Event event : changed) {
      Event before = at.emitted.get(event.id());
      if (before != null) {
        event.version = Math.max(before.version + 1, event.version);
      }
      at.emitted.put(event.id(), events.copy(event));
      out.collect(event);
    }
  }

  /** Tells what reads otherwise now that a bucket before the newest is another. */
  private void judgeAgain(FilesystemWatch at, Collector<Event> out) throws Exception {
    at.newest = troubles.copy(at.settled);
    Map<String, Event> events = new HashMap<>();
    at.newest.open().forEach(event -> events.put(event.id(), event));
    for (FilesystemVitals bucket : unsettled().values()) {
      judge(at.newest, bucket).forEach(event -> events.put(event.id(), event));
    }
    List<Event> changed = new ArrayList<>();
    for (Event event : events.values()) {
      Event before = at.emitted.get(event.id());
      if (before == null || !event.saysTheSameAs(before)) {
        changed.add(event);
      }
    }
    for (Event before : at.emitted.values()) {
      if (!events.containsKey(before.id()) && !before.state.equals(Event.WITHDRAWN)) {
        changed.add(before.end(Event.WITHDRAWN, before.since));
      }
    }
    emit(changed, at, out);
  }

  private TreeMap<Long, FilesystemVitals> unsettled() throws Exception {
    TreeMap<Long, FilesystemVitals> unsettled = new TreeMap<>();
    for (Map.Entry<Long, FilesystemVitals> bucket : buckets.entries()) {
      unsettled.put(bucket.getKey(), bucket.getValue());
    }
    return unsettled;
  }

  /** Settles the buckets that are older than the retention, many at a time. */
  private void settle(FilesystemWatch at) throws Exception {
    long retention = settings.sampleRetention().toMillis() * 1000;
    if (at.settledUntil == Long.MIN_VALUE) {
      at.settledUntil = at.newestBucket - retention;
    }
    if (at.newestBucket - at.settledUntil < retention + retention / 10) {
      return;
    }
    for (FilesystemVitals bucket : unsettled().headMap(at.newestBucket - retention).values()) {
      for (Event event : judge(at.settled, bucket)) {
        if (!event.state.equals(Event.OPEN)) {
          at.emitted.remove(event.id());
        }
      }
      buckets.remove(bucket.bucketStart);
    }
    at.settledUntil = at.newestBucket - retention;
    // Withdrawn ones; and what another site file's limits would not have emitted.
    at.emitted
        .values()
        .removeIf(e -> !e.state.equals(Event.OPEN) && e.version <= at.settledUntil - retention);
  }

  /** One timer at a time: a file system of which nothing is heard any more is forgotten. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Event> out) throws Exception {
    FilesystemWatch at = watch.value();
    long end = at.lastArrival + settings.sampleRetention().toMillis();
    if (time < end) {
      at.timer = end;
      context.timerService().registerProcessingTimeTimer(end);
      watch.update(at);
      return;
    }
    emit(at.newest.abandon(), at, out);
    buckets.clear();
    watch.clear();
  }
}
