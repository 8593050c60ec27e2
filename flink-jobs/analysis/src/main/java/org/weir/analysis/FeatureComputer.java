package org.weir.analysis;

import static org.weir.analysis.Module.POSIX;
import static org.weir.analysis.Module.STDIO;

import org.weir.analysis.FeatureWriter.Kind;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleHeader;

/** Turns the sums over a log's records into features with their evidence classes. */
final class FeatureComputer {
  private final RunTotals run;
  private final LogState logState;
  private final FeatureWriter out;

  FeatureComputer(
      LogHeader header, LogEnd end, boolean batchesMissing, RunAccumulator accumulator, Site site) {
    this.logState = LogState.of(header, end, batchesMissing);
    this.run =
        new RunTotals(header, accumulator, site, LogState.modules(header, end, batchesMissing));
    this.out = new FeatureWriter(run.states);
  }

  RunFeatures compute() {
    VolumeFeatures.write(run, out);
    TimeFeatures.write(run, out);
    DistributionFeatures.write(run, out);
    RequestFeatures.write(run, out);
    LustreFeatures.write(run, out);
    LibraryFeatures.write(run, out);
    String filesystem = filesystem();
    OwnTraffic own = OwnTraffic.of(filesystem, run);
    out.put("busy_seconds", own.busySeconds(), own.evidence(), Kind.TOTAL, POSIX, STDIO);
    return new RunFeatures(
        RunFeatures.FORMAT,
        logState,
        run.header.getModules().stream().map(ModuleHeader::getName).toList(),
        filesystem,
        direction(),
        run.header.getNprocs(),
        run.header.getStartTime(),
        run.header.getRunTimeSeconds(),
        out.features(),
        Traits.of(run, out, logState),
        own.slots(),
        own.evidence(),
        RunDetail.of(run));
  }

  /** The listed one with most of the bytes; null if there is none. */
  private String filesystem() {
    String most = null;
    double mostBytes = 0;
    for (var mount : run.listedMounts.entrySet()) {
      double bytes =
          VolumeFeatures.bytes(mount.getValue()).stream().mapToDouble(Count::value).sum();
      if (bytes > mostBytes) {
        most = mount.getKey();
        mostBytes = bytes;
      }
    }
    return most;
  }

  private String direction() {
    double read = run.listed(POSIX).bytes(Direction.READ) + run.listed(STDIO).bytes(Direction.READ);
    double written =
        run.listed(POSIX).bytes(Direction.WRITE) + run.listed(STDIO).bytes(Direction.WRITE);
    return read > written ? "read" : "write";
  }
}
