package org.weir.job.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.weir.analysis.compare.FeatureCatalog;
import org.weir.analysis.evidence.FeatureSpec;

/** The columns of the table runs are those that the features' declarations ask for. */
class FeatureColumnsTest {

  private static final Path COLUMNS = Path.of("../../schemas/clickhouse/columns.tsv");

  private record Column(String type, String comment) {}

  @Test
  void nameTypeAndCommentAreThoseOfTheDeclarations() throws IOException {
    assertThat(missing())
        .as("write a migration, with its way back: ALTER TABLE %s", RunRows.RUNS)
        .isEmpty();
  }

  /** What an ALTER TABLE has to say. */
  private static List<String> missing() throws IOException {
    Map<String, Column> there = there();
    List<String> missing = new ArrayList<>();
    for (FeatureSpec spec : FeatureCatalog.all()) {
      if (spec.columnType() != null) {
        compare(there, spec.name(), new Column(spec.columnType(), spec.meaning()), missing);
      }
      if (spec.byFilesystem()) {
        Column ofEach =
            new Column("Array(Nullable(Float64))", spec.name() + " of each of filesystems");
        compare(there, "filesystem_" + spec.name(), ofEach, missing);
      }
    }
    return missing;
  }

  private static void compare(
      Map<String, Column> there, String name, Column declared, List<String> missing) {
    String comment = "'" + declared.comment.replace("'", "''") + "'";
    Column column = there.get(name);
    if (column == null) {
      missing.add(
          "ADD COLUMN IF NOT EXISTS %s %s COMMENT %s".formatted(name, declared.type, comment));
    } else if (!column.type.equals(declared.type)) {
      missing.add("MODIFY COLUMN %s %s COMMENT %s".formatted(name, declared.type, comment));
    } else if (!column.comment.equals(declared.comment)) {
      missing.add("COMMENT COLUMN %s %s".formatted(name, comment));
    }
  }

  private static Map<String, Column> there() throws IOException {
    Map<String, Column> columns = new LinkedHashMap<>();
    for (String line : Files.readAllLines(COLUMNS)) {
      String[] fields = line.split("\t", -1);
      if (fields[0].equals(RunRows.RUNS)) {
        columns.put(fields[1], new Column(fields[2], fields[3]));
      }
    }
    return columns;
  }
}
