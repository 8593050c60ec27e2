package org.weir.storage.hours;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.weir.flink.clickhouse.Rows;
import org.weir.load.gather.FilesystemBuckets;
import org.weir.storage.control.StorageSettings;

/**
 * Buckets to the rows of their hour. Keyed by {@link HourPart#key}.
 *
 * <p>An hour that has changed is written once after a delay, the running one too, so a row is at
 * most so old. What an hour adds up to is a function of the newest state of its buckets alone.
 */
public final class HourlyLoadFunction extends KeyedProcessFunction<String, HourPart, Rows> {

  private static final long serialVersionUID = 1L;
  private static final long HOUR_MICROS = Duration.ofHours(1).toMillis() * 1000;

  private final StorageSettings settings;

  /** NewestMessage state of the buckets, devices apart. */
  private transient MapState<Long, HourPart> buckets;

  /** By hour and device: its sums so far. */
  private transient MapState<Long, Map<String, long[]>> devices;

  private transient ValueState<HourlyProgress> progress;

  public HourlyLoadFunction(StorageSettings settings) {
    this.settings = settings;
  }

  @Override
  public void open(OpenContext context) {
    buckets =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "buckets", Types.LONG, TypeInformation.of(HourPart.class)));
    devices =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "devices",
                    Types.LONG,
                    Types.MAP(
                        Types.STRING, PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)));
    progress =
        getRuntimeContext().getState(new ValueStateDescriptor<>("progress", HourlyProgress.class));
  }

  @Override
  public void processElement(HourPart part, Context context, Collector<Rows> out) throws Exception {
    HourPart known = buckets.get(part.bucketStart);
    long knownSamples = known == null ? 0 : known.samples;
    boolean leadsOn = part.samplesBefore == knownSamples;
    if (!leadsOn && part.samples <= knownSamples) {
      return;
    }
    long hour = Math.floorDiv(part.bucketStart, HOUR_MICROS) * HOUR_MICROS;
    // Otherwise its server was forgotten here or there: then its devices are counted already.
    if (leadsOn) {
      addDevices(hour, part);
    }
    part.deviceIds = new String[0];
    part.change = new long[0];
    buckets.put(part.bucketStart, part);
    HourlyProgress at = progress.value();
    if (at == null) {
      at = new HourlyProgress();
    }
    at.changed.add(hour);
    at.kind = part.kind;
    at.lastArrival = context.timerService().currentProcessingTime();
    long writeAt = at.lastArrival + settings.hourDelay().toMillis();
    if (at.timer == 0 || at.changed.size() == 1 && at.timer > writeAt) {
      context.timerService().deleteProcessingTimeTimer(at.timer);
      at.timer = writeAt;
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    progress.update(at);
  }

  private void addDevices(long hour, HourPart part) throws Exception {
    if (part.deviceIds.length == 0) {
      return;
    }
    Map<String, long[]> sums = devices.get(hour);
    if (sums == null) {
      sums = new HashMap<>();
    }
    for (int device = 0; device < part.deviceIds.length; device++) {
      long[] sum =
          sums.computeIfAbsent(part.deviceIds[device], id -> new long[HourPart.DEVICE_COLUMNS]);
      for (int column = 0; column < HourPart.DEVICE_COLUMNS; column++) {
        sum[column] += part.change[device * HourPart.DEVICE_COLUMNS + column];
      }
    }
    devices.put(hour, sums);
  }

  /** One timer at a time: what has changed is written, after the retention all is cleared. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Rows> out) throws Exception {
    HourlyProgress at = progress.value();
    long end = at.lastArrival + settings.sampleRetention().toMillis() + HOUR_MICROS / 1000;
    if (at.changed.isEmpty() && time >= end) {
      buckets.clear();
      devices.clear();
      progress.clear();
      return;
    }
    if (!at.changed.isEmpty()) {
      write(at, out);
      prune(Collections.min(at.changed), at.kind);
      at.changed.clear();
    }
    at.timer = Math.max(end, time + 1);
    context.timerService().registerProcessingTimeTimer(at.timer);
    progress.update(at);
  }

  private void write(HourlyProgress at, Collector<Rows> out) throws Exception {
    Map<Long, TreeMap<Long, HourPart>> hours = new TreeMap<>();
    for (HourPart part : buckets.values()) {
      long hour = Math.floorDiv(part.bucketStart, HOUR_MICROS) * HOUR_MICROS;
      if (at.changed.contains(hour)) {
        hours.computeIfAbsent(hour, h -> new TreeMap<>()).put(part.bucketStart, part);
      }
    }
    for (Map.Entry<Long, TreeMap<Long, HourPart>> hour : hours.entrySet()) {
      Hour whole = Hour.of(hour.getKey(), hour.getValue().values());
      out.collect(HourRows.of(whole));
      Map<String, long[]> sums = devices.get(hour.getKey());
      if (sums != null) {
        out.collect(HourRows.ofDevices(whole, new TreeMap<>(sums)));
      }
    }
  }

  /**
   * By the oldest hour that has just changed: the newest may be that of a clock far ahead. Those of
   * a file system stay as long as its slowest server is waited for.
   */
  private void prune(long hour, @Nullable String kind) throws Exception {
    long oldest = hour - settings.sampleRetention().toMillis() * 1000 - HOUR_MICROS;
    if (HourPart.FILESYSTEM.equals(kind)) {
      oldest -= FilesystemBuckets.FURTHEST_BEHIND;
    }
    TreeSet<Long> old = new TreeSet<>();
    for (long start : buckets.keys()) {
      if (start < oldest) {
        old.add(start);
      }
    }
    for (long start : old) {
      buckets.remove(start);
      devices.remove(Math.floorDiv(start, HOUR_MICROS) * HOUR_MICROS);
    }
  }
}
