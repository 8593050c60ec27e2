package org.weir.analysis.compare;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.weir.analysis.run.RunFeatures;

/** Decides which runs are of one application and did their I/O alike, so that they compare. */
public final class Application {

  /** In characters: no program that people use is called so. */
  private static final int LONGEST_PROGRAM = 200;

  private static final int SHORTENED_PROGRAM = 80;

  /** Their name says nothing of the program; the whole command line does. */
  private static final Pattern INTERPRETER =
      Pattern.compile("(python|perl|ruby|Rscript|R|julia|java|matlab|octave|node|bash|sh)[0-9.]*");

  private Application() {}

  /** Interfaces, and how the files were shared. */
  private static final List<String> PATTERN =
      List.of("P", "S", "M", "H", "N", "D", "N:N", "N:1", "N:M");

  /**
   * Returns the key of a run's application: user, executable, file system, direction of most bytes,
   * interfaces, sharing of files, whether MPI-IO was collective, and size class of the requests.
   * Two settings of one benchmark program are two applications.
   *
   * @param exe base name of the executable
   * @param exeHash of the whole command line
   */
  public static String key(String cluster, long uid, String exe, String exeHash, RunFeatures run) {
    String program = INTERPRETER.matcher(exe).matches() ? exeHash : exe;
    return String.join(
        "\0",
        cluster,
        Long.toString(uid),
        program,
        run.filesystem(),
        run.direction(),
        PATTERN.stream().filter(run.traits()::contains).collect(Collectors.joining(" ")),
        sum(run, "mpiio_coll_reads", "mpiio_coll_writes") > 0 ? "collective" : "independent",
        sizeClass(run));
  }

  /**
   * Names a run's program whatever it did: what a user can mend is one program, also when it then
   * does its I/O in another way. A very long name is cut and distinguished by the hash.
   *
   * @param exe base name of the executable
   * @param exeHash of the whole command line
   */
  public static String program(String exe, String exeHash) {
    boolean isLong = exe.length() > LONGEST_PROGRAM;
    String name = isLong ? exe.substring(0, exe.offsetByCodePoints(0, SHORTENED_PROGRAM)) : exe;
    return isLong || INTERPRETER.matcher(exe).matches() ? name + " " + exeHash : name;
  }

  /**
   * Returns the power of 16 nearest to the mean bytes of a POSIX request. The usual sizes, powers
   * of 2, are away from the edges, so that a few headers do not move a run to another class.
   */
  private static String sizeClass(RunFeatures run) {
    double requests = sum(run, "reads", "writes");
    double bytes = sum(run, "posix_site_bytes");
    if (!(requests > 0 && bytes > 0)) {
      return "";
    }
    double bits = Math.log(bytes / requests) / Math.log(2);
    return Long.toString((long) Math.floor((bits + 2.5) / 4));
  }

  private static double sum(RunFeatures run, String... names) {
    double sum = 0;
    for (String name : names) {
      Double value = run.value(name);
      sum += value == null ? 0 : value;
    }
    return sum;
  }
}
