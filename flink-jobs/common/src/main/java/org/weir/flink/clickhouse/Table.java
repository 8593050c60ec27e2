package org.weir.flink.clickhouse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A ClickHouse table as the migrations define it: column names to the types in which the columns
 * travel. LowCardinality is a matter of storage, so such a column travels as its plain type and the
 * server casts it.
 */
public final class Table {

  private static final Pattern CREATE =
      Pattern.compile("CREATE TABLE (\\w+)\\s*\\(\\n(.*?)\\n\\)\\n", Pattern.DOTALL);
  private static final Pattern ALTER =
      Pattern.compile("ALTER TABLE (\\w+)\\s(.*?)(?:;\n|;?\\z)", Pattern.DOTALL);
  private static final Pattern COLUMN =
      Pattern.compile("(?:ADD COLUMN (?:IF NOT EXISTS )?|MODIFY COLUMN )(.*)");
  private static final Pattern LOW_CARDINALITY =
      Pattern.compile("LowCardinality\\(((?:[^()]|\\([^()]*\\))*)\\)");

  private static final Map<String, Table> TABLES = parse(readMigrations());

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

  /** All tables that the migrations create. */
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

  static Map<String, Table> parse(String migrations) {
    Map<String, Table> tables = new LinkedHashMap<>();
    Matcher create = CREATE.matcher(migrations);
    while (create.find()) {
      Table table = new Table(create.group(1));
      create.group(2).lines().forEach(table::addColumn);
      tables.put(table.name, table);
    }
    Matcher alter = ALTER.matcher(migrations);
    while (alter.find()) {
      Matcher column = COLUMN.matcher(alter.group(2));
      while (column.find()) {
        tables.get(alter.group(1)).addColumn(column.group(1));
      }
    }
    return tables;
  }

  private void addColumn(String definition) {
    String text = definition.strip();
    int space = text.indexOf(' ');
    String type = text.substring(space + 1, endOfType(text, space + 1));
    columns.put(
        text.substring(0, space), NativeType.of(LOW_CARDINALITY.matcher(type).replaceAll("$1")));
  }

  private static int endOfType(String text, int start) {
    int depth = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (depth == 0 && (c == ' ' || c == ',')) {
        return i;
      }
    }
    return text.length();
  }

  private static String readMigrations() {
    try (InputStream in = Table.class.getResourceAsStream("tables.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
