package org.weir.job.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.weir.flink.clickhouse.RowBlock;
import org.weir.job.Harnesses;
import org.weir.job.Messages;
import org.weir.job.control.Control;
import org.weir.job.evaluate.EvaluatedJob;

/** Gathers and evaluates without a stream engine; only assembling the log needs one. */
class JobEvaluatorTest {
  private final List<RowBlock> rows = new ArrayList<>();
  private final List<EvaluatedJob> results = new ArrayList<>();
  private JobEvaluator evaluator;

  @BeforeEach
  void open() {
    evaluator =
        new JobEvaluator(
            new JobEvaluator.Store(
                new KeptInMemory<>(),
                new KeptInMemory<>(),
                new KeptInMemory<>(),
                new KeptInMemory<>()),
            Control.of(Messages::control),
            Harnesses.SETTINGS);
  }

  private void write() throws Exception {
    rows.clear();
    results.clear();
    JobEvaluator.Output out =
        new JobEvaluator.Output(
            (cluster, block) -> {
              assertThat(cluster).isEqualTo(Messages.CLUSTER);
              rows.add(block);
            },
            results::add);
    evaluator.write(evaluator.runs(), out);
  }

  @Test
  void whatIsKnownIsWrittenOnce() throws Exception {
    evaluator.take(JobInputs.run("log", null, 200), 1_000);
    evaluator.take(JobInputs.submit(3), 1_000);
    write();
    assertThat(results).hasSize(1);
    assertThat(results.get(0).runs()).hasSize(1);
    assertThat(rows).isNotEmpty();
    write();
    assertThat(results).isEmpty();
    assertThat(rows).isEmpty();
  }

  @Test
  void anOlderStateOfASubmitChangesNothing() throws Exception {
    evaluator.take(JobInputs.submit(3), 1_000);
    write();
    evaluator.take(JobInputs.submit(2), 1_000);
    write();
    assertThat(results).isEmpty();
  }

  @Test
  void aRunWaitsForItsJobForAWhile() throws Exception {
    evaluator.take(JobInputs.run("log", null, 200), 1_000);
    long over = 1_000 + Harnesses.SETTINGS.joinWait().toMillis();
    assertThat(evaluator.endJoinWaits(evaluator.runs(), over - 1)).isFalse();
    assertThat(evaluator.endJoinWaits(evaluator.runs(), over)).isTrue();
    assertThat(evaluator.endJoinWaits(evaluator.runs(), over)).isFalse();
  }

  private static final class KeptInMemory<T> implements Kept<T> {
    private final Map<String, T> values = new TreeMap<>();

    @Override
    public T get(String name) {
      return values.get(name);
    }

    @Override
    public void put(String name, T value) {
      values.put(name, value);
    }

    @Override
    public Iterable<Map.Entry<String, T>> entries() {
      return values.entrySet();
    }

    @Override
    public void clear() {
      values.clear();
    }
  }
}
