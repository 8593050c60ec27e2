package org.weir.analysis.accumulate;

import org.weir.analysis.state.BusyGrid;
import org.weir.analysis.state.StateBytes;

/** HEATMAP records of one API: bytes by rank (never reduced) and bytes by time, all mounts. */
public final class HeatmapTotals {
  private final RankTable ranks = new RankTable();
  private final BusyGrid busy = new BusyGrid();

  void add(long rank, long bin, double binWidthSeconds, long bytesRead, long bytesWritten) {
    RankTable.Entry entry = ranks.of(rank);
    entry.bytesRead.add(bytesRead);
    entry.bytesWritten.add(bytesWritten);
    double from = bin * binWidthSeconds;
    double to = (bin + 1) * binWidthSeconds;
    busy.addRead(from, to, bytesRead);
    busy.addWritten(from, to, bytesWritten);
  }

  public RankTable ranks() {
    return ranks;
  }

  public BusyGrid busy() {
    return busy;
  }

  void write(StateBytes.Out out) {
    ranks.write(out);
    busy.write(out);
  }

  /** Adds what was written. */
  void read(StateBytes.In in) {
    ranks.read(in);
    busy.read(in);
  }
}
