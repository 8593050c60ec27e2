package weir.front;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.ServerException;
import com.clickhouse.client.api.insert.InsertResponse;
import com.clickhouse.client.api.insert.InsertSettings;
import com.clickhouse.client.api.query.GenericRecord;
import com.clickhouse.client.api.query.QueryResponse;
import com.clickhouse.client.api.query.QuerySettings;
import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import com.clickhouse.data.ClickHouseFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Inserts into {@code weir.java (k UInt64, v String)} and reads it back; prints one fact per line as
 * {@code name=value}. Arguments: endpoint, rows per insert.
 */
public final class FrontClient {
  private static final int TIMEOUT_SECONDS = 30;

  private FrontClient() {}

  public static void main(String[] args) throws Exception {
    int rows = Integer.parseInt(args[1]);
    try (Client writer = client(args[0], "writer", "writer-password", false);
        Client packing = client(args[0], "writer", "writer-password", true);
        Client reader = client(args[0], "reader", "reader-password", false)) {
      fact("ping", writer.ping());
      fact("rowbinary_written", insert(writer, rowBinary(0, rows), ClickHouseFormat.RowBinary));
      fact("rowbinary_packed_written", insert(packing, rowBinary(rows, rows), ClickHouseFormat.RowBinary));
      fact("native_written", insert(writer, nativeBlock(2L * rows, rows), ClickHouseFormat.Native));
      fact("native_packed_written", insert(packing, nativeBlock(3L * rows, rows), ClickHouseFormat.Native));
      List<GenericRecord> sums = reader.queryAll("SELECT count() AS n, sum(k) AS s, uniqExact(v) AS u FROM weir.java");
      fact("count", sums.get(0).getLong("n"));
      fact("sum", sums.get(0).getBigInteger("s"));
      fact("distinct", sums.get(0).getLong("u"));
      fact("streamed_sum", streamedSum(reader));
      fact("parameter", parameter(reader));
      fact("empty_rows", reader.queryAll("SELECT k FROM weir.java WHERE k > 1000000000").size());
      fact("schema", reader.getTableSchema("java", "weir").getColumns().size());
      fact("refused", errorCode(reader, "DROP TABLE weir.java"));
    }
    try (Client stranger = client(args[0], "reader", "wrong", false)) {
      fact("stranger", errorCode(stranger, "SELECT 1"));
    }
  }

  private static Client client(String endpoint, String user, String password, boolean packing) {
    return new Client.Builder()
        .addEndpoint(endpoint)
        .setUsername(user)
        .setPassword(password)
        .compressClientRequest(packing)
        .compressServerResponse(true)
        .build();
  }

  private static long insert(Client client, InputStream data, ClickHouseFormat format) throws Exception {
    InsertSettings settings = new InsertSettings().setDatabase("weir");
    try (InsertResponse response =
        client.insert("java", data, format, settings).get(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      return response.getWrittenRows();
    }
  }

  private static long streamedSum(Client client) throws Exception {
    QuerySettings settings = new QuerySettings().setFormat(ClickHouseFormat.RowBinaryWithNamesAndTypes);
    long sum = 0;
    try (QueryResponse response =
            client.query("SELECT k FROM weir.java", settings).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        ClickHouseBinaryFormatReader reader = client.newBinaryFormatReader(response)) {
      while (reader.hasNext()) {
        reader.next();
        sum += reader.getLong("k");
      }
    }
    return sum;
  }

  private static String parameter(Client client) throws Exception {
    try (QueryResponse response =
            client
                .query("SELECT v FROM weir.java WHERE k = {k:UInt64}", Map.of("k", 7), new QuerySettings())
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        ClickHouseBinaryFormatReader reader = client.newBinaryFormatReader(response)) {
      reader.next();
      return reader.getString("v");
    }
  }

  private static int errorCode(Client client, String sql) throws Exception {
    try (QueryResponse response = client.query(sql).get(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      return 0;
    } catch (Exception error) {
      for (Throwable cause = error; cause != null; cause = cause.getCause()) {
        if (cause instanceof ServerException server) {
          return server.getCode();
        }
      }
      throw error;
    }
  }

  /** Rows k, "v" + k from first on. */
  private static InputStream rowBinary(long first, int rows) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (long k = first; k < first + rows; k++) {
      out.write(littleEndian(k));
      writeString(out, "v" + k);
    }
    return new ByteArrayInputStream(out.toByteArray());
  }

  /** The same as one Native block: columns and rows as varints, then each column with name and type. */
  private static InputStream nativeBlock(long first, int rows) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writeVarint(out, 2);
    writeVarint(out, rows);
    writeString(out, "k");
    writeString(out, "UInt64");
    for (long k = first; k < first + rows; k++) {
      out.write(littleEndian(k));
    }
    writeString(out, "v");
    writeString(out, "String");
    for (long k = first; k < first + rows; k++) {
      writeString(out, "v" + k);
    }
    return new ByteArrayInputStream(out.toByteArray());
  }

  private static byte[] littleEndian(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static void writeString(ByteArrayOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    writeVarint(out, bytes.length);
    out.write(bytes);
  }

  private static void writeVarint(ByteArrayOutputStream out, long value) {
    long rest = value;
    while (rest >= 0x80) {
      out.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static void fact(String name, Object value) {
    System.out.println(name + "=" + value);
  }
}
