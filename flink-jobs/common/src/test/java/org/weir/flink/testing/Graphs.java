package org.weir.flink.testing;

import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;

/** Looks at the graph of a job. */
public final class Graphs {

  private Graphs() {}

  /** Operators whose state a later version of the job would not find again. */
  public static List<String> operatorsWithoutUid(StreamExecutionEnvironment env) {
    return env.getStreamGraph(false).getStreamNodes().stream()
        .filter(node -> node.getTransformationUID() == null)
        .map(StreamNode::getOperatorName)
        .toList();
  }
}
