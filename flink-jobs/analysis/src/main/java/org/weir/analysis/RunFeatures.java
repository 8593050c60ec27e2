package org.weir.analysis;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;

/**
 * Everything the analysis knows of a run from its log alone.
 *
 * @param format of {@link #toBytes}
 * @param logState how whole the log is
 * @param modules names of the modules in the log, all of them
 * @param filesystem id of the listed file system with most of the bytes; null if there is none
 * @param direction read or write: where most of the listed bytes go
 * @param nprocs processes
 * @param startTime UTC microseconds
 * @param runTimeSeconds of the log's job record
 * @param features by name, all of {@link FeatureCatalog}
 * @param traits what kind of run it was, sorted
 * @param traffic on {@code filesystem}, then on the other listed ones with a noticeable share of
 *     the bytes; empty after {@link #withoutTraffic}
 * @param detail by file system, storage target and file; of files only after {@link
 *     #withoutTraffic}
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RunFeatures(
    int format,
    LogState logState,
    List<String> modules,
    String filesystem,
    String direction,
    long nprocs,
    long startTime,
    double runTimeSeconds,
    Map<String, Feature> features,
    List<String> traits,
    List<OwnTraffic> traffic,
    RunDetail detail) {

  /** Raise it when the shape changes in a way that Jackson cannot read. */
  static final int FORMAT = 2;

  private static final JsonMapper JSON = new JsonMapper();

  /**
   * The features of what has been added up.
   *
   * @param end null where it has not arrived: then every total is a lower bound
   * @param batchesMissing fewer batches were added than the end says
   * @param site the one the batches were added with
   */
  public static RunFeatures of(
      LogHeader header, LogEnd end, boolean batchesMissing, RunAccumulator accumulator, Site site) {
    return new FeatureComputer(header, end, batchesMissing, accumulator, site).compute();
  }

  /**
   * A feature.
   *
   * @throws IllegalArgumentException if the catalog has none of this name
   */
  public Feature feature(String name) {
    Feature feature = features.get(name);
    if (feature == null) {
      throw new IllegalArgumentException("no feature is called " + name);
    }
    return feature;
  }

  /** Value of a feature, null where the log cannot tell or it is not defined. */
  public Double value(String name) {
    return feature(name).value();
  }

  /** Feature to class text, for those that are not exact: the column evidence_classes. */
  public Map<String, String> evidenceClasses() {
    Map<String, String> classes = new TreeMap<>();
    for (Feature feature : features.values()) {
      if (feature.evidence() != EvidenceClass.EXACT) {
        classes.put(feature.name(), feature.evidence().text());
      }
    }
    return classes;
  }

  /** Names of features that the log lacks records for: the column features_lacking_records. */
  public List<String> featuresLackingRecords() {
    return features.values().stream().filter(Feature::incomplete).map(Feature::name).toList();
  }

  /** End of the run in UTC microseconds. */
  public long endTime() {
    return startTime + Math.round(runTimeSeconds * 1e6);
  }

  /** Without what is used once, for keeping the rest. The files stay: advice names them. */
  public RunFeatures withoutTraffic() {
    return new RunFeatures(
        format,
        logState,
        modules,
        filesystem,
        direction,
        nprocs,
        startTime,
        runTimeSeconds,
        features,
        traits,
        List.of(),
        new RunDetail(List.of(), List.of(), detail.files()));
  }

  /** For keeping it as state, a few kilobytes. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new FastGzip(bytes)) {
      out.write(JSON.writeValueAsBytes(this));
    } catch (IOException e) {
      throw new IllegalStateException("run features cannot be written", e);
    }
    return bytes.toByteArray();
  }

  /** Faster for somewhat more bytes: they are kept for days but packed for every log. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /**
   * What {@link #toBytes} wrote.
   *
   * @throws IllegalArgumentException if the bytes are of another format or damaged
   */
  public static RunFeatures fromBytes(byte[] bytes) {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      RunFeatures features = JSON.readValue(in, RunFeatures.class);
      if (features.format != FORMAT) {
        throw new IllegalArgumentException(
            "run features: format " + features.format + ", this code reads " + FORMAT);
      }
      return features;
    } catch (IOException e) {
      throw new IllegalArgumentException("run features: damaged state", e);
    }
  }
}
