package org.weir.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.weir.alerts.policy.Policy;
import org.weir.wire.CaseFact;

/**
 * Any order of results, versions, repetitions and times: sums are right, and no message leaves
 * twice.
 */
class DeskPropertyTest {

  private static final List<String> RULES = List.of("small_writes", "rank0_io", "metadata");
  private static final List<String> PROGRAMS = List.of("ior", "vasp");
  private static final Set<String> UNITS = Set.of("finding", "reminder");
  private static final Duration WEEK = Duration.ofDays(7);

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

  /**
   * State is lost at any time, and what was read is read again or not: the same sums, no message
   * twice, no case named twice in a week, no more messages on a day. Where all is read again, each
   * message that would have been sent has its job's or array's message, or its cases are named by
   * others. The messages may differ: a case can be found fixed earlier when all is read again, and
   * an earlier job of an array is then what its one message is about.
   */
  @Property(tries = 500)
  void aLossOfStateAtAnyTimeChangesNoSumAndSendsNothingTwice(@ForAll Random chance) {
    int perDay = chance.nextBoolean() ? 1_000 : 3;
    Policy policy = DeskAtWork.policy(DeskAtWork.NEVER_QUIET, perDay, Policy.Digest.DAILY);
    DeskAtWork desk = new DeskAtWork(policy);
    DeskAtWork twin = new DeskAtWork(policy);
    boolean isReadAgain = chance.nextBoolean();
    List<JobFacts> read = new ArrayList<>();
    Map<String, JobFacts> newest = new HashMap<>();
    for (int n = 0; n < 30; n++) {
      JobFacts job = result(desk, chance, "job" + chance.nextInt(12), n + 1);
      read.add(job);
      newest.put(job.jobUid, job);
      desk.take(job);
      twin.take(job);
      int gathered = 0;
      if (chance.nextInt(6) == 0) {
        desk.forget();
        (isReadAgain ? read : List.<JobFacts>of()).forEach(desk::take);
        gathered = 16; // anew, and nothing that comes meanwhile is known to one of both alone
      }
      int seconds = gathered + chance.nextInt(chance.nextBoolean() ? 30 : 90_000);
      desk.pass(Duration.ofSeconds(seconds));
      twin.pass(Duration.ofSeconds(seconds));
    }
    desk.pass(Duration.ofDays(3));
    twin.pass(Duration.ofDays(3));
    assertThat(runs(desk)).isEqualTo(expected(newest));
    assertThat(desk.sent().map(DeskPropertyTest::id)).doesNotHaveDuplicates();
    assertNoCaseIsNamedTwiceInAWeek(desk.sent);
    Map<Long, Integer> perDayWere = new HashMap<>();
    for (DeskAtWork.Sent each : desk.sent) {
      if (isOfUnit(each.message())) {
        perDayWere.merge(each.time().getEpochSecond() / 86_400, 1, Integer::sum);
      }
    }
    assertThat(perDayWere.values()).allMatch(sent -> sent <= perDay);
    if (isReadAgain && perDay == 1_000) {
      Set<String> units = desk.sent().map(Outcome.Message::unit).collect(Collectors.toSet());
      Set<String> cases = named(desk.sent());
      assertThat(twin.sent().filter(DeskPropertyTest::isOfUnit))
          .allMatch(
              message ->
                  units.contains(message.unit()) || cases.containsAll(named(Stream.of(message))));
    }
  }

  /** Any values of a result that can be read end as decisions: nothing is thrown. */
  @Property(tries = 500)
  void noValueStopsADesk(@ForAll Random chance) {
    DeskAtWork desk = new DeskAtWork();
    for (int n = 0; n < 20; n++) {
      JobFacts job = result(desk, chance, "job" + chance.nextInt(4), oneOf(chance, VERSIONS));
      job.endTime = chance.nextInt(3) == 0 ? (Long) oneOf(chance, VERSIONS) : job.endTime;
      job.unit = chance.nextInt(3) == 0 ? "array " + oneOf(chance, TEXTS) : job.unit;
      job.account = oneOf(chance, TEXTS);
      RunOfProgram run = job.runs.get(0);
      run.logId = chance.nextBoolean() ? oneOf(chance, TEXTS) : run.logId;
      run.program = chance.nextInt(3) == 0 ? oneOf(chance, TEXTS) : run.program;
      run.verdict = chance.nextInt(3) == 0 ? oneOf(chance, TEXTS) : run.verdict;
      run.endTime = oneOf(chance, VERSIONS);
      run.nodeHoursLost = oneOf(chance, NUMBERS);
      run.timeLostSeconds = oneOf(chance, NUMBERS);
      run.siteBytes = oneOf(chance, NUMBERS);
      desk.take(job).pass(Duration.ofSeconds(chance.nextInt(40_000)));
      if (chance.nextInt(6) == 0) {
        desk.forget();
      }
    }
    desk.pass(Duration.ofDays(10));
    assertThat(desk.sent().map(each -> AlertRecords.of(each, "lab", "ada", Policy.Mode.LIVE, 0)))
        .allMatch(alert -> !alert.getAlert().isEmpty());
  }

  private static final List<Long> VERSIONS = List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE);
  private static final List<String> TEXTS =
      List.of("", " ", "fixed", "fixed ", "fixed a", "\0", "a b c", "\ud800");
  private static final List<Double> NUMBERS =
      List.of(8.0, -8.0, 0.0, Double.NaN, Double.POSITIVE_INFINITY, -1e308, Double.MAX_VALUE);

  private static <T> T oneOf(Random chance, List<T> values) {
    return values.get(chance.nextInt(values.size()));
  }

  private static String id(Outcome.Message message) {
    return AlertRecords.id(message, "ada", Policy.Mode.LIVE);
  }

  private static boolean isOfUnit(Outcome.Message message) {
    return UNITS.contains(message.kind());
  }

  /** Cases that the messages about units are about. */
  private static Set<String> named(Stream<Outcome.Message> messages) {
    return messages
        .filter(DeskPropertyTest::isOfUnit)
        .flatMap(message -> message.cases().stream())
        .map(CaseFact::getCase$)
        .collect(Collectors.toSet());
  }

  private static void assertNoCaseIsNamedTwiceInAWeek(List<DeskAtWork.Sent> sent) {
    Map<String, Instant> named = new HashMap<>();
    for (DeskAtWork.Sent each : sent) {
      List<String> cases = each.message().cases().stream().map(CaseFact::getCase$).toList();
      if (each.message().kind().equals("fixed")) {
        cases.forEach(named::remove);
        continue;
      }
      Instant weekAgo = each.time().minus(WEEK);
      assertThat(cases)
          .as(each.message().unit() + " names one that is new or due")
          .anyMatch(id -> !named.containsKey(id) || !named.get(id).isAfter(weekAgo));
      cases.forEach(id -> named.put(id, each.time()));
    }
  }

  private static JobFacts result(DeskAtWork desk, Random chance, String uid, long version) {
    List<String> rules = RULES.stream().filter(rule -> chance.nextInt(3) == 0).toList();
    String program = PROGRAMS.get(chance.nextInt(PROGRAMS.size()));
    JobFacts job = desk.job(uid, version, program, rules.toArray(String[]::new));
    job.settled = chance.nextBoolean();
    job.unit = uid.compareTo("job3") < 0 ? "array lab " + uid.length() : job.unit;
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
