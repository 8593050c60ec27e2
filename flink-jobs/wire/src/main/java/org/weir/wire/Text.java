package org.weir.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.NullMarked;

/**
 * Text of any bytes: valid UTF-8 stays as it is (control characters too), an invalid byte becomes
 * {@code \xNN} and a backslash {@code \\}, so that nothing is lost. Held to {@code
 * schemas/vectors/text.json} together with Python's {@code weir.text}.
 */
@NullMarked
public final class Text {
  private static final int HEX = 16;

  private Text() {}

  /** Escaped text of raw bytes. */
  public static String escape(byte[] raw) {
    CharsetDecoder decoder =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    StringBuilder text = new StringBuilder(raw.length + 16);
    ByteBuffer in = ByteBuffer.wrap(raw);
    CharBuffer out = CharBuffer.allocate(raw.length);
    while (true) {
      CoderResult result = decoder.decode(in, out, true);
      appendDoubled(text, out.flip());
      out.clear();
      if (!result.isError()) {
        return text.toString();
      }
      for (int i = 0; i < result.length(); i++) {
        text.append(String.format("\\x%02x", in.get() & 0xff));
      }
      decoder.reset();
    }
  }

  /**
   * The raw bytes of escaped text.
   *
   * @throws IllegalArgumentException at a backslash that starts neither {@code \\} nor {@code \xNN}
   */
  public static byte[] unescape(String text) {
    ByteArrayOutputStream raw = new ByteArrayOutputStream(text.length());
    int i = 0;
    while (i < text.length()) {
      int backslash = text.indexOf('\\', i);
      int end = backslash < 0 ? text.length() : backslash;
      raw.writeBytes(text.substring(i, end).getBytes(UTF_8));
      i = end;
      if (backslash >= 0) {
        i += unescapeOne(text, backslash, raw);
      }
    }
    return raw.toByteArray();
  }

  /** Returns a text of at most so many characters, and how many more it had. */
  public static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end) + "... and " + (text.length() - end) + " more characters";
  }

  private static int unescapeOne(String text, int at, ByteArrayOutputStream raw) {
    if (text.startsWith("\\\\", at)) {
      raw.write('\\');
      return 2;
    }
    if (text.startsWith("\\x", at) && at + 4 <= text.length()) {
      int high = Character.digit(text.charAt(at + 2), HEX);
      int low = Character.digit(text.charAt(at + 3), HEX);
      if (high >= 0 && low >= 0) {
        raw.write(high * HEX + low);
        return 4;
      }
    }
    throw new IllegalArgumentException(
        "escaped text: a backslash at " + at + " that is neither \\\\ nor \\xNN: " + text);
  }

  private static void appendDoubled(StringBuilder text, CharSequence valid) {
    for (int i = 0; i < valid.length(); i++) {
      char c = valid.charAt(i);
      text.append(c);
      if (c == '\\') {
        text.append(c);
      }
    }
  }
}
