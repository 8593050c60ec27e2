package org.weir.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {
  @TestFactory
  Stream<DynamicTest> vectors() throws Exception {
    return Vectors.read("text.json").stream()
        .map(
            vector ->
                DynamicTest.dynamicTest(
                    (String) vector.get("what"),
                    () -> {
                      byte[] raw = HexFormat.of().parseHex((String) vector.get("raw_hex"));
                      assertThat(Text.escape(raw)).isEqualTo(vector.get("escaped"));
                      assertThat(Text.unescape((String) vector.get("escaped"))).isEqualTo(raw);
                    }));
  }

  @Property
  void anyBytesComeBack(@ForAll byte[] raw) {
    assertThat(Text.unescape(Text.escape(raw))).isEqualTo(raw);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\", "a\\n", "\\x4", "\\xg0"})
  void refusesWhatIsNoEscape(String text) {
    assertThatThrownBy(() -> Text.unescape(text)).hasMessageContaining("a backslash at");
  }

  @Test
  void aLongTextIsCutBetweenCharacters() {
    assertThat(Text.shortened("abc", 3)).isEqualTo("abc");
    assertThat(Text.shortened("abcd", 3)).isEqualTo("abc... and 1 more characters");
    assertThat(Text.shortened("ab\ud83d\ude00", 3)).isEqualTo("ab... and 2 more characters");
  }
}
