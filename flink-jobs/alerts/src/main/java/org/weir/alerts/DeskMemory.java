package org.weir.alerts;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Keeps what a desk remembers of its user: in Flink's state, or on the heap for a preview. */
public interface DeskMemory {

  /** Null if it is not known. */
  @Nullable JobFacts job(String uid);

  void put(JobFacts job);

  /** A new one if it is not known. */
  UnitFacts unit(String unit);

  void put(UnitFacts unit);

  /** Units that wait for a decision. */
  Collection<UnitFacts> due();

  /** A new one if it is not known. */
  ProgramFacts program(String program);

  void put(ProgramFacts program);

  /** Null if it is not known. */
  @Nullable CaseFacts caseOf(String id);

  void put(CaseFacts it);

  UserFacts user();

  void put(UserFacts user);
}
