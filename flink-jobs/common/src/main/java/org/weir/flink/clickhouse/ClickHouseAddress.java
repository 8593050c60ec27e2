package org.weir.flink.clickhouse;

import java.io.Serializable;

/**
 * Where ClickHouse is and who writes to it.
 *
 * @param url of its HTTP interface, such as http://127.0.0.1:18123
 * @param database in which the tables are
 */
public record ClickHouseAddress(String url, String user, String password, String database)
    implements Serializable {

  @Override
  public String toString() {
    return user + "@" + url + "/" + database;
  }
}
