package org.weir.flink.clickhouse;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names the columns of a ClickHouse table with the types in which they travel, as the server
 * reports them of the migrated tables ({@code schemas/clickhouse/columns.tsv}). LowCardinality is a
 * matter of storage, so such a column travels as its plain type and the server casts it.
 */
public final class Table {

  private static final Pattern LOW_CARDINALITY =
      Pattern.compile("LowCardinality\\(((?:[^()]|\\([^()]*\\))*)\\)");

  private static final Map<String, Table> TABLES = read();

  private final String name;
  private final Map<String, NativeType> columns = new LinkedHashMap<>();

  private Table(String name) {
    this.name = name;
  }

  /**
   * The table of that name.
   *
   * @throws IllegalArgumentException if no migration creates it
   */
  public static Table named(String name) {
    Table table = TABLES.get(name);
    if (table == null) {
      throw new IllegalArgumentException("No migration creates a table " + name);
    }
    return table;
  }

  /** Returns the names of all tables. */
  static Set<String> names() {
    return TABLES.keySet();
  }

  public String name() {
    return name;
  }

  /** Column names in the table's order. */
  public Set<String> columns() {
    return Collections.unmodifiableSet(columns.keySet());
  }

  /**
   * The type in which a column travels.
   *
   * @throws IllegalArgumentException if the table has no such column
   */
  public NativeType type(String column) {
    NativeType type = columns.get(column);
    if (type == null) {
      throw new IllegalArgumentException("Table " + name + " has no column " + column);
    }
    return type;
  }

  private static Map<String, Table> read() {
    List<String[]> columns;
    try (InputStream in = Table.class.getResourceAsStream("columns.tsv")) {
      columns =
          new String(requireNonNull(in, "columns.tsv").readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .skip(1)
              .map(line -> line.split("\t", -1))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Views of the engine write tables of aggregates, of days and of times, and no job does.
    Set<String> ofViews =
        columns.stream()
            .filter(
                column ->
                    column[2].contains("AggregateFunction(")
                        || column[2].equals("Date")
                        || column[0].startsWith("times_of_"))
            .map(column -> column[0])
            .collect(Collectors.toSet());
    Map<String, Table> tables = new LinkedHashMap<>();
    for (String[] column : columns) {
      if (!ofViews.contains(column[0])) {
        tables.computeIfAbsent(column[0], Table::new).columns.put(column[1], travelling(column[2]));
      }
    }
    return tables;
  }

  private static NativeType travelling(String type) {
    return NativeType.of(LOW_CARDINALITY.matcher(type).replaceAll("$1"));
  }
}
