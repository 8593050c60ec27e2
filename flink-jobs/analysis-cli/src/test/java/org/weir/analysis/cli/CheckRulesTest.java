package org.weir.analysis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class CheckRulesTest {
  private static String run(String json, int status) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(
            CheckRules.run(
                new ByteArrayInputStream(json.getBytes(UTF_8)), new PrintStream(out, true, UTF_8)))
        .isEqualTo(status);
    return out.toString(UTF_8).strip();
  }

  @Test
  void rightRulesAreAnEmptyList() throws Exception {
    assertThat(run("{\"rules\": []}", 0)).isEqualTo("[]");
  }

  @Test
  void aProblemSaysRuleFieldAndPlace() throws Exception {
    String rule = "[{\"id\": \"r\", \"title\": \"t\", \"condition\": \"nprocs >\\n 1 &&\"}]";
    assertThat(run(rule, 1)).startsWith("[{\"rule\":\"r\",\"field\":\"condition\",\"line\":2,");
  }
}
