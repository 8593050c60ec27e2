package org.weir.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the analysis needs of the site file, read from its canonical JSON on weir.site. Fields that
 * it does not know are ignored; the file itself is checked before it is published.
 *
 * @param cluster name of the cluster
 * @param timeZone IANA name, of log directories and days; default UTC
 * @param loadBucketSeconds width of a load bucket, default 10
 * @param slowThresholdSeconds a run is slow only if it lost at least this much, default 30
 * @param slowThresholdShare and at least this share of its run time, default 0.05
 * @param coresPerNode by partition; {@code default} for those not named
 * @param fileSystems whose bytes can raise a finding
 * @param servers storage servers
 * @param logDirectories where Darshan writes
 * @param ruleThresholds by rule and name: what the site has instead of a rule file's defaults
 * @param maintenanceWindows in which no storage event opens
 * @param storageEvents when a server, device or file system is silent, hot or saturated
 */
public record Site(
    String cluster,
    String timeZone,
    Double loadBucketSeconds,
    Double slowThresholdSeconds,
    Double slowThresholdShare,
    Map<String, Integer> coresPerNode,
    List<FileSystem> fileSystems,
    List<Server> servers,
    List<LogDirectory> logDirectories,
    Map<String, Map<String, Double>> ruleThresholds,
    List<MaintenanceWindow> maintenanceWindows,
    StorageEvents storageEvents) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Takes what the site file states; null for a field that it leaves out. */
  public Site(
      String cluster,
      @Nullable String timeZone,
      @Nullable Double loadBucketSeconds,
      @Nullable Double slowThresholdSeconds,
      @Nullable Double slowThresholdShare,
      @Nullable Map<String, Integer> coresPerNode,
      @Nullable List<FileSystem> fileSystems,
      @Nullable List<Server> servers,
      @Nullable List<LogDirectory> logDirectories,
      @Nullable Map<String, Map<String, Double>> ruleThresholds,
      @Nullable List<MaintenanceWindow> maintenanceWindows,
      @Nullable StorageEvents storageEvents) {
    this.cluster = cluster;
    this.timeZone = timeZone == null ? "UTC" : timeZone;
    zone(this.timeZone);
    this.loadBucketSeconds = loadBucketSeconds == null ? 10 : loadBucketSeconds;
    this.slowThresholdSeconds = slowThresholdSeconds == null ? 30 : slowThresholdSeconds;
    this.slowThresholdShare = slowThresholdShare == null ? 0.05 : slowThresholdShare;
    this.coresPerNode = coresPerNode == null ? Map.of() : Map.copyOf(coresPerNode);
    this.fileSystems = fileSystems == null ? List.of() : List.copyOf(fileSystems);
    this.servers = servers == null ? List.of() : List.copyOf(servers);
    this.logDirectories = logDirectories == null ? List.of() : List.copyOf(logDirectories);
    this.ruleThresholds = ruleThresholds == null ? Map.of() : Map.copyOf(ruleThresholds);
    this.maintenanceWindows =
        maintenanceWindows == null ? List.of() : List.copyOf(maintenanceWindows);
    this.storageEvents = storageEvents == null ? StorageEvents.DEFAULTS : storageEvents;
  }

  /**
   * A file system of the site.
   *
   * @param id its name everywhere in Weir
   * @param kind such as lustre, gpfs, nfs
   * @param mountPrefixes paths as escaped text; the longest that matches a whole part of a path
   *     wins
   * @param slow not meant for bulk I/O, such as home
   * @param forwardsSeeks lseek reaches the servers
   * @param writeAmplification device bytes for one byte written, default 1
   * @param devices device ids by server
   * @param targets device id by index of the storage target (OST)
   * @param sharedDevices by server, devices of others that share hardware with its own: a disk or
   *     controller beneath both, or what else lies on it
   * @param defaultStripeCount of new files, where the site says it
   * @param peakMibPerSecond what the file system gives to a run, by its number of nodes
   */
  public record FileSystem(
      String id,
      String kind,
      List<String> mountPrefixes,
      boolean slow,
      boolean forwardsSeeks,
      Double writeAmplification,
      Map<String, List<String>> devices,
      Map<String, String> targets,
      Map<String, List<String>> sharedDevices,
      @Nullable Integer defaultStripeCount,
      Map<Integer, Double> peakMibPerSecond) {

    /** Takes what the site file states; null for a field that it leaves out. */
    public FileSystem(
        String id,
        String kind,
        @Nullable List<String> mountPrefixes,
        boolean slow,
        boolean forwardsSeeks,
        @Nullable Double writeAmplification,
        @Nullable Map<String, List<String>> devices,
        @Nullable Map<String, String> targets,
        @Nullable Map<String, List<String>> sharedDevices,
        @Nullable Integer defaultStripeCount,
        @Nullable Map<Integer, Double> peakMibPerSecond) {
      this.id = id;
      this.kind = kind;
      this.mountPrefixes = mountPrefixes == null ? List.of() : List.copyOf(mountPrefixes);
      this.slow = slow;
      this.forwardsSeeks = forwardsSeeks;
      this.writeAmplification = writeAmplification == null ? 1 : writeAmplification;
      this.devices = devices == null ? Map.of() : Map.copyOf(devices);
      this.targets = targets == null ? Map.of() : Map.copyOf(targets);
      this.sharedDevices = sharedDevices == null ? Map.of() : Map.copyOf(sharedDevices);
      this.defaultStripeCount = defaultStripeCount;
      this.peakMibPerSecond = peakMibPerSecond == null ? Map.of() : Map.copyOf(peakMibPerSecond);
    }

    /** Returns the largest stated peak in MiB/s; null where there is none. */
    public @Nullable Double largestPeak() {
      return peakMibPerSecond.values().stream().max(Double::compare).orElse(null);
    }

    /**
     * Every device of the file system, under whichever server it is listed; made anew each time.
     */
    public Set<String> deviceIds() {
      return devices.values().stream().flatMap(List::stream).collect(Collectors.toSet());
    }

    /**
     * The stated peak for a run of this size in MiB/s, of the largest entry not above its nodes;
     * null where there is none.
     */
    public @Nullable Double peakFor(int nodes) {
      Map.Entry<Integer, Double> entry = new TreeMap<>(peakMibPerSecond).floorEntry(nodes);
      return entry == null ? null : entry.getValue();
    }
  }

  /** A storage server and how often it samples its devices. */
  public record Server(String name, double sampleIntervalSeconds) {}

  /**
   * Time of maintenance, of the servers and file systems that it lists, or of the whole center.
   *
   * @param from ISO 8601 with an offset
   * @param to likewise; no longer part of it
   */
  public record MaintenanceWindow(
      String from, String to, List<String> servers, List<String> fileSystems) {

    /** Takes what the site file states; null for a field that it leaves out. */
    public MaintenanceWindow(
        String from,
        String to,
        @Nullable List<String> servers,
        @Nullable List<String> fileSystems) {
      this.from = from;
      this.to = to;
      this.servers = servers == null ? List.of() : List.copyOf(servers);
      this.fileSystems = fileSystems == null ? List.of() : List.copyOf(fileSystems);
      if (!OffsetDateTime.parse(from).isBefore(OffsetDateTime.parse(to))) {
        throw new IllegalArgumentException("maintenance window: " + to + " is not after " + from);
      }
    }

    private boolean holds(Instant time) {
      return !time.isBefore(OffsetDateTime.parse(from).toInstant())
          && time.isBefore(OffsetDateTime.parse(to).toInstant());
    }

    private boolean isOfAll() {
      return servers.isEmpty() && fileSystems.isEmpty();
    }
  }

  /**
   * When a server, device or file system is reported as silent, hot or saturated. What each means
   * stands in site.schema.json.
   */
  public record StorageEvents(
      Double silentSeconds,
      Double persistSeconds,
      Double recoverSeconds,
      Double hotUtil,
      Double hotLatencySeconds,
      Double hotTimesSiblings,
      Double saturatedUtil,
      Double saturatedShareOfPeak,
      Double calmShare) {

    public static final StorageEvents DEFAULTS =
        new StorageEvents(null, null, null, null, null, null, null, null, null);

    /** Takes what the site file states; null for a field that it leaves out. */
    public StorageEvents(
        @Nullable Double silentSeconds,
        @Nullable Double persistSeconds,
        @Nullable Double recoverSeconds,
        @Nullable Double hotUtil,
        @Nullable Double hotLatencySeconds,
        @Nullable Double hotTimesSiblings,
        @Nullable Double saturatedUtil,
        @Nullable Double saturatedShareOfPeak,
        @Nullable Double calmShare) {
      this.silentSeconds = silentSeconds == null ? 60 : silentSeconds;
      this.persistSeconds = persistSeconds == null ? 300 : persistSeconds;
      this.recoverSeconds = recoverSeconds == null ? 120 : recoverSeconds;
      this.hotUtil = hotUtil == null ? 0.8 : hotUtil;
      this.hotLatencySeconds = hotLatencySeconds == null ? 0.1 : hotLatencySeconds;
      this.hotTimesSiblings = hotTimesSiblings == null ? 3 : hotTimesSiblings;
      this.saturatedUtil = saturatedUtil == null ? 0.9 : saturatedUtil;
      this.saturatedShareOfPeak = saturatedShareOfPeak == null ? 0.9 : saturatedShareOfPeak;
      this.calmShare = calmShare == null ? 0.8 : calmShare;
    }
  }

  /** A directory of Darshan logs; {@code ownerCheck} is strict or trusted_archive. */
  public record LogDirectory(String path, String layout, String ownerCheck) {}

  /**
   * The site of a published document.
   *
   * @throws IllegalArgumentException if the text is no JSON object of this shape; says where
   */
  public static Site parse(String json) {
    try {
      Site site = JSON.readValue(json, Site.class);
      if (site == null) {
        throw new IllegalArgumentException("site: expected an object, found null");
      }
      return site;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("site: " + e.getOriginalMessage(), e);
    }
  }

  /** The file system that holds a path (escaped text); null where the site lists none. */
  public @Nullable FileSystem fileSystemOf(String path) {
    FileSystem found = null;
    int longest = -1;
    for (FileSystem fileSystem : fileSystems) {
      for (String prefix : fileSystem.mountPrefixes()) {
        if (prefix.length() > longest && holds(prefix, path)) {
          found = fileSystem;
          longest = prefix.length();
        }
      }
    }
    return found;
  }

  /** Returns the file system with this id; null where the site has none. */
  public @Nullable FileSystem fileSystem(String id) {
    return fileSystems.stream().filter(f -> f.id().equals(id)).findFirst().orElse(null);
  }

  /** Returns the server with this name; null where the site has none. */
  public @Nullable Server server(String name) {
    return servers.stream().filter(s -> s.name().equals(name)).findFirst().orElse(null);
  }

  /** Whether a file system is in maintenance. */
  public boolean isFileSystemInMaintenance(String fileSystem, Instant time) {
    return maintenanceWindows.stream()
        .filter(w -> w.holds(time))
        .anyMatch(w -> w.isOfAll() || w.fileSystems().contains(fileSystem));
  }

  /** Whether a server is, itself or with a file system of which it has devices. */
  public boolean isServerInMaintenance(String server, Instant time) {
    return maintenanceWindows.stream()
            .filter(w -> w.holds(time))
            .anyMatch(w -> w.isOfAll() || w.servers().contains(server))
        || fileSystems.stream()
            .filter(f -> f.devices().containsKey(server))
            .anyMatch(f -> isFileSystemInMaintenance(f.id(), time));
  }

  /** Width of a load bucket in microseconds. */
  public long loadBucketMicros() {
    return Math.round(loadBucketSeconds * 1e6);
  }

  /** The time zone, which the site was read with. */
  public ZoneId zone() {
    return zone(timeZone);
  }

  /** EST, MST and HST are zones of the IANA, but for Java only short names of offsets. */
  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name, ZoneId.SHORT_IDS);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("time_zone: no zone \"" + name + "\" is known here", e);
    }
  }

  /** Cores of a node in a partition; null where the site does not say. */
  public @Nullable Integer coresPerNode(@Nullable String partition) {
    Integer fallback = coresPerNode.get("default");
    return partition == null ? fallback : coresPerNode.getOrDefault(partition, fallback);
  }

  private static boolean holds(String prefix, String path) {
    String bare = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    // A file whose name is lost lies nowhere, not in "/".
    return !path.isEmpty()
        && path.startsWith(bare)
        && (path.length() == bare.length() || path.charAt(bare.length()) == '/');
  }
}
