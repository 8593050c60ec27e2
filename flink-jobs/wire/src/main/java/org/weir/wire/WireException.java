package org.weir.wire;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.NullMarked;

/**
 * A message that cannot be read: unknown fingerprint, damaged bytes, or columns that do not fit
 * their declared number of rows. The message says what was expected; the input belongs into a dead
 * letter.
 */
@NullMarked
public final class WireException extends Exception {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }

  public WireException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns the message that each of them is made with. */
  @Override
  public String getMessage() {
    return requireNonNull(super.getMessage());
  }
}
