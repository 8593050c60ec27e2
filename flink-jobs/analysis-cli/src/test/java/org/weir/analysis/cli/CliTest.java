package org.weir.analysis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.weir.wire.SchedulerJob;
import org.weir.wire.WireCodec;

/** The command line over real logs: what Python reads from it. */
class CliTest {
  private static final String RULES = "../../schemas/rules";
  private static final Path REAL = Path.of("../analysis/src/test/resources/real");

  @TempDir Path folder;

  private record Result(int status, List<JsonNode> lines, String error) {}

  private static Result run(InputStream in, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        Cli.run(args, in, new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString(UTF_8).lines().toList()) {
      lines.add(new JsonMapper().readTree(line));
    }
    return new Result(status, lines, err.toString(UTF_8));
  }

  private static InputStream log(String part) throws Exception {
    try (var files = Files.list(REAL)) {
      Path file = files.filter(f -> f.toString().contains(part)).findFirst().orElseThrow();
      return new GZIPInputStream(Files.newInputStream(file));
    }
  }

  private Path site(String more) throws Exception {
    return Files.writeString(
        folder.resolve("site.yaml"),
        """
        cluster: demo
        cores_per_node: {default: 16}
        file_systems:
          - {id: scratch1, kind: local_disk, mount_prefixes: [/scratch1]}
        """
            + more);
  }

  private static InputStream nothing() {
    return new ByteArrayInputStream(new byte[0]);
  }

  @Test
  void aRunIsALine() throws Exception {
    Result result =
        run(log("rank0_writer.4"), "analyze", "--rules", RULES, "--site", site("").toString());
    assertThat(result.error()).isEmpty();
    assertThat(result.lines()).hasSize(1);
    JsonNode run = result.lines().get(0);
    assertThat(run.path("kind").asText()).isEqualTo("run");
    assertThat(run.path("log_state").asText()).isEqualTo("complete");
    assertThat(run.path("features").path("bytes_written").path("value").asLong())
        .isEqualTo(512L << 20);
    assertThat(run.path("features").path("bytes_written").path("evidence_class").asText())
        .isEqualTo("exact");
    assertThat(run.path("findings").findValuesAsText("severity")).containsOnly("info");
    JsonNode finding = run.path("findings").get(1);
    assertThat(finding.path("id").asText()).isEqualTo("rank0_io");
    assertThat(finding.path("evidence").path("posix_effective_ranks_upper").asDouble())
        .isEqualTo(1);
    assertThat(finding.path("advice").get(0).path("files").get(0).path("name").asText())
        .isEqualTo("/scratch1/generated_rank0_writer/rank0_out.dat");
    assertThat(run.path("verdict").path("value").asText()).isEqualTo("not_slow");
    assertThat(run.path("traits").toString()).isEqualTo("[\"N:N\",\"P\"]");
    assertThat(run.path("files").get(0).path("sharing").asText()).isEqualTo("unique");
  }

  @Test
  void withoutASiteTheLogsMountsAreJudged() throws Exception {
    JsonNode run = run(log("rank0_writer.4"), "analyze", "--rules", RULES).lines().get(0);
    assertThat(run.path("findings").findValuesAsText("id")).contains("rank0_io");
  }

  @Test
  void aSchedulersRecordMakesAJob() throws Exception {
    JsonNode alone = run(log("rank0_writer.4"), "analyze", "--rules", RULES).lines().get(0);
    long start = alone.path("start_time").asLong();
    SchedulerJob job =
        new SchedulerJob(
            "demo",
            alone.path("job_id").asLong(),
            "abc",
            "7",
            null,
            null,
            "ada",
            null,
            null,
            "batch",
            null,
            "wave",
            "COMPLETED",
            3,
            0,
            null,
            start - 1,
            start - 1,
            start + 60_000_000,
            2,
            32,
            "n[1-2]",
            null,
            start / 1_000_000,
            "replay");
    job.setUid(uid());
    byte[] message = WireCodec.of(SchedulerJob.class).encode(job);
    ByteBuffer framed = ByteBuffer.allocate(4 + message.length);
    framed.putInt(message.length).put(message);
    Result result =
        run(
            new SequenceInputStream(
                new ByteArrayInputStream(framed.array()), log("rank0_writer.4")),
            "analyze",
            "--rules",
            RULES,
            "--site",
            site("").toString());
    assertThat(result.lines()).hasSize(2);
    assertThat(result.lines().get(0).path("job_uid").asText()).isEqualTo("abc");
    assertThat(result.lines().get(0).path("features").path("nodes").path("value").asInt())
        .isEqualTo(2);
    JsonNode summary = result.lines().get(1);
    assertThat(summary.path("kind").asText()).isEqualTo("job");
    assertThat(summary.path("job_name").asText()).isEqualTo("wave");
    assertThat(summary.path("findings").toString()).contains("rank0_io");
  }

  private static long uid() throws Exception {
    long[] uid = new long[1];
    new Messages()
        .read(
            log("rank0_writer.4"),
            message -> {
              if (message instanceof org.weir.wire.DarshanLogMessage part
                  && part.getBody() instanceof org.weir.wire.LogHeader header) {
                uid[0] = header.getUid();
              }
            });
    return uid[0];
  }

  @Test
  void aSiteOverridesThresholds() throws Exception {
    String own = "rule_thresholds: {rank0_io: {fewest_processes: 17}}\n";
    Result result =
        run(log("rank0_writer.4"), "analyze", "--rules", RULES, "--site", site(own).toString());
    assertThat(result.lines().get(0).path("findings").findValuesAsText("id"))
        .contains("load_imbalance")
        .doesNotContain("rank0_io");
    Result shown =
        run(
            nothing(),
            "rules",
            "show",
            "rank0_io",
            "--rules",
            RULES,
            "--site",
            site(own).toString());
    JsonNode rule = shown.lines().get(0);
    assertThat(rule.path("thresholds").path("fewest_processes").asInt()).isEqualTo(4);
    assertThat(rule.path("site_thresholds").path("fewest_processes").asInt()).isEqualTo(17);
    Result wrong =
        run(
            nothing(),
            "rules",
            "list",
            "--rules",
            RULES,
            "--site",
            site("rule_thresholds: {rank0_io: {typo: 1}}\n").toString());
    assertThat(wrong.status()).isEqualTo(1);
    assertThat(wrong.error()).contains("the rule has no threshold typo");
  }

  @Test
  void rulesAndFeaturesAreListed() throws Exception {
    Result rules = run(nothing(), "rules", "list", "--rules", RULES);
    assertThat(rules.lines()).hasSize(26);
    assertThat(rules.lines().get(0).path("condition").asText()).contains("collective_posix_bytes");
    assertThat(run(nothing(), "features").lines()).hasSizeGreaterThan(200);
  }

  @Test
  void wrongCallsAndWrongInputSayWhatIsWrong() throws Exception {
    assertThat(run(nothing(), "analyse").status()).isEqualTo(2);
    assertThat(run(nothing(), "analyze").error()).contains("--rules is missing");
    assertThat(run(nothing(), "rules", "show", "nothing", "--rules", RULES).error())
        .contains("no rule is called nothing");
    byte[] noise = {0, 0, 0, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    Result unread = run(new ByteArrayInputStream(noise), "analyze", "--rules", RULES);
    assertThat(unread.status()).isEqualTo(1);
    assertThat(unread.error()).contains("message 1: none that the analysis reads");
    byte[] cut = {0, 0, 0, 12, 1};
    assertThat(run(new ByteArrayInputStream(cut), "analyze", "--rules", RULES).error())
        .contains("message 1: the input ends within it");
    String[] preview = {"preview-alerts", "--site", site("").toString()};
    assertThat(run(new ByteArrayInputStream(cut), preview).error())
        .contains("message 1: the input ends within it");
    byte[] early = {0, 0, 0, 7, 1, 2, 3, 4, 5, 6, 7};
    assertThat(run(new ByteArrayInputStream(early), preview).error())
        .contains("message 1: claims a length of 7");
    Files.writeString(folder.resolve("bad.yaml"), "id: [");
    assertThat(run(nothing(), "analyze", "--rules", folder.toString()).error())
        .contains("bad.yaml", "line 1");
  }
}
