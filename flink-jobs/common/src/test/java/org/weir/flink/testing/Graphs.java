package org.weir.flink.testing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.runtime.jobgraph.JobVertex;
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

  /**
   * Operators that metrics and the web interface would show under a name that Flink made up, or
   * under that of another. The jobs name an operator as its uid; Flink adds what a source is and
   * the parts of a sink.
   */
  public static List<String> operatorsWithoutNameOfTheirOwn(StreamExecutionEnvironment env) {
    Set<String> names = new HashSet<>();
    return env.getStreamGraph(false).getStreamNodes().stream()
        .filter(node -> !isNamed(node) || !names.add(node.getOperatorName()))
        .map(StreamNode::getOperatorName)
        .toList();
  }

  /**
   * Names of the tasks, each with all that is chained in it: between two tasks every element is
   * written to bytes and read again.
   */
  public static List<String> tasks(StreamExecutionEnvironment env) {
    return env
        .getStreamGraph(false)
        .getJobGraph()
        .getVerticesSortedTopologicallyFromSources()
        .stream()
        .map(JobVertex::getName)
        .toList();
  }

  private static boolean isNamed(StreamNode node) {
    String uid = node.getTransformationUID().replace("Sink Committer: ", "");
    return Set.of(uid, "Source: " + uid, uid + ": Writer", uid + ": Committer")
        .contains(node.getOperatorName());
  }
}
