package org.weir.wire;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Test vectors of schemas/vectors. */
final class Vectors {
  private Vectors() {}

  static List<Map<String, Object>> read(String file) throws IOException {
    return new ObjectMapper()
        .readValue(Vectors.class.getResourceAsStream("/vectors/" + file), new TypeReference<>() {});
  }
}
