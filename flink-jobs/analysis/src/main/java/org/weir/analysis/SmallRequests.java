package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Requests below 1 MiB by direction, each between two bounds. */
final class SmallRequests {
  final Count readsLower;
  final Count readsUpper;
  final Count writesLower;
  final Count writesUpper;

  SmallRequests() {
    this(new Count(), new Count(), new Count(), new Count());
  }

  private SmallRequests(Count readsLower, Count readsUpper, Count writesLower, Count writesUpper) {
    this.readsLower = readsLower;
    this.readsUpper = readsUpper;
    this.writesLower = writesLower;
    this.writesUpper = writesUpper;
  }

  void merge(SmallRequests other) {
    readsLower.merge(other.readsLower);
    readsUpper.merge(other.readsUpper);
    writesLower.merge(other.writesLower);
    writesUpper.merge(other.writesUpper);
  }

  boolean isZero() {
    return readsUpper.isAvailable()
        && writesUpper.isAvailable()
        && readsUpper.value() == 0
        && writesUpper.value() == 0;
  }

  void write(DataOutput out) throws IOException {
    readsLower.write(out);
    readsUpper.write(out);
    writesLower.write(out);
    writesUpper.write(out);
  }

  static SmallRequests read(DataInput in) throws IOException {
    return new SmallRequests(Count.read(in), Count.read(in), Count.read(in), Count.read(in));
  }
}
