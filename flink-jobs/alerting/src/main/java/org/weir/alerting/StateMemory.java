package org.weir.alerting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.util.FlinkRuntimeException;
import org.jspecify.annotations.Nullable;
import org.weir.alerts.CaseFacts;
import org.weir.alerts.DeskMemory;
import org.weir.alerts.JobFacts;
import org.weir.alerts.ProgramFacts;
import org.weir.alerts.UnitFacts;
import org.weir.alerts.UserFacts;

/** Keeps what the desk of the current key remembers in Flink's state. */
final class StateMemory implements DeskMemory {

  private final MapState<String, JobFacts> jobs;
  private final MapState<String, UnitFacts> units;
  private final MapState<String, UnitFacts> due;
  private final MapState<String, ProgramFacts> programs;
  private final MapState<String, CaseFacts> cases;
  private final ValueState<UserFacts> user;

  /**
   * Opens the state.
   *
   * @param settings say how long
   */
  StateMemory(RuntimeContext context, AlertingSettings settings) {
    jobs = map(context, "jobs", JobFacts.class, settings.jobTtl());
    units = map(context, "units", UnitFacts.class, settings.jobTtl());
    due = map(context, "due", UnitFacts.class, settings.jobTtl());
    programs = map(context, "programs", ProgramFacts.class, settings.caseTtl());
    cases = map(context, "cases", CaseFacts.class, settings.caseTtl());
    user = context.getState(new ValueStateDescriptor<>("user", UserFacts.class));
  }

  private static <V> MapState<String, V> map(
      RuntimeContext context, String name, Class<V> type, StateTtlConfig ttl) {
    MapStateDescriptor<String, V> descriptor =
        new MapStateDescriptor<>(name, Types.STRING, TypeInformation.of(type));
    descriptor.enableTimeToLive(ttl);
    return context.getMapState(descriptor);
  }

  /** State fails only as Flink's own machinery does. */
  private static <V extends @Nullable Object> V ask(Callable<V> access) {
    try {
      return access.call();
    } catch (Exception e) {
      throw new FlinkRuntimeException("state of a desk", e);
    }
  }

  private static <V> void put(MapState<String, V> state, String key, V value) {
    ask(
        () -> {
          state.put(key, value);
          return null;
        });
  }

  @Override
  public @Nullable JobFacts job(String uid) {
    return ask(() -> jobs.get(uid));
  }

  @Override
  public void put(JobFacts job) {
    put(jobs, job.jobUid, job);
  }

  @Override
  public UnitFacts unit(String unit) {
    UnitFacts known = ask(() -> units.get(unit));
    return known == null ? new UnitFacts(unit) : known;
  }

  @Override
  public void put(UnitFacts unit) {
    put(units, unit.unit, unit);
    if (unit.dueAt == 0) {
      ask(
          () -> {
            due.remove(unit.unit);
            return null;
          });
    } else {
      put(due, unit.unit, unit);
    }
  }

  @Override
  public Collection<UnitFacts> due() {
    List<UnitFacts> found = new ArrayList<>();
    ask(() -> due.values()).forEach(found::add);
    return found;
  }

  @Override
  public ProgramFacts program(String program) {
    ProgramFacts known = ask(() -> programs.get(program));
    return known == null ? new ProgramFacts(program) : known;
  }

  @Override
  public void put(ProgramFacts program) {
    put(programs, program.program, program);
  }

  @Override
  public @Nullable CaseFacts caseOf(String id) {
    return ask(() -> cases.get(id));
  }

  @Override
  public void put(CaseFacts it) {
    put(cases, it.id, it);
  }

  @Override
  public UserFacts user() {
    UserFacts known = ask(user::value);
    return known == null ? new UserFacts() : known;
  }

  @Override
  public void put(UserFacts facts) {
    ask(
        () -> {
          user.update(facts);
          return null;
        });
  }
}
