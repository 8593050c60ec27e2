package org.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The vectors were computed with Python's hashlib, and Python's tests read them too. */
class IdentityTest {
  @TestFactory
  java.util.stream.Stream<DynamicTest> vectors() throws Exception {
    return Vectors.read("identity.json").stream()
        .map(
            vector ->
                DynamicTest.dynamicTest(
                    vector.get("kind") + " " + vector.get("inputs"),
                    () -> assertThat(identity(vector)).isEqualTo(vector.get("expected"))));
  }

  @SuppressWarnings("unchecked")
  private static String identity(Map<String, Object> vector) {
    Map<String, Object> in = (Map<String, Object>) vector.get("inputs");
    return switch ((String) vector.get("kind")) {
      case "log_id" -> Identity.logId(HexFormat.of().parseHex((String) in.get("bytes_hex")));
      case "mapped_set_id" -> ofMembers((List<List<Object>>) in.get("members"));
      case "job_uid" ->
          Identity.jobUid(
              (String) in.get("cluster"),
              ((Number) in.get("job_id")).longValue(),
              in.get("array_index") == null ? null : ((Number) in.get("array_index")).longValue(),
              ((Number) in.get("submit_second")).longValue());
      case "dead_letter_id" ->
          Identity.deadLetterId(
              (String) in.get("cluster"), (String) in.get("source"), (String) in.get("place"));
      case "alert_id" ->
          Identity.alertId(
              (String) in.get("kind"), (String) in.get("unit"), (String) in.get("recipient"));
      case "storage_event_id" ->
          Identity.storageEventId(
              (String) in.get("cluster"),
              (String) in.get("kind"),
              (String) in.get("subject_kind"),
              (String) in.get("subject"),
              ((Number) in.get("since_microseconds")).longValue());
      default -> throw new IllegalArgumentException("unknown kind in the vectors: " + vector);
    };
  }

  /** As schemas/README says; only Python makes it. */
  private static String ofMembers(List<List<Object>> members) {
    StringBuilder text = new StringBuilder("mmap-log");
    members.forEach(member -> member.forEach(part -> text.append('\0').append(part)));
    return Identity.hash(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
