package org.weir.flink.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;

/** How a bench's jobs keep their state: RocksDB as the TaskManagers have it. */
public final class BenchState {

  private static final Path IN_FORCE = Path.of("../../infra/common/flink-common.yaml.j2");

  private BenchState() {}

  /**
   * For a local environment; run from a module's folder.
   *
   * @param backend rocksdb or hashmap
   */
  public static Configuration configuration(String backend) throws IOException {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    for (String line : Files.readAllLines(IN_FORCE)) {
      if (line.startsWith("state.backend.rocksdb.") && !line.contains("{{")) {
        String[] pair = line.split(": ", 2);
        configuration.setString(pair[0], pair[1]);
      }
    }
    return configuration;
  }
}
