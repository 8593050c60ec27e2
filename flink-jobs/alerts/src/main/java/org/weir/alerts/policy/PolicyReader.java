package org.weir.alerts.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.judge.Severity;

/** Reads the policy from a site's canonical JSON, which was checked before it was published. */
public final class PolicyReader {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Results of the tasks of an array that end together arrive within seconds of each other. */
  private static final Duration GATHER = Duration.ofSeconds(15);

  private static final Duration NEWEST = Duration.ofHours(6);

  private PolicyReader() {}

  private record SitePart(@Nullable String timeZone, @Nullable AlertsPart alerts) {}

  private record AlertsPart(
      @Nullable String mode,
      @Nullable String leastSeverity,
      @Nullable Double leastNodeHours,
      @Nullable Double leastShare,
      @Nullable Integer perUserAndDay,
      @Nullable Integer remindDays,
      @Nullable Integer cleanRuns,
      @Nullable Boolean optIn,
      @Nullable Boolean trustArchive,
      @Nullable String digest,
      @Nullable QuietPart quietHours,
      @Nullable ExcludePart exclude) {
    static final AlertsPart NONE =
        new AlertsPart(null, null, null, null, null, null, null, null, null, null, null, null);
  }

  private record QuietPart(
      @Nullable String from,
      @Nullable String to,
      @Nullable Boolean weekends,
      @Nullable List<String> holidays) {}

  private record ExcludePart(
      @Nullable List<String> users,
      @Nullable List<String> accounts,
      @Nullable List<String> partitions,
      @Nullable List<String> programs,
      @Nullable List<String> rules) {}

  /**
   * Returns the policy with the defaults that site.schema.json names.
   *
   * @throws IllegalArgumentException if the JSON is no site
   */
  public static Policy read(String site) {
    SitePart part;
    try {
      part = JSON.readValue(site, SitePart.class);
    } catch (JsonProcessingException error) {
      throw new IllegalArgumentException("not the JSON of a site: " + error.getOriginalMessage());
    }
    AlertsPart of = part.alerts == null ? AlertsPart.NONE : part.alerts;
    ZoneId zone = ZoneId.of(part.timeZone == null ? "UTC" : part.timeZone);
    return new Policy(
        Policy.Mode.valueOf(word(of.mode, "shadow")),
        Severity.valueOf(word(of.leastSeverity, "warning")),
        of.leastNodeHours == null ? 1 : of.leastNodeHours,
        of.leastShare == null ? 0.1 : of.leastShare,
        of.perUserAndDay == null ? 3 : of.perUserAndDay,
        GATHER,
        NEWEST,
        Duration.ofDays(of.remindDays == null ? 7 : of.remindDays),
        of.cleanRuns == null ? 3 : of.cleanRuns,
        Boolean.TRUE.equals(of.optIn),
        Boolean.TRUE.equals(of.trustArchive),
        Policy.Digest.valueOf(word(of.digest, "weekly")),
        quiet(of.quietHours, zone),
        excluded(of.exclude));
  }

  private static String word(@Nullable String given, String otherwise) {
    return (given == null ? otherwise : given).toUpperCase(Locale.ROOT);
  }

  private static Policy.QuietHours quiet(@Nullable QuietPart part, ZoneId zone) {
    QuietPart of = part == null ? new QuietPart(null, null, null, null) : part;
    Set<LocalDate> holidays = new TreeSet<>();
    if (of.holidays != null) {
      of.holidays.forEach(day -> holidays.add(LocalDate.parse(day)));
    }
    return new Policy.QuietHours(
        zone,
        LocalTime.parse(of.from == null ? "00:00" : of.from),
        LocalTime.parse(of.to == null ? "00:00" : of.to),
        Boolean.TRUE.equals(of.weekends),
        holidays);
  }

  private static Policy.Exclusions excluded(@Nullable ExcludePart of) {
    return of == null
        ? Policy.Exclusions.NONE
        : new Policy.Exclusions(
            set(of.users), set(of.accounts), set(of.partitions), set(of.programs), set(of.rules));
  }

  private static Set<String> set(@Nullable List<String> given) {
    return given == null ? Set.of() : Set.copyOf(given);
  }
}
