package org.weir.flink.clickhouse;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.connector.base.sink.writer.AsyncSinkWriterStateSerializer;

/** How blocks that wait in a writer are stored in a checkpoint. */
final class RowsStateSerializer extends AsyncSinkWriterStateSerializer<Rows> {

  private static final int VERSION = 1;

  @Override
  protected void serializeRequestToStream(Rows rows, DataOutputStream out) throws IOException {
    out.writeUTF(rows.table);
    out.writeUTF(rows.cluster);
    out.writeInt(rows.columns.length);
    for (String column : rows.columns) {
      out.writeUTF(column);
    }
    out.writeInt(rows.rowCount);
    out.writeLong(rows.oldestSentAt);
    out.writeInt(rows.block.length);
    out.write(rows.block);
  }

  @Override
  protected Rows deserializeRequestFromStream(long size, DataInputStream in) throws IOException {
    String table = in.readUTF();
    String cluster = in.readUTF();
    String[] columns = new String[in.readInt()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = in.readUTF();
    }
    int rowCount = in.readInt();
    long oldestSentAt = in.readLong();
    byte[] block = new byte[in.readInt()];
    in.readFully(block);
    return new Rows(table, cluster, columns, rowCount, oldestSentAt, block);
  }

  @Override
  public int getVersion() {
    return VERSION;
  }
}
