package org.weir.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.weir.analysis.RealLogs.RealLog;
import org.weir.analysis.evidence.EvidenceClass;
import org.weir.analysis.evidence.Feature;
import org.weir.analysis.log.LogState;
import org.weir.analysis.log.Module;
import org.weir.analysis.run.RunFeatures;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;

/** Of a real log some records are left out, as where Darshan ran out of memory: bounds hold. */
@Tag("slow")
class PartialLogsTest {
  private static final int CASES = 20;
  private static final double ROUNDING = 1e-6;

  static List<RealLog> logs() {
    List<RealLog> all = RealLogs.all();
    return all.isEmpty() ? RealLogs.committed() : all;
  }

  @ParameterizedTest
  @MethodSource("logs")
  void boundsHoldForTheWholeLog(RealLog log) throws Exception {
    RunFeatures whole = log.features();
    if (whole.logState() != LogState.COMPLETE || whole.traits().contains("no_io")) {
      return;
    }
    Random chance = new Random(log.name().hashCode());
    TreeSet<String> wrong = new TreeSet<>();
    for (int i = 0; i < CASES; i++) {
      RunFeatures part = log.features(partial(log.messages(), chance));
      for (Feature feature : part.features().values()) {
        if (isWrong(feature, whole.feature(feature.name()))) {
          wrong.add(feature + " of " + whole.feature(feature.name()));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean isWrong(Feature said, Feature whole) {
    if (said.value() == null || whole.value() == null || whole.evidence() != EvidenceClass.EXACT) {
      return false;
    }
    double over = said.value() - whole.value();
    double most = ROUNDING * (1 + Math.abs(whole.value()));
    return switch (said.evidence()) {
      case EXACT -> Math.abs(over) > most;
      case LOWER_BOUND -> over > most;
      case UPPER_BOUND -> -over > most;
      case BOUNDED, UNKNOWABLE -> false;
    };
  }

  /** Leaves out records of one module; its heatmap stays. */
  private static List<DarshanLogMessage> partial(List<DarshanLogMessage> whole, Random chance) {
    LogHeader header = (LogHeader) whole.get(0).getBody();
    List<org.weir.wire.ModuleHeader> modules =
        header.getModules().stream().filter(m -> Module.ofLogName(m.getName()) != null).toList();
    String module = modules.get(chance.nextInt(modules.size())).getName();
    header.getModules().forEach(m -> m.setPartial(m.getName().equals(module)));
    double kept = chance.nextDouble();
    List<DarshanLogMessage> left = new ArrayList<>();
    for (DarshanLogMessage message : whole) {
      if (message.getBody() instanceof LogBatch batch && batch.getModule().equals(module)) {
        message.setBody(some(batch, kept, chance));
      } else if (message.getBody() instanceof LogEnd end) {
        end.getModules().stream()
            .filter(m -> m.getName().equals(module))
            .forEach(m -> m.setState("partial"));
      }
      left.add(message);
    }
    return left;
  }

  private static LogBatch some(LogBatch batch, double kept, Random chance) {
    List<Integer> rows = new ArrayList<>();
    for (int row = 0; row < batch.getRows(); row++) {
      if (chance.nextDouble() < kept) {
        rows.add(row);
      }
    }
    batch.setRecordIds(of(batch.getRecordIds(), 1, batch.getRows(), rows));
    batch.setRanks(of(batch.getRanks(), 1, batch.getRows(), rows));
    batch.setInts(of(batch.getInts(), batch.getIntNames().size(), batch.getRows(), rows));
    batch.setFloats(of(batch.getFloats(), batch.getFloatNames().size(), batch.getRows(), rows));
    batch.setNames(rows.stream().map(batch.getNames()::get).toList());
    batch.setRows(rows.size());
    return batch;
  }

  private static ByteBuffer of(ByteBuffer values, int columns, int rows, List<Integer> kept) {
    ByteBuffer some = ByteBuffer.allocate(columns * kept.size() * Long.BYTES);
    for (int column = 0; column < columns; column++) {
      for (int row : kept) {
        some.putLong(values.getLong(values.position() + (column * rows + row) * Long.BYTES));
      }
    }
    return some.flip();
  }
}
