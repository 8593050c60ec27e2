package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** HEATMAP records of one API: bytes by rank (never reduced) and bytes by time, all mounts. */
final class HeatmapTotals {
  private RankTable ranks = new RankTable();
  private BusyGrid busy = new BusyGrid();

  void add(long rank, long bin, double binWidthSeconds, long bytesRead, long bytesWritten) {
    RankTable.Entry entry = ranks.of(rank);
    entry.bytesRead.add(bytesRead);
    entry.bytesWritten.add(bytesWritten);
    double from = bin * binWidthSeconds;
    double to = (bin + 1) * binWidthSeconds;
    busy.addRead(from, to, bytesRead);
    busy.addWritten(from, to, bytesWritten);
  }

  RankTable ranks() {
    return ranks;
  }

  BusyGrid busy() {
    return busy;
  }

  void merge(HeatmapTotals other) {
    ranks.merge(other.ranks);
    busy.merge(other.busy);
  }

  void write(DataOutput out) throws IOException {
    ranks.write(out);
    busy.write(out);
  }

  static HeatmapTotals read(DataInput in) throws IOException {
    HeatmapTotals totals = new HeatmapTotals();
    totals.ranks = RankTable.read(in);
    totals.busy = BusyGrid.read(in);
    return totals;
  }
}
