package org.weir.flink.kafka;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Holds what a message leads to until it was taken as a whole: one that is refused half-way leaves
 * nothing but its dead letter, and a failure of those who receive it is not taken for a bad
 * message.
 */
public final class Emissions<O> {
  private final List<O> main = new ArrayList<>(1);
  private final List<Aside<?>> asides = new ArrayList<>(1);

  /** Sends to a side output, as Flink's contexts do. */
  @FunctionalInterface
  public interface SideOutput {
    <X> void output(OutputTag<X> tag, X value);
  }

  private record Aside<X>(OutputTag<X> tag, X value) {
    void deliver(SideOutput side) {
      side.output(tag, value);
    }
  }

  public void collect(O value) {
    main.add(value);
  }

  public <X> void output(OutputTag<X> tag, X value) {
    asides.add(new Aside<>(tag, value));
  }

  void deliver(Collector<O> out, SideOutput side) {
    asides.forEach(aside -> aside.deliver(side));
    main.forEach(out::collect);
  }
}
