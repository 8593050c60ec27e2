package org.weir.flink.clickhouse;

import static java.util.Objects.requireNonNullElse;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.insert.InsertResponse;
import com.clickhouse.client.api.insert.InsertSettings;
import com.clickhouse.data.ClickHouseFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** Sends blocks to ClickHouse, one insert at a time and each once: repetition is the writer's. */
final class InsertClient implements AutoCloseable {

  /**
   * Rows of many days at once, of a back-fill or an attack, must not hold up what is behind them.
   */
  private static final String MANY_PARTITIONS = "throw_on_max_partitions_per_insert_block";

  private final ClickHouseAddress address;
  private final Client client;

  /**
   * Connects when it is first needed.
   *
   * @param longestAnswer an insert that is not acknowledged for this long has failed
   */
  InsertClient(ClickHouseAddress address, Duration longestAnswer) {
    this.address = address;
    this.client = address.client(longestAnswer);
  }

  /**
   * Inserts blocks of the same table and columns and returns when ClickHouse has acknowledged them.
   *
   * @throws InsertFailedException if it did not
   */
  void insert(List<Rows> blocks) throws InsertFailedException, InterruptedException {
    Rows first = blocks.get(0);
    try (InsertResponse response =
        client
            .insert(
                first.table,
                List.of(first.columns),
                out -> {
                  for (Rows block : blocks) {
                    out.write(block.block);
                  }
                },
                ClickHouseFormat.Native,
                new InsertSettings().serverSetting(MANY_PARTITIONS, "0"))
            .get()) {
      response.getMetrics();
    } catch (InterruptedException e) {
      throw e;
    } catch (ExecutionException e) {
      throw InsertFailedException.of(first.table, address, requireNonNullElse(e.getCause(), e));
    } catch (Exception e) {
      throw InsertFailedException.of(first.table, address, e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
