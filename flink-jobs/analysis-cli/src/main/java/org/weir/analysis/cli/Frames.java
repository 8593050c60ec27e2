package org.weir.analysis.cli;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into frames, each a 4-byte big-endian length and that many bytes. */
final class Frames {
  private static final int LARGEST = 16 << 20;

  private final DataInputStream in;
  private final int smallest;
  private long number;

  /**
   * Frames of a stream.
   *
   * @param smallest bytes that every frame has, its length apart
   */
  Frames(InputStream in, int smallest) {
    this.in = new DataInputStream(in);
    this.smallest = smallest;
  }

  /**
   * The content of the next frame, or null where the stream ends.
   *
   * @throws InputException if its length is impossible, or the stream ends within it
   */
  byte @Nullable [] next() throws IOException {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException e) {
      return null;
    }
    number++;
    if (length < smallest || length > LARGEST) {
      throw new InputException("message " + number + ": claims a length of " + length);
    }
    byte[] content = in.readNBytes(length);
    if (content.length < length) {
      throw new InputException("message " + number + ": the input ends within it");
    }
    return content;
  }

  /** How many frames there were so far. */
  long number() {
    return number;
  }
}
