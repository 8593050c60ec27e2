package org.weir.analysis;

import java.util.regex.Pattern;

/** Which runs are of one application, so that they can be compared. */
public final class Application {

  /** Their name says nothing of the program; the whole command line does. */
  private static final Pattern INTERPRETER =
      Pattern.compile("(python|perl|ruby|Rscript|R|julia|java|matlab|octave|node|bash|sh)[0-9.]*");

  private Application() {}

  /**
   * Key of a run's application: user, executable, file system and direction of most bytes.
   *
   * @param exe base name of the executable
   * @param exeHash of the whole command line
   */
  public static String key(String cluster, long uid, String exe, String exeHash, RunFeatures run) {
    String program = INTERPRETER.matcher(exe).matches() ? exeHash : exe;
    return String.join(
        "\0", cluster, Long.toString(uid), program, run.filesystem(), run.direction());
  }
}
