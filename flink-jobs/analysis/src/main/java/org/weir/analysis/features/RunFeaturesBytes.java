package org.weir.analysis.features;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.log.LogState;
import org.weir.analysis.run.RunDetail;
import org.weir.analysis.run.RunDetail.FilesystemPart;
import org.weir.analysis.run.RunFeatures;
import org.weir.analysis.run.RunFile;
import org.weir.analysis.state.StateBytes;

/**
 * A run's features as state. They stand under their names, so that those of another version of the
 * program are found: of each name only what the one before it does not begin with.
 */
public final class RunFeaturesBytes {
  private static final int FORMAT = 5;
  private static final int OLDEST_FORMAT = 5;
  private static final String WHAT = "features of a run";

  /** What stands of a feature beside the class of its evidence, the place in {@link #CLASSES}. */
  private static final int CLASS = 0x0f;

  private static final int INCOMPLETE = 0x10;
  private static final int HAS_VALUE = 0x20;

  private static final List<EvidenceClass> CLASSES =
      List.of(
          EvidenceClass.EXACT,
          EvidenceClass.LOWER_BOUND,
          EvidenceClass.UPPER_BOUND,
          EvidenceClass.BOUNDED,
          EvidenceClass.UNKNOWABLE);

  private RunFeaturesBytes() {}

  /**
   * Writes a run's features for keeping them as state, in a few kilobytes: without what is used
   * once, the run's traffic and its storage targets, and of its file systems with their features
   * alone.
   */
  public static byte[] write(RunFeatures run) {
    StateBytes.Out out = new StateBytes.Out(FORMAT);
    out.writeText(run.logState().name());
    writeTexts(run.modules(), out);
    out.writeText(run.filesystem() == null ? "" : run.filesystem());
    out.writeText(run.direction());
    out.writePacked(run.nprocs());
    out.writeLong(run.startTime());
    out.writeDouble(run.runTimeSeconds());
    writeFeatures(run.features(), out);
    writeTexts(run.traits(), out);
    out.writePacked(run.detail().files().size());
    run.detail().files().forEach(file -> writeFile(file, out));
    out.writePacked(run.detail().filesystems().size());
    run.detail().filesystems().forEach(part -> writeFilesystem(part, out));
    return out.toByteArray();
  }

  private static void writeTexts(List<String> texts, StateBytes.Out out) {
    out.writePacked(texts.size());
    texts.forEach(out::writeText);
  }

  private static void writeFeatures(Map<String, Feature> features, StateBytes.Out out) {
    out.writePacked(features.size());
    byte[] before = {};
    for (Feature feature : features.values()) {
      byte[] name = feature.name().getBytes(StandardCharsets.US_ASCII);
      int same = Arrays.mismatch(before, 0, before.length, name, 0, name.length);
      out.writeByte(same);
      out.writeByte(name.length - same);
      out.writeBytes(name, same, name.length - same);
      before = name;
      out.writeByte(
          CLASSES.indexOf(feature.evidence())
              | (feature.incomplete() ? INCOMPLETE : 0)
              | (feature.value() == null ? 0 : HAS_VALUE));
      if (feature.value() != null) {
        out.writeNumber(feature.value());
      }
    }
  }

  private static void writeFilesystem(FilesystemPart part, StateBytes.Out out) {
    out.writeText(part.filesystem());
    writeKnown(part.bytesRead(), out);
    writeKnown(part.bytesWritten(), out);
    writeFeatures(part.features(), out);
  }

  private static void writeKnown(@Nullable Double value, StateBytes.Out out) {
    out.writeNumber(value == null ? Double.NaN : value);
  }

  private static @Nullable Double readKnown(StateBytes.In in) {
    double value = in.readNumber();
    return Double.isNaN(value) ? null : value;
  }

  private static void writeFile(RunFile file, StateBytes.Out out) {
    out.writeLong(Long.parseUnsignedLong(file.recordId()));
    out.writeText(file.filesystem());
    out.writeText(file.sharing());
    out.writeNumber(file.bytesRead());
    out.writeNumber(file.bytesWritten());
    out.writeNumber(file.extentBytes());
    out.writeNumber(file.requests());
    out.writeNumber(file.smallRequests());
    out.writeNumber(file.independentOperations());
    out.writeNumber(file.collectiveOperations());
    out.writeNumber(file.stripeCount());
    out.writeNumber(file.stripeSizeBytes());
  }

  /**
   * Reads what {@link #write} wrote, of this version of the program or of an older one. What is
   * known only since is unknowable.
   *
   * @throws IllegalArgumentException if the bytes are of a later format or damaged
   */
  public static RunFeatures read(byte[] bytes) {
    try {
      StateBytes.In in = new StateBytes.In(bytes, WHAT, OLDEST_FORMAT, FORMAT);
      RunFeatures run = read(in);
      if (!in.isAtEnd()) {
        throw new IllegalArgumentException(WHAT + ": damaged state, bytes are left over");
      }
      return withUnknown(run);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(WHAT + ": damaged state", e);
    }
  }

  private static RunFeatures read(StateBytes.In in) {
    LogState logState = LogState.valueOf(in.readText());
    List<String> modules = readTexts(in);
    String filesystem = in.readText();
    String direction = in.readText();
    long nprocs = in.readPacked();
    long startTime = in.readLong();
    double runTimeSeconds = in.readDouble();
    Map<String, Feature> features = readFeatures(in);
    List<String> traits = readTexts(in);
    List<RunFile> files = new ArrayList<>();
    for (long left = in.readPacked(); left > 0; left--) {
      files.add(readFile(in));
    }
    List<FilesystemPart> filesystems = new ArrayList<>();
    for (long left = in.readPacked(); left > 0; left--) {
      String id = in.readText();
      Double read = readKnown(in);
      Double written = readKnown(in);
      Map<String, Feature> ofFilesystem = readFeatures(in);
      LogFeatures.OF_FILESYSTEM.forEach(name -> addUnknown(ofFilesystem, name));
      filesystems.add(new FilesystemPart(id, read, written, 0, null, ofFilesystem));
    }
    return new RunFeatures(
        logState,
        modules,
        filesystem.isEmpty() ? null : filesystem,
        direction,
        nprocs,
        startTime,
        runTimeSeconds,
        features,
        traits,
        List.of(),
        new RunDetail(filesystems, List.of(), files));
  }

  private static List<String> readTexts(StateBytes.In in) {
    List<String> texts = new ArrayList<>();
    for (long left = in.readPacked(); left > 0; left--) {
      texts.add(in.readText());
    }
    return texts;
  }

  private static Map<String, Feature> readFeatures(StateBytes.In in) {
    Map<String, Feature> features = new TreeMap<>();
    byte[] name = new byte[2 * (Byte.MAX_VALUE + 1)];
    for (long left = in.readPacked(); left > 0; left--) {
      int same = in.readByte();
      int more = in.readByte();
      in.readBytes(name, same, more);
      String text = new String(name, 0, same + more, StandardCharsets.US_ASCII);
      int bits = in.readByte();
      Double value = (bits & HAS_VALUE) == 0 ? null : Double.valueOf(in.readNumber());
      features.put(
          text, new Feature(text, value, CLASSES.get(bits & CLASS), (bits & INCOMPLETE) != 0));
    }
    return features;
  }

  private static RunFile readFile(StateBytes.In in) {
    return new RunFile(
        Long.toUnsignedString(in.readLong()),
        in.readText(),
        in.readText(),
        in.readNumber(),
        in.readNumber(),
        in.readNumber(),
        in.readNumber(),
        in.readNumber(),
        in.readNumber(),
        in.readNumber(),
        in.readNumber(),
        in.readNumber());
  }

  /** Nobody has computed the features that have come since: they are unknowable. */
  private static RunFeatures withUnknown(RunFeatures run) {
    LogFeatures.all().forEach(spec -> addUnknown(run.features(), spec.name()));
    return run;
  }

  private static void addUnknown(Map<String, Feature> features, String name) {
    features.computeIfAbsent(name, n -> new Feature(n, null, EvidenceClass.UNKNOWABLE, false));
  }
}
