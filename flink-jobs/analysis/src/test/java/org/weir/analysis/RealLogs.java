package org.weir.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.weir.analysis.accumulate.RunAccumulator;
import org.weir.analysis.features.FeatureComputer;
import org.weir.analysis.run.RunFeatures;
import org.weir.site.Site;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.Mount;
import org.weir.wire.WireCodec;

/**
 * Real logs as src/test/python/export_logs.py writes them: src/test/resources/real has a few, and
 * target/real-logs all of ../shared/data/darshan, where that and a Python with darshan are.
 */
final class RealLogs {
  static final Path COMMITTED = Path.of("src/test/resources/real");

  private static final Path EXPORTED = Path.of("target/real-logs");
  private static final Path DATA = Path.of("../../../shared/data/darshan");
  private static final Path SCRIPT = Path.of("src/test/python/export_logs.py");
  private static final WireCodec<DarshanLogMessage> CODEC = WireCodec.of(DarshanLogMessage.class);

  /** Where the generated runs wrote. */
  static final Site SITE =
      Site.parse(
          """
          {"cluster": "demo", "cores_per_node": {"default": 16}, "file_systems": [
            {"id": "scratch1", "kind": "local_disk", "mount_prefixes": ["/scratch1"]},
            {"id": "scratch2", "kind": "local_disk", "mount_prefixes": ["/scratch2"]}]}
          """);

  private static String missing;

  private RealLogs() {}

  /** A log with what was run, and what other tools say of it. */
  record RealLog(Path folder, JsonNode truth) {
    String name() {
      return truth.path("name").asText();
    }

    /** Of a generated log: the folder it lies in, which is the job that left it. */
    String caseName() {
      return name().replaceAll("\\.[^.]*$", "");
    }

    List<String> labels() {
      List<String> labels = new ArrayList<>();
      truth.path("labels").forEach(label -> labels.add(label.asText()));
      return labels;
    }

    boolean isGenerated() {
      return name().startsWith("generated");
    }

    /** The features, all mounts listed for a public log. */
    RunFeatures features() throws Exception {
      return features(messages());
    }

    /** The same of what is left of its messages. */
    RunFeatures features(List<DarshanLogMessage> messages) throws Exception {
      LogHeader header = null;
      LogEnd end = null;
      Site site = SITE;
      RunAccumulator sums = new RunAccumulator();
      for (DarshanLogMessage message : messages) {
        if (message.getBody() instanceof LogHeader first) {
          header = first;
          site = isGenerated() ? SITE : everywhere(header);
        } else if (message.getBody() instanceof LogBatch batch) {
          sums.add(batch, site);
        } else if (message.getBody() instanceof LogEnd last) {
          end = last;
        }
      }
      return FeatureComputer.compute(header, end, false, sums, site);
    }

    List<DarshanLogMessage> messages() throws Exception {
      List<DarshanLogMessage> messages = new ArrayList<>();
      try (DataInputStream in = new DataInputStream(open())) {
        while (true) {
          byte[] length = in.readNBytes(Integer.BYTES);
          if (length.length == 0) {
            return messages;
          }
          int bytes = java.nio.ByteBuffer.wrap(length).getInt();
          messages.add(CODEC.decode(in.readNBytes(bytes)));
        }
      }
    }

    InputStream open() throws IOException {
      Path plain = folder.resolve(name() + ".messages");
      return Files.exists(plain)
          ? Files.newInputStream(plain)
          : new GZIPInputStream(Files.newInputStream(folder.resolve(name() + ".messages.gz")));
    }

    @Override
    public String toString() {
      return name();
    }
  }

  private static Site everywhere(LogHeader header) {
    boolean lustre =
        header.getMounts().stream().map(Mount::getFsType).anyMatch(kind -> kind.equals("lustre"));
    return Site.parse(
        """
        {"cluster": "demo", "cores_per_node": {"default": 32}, "file_systems": [
          {"id": "all", "kind": "%s", "mount_prefixes": ["/"]}]}
        """
            .formatted(lustre ? "lustre" : "unknown"));
  }

  static List<RealLog> committed() {
    return read(COMMITTED);
  }

  /**
   * All of ../shared/data/darshan; where it is absent or cannot be exported, none, and {@link
   * #whyMissing} says so. WEIR_REQUIRE_ALL=1 makes it a failure that they are there and cannot be
   * exported; that they are absent is none, as they may not be part of the repository.
   */
  static synchronized List<RealLog> all() {
    if (missing == null) {
      missing = export();
      boolean required = "1".equals(System.getenv("WEIR_REQUIRE_ALL")) && Files.isDirectory(DATA);
      if (!missing.isEmpty() && required) {
        throw new AssertionError(missing);
      }
    }
    return missing.isEmpty() ? read(EXPORTED) : List.of();
  }

  static String whyMissing() {
    return missing;
  }

  /** Empty where it worked. */
  private static String export() {
    if (!Files.isDirectory(DATA)) {
      return DATA + " is not there: real logs beyond the committed ones are not tested";
    }
    try {
      Path index = EXPORTED.resolve("index.json");
      boolean fresh =
          Files.exists(index)
              && Files.getLastModifiedTime(index).compareTo(Files.getLastModifiedTime(SCRIPT)) > 0;
      if (fresh) {
        return "";
      }
      String python = System.getenv().getOrDefault("WEIR_TEST_PYTHON", "python3");
      Process process =
          new ProcessBuilder(python, SCRIPT.toString(), DATA.toString(), EXPORTED.toString())
              .redirectErrorStream(true)
              .redirectOutput(Path.of("target/export_logs.txt").toFile())
              .start();
      int status = process.waitFor();
      return status == 0
          ? ""
          : python
              + " cannot export the logs of "
              + DATA
              + ", see target/export_logs.txt; set WEIR_TEST_PYTHON to one with darshan 3.5.0";
    } catch (IOException | InterruptedException e) {
      return "the logs of " + DATA + " cannot be exported: " + e;
    }
  }

  private static List<RealLog> read(Path folder) {
    try {
      List<RealLog> logs = new ArrayList<>();
      for (JsonNode truth : new JsonMapper().readTree(folder.resolve("index.json").toFile())) {
        logs.add(new RealLog(folder, truth));
      }
      return logs;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
