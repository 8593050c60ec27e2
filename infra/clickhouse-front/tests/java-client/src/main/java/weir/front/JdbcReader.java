package weir.front;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Looks around {@code weir.java} through JDBC as a query editor does; prints one fact per line as {@code
 * name=value}. Argument: endpoint.
 */
public final class JdbcReader {
  private JdbcReader() {}

  public static void main(String[] args) throws Exception {
    String url = "jdbc:clickhouse:" + args[0] + "/weir";
    try (Connection connection = DriverManager.getConnection(url, asAnEditorDoes());
        Statement statement = connection.createStatement()) {
      look(connection.getMetaData());
      statement.setMaxRows(3);
      statement.setQueryTimeout(30);
      fact("most_rows", texts(statement.executeQuery("SELECT k FROM weir.java ORDER BY k"), 1));
      statement.setMaxRows(0);
      fact("all_rows", texts(statement.executeQuery("SELECT k FROM weir.java"), 1).size());
      fact("joined", texts(statement.executeQuery("SELECT count() FROM weir.java a JOIN weir.java b USING k"), 1));
      try (PreparedStatement prepared = connection.prepareStatement("SELECT v FROM weir.java WHERE k = ?")) {
        prepared.setLong(1, 7);
        fact("prepared", texts(prepared.executeQuery(), 1));
      }
      fact("refused", errorCode(statement, "DROP TABLE weir.java"));
    }
  }

  private static void look(DatabaseMetaData facts) throws SQLException {
    fact("product", facts.getDatabaseProductName());
    fact("schemas", texts(facts.getSchemas(), 1).contains("weir"));
    fact("tables", texts(facts.getTables(null, "weir", "java", null), 3));
    fact("columns", texts(facts.getColumns(null, "weir", "java", "%"), 4));
    fact("functions", texts(facts.getFunctions(null, null, "%"), 3).size() > 100);
  }

  /** What clickhouse-jdbc and DBeaver send with every query, whoever is logged in. */
  private static Properties asAnEditorDoes() {
    Properties properties = new Properties();
    properties.setProperty("user", "reader");
    properties.setProperty("password", "reader-password");
    properties.setProperty("clickhouse_setting_async_insert", "1");
    properties.setProperty("clickhouse_setting_wait_for_async_insert", "1");
    properties.setProperty("clickhouse_setting_max_block_size", "65536");
    properties.setProperty("clickhouse_setting_result_overflow_mode", "break");
    properties.setProperty("clickhouse_setting_join_algorithm", "grace_hash");
    properties.setProperty("clickhouse_setting_max_query_size", "1000000");
    properties.setProperty("clickhouse_setting_wait_end_of_query", "1");
    return properties;
  }

  private static List<String> texts(ResultSet rows, int column) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        texts.add(rows.getString(column));
      }
    }
    return texts;
  }

  private static int errorCode(Statement statement, String sql) {
    try {
      statement.execute(sql);
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode();
    }
  }

  private static void fact(String name, Object value) {
    System.out.println(name + "=" + value);
  }
}
