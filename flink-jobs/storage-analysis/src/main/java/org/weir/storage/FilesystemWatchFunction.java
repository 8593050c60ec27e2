package org.weir.storage;

import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.util.Collector;
import org.weir.analysis.Site;
import org.weir.flink.control.ControlSnapshot;

/**
 * Buckets of a file system to what is persistently too high in it: hot devices and saturation.
 * Keyed by cluster and file system. How long something lasts is counted in buckets, which are the
 * file system's own time; they are judged once each, in their order.
 */
final class FilesystemWatchFunction extends WatchFunction<FilesystemVitals> {

  private static final long serialVersionUID = 1L;

  private transient ValueState<FilesystemWatch> watch;

  FilesystemWatchFunction(ControlSnapshot control, StorageSettings settings) {
    super(control, settings);
  }

  @Override
  public void open(OpenContext context) {
    super.open(context);
    watch =
        getRuntimeContext().getState(new ValueStateDescriptor<>("watch", FilesystemWatch.class));
  }

  @Override
  public void processElement(FilesystemVitals vitals, ReadOnlyContext context, Collector<Event> out)
      throws Exception {
    FilesystemWatch at = watch.value();
    if (at == null) {
      at = new FilesystemWatch();
    }
    if (vitals.bucketStart <= at.newestBucket) {
      return;
    }
    long now = context.currentProcessingTime();
    at.newestBucket = vitals.bucketStart;
    at.lastArrival = now;
    if (at.timer == 0) {
      at.timer = now + settings.tickRetention().toMillis();
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    judge(vitals, at, now, out);
    watch.update(at);
  }

  private void judge(FilesystemVitals vitals, FilesystemWatch at, long now, Collector<Event> out) {
    String id = vitals.filesystem;
    Event saturated = Event.of(vitals.cluster, "saturated", "filesystem", id, 0);
    tell(
        at.saturation,
        vitals.saturation,
        vitals.numbers,
        FilesystemVitals.SATURATION_NUMBERS,
        vitals,
        saturated,
        now,
        out);
    Set<String> devices = new HashSet<>(at.hot.keySet());
    devices.addAll(vitals.suspects.keySet());
    for (String device : devices) {
      HotDevices.Suspect suspect = vitals.suspects.get(device);
      Trouble trouble = at.hot.computeIfAbsent(device, d -> new Trouble());
      Event hot = Event.of(vitals.cluster, "hot", "device", device, 0);
      hot.server = suspect == null ? "" : suspect.server;
      tell(
          trouble,
          suspect == null ? Level.CALM : suspect.level,
          suspect == null ? new double[0] : suspect.numbers,
          HotDevices.NUMBERS,
          vitals,
          hot,
          now,
          out);
      if (trouble.isOver()) {
        at.hot.remove(device);
      }
    }
  }

  private void tell(
      Trouble trouble,
      Level level,
      double[] numbers,
      String[] names,
      FilesystemVitals vitals,
      Event event,
      long now,
      Collector<Event> out) {
    Site site = sites.of(vitals.cluster);
    event.filesystem = vitals.filesystem;
    event.inMaintenance =
        site != null
            && site.isFileSystemInMaintenance(vitals.filesystem, Instant.ofEpochMilli(now));
    Site.StorageEvents limits = sites.events(vitals.cluster);
    Event told =
        trouble.judge(
            level,
            vitals.bucketStart,
            vitals.bucketSeconds,
            numbers,
            event,
            names,
            limits.persistSeconds(),
            limits.recoverSeconds());
    if (told != null) {
      out.collect(told);
    }
  }

  /** One timer at a time: a file system of which nothing is heard any more is forgotten. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Event> out) throws Exception {
    FilesystemWatch at = watch.value();
    long end = at.lastArrival + settings.tickRetention().toMillis();
    if (time < end) {
      at.timer = end;
      context.timerService().registerProcessingTimeTimer(end);
      watch.update(at);
      return;
    }
    at.hot.put("", at.saturation);
    for (Map.Entry<String, Trouble> trouble : at.hot.entrySet()) {
      if (trouble.getValue().open != null) {
        out.collect(trouble.getValue().end(Event.ABANDONED, trouble.getValue().until));
      }
    }
    watch.clear();
  }
}
