package org.weir.storage.trouble;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.weir.site.Site;
import org.weir.storage.events.Event;

/** What is persistently too high in a file system and in its devices, as of a bucket. */
public final class Troubles {

  public Trouble saturation = new Trouble();

  /** By device. */
  public Map<String, Trouble> hot = new HashMap<>();

  public Troubles() {}

  /** Takes the next bucket; returns the events to emit then. Buckets come in their order. */
  List<Event> judge(FilesystemVitals vitals, boolean inMaintenance, Site.StorageEvents limits) {
    List<Event> emitted = new ArrayList<>();
    Event saturated =
        Event.of(vitals.cluster, "saturated", "filesystem", vitals.filesystem, 0)
            .with(FilesystemVitals.SATURATION_NUMBERS, vitals.numbers);
    judge(saturation, vitals.saturation, saturated, vitals, inMaintenance, limits, emitted);
    Set<String> devices = new HashSet<>(hot.keySet());
    devices.addAll(vitals.suspects.keySet());
    for (String device : devices) {
      HotDevices.Suspect suspect = vitals.suspects.getOrDefault(device, HotDevices.Suspect.NONE);
      Event event =
          Event.of(vitals.cluster, "hot", "device", device, 0)
              .with(HotDevices.NUMBERS, suspect.numbers);
      event.server = suspect.server;
      Trouble trouble = hot.computeIfAbsent(device, d -> new Trouble());
      judge(trouble, suspect.level, event, vitals, inMaintenance, limits, emitted);
      if (trouble.isOver()) {
        hot.remove(device);
      }
    }
    return emitted;
  }

  private static void judge(
      Trouble trouble,
      Level level,
      Event event,
      FilesystemVitals vitals,
      boolean inMaintenance,
      Site.StorageEvents limits,
      List<Event> emitted) {
    event.filesystem = vitals.filesystem;
    event.inMaintenance = inMaintenance;
    Event change = trouble.judge(level, event, vitals, limits);
    if (change != null) {
      emitted.add(change);
    }
  }

  /** Open ones. */
  List<Event> open() {
    List<Event> open = new ArrayList<>();
    for (Trouble trouble : all()) {
      if (trouble.open != null) {
        open.add(trouble.open);
      }
    }
    return open;
  }

  /** Ends what is open, as nothing more is heard of it. */
  List<Event> abandon() {
    List<Event> ended = new ArrayList<>();
    for (Trouble trouble : all()) {
      if (trouble.open != null) {
        ended.add(trouble.end(Event.ABANDONED, trouble.until));
      }
    }
    return ended;
  }

  private List<Trouble> all() {
    List<Trouble> all = new ArrayList<>(hot.values());
    all.add(saturation);
    return all;
  }
}
