package org.weir.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.weir.job.Harnesses.SETTINGS;

import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.junit.jupiter.api.Test;
import org.weir.flink.testing.StateClasses;
import org.weir.job.assemble.Assemble;
import org.weir.job.baseline.BaselineJoin;
import org.weir.job.control.Control;
import org.weir.job.join.JobJoin;
import org.weir.job.load.LoadJoin;
import org.weir.job.load.LoadMerge;

/**
 * No class of the state changes its name unless {@code state.format} of flink-jobs/pom.xml rises.
 */
class StateClassesTest {
  private static final List<MapStateDescriptor<?, ?>> CONTROLS = List.of(Control.DESCRIPTOR);

  @Test
  void areCalledAsInTheSavepointsOfBefore() throws Exception {
    assertThat(
            List.of(
                StateClasses.of(new Assemble(List::of, SETTINGS), CONTROLS),
                StateClasses.of(new LoadJoin(SETTINGS)),
                StateClasses.of(new LoadMerge(SETTINGS)),
                StateClasses.of(new BaselineJoin(SETTINGS)),
                StateClasses.of(new JobJoin(List::of, SETTINGS), CONTROLS)))
        .containsExactly(
            "Assemble: job.assemble.Assembly",
            "LoadJoin: analysis.load.LoadBucket job.load.LoadPlace job.load.LoadRequest "
                + "job.load.PendingRequest",
            "LoadMerge: job.load.LoadPart job.load.LoadParts job.load.LoadPlace "
                + "job.run.LoadFacts",
            "BaselineJoin: analysis.compare.EarlierRun job.baseline.KnownRun",
            "JobJoin: analysis.compare.Baseline analysis.compare.EarlierRun "
                + "job.evaluate.RunState job.join.JobProgress job.join.NewestMessage "
                + "job.load.LoadAnswer job.run.LoadFacts job.run.RunSummary");
  }
}
