package org.weir.analysis.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.Locale;

/**
 * Writes JSON as reports have it: snake_case, enumerations in lower case. Annotations are not
 * looked for, which takes long when a type is first written; they are of other programs' JSON.
 */
public final class Json {

  public static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.USE_ANNOTATIONS)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .addModule(new SimpleModule().addSerializer(new LowerCase()))
          .build();

  private Json() {}

  /** Writes records, maps and lists. */
  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot be written as JSON", e);
    }
  }

  /** The same as a tree. */
  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  @SuppressWarnings("rawtypes")
  private static final class LowerCase extends StdSerializer<Enum> {
    private static final long serialVersionUID = 1L;

    LowerCase() {
      super(Enum.class);
    }

    @Override
    public void serialize(Enum value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(value.name().toLowerCase(Locale.ROOT));
    }
  }
}
