package org.weir.alerts;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps on the heap what a desk remembers, for a preview of some weeks. */
public final class HeapMemory implements DeskMemory {

  private final Map<String, JobFacts> jobs = new HashMap<>();
  private final Map<String, UnitFacts> units = new HashMap<>();
  private final Map<String, UnitFacts> due = new HashMap<>();
  private final Map<String, ProgramFacts> programs = new HashMap<>();
  private final Map<String, CaseFacts> cases = new HashMap<>();
  private UserFacts user = new UserFacts();

  @Override
  public @Nullable JobFacts job(String uid) {
    return jobs.get(uid);
  }

  @Override
  public void put(JobFacts job) {
    jobs.put(job.jobUid, job);
  }

  @Override
  public UnitFacts unit(String unit) {
    return units.getOrDefault(unit, new UnitFacts(unit));
  }

  @Override
  public void put(UnitFacts unit) {
    units.put(unit.unit, unit);
    if (unit.dueAt == 0) {
      due.remove(unit.unit);
    } else {
      due.put(unit.unit, unit);
    }
  }

  @Override
  public Collection<UnitFacts> due() {
    return due.values();
  }

  @Override
  public ProgramFacts program(String program) {
    return programs.getOrDefault(program, new ProgramFacts(program));
  }

  @Override
  public void put(ProgramFacts program) {
    programs.put(program.program, program);
  }

  @Override
  public @Nullable CaseFacts caseOf(String id) {
    return cases.get(id);
  }

  @Override
  public void put(CaseFacts it) {
    cases.put(it.id, it);
  }

  @Override
  public UserFacts user() {
    return user;
  }

  @Override
  public void put(UserFacts user) {
    this.user = user;
  }

  /** Every case, in no order. */
  public Collection<CaseFacts> cases() {
    return cases.values();
  }
}
