package org.weir.analysis.accumulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.weir.analysis.TestLog;
import org.weir.analysis.log.Module;
import org.weir.wire.LogBatch;
import org.weir.wire.PackedColumns;
import org.weir.wire.WireException;
import org.yaml.snakeyaml.Yaml;

/**
 * Holds the accumulators to the names that {@code schemas/darshan/modules.yaml} declares: one that
 * is not there would read as a counter that no log has.
 */
class DeclaredCountersTest {
  private static final JsonNode MODULES = read();

  private static JsonNode read() {
    try {
      String yaml = Files.readString(Path.of("../../schemas/darshan/modules.yaml"));
      return new JsonMapper().valueToTree(new Yaml().load(yaml)).get("modules");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> names(String module, String kind) {
    return Stream.of(MODULES.get(module).path(kind), MODULES.get(module).path("row").path(kind))
        .flatMap(list -> places(list.size()).map(list::get))
        .map(JsonNode::asText)
        .toList();
  }

  /** A row with every column of a module; the column at place i has the value 100 + i. */
  private static LogBatch batch(String module, String name) {
    List<String> ints = names(module, "ints");
    List<String> floats = names(module, "floats");
    return new LogBatch(
        "demo",
        101L,
        TestLog.START,
        module,
        1,
        0,
        1,
        PackedColumns.pack(7L),
        PackedColumns.pack(3L),
        List.of(name),
        ints,
        PackedColumns.pack(places(ints.size()).mapToLong(i -> 100 + i).toArray()),
        floats,
        PackedColumns.pack(places(floats.size()).mapToDouble(i -> 100 + i).toArray()));
  }

  private static Stream<Integer> places(int count) {
    return Stream.iterate(0, i -> i < count, i -> i + 1);
  }

  private static PackedColumns columns(Module module) throws WireException {
    return PackedColumns.of(batch(module.logName(), "/scratch/a"));
  }

  private static RunAccumulator accumulated(String module, String name) throws WireException {
    RunAccumulator accumulator = new RunAccumulator();
    accumulator.add(batch(module, name), TestLog.SITE);
    return accumulator;
  }

  /** Whether a column was found, by the name of the field that holds it. */
  private static Map<String, Boolean> found(Object columns) {
    Map<String, Boolean> found = new TreeMap<>();
    for (Field field : columns.getClass().getDeclaredFields()) {
      if (!field.getType().isPrimitive()) {
        field.setAccessible(true);
        Object value = valueOf(field, columns);
        Object[] each = value instanceof Object[] array ? array : new Object[] {value};
        for (int i = 0; i < each.length; i++) {
          found.put(field.getName() + "[" + i + "]", each[i] != null);
        }
      }
    }
    return found;
  }

  private static Object valueOf(Field field, Object columns) {
    try {
      return field.get(columns);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theModulesAreDeclaredWithTheirPrefixes() {
    for (Module module : Module.values()) {
      assertThat(MODULES.path(module.logName()).path("prefix").asText())
          .as(module.logName())
          .isEqualTo(module.counterPrefix());
    }
  }

  @Test
  void everyCounterThatIsSummedIsDeclared() {
    for (Module module : Module.values()) {
      assertThat(module.summed().stream().map(each -> module.counterPrefix() + "_" + each))
          .as(module.logName())
          .isSubsetOf(names(module.logName(), "ints"));
    }
  }

  @Test
  void everyColumnOfTheRecordsIsDeclaredForAModule() throws WireException {
    Set<String> all = new HashSet<>();
    Set<String> found = new HashSet<>();
    for (Module module : concat(Module.DATA, Module.OBJECTS)) {
      Map<String, Boolean> columns = found(new RecordColumns(module, columns(module)));
      all.addAll(columns.keySet());
      columns.values().removeIf(isFound -> !isFound);
      found.addAll(columns.keySet());
    }
    assertThat(all).contains("bytesRead[0]", "commonSizes[3]", "dataOperations[7]");
    assertThat(found).containsAll(all);
  }

  @Test
  void everyColumnOfALibraryIsDeclared() throws WireException {
    assertThat(found(new LibraryTotals.Columns(Module.H5D, columns(Module.H5D))))
        .doesNotContainValue(false);
    assertThat(found(new LibraryTotals.Columns(Module.H5F, columns(Module.H5F))))
        .containsEntry("parallel[0]", true);
  }

  @Test
  void theColumnsOfABinAreDeclared() throws WireException {
    HeatmapTotals heatmap = accumulated("HEATMAP", "heatmap:POSIX").heatmap(Module.POSIX);
    RankTable.Entry rank = heatmap.ranks().entries().get(3L);
    assertThat(rank.bytesRead.value()).isEqualTo(101);
    assertThat(rank.bytesWritten.value()).isEqualTo(102);
    List<Double> times = new ArrayList<>();
    heatmap.busy().visit((from, to, read, written) -> Collections.addAll(times, from, to));
    // Bin 100 of bins of 100 s each, in slots of 64 s.
    assertThat(times).isNotEmpty();
    assertThat(Collections.min(times)).isBetween(10_000.0 - 64, 10_000.0);
    assertThat(Collections.max(times)).isBetween(10_100.0, 10_100.0 + 64);
  }

  @Test
  void theColumnsOfAStripeAreDeclared() throws WireException {
    List<String> ints = names("LUSTRE", "ints");
    FileLayout layout =
        accumulated("LUSTRE", "/scratch/a")
            .mounts()
            .get("scratch")
            .files()
            .files()
            .get(7L)
            .layout();
    assertThat(layout.stripeSize()).isEqualTo(100 + ints.indexOf("LUSTRE_COMP_STRIPE_SIZE"));
    assertThat(layout.stripeCount()).isEqualTo(100 + ints.indexOf("LUSTRE_COMP_STRIPE_COUNT"));
    assertThat(layout.targets()).containsExactly(100L + ints.indexOf("OST_ID"));
  }

  private static List<Module> concat(Collection<Module> some, Collection<Module> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }
}
