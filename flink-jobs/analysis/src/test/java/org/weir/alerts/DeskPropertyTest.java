package org.weir.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Any order of results, versions, repetitions and times: sums are right, and no message leaves
 * twice.
 */
class DeskPropertyTest {

  private static final List<String> RULES = List.of("small_writes", "rank0_io", "metadata");
  private static final List<String> PROGRAMS = List.of("ior", "vasp");

  @Property(tries = 500)
  void casesAreSumsOverTheNewestResultsWhateverTheOrder(@ForAll Random chance) {
    DeskAtWork desk = new DeskAtWork();
    List<JobFacts> results = new ArrayList<>();
    Map<String, JobFacts> newest = new HashMap<>();
    for (int n = 0; n < 30; n++) {
      JobFacts job = result(desk, chance, "job" + chance.nextInt(8), n + 1);
      results.add(job);
      newest.put(job.jobUid, job);
    }
    results.addAll(List.copyOf(results));
    Collections.shuffle(results, chance);
    Set<String> units = new HashSet<>();
    for (JobFacts job : results) {
      desk.take(job).pass(Duration.ofMinutes(chance.nextInt(600)));
    }
    for (String message : desk.messages()) {
      assertThat(units.add(message)).as(message).isTrue();
    }
    assertThat(runs(desk)).isEqualTo(expected(newest));
  }

  private static JobFacts result(DeskAtWork desk, Random chance, String uid, long version) {
    List<String> rules = RULES.stream().filter(rule -> chance.nextInt(3) == 0).toList();
    String program = PROGRAMS.get(chance.nextInt(PROGRAMS.size()));
    JobFacts job = desk.job(uid, version, program, rules.toArray(String[]::new));
    job.settled = chance.nextBoolean();
    return job;
  }

  private static Map<String, Long> runs(DeskAtWork desk) {
    Map<String, Long> found = new TreeMap<>();
    desk.memory.cases().stream()
        .filter(it -> it.runs != 0 || it.lostMicroNodeHours != 0)
        .forEach(
            it ->
                found.put(
                    it.program + " " + it.rule,
                    it.runs * 1000 + it.lostMicroNodeHours / 1_000_000));
    return found;
  }

  /** A model of its own: each rule of each newest result once, and its 8 node-hours. */
  private static Map<String, Long> expected(Map<String, JobFacts> newest) {
    Map<String, Long> found = new TreeMap<>();
    for (JobFacts job : newest.values()) {
      RunOfProgram run = job.runs.get(0);
      run.found.forEach(each -> found.merge(run.program + " " + each.rule, 1008L, Long::sum));
    }
    return found;
  }
}
