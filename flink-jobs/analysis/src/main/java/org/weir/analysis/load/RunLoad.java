package org.weir.analysis.load;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.traffic.OwnDevice;

/** The answers about a run's file systems and devices, as one. */
public final class RunLoad {
  private static final Comparator<DeviceLoad> BY_OTHERS =
      Comparator.comparingDouble(DeviceLoad::utilOfOthers).thenComparing(DeviceLoad::name);

  /** Prefers, of two servers that report one device, that through which it was used. */
  private static final Comparator<LoadSummary> BY_USE =
      Comparator.comparingInt(LoadSummary::bucketsClosed)
          .thenComparing(LoadSummary::deviceBytes, Comparator.nullsFirst(Double::compare));

  private RunLoad() {}

  /**
   * The answers about one file system of a run.
   *
   * @param load of all its devices
   * @param devices the run's own among them, and those that share hardware with them
   */
  public record OfFilesystem(
      String filesystem, LoadSummary load, Map<OwnDevice, LoadSummary> devices) {

    private Map<String, LoadSummary> byId(boolean placedOnly) {
      Map<String, LoadSummary> byId = new TreeMap<>();
      devices.forEach(
          (device, summary) -> {
            if (device.placed() || !placedOnly) {
              byId.merge(device.id(), summary, (a, b) -> BY_USE.compare(a, b) >= 0 ? a : b);
            }
          });
      return byId;
    }

    private Stream<DeviceLoad> closedDevices() {
      return byId(false).entrySet().stream()
          .filter(device -> isClosed(device.getValue()))
          .map(device -> DeviceLoad.of(device.getKey(), device.getValue()));
    }
  }

  /**
   * The load of the devices that hold the run's files, where all of them are known; else that of
   * its file system. Beside it, of all that the run went through, what others kept busiest.
   *
   * @param filesystems the one with most of the bytes first
   */
  public static LoadSummary of(List<OfFilesystem> filesystems) {
    if (filesystems.isEmpty()) {
      return LoadSummary.noFilesystem();
    }
    OfFilesystem main = filesystems.get(0);
    Stream<DeviceLoad> besides =
        filesystems.stream()
            .filter(other -> other != main && isClosed(other.load))
            .map(other -> DeviceLoad.of(other.filesystem, other.load));
    DeviceLoad busiest =
        Stream.concat(besides, filesystems.stream().flatMap(OfFilesystem::closedDevices))
            .filter(device -> device.utilOfOthers() > 0)
            .max(BY_OTHERS)
            .orElse(null);
    Map<String, LoadSummary> placed = main.byId(true);
    boolean known = !placed.isEmpty() && placed.values().stream().allMatch(RunLoad::isClosed);
    return known
        ? sum(placed.values(), List.copyOf(placed.keySet()), busiest)
        : main.load.with(List.of(), busiest);
  }

  private static boolean isClosed(LoadSummary load) {
    return load.state() == LoadState.CLOSED;
  }

  private static LoadSummary sum(
      Collection<LoadSummary> devices, List<String> ids, @Nullable DeviceLoad busiest) {
    LoadSummary any = devices.iterator().next();
    return new LoadSummary(
        LoadState.CLOSED,
        any.bucketsExpected(),
        any.bucketsClosed(),
        devices.stream().mapToDouble(LoadSummary::utilMean).average().orElseThrow(),
        devices.stream().mapToDouble(LoadSummary::utilMax).max().orElseThrow(),
        devices.stream().mapToDouble(LoadSummary::deviceBytes).sum(),
        devices.stream().mapToDouble(LoadSummary::ownBytes).sum(),
        devices.stream().mapToDouble(LoadSummary::othersBytes).sum(),
        ids,
        busiest);
  }
}
