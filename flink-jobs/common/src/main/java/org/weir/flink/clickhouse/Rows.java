package org.weir.flink.clickhouse;

import java.io.Serializable;

/**
 * Rows of one table as one block of ClickHouse's Native format, ready to be sent. Blocks of the
 * same table and columns can be sent in one insert, one behind the other.
 */
public final class Rows implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Table name without its database. */
  public String table;

  /** Cluster of the rows, for the measured delay. */
  public String cluster;

  /** Columns that the block holds; the others take their defaults. */
  public String[] columns;

  public int rowCount;

  /** Kafka timestamp of the oldest message behind the rows, microseconds; 0 if not measured. */
  public long oldestSentAt;

  /** The encoded block. */
  public byte[] block;

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public Rows() {}

  public Rows(
      String table,
      String cluster,
      String[] columns,
      int rowCount,
      long oldestSentAt,
      byte[] block) {
    this.table = table;
    this.cluster = cluster;
    this.columns = columns;
    this.rowCount = rowCount;
    this.oldestSentAt = oldestSentAt;
    this.block = block;
  }

  @Override
  public String toString() {
    return rowCount + " rows of " + table;
  }
}
