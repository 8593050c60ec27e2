package org.weir.analysis.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.weir.analysis.accumulate.FileLayout;
import org.weir.analysis.totals.ListedFile;
import org.weir.analysis.totals.ListedFiles;
import org.weir.site.Site;

/** On which devices of a file system a run's files really lay. */
final class OwnDevices {
  /** Kinds that lay every file on all their devices, however small it is. */
  private static final Set<String> WHOLE = Set.of("gpfs", "nfs", "local_disk");

  /** The kind that spreads each file evenly over its devices. */
  private static final String EVEN = "gpfs";

  /** Files with less of the bytes than this may lack a layout. */
  private static final double PLACED = 0.9;

  /** A run on more devices is as good as on the whole file system, and would ask very many. */
  private static final int MOST = 256;

  private OwnDevices() {}

  /**
   * Finds them by the targets (OSTs) of LUSTRE where the site maps them to devices, or by the kind
   * of file system; and what they share hardware with. Empty where they are unknown.
   *
   * @return in the order of servers and ids, a device once for each server that has it
   */
  static List<OwnDevice> of(Site.FileSystem fileSystem, ListedFiles files) {
    if (WHOLE.contains(fileSystem.kind())) {
      Set<String> all = fileSystem.deviceIds();
      boolean even = fileSystem.kind().equals(EVEN) || all.size() == 1;
      double share = even ? 1.0 / all.size() : 1;
      return of(fileSystem, all.stream().collect(Collectors.toMap(d -> d, d -> share)), even);
    }
    return of(fileSystem, sharesByTarget(fileSystem, files), true);
  }

  private static List<OwnDevice> of(
      Site.FileSystem fileSystem, Map<String, Double> shares, boolean placed) {
    List<OwnDevice> own = new ArrayList<>();
    new TreeMap<>(fileSystem.devices())
        .forEach(
            (server, ids) -> {
              int before = own.size();
              ids.stream()
                  .sorted()
                  .forEach(
                      id -> {
                        Double share = shares.get(id);
                        if (share != null) {
                          own.add(new OwnDevice(server, id, share, placed));
                        }
                      });
              if (own.size() > before) {
                fileSystem.sharedDevices().getOrDefault(server, List.of()).stream()
                    .sorted()
                    .forEach(id -> own.add(new OwnDevice(server, id, 1, false)));
              }
            });
    return own.size() > MOST ? List.of() : List.copyOf(own);
  }

  /** A file's bytes lie evenly on its targets; empty unless nearly all bytes are placed. */
  private static Map<String, Double> sharesByTarget(Site.FileSystem fileSystem, ListedFiles files) {
    List<ListedFile> here =
        files.stream().filter(file -> file.filesystem().equals(fileSystem.id())).toList();
    Map<String, Double> bytes = new TreeMap<>();
    for (ListedFile file : here) {
      FileLayout layout = file.totals().layout();
      if (layout != null && layout.stripeCount() > 0 && layout.isComplete()) {
        double part = file.bytes() / layout.targetCount();
        for (long target : layout.targets()) {
          String device = fileSystem.targets().get(Long.toString(target));
          if (device != null && part > 0) {
            bytes.merge(device, part, Double::sum);
          }
        }
      }
    }
    double placed = bytes.values().stream().mapToDouble(Double::doubleValue).sum();
    if (placed < PLACED * here.stream().mapToDouble(ListedFile::bytes).sum()) {
      return Map.of();
    }
    bytes.replaceAll((device, of) -> of / placed);
    return bytes;
  }
}
