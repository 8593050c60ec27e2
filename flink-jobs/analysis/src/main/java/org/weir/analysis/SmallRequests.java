package org.weir.analysis;

import java.util.List;

/** Requests below 1 MiB by direction, and writes that are unaligned too; each between bounds. */
final class SmallRequests {
  final Count readsLower = new Count();
  final Count readsUpper = new Count();
  final Count writesLower = new Count();
  final Count writesUpper = new Count();
  final Count unalignedWritesLower = new Count();
  final Count unalignedWritesUpper = new Count();
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
