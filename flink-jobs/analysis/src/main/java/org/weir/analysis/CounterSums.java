package org.weir.analysis;

import static org.weir.analysis.RecordColumns.get;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.weir.wire.PackedColumns;
import org.weir.wire.PackedColumns.LongColumn;

/** Sums over records of a module's {@link Module#summed} counters. */
final class CounterSums {
  private final List<String> names;
  private final Count[] sums;

  CounterSums(Module module) {
    names = module.summed();
    sums = new Count[names.size()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new Count();
    }
  }

  /** The columns of a batch in the order of the sums; null where it has none. */
  static LongColumn[] columns(Module module, PackedColumns batch) {
    return module.summed().stream()
        .map(name -> batch.longs(module.counterPrefix() + "_" + name))
        .toArray(LongColumn[]::new);
  }

  void add(LongColumn[] columns, int row) {
    for (int i = 0; i < sums.length; i++) {
      sums[i].add(get(columns[i], row));
    }
  }

  /**
   * Sum of a counter.
   *
   * @throws IllegalArgumentException if it is none that is summed
   */
  Count of(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(name + " is not summed");
    }
    return sums[index];
  }

  void merge(CounterSums other) {
    for (int i = 0; i < sums.length; i++) {
      sums[i].merge(other.sums[i]);
    }
  }

  void write(DataOutput out) throws IOException {
    for (Count sum : sums) {
      sum.write(out);
    }
  }

  void read(DataInput in) throws IOException {
    for (Count sum : sums) {
      sum.merge(Count.read(in));
    }
  }
}
