package org.weir.alerts.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.weir.alerts.DeskAtWork;
import org.weir.analysis.judge.Severity;

/** The defaults are those that the schema tells a center; what a site says is read as it stands. */
class PolicyReaderTest {

  private static JsonNode schema() throws Exception {
    Path file = Path.of("../../schemas/site.schema.json");
    return new ObjectMapper().readTree(Files.readString(file)).at("/properties/alerts/properties");
  }

  @Test
  void withoutAWordOfTheSiteTheDefaultsAreThoseOfTheSchema() throws Exception {
    Policy policy = PolicyReader.read("{\"cluster\": \"lab\"}");
    JsonNode schema = schema();
    assertThat(policy.mode()).hasToString(upper(schema, "mode"));
    assertThat(policy.leastSeverity()).hasToString(upper(schema, "least_severity"));
    assertThat(policy.digest()).hasToString(upper(schema, "digest"));
    assertThat(policy.leastNodeHours()).isEqualTo(number(schema, "least_node_hours"));
    assertThat(policy.leastShare()).isEqualTo(number(schema, "least_share"));
    assertThat(policy.perUserAndDay()).isEqualTo((int) number(schema, "per_user_and_day"));
    assertThat(policy.remind()).isEqualTo(Duration.ofDays((long) number(schema, "remind_days")));
    assertThat(policy.cleanRuns()).isEqualTo((int) number(schema, "clean_runs"));
    assertThat(policy.optIn()).isEqualTo(schema.at("/opt_in/default").asBoolean());
    assertThat(policy.trustArchive())
        .isEqualTo(schema.at("/trust_archive/default").asBoolean(true));
    assertThat(policy.excluded()).isEqualTo(Policy.Exclusions.NONE);
    assertThat(policy.quiet().next(DeskAtWork.NOON)).isEqualTo(DeskAtWork.NOON);
  }

  private static String upper(JsonNode schema, String field) {
    return schema.at("/" + field + "/default").asText("missing").toUpperCase();
  }

  private static double number(JsonNode schema, String field) {
    return schema.at("/" + field + "/default").asDouble(-1);
  }

  @Test
  void whatTheSiteSaysIsRead() {
    Policy policy =
        PolicyReader.read(
            """
            {"cluster": "lab", "time_zone": "Europe/Berlin", "alerts": {
              "mode": "live", "least_severity": "critical", "least_node_hours": 2.5,
              "least_share": 0.2, "per_user_and_day": 1, "digest": "daily", "remind_days": 14,
              "clean_runs": 5, "opt_in": true, "trust_archive": true,
              "quiet_hours": {"from": "20:00", "to": "07:30", "weekends": true,
                "holidays": ["2026-12-25"]},
              "exclude": {"users": ["root"], "rules": ["metadata"]}}}
            """);
    assertThat(policy.mode()).isEqualTo(Policy.Mode.LIVE);
    assertThat(policy.leastSeverity()).isEqualTo(Severity.CRITICAL);
    assertThat(policy.leastNodeHours()).isEqualTo(2.5);
    assertThat(policy.leastShare()).isEqualTo(0.2);
    assertThat(policy.perUserAndDay()).isEqualTo(1);
    assertThat(policy.digest()).isEqualTo(Policy.Digest.DAILY);
    assertThat(policy.remind()).isEqualTo(Duration.ofDays(14));
    assertThat(policy.cleanRuns()).isEqualTo(5);
    assertThat(policy.optIn()).isTrue();
    assertThat(policy.trustArchive()).isTrue();
    assertThat(policy.quiet())
        .isEqualTo(
            new Policy.QuietHours(
                ZoneId.of("Europe/Berlin"),
                LocalTime.of(20, 0),
                LocalTime.of(7, 30),
                true,
                Set.of(LocalDate.of(2026, 12, 25))));
    assertThat(policy.excluded().users()).containsExactly("root");
    assertThat(policy.excluded().rules()).containsExactly("metadata");
    assertThat(policy.excluded().accounts()).isEmpty();
  }

  @Test
  void whatIsNoSiteIsRefused() {
    assertThatThrownBy(() -> PolicyReader.read("[1]")).isInstanceOf(IllegalArgumentException.class);
  }
}
