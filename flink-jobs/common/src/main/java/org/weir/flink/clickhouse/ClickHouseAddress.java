package org.weir.flink.clickhouse;

import com.clickhouse.client.api.Client;
import java.io.Serializable;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Says where ClickHouse is and who writes to it.
 *
 * @param url of its HTTP interface, such as http://127.0.0.1:18123
 * @param database in which the tables are
 */
public record ClickHouseAddress(String url, String user, String password, String database)
    implements Serializable {

  /**
   * Makes a client that connects when it is first needed, and tries nothing twice.
   *
   * @param longestAnswer what is not answered for this long has failed
   */
  public Client client(Duration longestAnswer) {
    return new Client.Builder()
        .addEndpoint(url)
        .setUsername(user)
        .setPassword(password)
        .setDefaultDatabase(database)
        .setClientName("weir")
        .setConnectTimeout(5, ChronoUnit.SECONDS)
        .setSocketTimeout(longestAnswer.toMillis(), ChronoUnit.MILLIS)
        .setMaxRetries(0)
        .compressServerResponse(false)
        .build();
  }

  @Override
  public String toString() {
    return user + "@" + url + "/" + database;
  }
}
