package org.weir.job.load;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/** Keyed state: which ids belong to a time. */
final class IdsByTime {

  private final MapState<Long, String[]> ids;

  IdsByTime(RuntimeContext context, String name) {
    ids =
        context.getMapState(
            new MapStateDescriptor<>(name, Types.LONG, Types.OBJECT_ARRAY(Types.STRING)));
  }

  List<String> at(long time) throws Exception {
    String[] known = ids.get(time);
    return known == null ? List.of() : List.of(known);
  }

  void add(long time, String id) throws Exception {
    List<String> more = new ArrayList<>(at(time));
    if (!more.contains(id)) {
      more.add(id);
      ids.put(time, more.toArray(String[]::new));
    }
  }

  void remove(long time, String id) throws Exception {
    List<String> fewer = new ArrayList<>(at(time));
    if (fewer.remove(id)) {
      if (fewer.isEmpty()) {
        ids.remove(time);
      } else {
        ids.put(time, fewer.toArray(String[]::new));
      }
    }
  }

  /** Takes out what belongs to this time. */
  List<String> take(long time) throws Exception {
    List<String> taken = at(time);
    ids.remove(time);
    return taken;
  }

  /** Takes out what belongs to this time or an earlier one; looks at every time there is. */
  List<String> takeUntil(long time) throws Exception {
    List<Long> times = new ArrayList<>();
    for (long each : ids.keys()) {
      if (each <= time) {
        times.add(each);
      }
    }
    List<String> taken = new ArrayList<>();
    for (long each : times) {
      taken.addAll(take(each));
    }
    return taken;
  }
}
