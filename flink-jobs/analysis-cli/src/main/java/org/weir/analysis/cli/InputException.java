package org.weir.analysis.cli;

import org.jspecify.annotations.Nullable;

/** What was given cannot be read; the message says which, where and why. */
final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InputException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  InputException(String message) {
    this(message, null);
  }
}
