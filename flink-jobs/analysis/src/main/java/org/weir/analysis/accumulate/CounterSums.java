package org.weir.analysis.accumulate;

import static org.weir.analysis.accumulate.RecordColumns.get;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.Count;
import org.weir.analysis.state.StateBytes;
import org.weir.wire.PackedColumns;
import org.weir.wire.PackedColumns.LongColumn;

/** Sums over records of a module's {@link Module#summed} counters. */
public final class CounterSums {
  private final Module module;
  private final List<String> names;
  private final Count[] sums;

  public CounterSums(Module module) {
    this.module = module;
    names = module.summed();
    sums = new Count[names.size()];
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new Count();
    }
  }

  /** The columns of a batch in the order of the sums; an entry is null where it has none. */
  static @Nullable LongColumn[] columns(Module module, PackedColumns batch) {
    return module.summed().stream()
        .map(name -> batch.longs(module.counterPrefix() + "_" + name))
        .toArray(LongColumn[]::new);
  }

  void add(@Nullable LongColumn[] columns, int row) {
    for (int i = 0; i < sums.length; i++) {
      sums[i].add(get(columns[i], row));
    }
  }

  /**
   * Sum of a counter.
   *
   * @throws IllegalArgumentException if it is none that is summed
   */
  public Count of(String name) {
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

  void write(StateBytes.Out out) {
    out.writePacked(sums.length);
    for (Count sum : sums) {
      sum.write(out);
    }
  }

  /**
   * Adds sums that were written. Nobody has counted what is summed only since: it is unavailable.
   *
   * @throws IllegalArgumentException if there are more of them than this version knows
   */
  public void read(StateBytes.In in) {
    long written = in.readPacked();
    if (written > sums.length) {
      throw new IllegalArgumentException(
          "%s: %d counters were summed, this version of the program knows %d"
              .formatted(module, written, sums.length));
    }
    for (int i = 0; i < sums.length; i++) {
      if (i < written) {
        sums[i].read(in);
      } else {
        sums[i].makeUnavailable();
      }
    }
  }
}
