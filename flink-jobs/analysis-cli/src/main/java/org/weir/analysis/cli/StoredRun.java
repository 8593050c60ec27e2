package org.weir.analysis.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.compare.Baseline;
import org.weir.analysis.compare.JudgedFeatures;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.evidence.FeatureSpec;
import org.weir.analysis.features.LogFeatures;
import org.weir.analysis.load.DeviceLoad;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunDetail.FilesystemPart;
import org.weir.analysis.slowness.Cost;

/**
 * A row of the view runs, as a JSON object of its columns. A feature whose column is not there is
 * unknown.
 */
record StoredRun(
    String logId,
    double runTimeSeconds,
    Cost cost,
    Map<String, Feature> features,
    RunDetail detail) {

  static StoredRun of(JsonNode row) {
    Cost cost =
        new Cost(
            whole(row, "nodes"),
            whole(row, "run_nodes"),
            number(row, "mib_per_second_per_node"),
            number(row, "reference_mib_per_second_per_node"),
            Cost.Source.NONE,
            "",
            number(row, "time_lost_seconds"),
            number(row, "node_hours_lost"),
            row.path("slow").isNumber() ? Boolean.valueOf(row.path("slow").asInt() == 1) : null);
    Set<String> lacking = new HashSet<>();
    row.path("features_lacking_records").forEach(name -> lacking.add(name.asText()));
    return new StoredRun(
        row.path("log_id").asText(),
        row.path("run_time_seconds").asDouble(),
        cost,
        JudgedFeatures.of(ofLog(row, lacking), cost, load(row), baseline(row)),
        new RunDetail(filesystems(row, lacking), List.of(), List.of()));
  }

  private static List<FilesystemPart> filesystems(JsonNode row, Set<String> lacking) {
    List<FilesystemPart> parts = new ArrayList<>();
    for (JsonNode id : row.path("filesystems")) {
      Map<String, Feature> features = new TreeMap<>();
      for (String name : LogFeatures.OF_FILESYSTEM) {
        Double value = number(row.path("filesystem_" + name).path(parts.size()));
        EvidenceClass known = evidence(row, id.asText() + "/" + name);
        features.put(name, new Feature(name, value, known, lacking.contains(name)));
      }
      parts.add(FilesystemPart.ofFeatures(id.asText(), features));
    }
    return parts;
  }

  private static Map<String, Feature> ofLog(JsonNode row, Set<String> lacking) {
    Map<String, Feature> features = new TreeMap<>();
    for (FeatureSpec spec : LogFeatures.all()) {
      String name = spec.name();
      Double value = number(row, name);
      features.put(name, new Feature(name, value, evidence(row, name), lacking.contains(name)));
    }
    return features;
  }

  private static EvidenceClass evidence(JsonNode row, String name) {
    String evidence = row.path("evidence_classes").path(name).asText("exact");
    return EvidenceClass.valueOf(evidence.toUpperCase(Locale.ROOT));
  }

  private static LoadSummary load(JsonNode row) {
    String state = row.path("load_state").asText(LoadState.WAITING.name());
    Double own = number(row, "load_own_bytes");
    return new LoadSummary(
        LoadState.valueOf(state.toUpperCase(Locale.ROOT)),
        row.path("load_buckets_expected").asInt(),
        row.path("load_buckets_closed").asInt(),
        number(row, "load_util_mean"),
        number(row, "load_util_max"),
        number(row, "load_device_bytes"),
        own == null ? 0 : own,
        number(row, "others_bytes"),
        List.of(),
        busiest(row));
  }

  private static @Nullable DeviceLoad busiest(JsonNode row) {
    Double util = number(row, "load_busiest_util");
    Double bytes = number(row, "load_busiest_bytes");
    Double others = number(row, "load_busiest_others_bytes");
    return util == null || bytes == null || others == null
        ? null
        : new DeviceLoad(row.path("load_busiest_device").asText(), util, bytes, others);
  }

  private static Baseline baseline(JsonNode row) {
    return new Baseline(
        row.path("baseline_runs").asInt(),
        null,
        number(row, "baseline_p10_mib_per_second"),
        number(row, "baseline_median_mib_per_second"));
  }

  private static @Nullable Integer whole(JsonNode row, String column) {
    return row.path(column).isNumber() ? Integer.valueOf(row.path(column).asInt()) : null;
  }

  private static @Nullable Double number(JsonNode row, String column) {
    return number(row.path(column));
  }

  private static @Nullable Double number(JsonNode value) {
    return value.isNumber() ? Double.valueOf(value.asDouble()) : null;
  }
}
