package org.weir.analysis.accumulate;

import java.util.List;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.StateBytes;

/** Requests below 1 MiB by direction, and writes that are unaligned too; each between bounds. */
public final class SmallRequests {
  public final Count readsLower = new Count();
  public final Count readsUpper = new Count();
  public final Count writesLower = new Count();
  public final Count writesUpper = new Count();
  public final Count unalignedWritesLower = new Count();
  public final Count unalignedWritesUpper = new Count();
  private final List<Count> counts =
      List.of(
          readsLower,
          readsUpper,
          writesLower,
          writesUpper,
          unalignedWritesLower,
          unalignedWritesUpper);

  void merge(SmallRequests other) {
    for (int i = 0; i < counts.size(); i++) {
      counts.get(i).merge(other.counts.get(i));
    }
  }

  void write(StateBytes.Out out) {
    for (Count count : counts) {
      count.write(out);
    }
  }

  void read(StateBytes.In in) {
    for (Count count : counts) {
      count.read(in);
    }
  }
}
