package org.weir.analysis;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the analysis needs of the site file, read from its canonical JSON on weir.site. Fields that
 * it does not know are ignored; the file itself is checked before it is published.
 *
 * @param cluster name of the cluster
 * @param timeZone IANA name, of log directories and days
 * @param loadBucketSeconds width of a load bucket, default 10
 * @param slowThresholdSeconds a run is slow only if it lost at least this much, default 30
 * @param slowThresholdShare and at least this share of its run time, default 0.05
 * @param coresPerNode by partition; {@code default} for those not named
 * @param fileSystems whose bytes can raise a finding
 * @param servers storage servers
 * @param logDirectories where Darshan writes
 * @param ruleThresholds by rule and name: what the site has instead of a rule file's defaults
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
    Map<String, Map<String, Double>> ruleThresholds) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  public Site {
    loadBucketSeconds = loadBucketSeconds == null ? 10 : loadBucketSeconds;
    slowThresholdSeconds = slowThresholdSeconds == null ? 30 : slowThresholdSeconds;
    slowThresholdShare = slowThresholdShare == null ? 0.05 : slowThresholdShare;
    coresPerNode = coresPerNode == null ? Map.of() : Map.copyOf(coresPerNode);
    fileSystems = fileSystems == null ? List.of() : List.copyOf(fileSystems);
    servers = servers == null ? List.of() : List.copyOf(servers);
    logDirectories = logDirectories == null ? List.of() : List.copyOf(logDirectories);
    ruleThresholds = ruleThresholds == null ? Map.of() : Map.copyOf(ruleThresholds);
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
   * @param defaultStripeCount of new files; null where the site does not say
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
      Integer defaultStripeCount,
      Map<Integer, Double> peakMibPerSecond) {

    public FileSystem {
      mountPrefixes = mountPrefixes == null ? List.of() : List.copyOf(mountPrefixes);
      writeAmplification = writeAmplification == null ? 1 : writeAmplification;
      devices = devices == null ? Map.of() : Map.copyOf(devices);
      targets = targets == null ? Map.of() : Map.copyOf(targets);
      peakMibPerSecond = peakMibPerSecond == null ? Map.of() : Map.copyOf(peakMibPerSecond);
    }

    /**
     * The stated peak for a run of this size in MiB/s, of the largest entry not above its nodes;
     * null where there is none.
     */
    public Double peakFor(int nodes) {
      Map.Entry<Integer, Double> entry = new TreeMap<>(peakMibPerSecond).floorEntry(nodes);
      return entry == null ? null : entry.getValue();
    }
  }

  /** A storage server and how often it samples its devices. */
  public record Server(String name, double sampleIntervalSeconds) {}

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

  /** The file system that holds a path (escaped text), or null where the site lists none. */
  public FileSystem fileSystemOf(String path) {
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

  /** The file system with this id, or null. */
  public FileSystem fileSystem(String id) {
    return fileSystems.stream().filter(f -> f.id().equals(id)).findFirst().orElse(null);
  }

  /** Cores of a node in a partition; null where the site does not say. */
  public Integer coresPerNode(String partition) {
    Integer fallback = coresPerNode.get("default");
    return partition == null ? fallback : coresPerNode.getOrDefault(partition, fallback);
  }

  private static boolean holds(String prefix, String path) {
    String bare = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
    return path.startsWith(bare)
        && (path.length() == bare.length() || path.charAt(bare.length()) == '/');
  }
}
