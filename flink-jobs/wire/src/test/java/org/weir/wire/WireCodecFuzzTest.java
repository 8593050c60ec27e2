package org.weir.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;

/**
 * Decodes what Jazzer makes of the messages in the corpus: those alone in a test, and in the long
 * run (JAZZER_FUZZ=1) whatever reaches more of the code. What it finds is kept in the corpus.
 */
@Tag("slow")
class WireCodecFuzzTest {

  private static final Map<Long, String> NAMES = names();

  private static Map<Long, String> names() {
    Map<Long, String> names = new HashMap<>();
    for (String name : AnyBytesTest.CODECS.keySet()) {
      WireCodec.fingerprints(name).forEach(fingerprint -> names.put(fingerprint, name));
    }
    return names;
  }

  @FuzzTest(maxDuration = "1h")
  void anyBytes(byte[] bytes) {
    OptionalLong fingerprint = WireCodec.fingerprint(bytes);
    String name = fingerprint.isPresent() ? NAMES.get(fingerprint.getAsLong()) : null;
    try {
      AnyBytesTest.CODECS.get(name == null ? "JobManifest" : name).decode(bytes);
    } catch (WireException refused) {
      // as it should be
    }
  }
}
