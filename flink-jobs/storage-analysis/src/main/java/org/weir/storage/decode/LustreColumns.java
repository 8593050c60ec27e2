package org.weir.storage.decode;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.weir.flink.clickhouse.NativeBlock;
import org.weir.wire.WireException;

/** Packed columns of what Lustre's servers count of a job or a target; a row is a target. */
final class LustreColumns {

  private static final Set<String> NAMES =
      Set.of("reads", "writes", "bytes_read", "bytes_written", "other_operations");

  private LustreColumns() {}

  /**
   * Refuses columns that nobody knows, that come twice, or whose values are not one a row.
   *
   * @param where what the message is about, for the reason
   */
  static void check(String where, int rows, List<String> columns, ByteBuffer values)
      throws WireException {
    if (!NAMES.containsAll(columns) || new HashSet<>(columns).size() != columns.size()) {
      throw new WireException(where + ": columns " + columns + ", expected of " + NAMES);
    }
    if (values.remaining() != rows * columns.size() * Double.BYTES) {
      throw new WireException(
          where
              + ": "
              + values.remaining()
              + " bytes of values for "
              + rows
              + " rows of "
              + columns.size()
              + " columns");
    }
  }

  /** Copies them as they are. */
  static void copy(NativeBlock block, int rows, List<String> columns, ByteBuffer values) {
    for (int i = 0; i < columns.size(); i++) {
      block.packed(columns.get(i), values, i * rows * Double.BYTES);
    }
  }
}
