package org.weir.alerts;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds the runs of a user's program that ended last, and the last with each cause: they show
 * whether a cause is gone.
 */
public final class ProgramFacts {

  private static final int MOST_RUNS = 32;

  /** A run shows that a cause is gone only if it moved this share of what one that had it did. */
  private static final double COMPARABLE_SHARE = 0.1;

  private static final Comparator<RunOfProgram> BY_END =
      Comparator.comparingLong((RunOfProgram run) -> run.endTime).thenComparing(run -> run.logId);

  public String program;

  /** By end time. */
  public List<RunOfProgram> runs = new ArrayList<>();

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public ProgramFacts() {}

  public ProgramFacts(String program) {
    this.program = program;
  }

  void remove(RunOfProgram run) {
    runs.removeIf(each -> each.logId.equals(run.logId));
  }

  void add(RunOfProgram run) {
    remove(run);
    runs.add(run);
    runs.sort(BY_END);
    forget();
  }

  private void forget() {
    Set<String> later = new HashSet<>();
    List<RunOfProgram> kept = new ArrayList<>();
    for (int i = runs.size() - 1; i >= 0; i--) {
      RunOfProgram run = runs.get(i);
      boolean isLastWithOne = run.found.stream().filter(found -> later.add(found.rule)).count() > 0;
      if (kept.size() < MOST_RUNS || isLastWithOne) {
        kept.add(0, run);
      }
    }
    runs = kept;
  }

  /** Returns the run with which so many in a row were clean of the cause; null if there is none. */
  @Nullable RunOfProgram fixedBy(String rule, int cleanRuns) {
    double moved = 0;
    int clean = 0;
    RunOfProgram last = null;
    for (RunOfProgram run : runs) {
      if (run.has(rule)) {
        moved = run.siteBytes;
        clean = 0;
        last = null;
      } else if (run.isClean(rule) && run.siteBytes >= COMPARABLE_SHARE * moved) {
        clean++;
        last = clean == cleanRuns ? run : last;
      }
    }
    return last;
  }

  /** Causes that any of them had. */
  TreeSet<String> rules() {
    TreeSet<String> rules = new TreeSet<>();
    runs.forEach(run -> run.found.forEach(found -> rules.add(found.rule)));
    return rules;
  }
}
