package org.weir.analysis.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.report.Json;
import org.weir.site.Site;
import org.weir.wire.LogHeader;
import org.weir.wire.Mount;

/** The site file, or without one what the log itself says of its mounts. */
final class SiteFile {
  /** Nothing that a user's data lives on. */
  private static final Set<String> NO_STORAGE =
      Set.of(
          "autofs",
          "bpf",
          "cgroup",
          "cgroup2",
          "configfs",
          "debugfs",
          "devpts",
          "devtmpfs",
          "efivarfs",
          "fusectl",
          "hugetlbfs",
          "mqueue",
          "nsfs",
          "proc",
          "pstore",
          "ramfs",
          "rootfs",
          "rpc_pipefs",
          "securityfs",
          "squashfs",
          "sysfs",
          "tmpfs",
          "tracefs");

  private final @Nullable Site site;

  private SiteFile(@Nullable Site site) {
    this.site = site;
  }

  /**
   * Reads the site of a YAML or JSON file.
   *
   * @param file null where none was given
   */
  static SiteFile load(@Nullable Path file) {
    if (file == null) {
      return new SiteFile(null);
    }
    if (!Files.isRegularFile(file)) {
      throw new InputException(file + ": there is no such file");
    }
    try {
      return new SiteFile(Site.parse(Json.write(RuleFiles.yaml(file))));
    } catch (IllegalArgumentException e) {
      throw new InputException(file + ": " + e.getMessage(), e);
    }
  }

  /** Null where no file was given. */
  @Nullable Site site() {
    return site;
  }

  /** The site that judges this log. */
  Site of(LogHeader header) {
    return site == null ? ofMounts(header) : site;
  }

  /** Each mount that can hold data is a file system; what lies on none of them too ("/"). */
  private static Site ofMounts(LogHeader header) {
    Map<String, Site.FileSystem> fileSystems = new LinkedHashMap<>();
    fileSystems.put("/", fileSystem("/", "unknown"));
    for (Mount mount : header.getMounts()) {
      if (!NO_STORAGE.contains(mount.getFsType())) {
        fileSystems.put(mount.getPath(), fileSystem(mount.getPath(), mount.getFsType()));
      }
    }
    return new Site(
        header.getCluster(),
        null,
        null,
        null,
        null,
        null,
        List.copyOf(fileSystems.values()),
        null,
        null,
        null,
        null,
        null);
  }

  private static Site.FileSystem fileSystem(String path, String kind) {
    return new Site.FileSystem(
        path, kind, List.of(path), false, false, null, null, null, null, null, null);
  }
}
