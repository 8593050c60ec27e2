package org.weir.storage.silence;

import java.time.Instant;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.weir.flink.control.ControlSnapshot;
import org.weir.site.Site;
import org.weir.storage.control.Awake;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.events.Event;
import org.weir.storage.events.WatchFunction;

/**
 * Devices that come and go to their silence. Keyed by cluster and device; an element is not a
 * sample but a change, so this costs nothing while all is well.
 *
 * <p>A device is missed when no server has it any more: one that moves to another server is not.
 */
public final class DeviceWatchFunction extends WatchFunction<DevicePresence> {

  private static final long serialVersionUID = 1L;

  private transient Awake awake;
  private transient ValueState<DeviceWatch> watch;

  public DeviceWatchFunction(ControlSnapshot control, StorageSettings settings) {
    super(control, settings);
  }

  @Override
  public void open(OpenContext context) {
    super.open(context);
    awake = new Awake();
    watch = getRuntimeContext().getState(new ValueStateDescriptor<>("watch", DeviceWatch.class));
  }

  @Override
  public void processElement(DevicePresence presence, ReadOnlyContext context, Collector<Event> out)
      throws Exception {
    long now = context.currentProcessingTime();
    awake.heard(now);
    DeviceWatch at = watch.value();
    if (at == null) {
      at = new DeviceWatch();
      at.cluster = presence.cluster;
      at.device = presence.device;
    }
    if (presence.present) {
      at.servers.add(presence.server);
      at.missingSince = 0;
      at.silence.back(now, presence.time);
    } else {
      at.servers.remove(presence.server);
      if (at.servers.isEmpty() && at.missingSince == 0 && !presence.forgotten) {
        at.missingSince = now;
        at.silence.backSince = 0;
        at.silence.lastSample = presence.time;
      }
    }
    at.lastServer = presence.server;
    at.silence.intervalSeconds = presence.intervalSeconds;
    if (at.servers.isEmpty() && at.missingSince == 0) {
      watch.clear();
      return;
    }
    if (at.timer == 0 && at.missingSince != 0) {
      at.timer = next(at, now);
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    watch.update(at);
  }

  /** One timer at a time, while the device is missing or an event about it is open. */
  @Override
  public void onTimer(long time, OnTimerContext context, Collector<Event> out) throws Exception {
    long now = context.currentProcessingTime();
    DeviceWatch at = watch.value();
    at.timer = 0;
    Event emitted = judge(at, now);
    if (emitted != null) {
      out.collect(emitted);
    }
    boolean isListed = !sites.filesystemOf(at.cluster, at.device).isEmpty();
    if (at.missingSince != 0
        && !isListed
        && now - at.missingSince >= settings.eventRetention().toMillis()) {
      if (at.silence.open != null) {
        out.collect(at.silence.end(Event.ABANDONED, now * 1000, now));
      }
      watch.clear();
      return;
    }
    if (at.missingSince != 0 || at.silence.open != null) {
      at.timer = next(at, now);
      context.timerService().registerProcessingTimeTimer(at.timer);
    }
    watch.update(at);
  }

  private @Nullable Event judge(DeviceWatch at, long now) {
    Instant time = Instant.ofEpochMilli(now);
    Event silence = Event.of(at.cluster, "silent", "device", at.device, at.silence.lastSample);
    silence.server = at.lastServer;
    silence.filesystem = sites.filesystemOf(at.cluster, at.device);
    Site site = sites.of(at.cluster);
    silence.inMaintenance =
        site != null
            && (site.isServerInMaintenance(at.lastServer, time)
                || site.isFileSystemInMaintenance(silence.filesystem, time));
    return at.silence.judge(
        silence,
        now,
        at.missingSince == 0 ? now : at.missingSince,
        at.missingSince == 0 ? 0 : awake.missed(at.missingSince, now),
        sites.patience(at.cluster, at.silence.intervalSeconds),
        Math.round(1000 * sites.events(at.cluster).recoverSeconds()));
  }

  private long next(DeviceWatch at, long now) {
    return now + Math.max(1, sites.patience(at.cluster, at.silence.intervalSeconds) / 4);
  }
}
