package org.weir.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteTest {
  private static final Path SCHEMA = Path.of("../../schemas/site.schema.json");

  private static final Site SITE =
      Site.parse(
          """
          {"cluster": "demo", "future_field": [1], "file_systems": [
            {"id": "root", "mount_prefixes": ["/"]},
            {"id": "scratch", "mount_prefixes": ["/scratch", "/s"], "later": 1},
            {"id": "fast", "mount_prefixes": ["/scratch/fast/"],
             "peak_mib_per_second": {"1": 500.0, "16": 4000.0}}]}
          """);

  private static final Site WITHOUT_ROOT =
      Site.parse(
          """
          {"cluster": "demo", "cores_per_node": {"default": 16, "big": 64},
           "file_systems": [{"id": "scratch", "mount_prefixes": ["/scratch"]}]}
          """);

  @ParameterizedTest
  @CsvSource({
    "/scratch/a, scratch", "/scratch, scratch", "/scratch2/a, root", "/scratch/fast/a, fast",
    "/scratch/fast, fast", "/scratch/faster/a, scratch", "/s/a, scratch", "/etc/passwd, root",
  })
  void theLongestPrefixOfWholePathPartsWins(String path, String fileSystem) {
    assertThat(SITE.fileSystemOf(path).id()).isEqualTo(fileSystem);
  }

  @Test
  void whatNoPrefixHoldsIsNotListed() {
    assertThat(SITE.fileSystemOf("<STDOUT>")).isNull();
    assertThat(WITHOUT_ROOT.fileSystemOf("/tmp/a")).isNull();
  }

  @Test
  void aFileWithoutANameIsOnNoFileSystem() {
    assertThat(SITE.fileSystemOf("/").id()).isEqualTo("root");
    assertThat(SITE.fileSystemOf("")).isNull();
  }

  @Test
  void thePeakIsThatOfTheLargestEntryNotAbove() {
    Site.FileSystem fast = SITE.fileSystem("fast");
    assertThat(fast.peakFor(15)).isEqualTo(500);
    assertThat(fast.peakFor(16)).isEqualTo(4000);
    assertThat(fast.peakFor(0)).isNull();
  }

  @Test
  void defaultsAreThoseOfTheSchema() throws Exception {
    JsonNode site = new JsonMapper().readTree(SCHEMA.toFile()).path("properties");
    assertThat(SITE.loadBucketSeconds()).isEqualTo(standard(site, "load_bucket_seconds"));
    assertThat(SITE.slowThresholdSeconds()).isEqualTo(standard(site, "slow_threshold_seconds"));
    assertThat(SITE.slowThresholdShare()).isEqualTo(standard(site, "slow_threshold_share"));
    JsonNode events = site.path("storage_events").path("properties");
    Site.StorageEvents found = SITE.storageEvents();
    assertThat(
            List.of(
                found.silentSeconds(),
                found.persistSeconds(),
                found.recoverSeconds(),
                found.hotUtil(),
                found.hotLatencySeconds(),
                found.hotTimesSiblings(),
                found.saturatedUtil(),
                found.saturatedShareOfPeak(),
                found.calmShare()))
        .containsExactlyElementsOf(
            Stream.of(
                    "silent_seconds",
                    "persist_seconds",
                    "recover_seconds",
                    "hot_util",
                    "hot_latency_seconds",
                    "hot_times_siblings",
                    "saturated_util",
                    "saturated_share_of_peak",
                    "calm_share")
                .map(name -> standard(events, name))
                .toList());
  }

  private static double standard(JsonNode fields, String name) {
    return fields.required(name).required("default").asDouble();
  }

  @Test
  void coresOfANodeAreThoseOfItsPartition() {
    assertThat(SITE.coresPerNode("batch")).isNull();
    assertThat(WITHOUT_ROOT.coresPerNode("big")).isEqualTo(64);
    assertThat(WITHOUT_ROOT.coresPerNode("other")).isEqualTo(16);
    assertThat(WITHOUT_ROOT.coresPerNode(null)).isEqualTo(16);
  }

  @Test
  void maintenanceIsOfWhatTheWindowLists() {
    Site site =
        Site.parse(
            """
            {"cluster": "demo", "file_systems": [
              {"id": "a", "devices": {"s1": ["x"]}}, {"id": "b", "devices": {"s2": ["y"]}}],
             "maintenance_windows": [
              {"from": "2026-03-01T08:00:00+01:00", "to": "2026-03-01T08:00Z", "servers": ["s3"]},
              {"from": "2026-03-02T00:00Z", "to": "2026-03-03T00:00Z", "file_systems": ["a"]},
              {"from": "2026-03-04T00:00Z", "to": "2026-03-05T00:00Z"}]}
            """);
    Instant first = Instant.parse("2026-03-01T07:30:00Z");
    assertThat(site.isServerInMaintenance("s3", first)).isTrue();
    assertThat(site.isServerInMaintenance("s1", first)).isFalse();
    assertThat(site.isServerInMaintenance("s3", Instant.parse("2026-03-01T08:00:00Z"))).isFalse();
    Instant second = Instant.parse("2026-03-02T12:00:00Z");
    assertThat(site.isServerInMaintenance("s1", second)).isTrue();
    assertThat(site.isServerInMaintenance("s2", second)).isFalse();
    assertThat(site.isFileSystemInMaintenance("a", second)).isTrue();
    assertThat(site.isFileSystemInMaintenance("b", second)).isFalse();
    Instant third = Instant.parse("2026-03-04T12:00:00Z");
    assertThat(site.isServerInMaintenance("unlisted", third)).isTrue();
    assertThat(site.isFileSystemInMaintenance("b", third)).isTrue();
  }

  @Test
  void takesTheTimeZonesOfTheTimeZoneDatabaseAlone() {
    assertThat(Site.parse("{}").zone()).isEqualTo(ZoneId.of("UTC"));
    Site mountain = Site.parse("{\"time_zone\": \"MST\"}");
    Instant midnight = Instant.parse("2026-07-01T00:00:00Z");
    assertThat(midnight.atZone(mountain.zone()).getHour()).isEqualTo(17);
    assertThatThrownBy(() -> Site.parse("{\"time_zone\": \"Nowhere/Land\"}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("site: ")
        .hasMessageContaining("time_zone")
        .hasMessageContaining("Nowhere/Land");
  }

  @Test
  void refusesWhatIsNoSite() {
    assertThatThrownBy(() -> Site.parse("[")).hasMessageStartingWith("site: ");
    assertThatThrownBy(() -> Site.parse("null")).hasMessageStartingWith("site: ");
    assertThatThrownBy(
            () ->
                Site.parse(
                    "{\"maintenance_windows\":[{\"from\":\"2026-03-02T00:00Z\","
                        + "\"to\":\"2026-03-01T00:00Z\"}]}"))
        .hasMessageContaining("is not after");
  }
}
