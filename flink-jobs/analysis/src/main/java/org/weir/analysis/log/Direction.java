package org.weir.analysis.log;

/** Which bytes a number is about. */
public enum Direction {
  BOTH(""),
  READ("read_"),
  WRITE("write_");

  private final String infix;

  Direction(String infix) {
    this.infix = infix;
  }

  /** Part of a feature's name: {@code posix_read_effective_ranks_lower}. */
  public String infix() {
    return infix;
  }

  public double of(double read, double written) {
    return switch (this) {
      case BOTH -> read + written;
      case READ -> read;
      case WRITE -> written;
    };
  }
}
