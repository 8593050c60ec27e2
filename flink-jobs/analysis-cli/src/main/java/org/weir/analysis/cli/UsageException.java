package org.weir.analysis.cli;

/** The program was called in a way that it does not know. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
