package org.weir.wire;

/**
 * A message that cannot be read: unknown fingerprint, damaged bytes, or columns that do not fit
 * their declared number of rows. The message says what was expected; the input belongs into a dead
 * letter.
 */
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }

  public WireException(String message, Throwable cause) {
    super(message, cause);
  }
}
