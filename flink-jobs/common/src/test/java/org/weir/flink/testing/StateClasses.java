package org.weir.flink.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.util.KeyedBroadcastOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;

/**
 * Names Weir's classes that a savepoint of an operator names. Flink looks them up by these names
 * when it restores: no savepoint of before can be read by a program in which one is called
 * otherwise.
 */
public final class StateClasses {

  private static final Pattern NAME = Pattern.compile("org\\.weir(\\.\\w+)+(\\$\\w+)*");

  private StateClasses() {}

  /** Returns a line with the names for an operator that has just been opened. */
  public static <T, O> String of(KeyedProcessFunction<String, T, O> function) throws Exception {
    try (var harness =
        new KeyedOneInputStreamOperatorTestHarness<String, T, O>(
            new KeyedProcessOperator<>(function), any -> "", Types.STRING)) {
      harness.open();
      return line(function, harness.snapshot(1, 1));
    }
  }

  /** Returns the same for an operator that follows control topics. */
  public static <T, C, O> String of(
      KeyedBroadcastProcessFunction<String, T, C, O> function,
      List<MapStateDescriptor<?, ?>> broadcast)
      throws Exception {
    try (var harness =
        new KeyedBroadcastOperatorTestHarness<String, T, C, O>(
            new CoBroadcastWithKeyedOperator<>(function, broadcast),
            any -> "",
            Types.STRING,
            128,
            1,
            0)) {
      harness.open();
      return line(function, harness.snapshot(1, 1));
    }
  }

  private static String line(Object function, OperatorSubtaskState savepoint) throws Exception {
    Path file = Files.createTempFile("savepoint", "");
    try {
      OperatorSnapshotUtil.writeStateHandle(savepoint, file.toString());
      TreeSet<String> names = new TreeSet<>();
      NAME.matcher(Files.readString(file, ISO_8859_1))
          .results()
          .map(MatchResult::group)
          .forEach(names::add);
      return function.getClass().getSimpleName()
          + ": "
          + names.stream().map(name -> name.substring("org.weir.".length())).collect(joining(" "));
    } finally {
      Files.delete(file);
    }
  }
}
