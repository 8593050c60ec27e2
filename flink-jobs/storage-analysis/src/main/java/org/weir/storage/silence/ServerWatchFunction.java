package org.weir.storage.silence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.weir.flink.control.ControlSnapshot;
import org.weir.site.Site;
import org.weir.storage.control.Awake;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.events.Event;
import org.weir.storage.events.WatchFunction;

/**
 * Signs of life of a server to its silence. Keyed by cluster and server.
 *
 * <p>Silence is by processing time: the clocks of servers have nothing in common. A server is
 * missed if the site lists it or it was there in the recent past. Devices that come and go leave on
 * {@link #DEVICES}; those of a silent server are not gone.
 */
public final class ServerWatchFunction extends WatchFunction<Sighting> {

  public static final OutputTag<DevicePresence> DEVICES = new OutputTag<>("device-presence") {};

  private static final long serialVersionUID = 1L;

  private transient Awake awake;
  private transient ValueState<ServerWatch> watch;

  /**
   * Whether the device was in the last sample; those that are gone only as long as the site lists
   * them.
   */
  private transient MapState<String, Boolean> devices;

  public ServerWatchFunction(ControlSnapshot control, StorageSettings settings) {
    super(control, settings);
  }

  @Override
  public void open(OpenContext context) {
    super.open(context);
    awake = new Awake();
    watch = getRuntimeContext().getState(new ValueStateDescriptor<>("watch", ServerWatch.class));
    devices =
        getRuntimeContext()
            .getMapState(new MapStateDescriptor<>("devices", Types.STRING, Types.BOOLEAN));
  }

  @Override
  public void processElement(Sighting sighting, ReadOnlyContext context, Collector<Event> out)
      throws Exception {
    long now = context.currentProcessingTime();
    ServerWatch at = watch.value();
    if (at == null) {
      at = new ServerWatch();
      at.cluster = sighting.cluster;
      at.server = sighting.server;
      at.lastArrival = now;
      at.timer = next(at, now);
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    if (!sighting.expected) {
      awake.heard(now);
      if (now - at.lastArrival >= sites.patience(at.cluster, at.silence.intervalSeconds)) {
        at.silence.backSince = 0;
      }
      Site.Server listed = listed(at);
      if (listed != null) {
        // A sample of a stalled sampler shows how long it stalled.
        sighting.intervalSeconds = listed.sampleIntervalSeconds();
      }
      if (sighting.deviceIds != null) {
        compare(sighting, sighting.deviceIds, at, context);
      }
      at.lastArrival = now;
      at.silence.intervalSeconds = sighting.intervalSeconds;
      at.silence.back(now, sighting.time);
    }
    watch.update(at);
  }

  private void compare(
      Sighting sighting, String[] deviceIds, ServerWatch at, ReadOnlyContext context)
      throws Exception {
    Set<String> present = new HashSet<>(Arrays.asList(deviceIds));
    for (String device : present) {
      if (!Boolean.TRUE.equals(devices.get(device))) {
        devices.put(device, true);
        context.output(DEVICES, DevicePresence.of(sighting, device, true, sighting.time));
      }
    }
    Set<String> expected = expectedDevices(at);
    List<String> gone = new ArrayList<>();
    for (Map.Entry<String, Boolean> known : devices.entries()) {
      if (known.getValue() && !present.contains(known.getKey())) {
        gone.add(known.getKey());
      }
    }
    for (String device : gone) {
      if (expected.contains(device)) {
        devices.put(device, false);
      } else {
        devices.remove(device);
      }
      context.output(DEVICES, DevicePresence.of(sighting, device, false, at.silence.lastSample));
    }
    missExpected(sighting, expected, context);
  }

  /** Devices that the site lists here and that were never in a sample. */
  private void missExpected(Sighting sighting, Set<String> expected, ReadOnlyContext context)
      throws Exception {
    for (String device : expected) {
      if (!devices.contains(device)) {
        devices.put(device, false);
        context.output(DEVICES, DevicePresence.of(sighting, device, false, sighting.time));
      }
    }
  }

  private Set<String> expectedDevices(ServerWatch at) {
    Set<String> expected = new HashSet<>();
    Site site = sites.of(at.cluster);
    if (site != null) {
      site.fileSystems()
          .forEach(f -> expected.addAll(f.devices().getOrDefault(at.server, List.of())));
    }
    return expected;
  }

  /** One timer at a time, as long as the server is remembered. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Event> out) throws Exception {
    long now = context.currentProcessingTime();
    ServerWatch at = watch.value();
    Site.Server listed = listed(at);
    if (listed == null && now - at.lastArrival >= settings.eventRetention().toMillis()) {
      forget(at, now, context, out);
      return;
    }
    if (at.silence.lastSample != 0) {
      missExpected(seen(at), expectedDevices(at), context);
    }
    Event emitted = judge(at, listed, now);
    if (emitted != null) {
      out.collect(emitted);
    }
    at.timer = next(at, now);
    context.timerService().registerProcessingTimeTimer(at.timer);
    watch.update(at);
  }

  /** As the site lists it; null where it does not. */
  private Site.@Nullable Server listed(ServerWatch at) {
    Site site = sites.of(at.cluster);
    return site == null ? null : site.server(at.server);
  }

  private @Nullable Event judge(ServerWatch at, Site.@Nullable Server listed, long now) {
    Site site = sites.of(at.cluster);
    long since = at.silence.lastSample == 0 ? at.lastArrival * 1000 : at.silence.lastSample;
    Event silence = Event.of(at.cluster, "silent", "server", at.server, since);
    silence.inMaintenance =
        site != null && site.isServerInMaintenance(at.server, Instant.ofEpochMilli(now));
    if (listed != null) {
      at.silence.intervalSeconds = listed.sampleIntervalSeconds();
    }
    long patience = sites.patience(at.cluster, at.silence.intervalSeconds);
    return at.silence.judge(
        silence,
        now,
        at.lastArrival,
        awake.missed(at.lastArrival, now),
        awake.allowed(at.lastArrival, patience),
        Math.round(1000 * sites.events(at.cluster).recoverSeconds()));
  }

  private long next(ServerWatch at, long now) {
    return now + Math.max(1, sites.patience(at.cluster, at.silence.intervalSeconds) / 4);
  }

  private static Sighting seen(ServerWatch at) {
    Sighting sighting = Sighting.expected(at.cluster, at.server);
    sighting.time = at.silence.lastSample;
    sighting.intervalSeconds = at.silence.intervalSeconds;
    return sighting;
  }

  private void forget(ServerWatch at, long now, ReadOnlyContext context, Collector<Event> out)
      throws Exception {
    if (at.silence.open != null) {
      out.collect(at.silence.end(Event.ABANDONED, now * 1000, now));
    }
    for (String device : devices.keys()) {
      DevicePresence gone = DevicePresence.of(seen(at), device, false, at.silence.lastSample);
      gone.forgotten = true;
      context.output(DEVICES, gone);
    }
    devices.clear();
    watch.clear();
  }
}
