package org.weir.analysis.cli;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.ruleengine.RuleSet;

/**
 * Keeps the rules that ship compiled in the jar, since compiling them takes longer than all else
 * that one log needs. They count only for rule files that are the same to the byte; others are
 * compiled.
 */
final class PreparedRules {
  private static final String RESOURCE = "prepared-rules";

  private PreparedRules() {}

  /** Writes those of a folder into a folder of classes; the build runs it. */
  public static void main(String[] args) throws IOException {
    byte[] files = RuleFiles.content(Path.of(args[0]));
    Path place = Path.of(args[1], PreparedRules.class.getPackageName().replace('.', '/'), RESOURCE);
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(place))) {
      out.writeInt(files.length);
      out.write(files);
      RuleFiles.compile(Path.of(args[0])).write(out);
    }
  }

  /** The rules whose files have this content; null where the jar has no such. */
  static @Nullable RuleSet of(byte[] files) throws IOException {
    try (InputStream resource = PreparedRules.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        return null;
      }
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(resource.readAllBytes()));
      byte[] prepared = in.readNBytes(in.readInt());
      return Arrays.equals(prepared, files) ? RuleSet.read(in) : null;
    }
  }
}
