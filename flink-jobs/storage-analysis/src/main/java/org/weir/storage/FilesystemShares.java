package org.weir.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.weir.analysis.Site;

/** Which part of a server's bucket belongs to which file system of the site. */
final class FilesystemShares {

  private FilesystemShares() {}

  /** One share for each file system with a device on the server; empty if none reported. */
  static List<FilesystemShare> of(ServerBucket bucket, Site site) {
    List<FilesystemShare> shares = new ArrayList<>();
    for (Site.FileSystem filesystem : site.fileSystems()) {
      List<String> devices = filesystem.devices().get(bucket.server);
      if (devices != null) {
        FilesystemShare share = share(bucket, filesystem.id(), new HashSet<>(devices));
        if (share.util.length > 0) {
          shares.add(share);
        }
      }
    }
    return shares;
  }

  private static FilesystemShare share(
      ServerBucket bucket, String filesystem, Set<String> devices) {
    FilesystemShare share = new FilesystemShare();
    share.cluster = bucket.cluster;
    share.filesystem = filesystem;
    share.server = bucket.server;
    share.bucketStart = bucket.bucketStart;
    share.bucketSeconds = bucket.bucketSeconds;
    share.ticks = bucket.ticks;
    share.closedUntil = bucket.closedUntil;
    share.origin = bucket.origin;
    share.sentAt = bucket.sentAt;
    share.sums = new double[Columns.COUNT];
    double[] util = new double[bucket.deviceIds.length];
    int found = 0;
    for (int device = 0; device < bucket.deviceIds.length; device++) {
      if (devices.contains(bucket.deviceIds[device])) {
        util[found++] = bucket.util[device];
        for (int column = 0; column < Columns.COUNT; column++) {
          share.sums[column] += bucket.sums[device * Columns.COUNT + column];
        }
      }
    }
    share.util = Arrays.copyOf(util, found);
    return share;
  }
}
