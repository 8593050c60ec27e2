package org.weir.flink.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReaderTest {

  @TempDir Path folder;

  private ConfigReader reader(String text, Map<String, String> environment) throws IOException {
    Path file = Files.writeString(folder.resolve("job.properties"), text);
    return ConfigReader.fromArguments(new String[] {"--config", file.toString()}, environment);
  }

  @Test
  void connectionsAreRead() throws IOException {
    Path password = Files.writeString(folder.resolve("password"), "secret\n");
    ConfigReader config =
        reader(
            "kafka.bootstrap=a:1\nkafka.client.security.protocol=SSL\nclickhouse.url=http://b\n"
                + "clickhouse.user=writer\nclickhouse.password.file="
                + password,
            Map.of());
    Connections connections = Connections.read(config);
    config.check();
    assertThat(connections.clickhouse().password()).isEqualTo("secret");
    assertThat(connections.clickhouse().database()).isEqualTo("weir");
    assertThat(connections.clickhouse().toString()).doesNotContain("secret");
    assertThat(connections.kafkaProperties())
        .containsEntry("security.protocol", "SSL")
        .containsEntry("bootstrap.servers", "a:1");
  }

  @Test
  void theEnvironmentOverrides() throws IOException {
    ConfigReader config = reader("a.b=1", Map.of("WEIR_A_B", "2"));
    assertThat(config.text("a.b")).isEqualTo("2");
  }

  @Test
  void allProblemsAreToldAtOnce() throws IOException {
    ConfigReader config = reader("wait=soon\npause=-1\nunknwon=1", Map.of());
    assertThat(config.seconds("wait", Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
    config.seconds("pause", Duration.ofSeconds(3));
    config.text("missing");
    config.secretInFile("password.file");
    assertThatThrownBy(config::check)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("job.properties")
        .hasMessageContaining("wait:")
        .hasMessageContaining("pause:")
        .hasMessageContaining("missing:")
        .hasMessageContaining("password.file:")
        .hasMessageContaining("unknwon:");
  }

  @Test
  void withoutAFileTheArgumentIsNamed() {
    assertThatThrownBy(() -> ConfigReader.fromArguments(new String[0], Map.of()))
        .hasMessageContaining("--config FILE");
    assertThatThrownBy(
            () -> ConfigReader.fromArguments(new String[] {"--config", "/nowhere"}, Map.of()))
        .hasMessageContaining("/nowhere");
  }
}
