package org.weir.storage.control;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.control.Documents;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.site.Site;
import org.weir.wire.WireException;

/** The active sites, as one operator knows them. */
public final class Sites {

  /** Flink wants a descriptor for a broadcast; nothing is stored under it (see Documents). */
  public static final MapStateDescriptor<String, String> DESCRIPTOR =
      new MapStateDescriptor<>("site", Types.STRING, Types.STRING);

  private static final Logger LOG = LoggerFactory.getLogger(Sites.class);

  private final Documents<Site> documents = new Documents<>(Topics.SITE, Site::parse);
  private final Map<Site.FileSystem, Set<String>> devices = new IdentityHashMap<>();

  public Sites(ControlSnapshot snapshot) {
    snapshot.read().forEach(this::take);
  }

  /** Takes a publication. One that cannot be used is reported in the log; what was active stays. */
  public void take(KafkaMessage message) {
    try {
      documents.take(message);
      devices.clear();
    } catch (WireException e) {
      LOG.error("Publication at {} is passed over: {}", message.place(), e.getMessage());
    }
  }

  /** Returns the cluster's site; null while none is published. */
  public @Nullable Site of(String cluster) {
    return documents.get(cluster);
  }

  /** The devices of a file system of an active site. */
  public Set<String> devices(Site.FileSystem filesystem) {
    return devices.computeIfAbsent(filesystem, Site.FileSystem::deviceIds);
  }

  /**
   * The first file system of the cluster's site to which a device belongs; empty if there is none.
   */
  public String filesystemOf(String cluster, String device) {
    Site site = of(cluster);
    return site == null
        ? ""
        : site.fileSystems().stream()
            .filter(filesystem -> devices(filesystem).contains(device))
            .findFirst()
            .map(Site.FileSystem::id)
            .orElse("");
  }

  /** What the cluster's site says of storage events; the defaults while none is published. */
  public Site.StorageEvents events(String cluster) {
    Site site = of(cluster);
    return site == null ? Site.StorageEvents.DEFAULTS : site.storageEvents();
  }

  /** How long a server or its devices may be silent, in milliseconds. */
  public long patience(String cluster, double intervalSeconds) {
    return Math.round(1000 * Math.max(events(cluster).silentSeconds(), 3 * intervalSeconds));
  }
}
