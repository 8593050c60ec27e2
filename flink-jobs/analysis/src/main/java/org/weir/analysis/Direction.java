package org.weir.analysis;

/** Which bytes a number is about. */
enum Direction {
  BOTH(""),
  READ("read_"),
  WRITE("write_");

  private final String infix;

  Direction(String infix) {
    this.infix = infix;
  }

  /** Part of a feature's name: {@code posix_read_effective_ranks_lower}. */
  String infix() {
    return infix;
  }

  double of(double read, double written) {
    return switch (this) {
      case BOTH -> read + written;
      case READ -> read;
      case WRITE -> written;
    };
  }
}
