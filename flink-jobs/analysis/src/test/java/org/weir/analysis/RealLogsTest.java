package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.weir.analysis.rules.RuleOutcome;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleEnd;
import org.weir.wire.ModuleHeader;
import org.weir.wire.PackedColumns;

/**
 * Logs of real runs whose behaviour is known (src/test/resources/real), decoded with PyPI darshan.
 * The expected totals are those of libdarshan's own accumulators.
 */
class RealLogsTest {
  private static final Site SITE =
      Site.parse(
          """
          {"cluster": "demo", "cores_per_node": {"default": 16}, "file_systems": [
            {"id": "scratch1", "mount_prefixes": ["/scratch1"]},
            {"id": "scratch2", "mount_prefixes": ["/scratch2"]}]}
          """);

  static Stream<Path> logs() throws IOException {
    Path folder = Path.of(System.getProperty("real.logs", "src/test/resources/real"));
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("logs")
  void totalsAreThoseOfLibdarshan(Path file) throws Exception {
    JsonNode log = new JsonMapper().readTree(file.toFile());
    RunFeatures features = features(log);
    for (Module module : Module.values()) {
      JsonNode expected = log.path("libdarshan").path(module.logName());
      String name = module.featurePrefix();
      assertThat(features.value(name + "_bytes"))
          .isEqualTo(expected.path("total_bytes").asDouble());
      near(features, name + "_agg_time_by_slowest_seconds", expected.path("agg_time_by_slowest"));
      near(
          features,
          name + "_agg_perf_by_slowest_mib_per_second",
          expected.path("agg_perf_by_slowest"));
    }
  }

  private static void near(RunFeatures features, String name, JsonNode expected) {
    double value = expected.asDouble();
    assertThat(features.value(name)).as(name).isCloseTo(value, within(1e-9 * (1 + value)));
  }

  @ParameterizedTest
  @MethodSource("logs")
  void findingsAreWhatWasRun(Path file) throws Exception {
    JsonNode log = new JsonMapper().readTree(file.toFile());
    List<String> labels = new ArrayList<>();
    log.path("labels").forEach(label -> labels.add(label.asText()));
    List<String> found =
        ShippedRules.RULES.evaluate(features(log).features()).stream()
            .filter(RuleOutcome::holds)
            .map(outcome -> outcome.rule().id())
            .toList();
    assertThat(found)
        .containsExactlyElementsOf(ShippedRules.IDS.stream().filter(labels::contains).toList());
  }

  private static RunFeatures features(JsonNode log) throws Exception {
    RunAccumulator accumulator = new RunAccumulator();
    for (JsonNode batch : log.path("batches")) {
      accumulator.add(batch(batch), SITE);
    }
    return RunFeatures.of(header(log), end(log), false, accumulator, SITE);
  }

  private static LogHeader header(JsonNode log) {
    List<ModuleHeader> modules = new ArrayList<>();
    for (JsonNode module : log.path("modules")) {
      modules.add(
          new ModuleHeader(
              module.path("name").asText(),
              module.path("version").asInt(),
              module.path("partial").asBoolean(),
              0L));
    }
    double runTime = log.path("run_time_seconds").asDouble();
    return new LogHeader(
        "demo",
        1L,
        0L,
        null,
        "strict",
        "",
        "",
        "",
        log.path("nprocs").asLong(),
        0L,
        Math.round(runTime * 1e6),
        runTime,
        "3.41",
        Map.of(),
        List.of(),
        modules,
        null);
  }

  private static LogEnd end(JsonNode log) {
    List<ModuleEnd> modules = new ArrayList<>();
    for (JsonNode module : log.path("modules")) {
      String state = module.path("partial").asBoolean() ? "partial" : "complete";
      modules.add(new ModuleEnd(module.path("name").asText(), state, null, 0L, null));
    }
    return new LogEnd(log.path("batches").size(), modules);
  }

  private static LogBatch batch(JsonNode batch) {
    JsonNode ints = batch.path("ints");
    JsonNode floats = batch.path("floats");
    long[] intValues =
        stream(ints).flatMapToLong(c -> stream(c).mapToLong(JsonNode::asLong)).toArray();
    double[] floatValues =
        stream(floats).flatMapToDouble(c -> stream(c).mapToDouble(JsonNode::asDouble)).toArray();
    List<String> names = stream(batch.path("names")).map(JsonNode::asText).toList();
    ByteBuffer ids =
        PackedColumns.pack(
            stream(batch.path("ids")).mapToLong(i -> Long.parseUnsignedLong(i.asText())).toArray());
    ByteBuffer ranks =
        PackedColumns.pack(stream(batch.path("ranks")).mapToLong(JsonNode::asLong).toArray());
    return new LogBatch(
        "demo",
        1L,
        0L,
        batch.path("module").asText(),
        4,
        0,
        names.size(),
        ids,
        ranks,
        names,
        names(ints),
        PackedColumns.pack(intValues),
        names(floats),
        PackedColumns.pack(floatValues));
  }

  private static List<String> names(JsonNode columns) {
    List<String> names = new ArrayList<>();
    columns.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Stream<JsonNode> stream(JsonNode node) {
    return StreamSupport.stream(node.spliterator(), false);
  }
}
