package org.weir.flink.clickhouse;

import com.clickhouse.client.api.ServerException;
import java.io.IOException;
import java.util.Set;
import org.apache.flink.util.ExceptionUtils;

/** An insert that ClickHouse did not acknowledge. */
public final class InsertFailedException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Codes of ClickHouse that no repetition mends: the rows, the statement or the login do not fit.
   * Everything else is taken as passing, because waiting loses nothing.
   */
  private static final Set<Integer> LASTING_CODES =
      Set.of(
          6, // CANNOT_PARSE_TEXT
          8, // THERE_IS_NO_COLUMN
          10, // NOT_FOUND_COLUMN_IN_BLOCK
          16, // NO_SUCH_COLUMN_IN_TABLE
          20, // NUMBER_OF_COLUMNS_DOESNT_MATCH
          26, // CANNOT_PARSE_QUOTED_STRING
          27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
          36, // BAD_ARGUMENTS
          44, // ILLEGAL_COLUMN
          47, // UNKNOWN_IDENTIFIER
          50, // UNKNOWN_TYPE
          53, // TYPE_MISMATCH
          62, // SYNTAX_ERROR
          70, // CANNOT_CONVERT_TYPE
          73, // UNKNOWN_FORMAT
          115, // UNKNOWN_SETTING
          117, // INCORRECT_DATA
          192, // UNKNOWN_USER
          193, // WRONG_PASSWORD
          194, // REQUIRED_PASSWORD
          349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
          497, // ACCESS_DENIED
          516); // AUTHENTICATION_FAILED

  private final boolean lasting;

  private InsertFailedException(String message, Throwable cause, boolean lasting) {
    super(message, cause);
    this.lasting = lasting;
  }

  static InsertFailedException of(String table, ClickHouseAddress address, Throwable cause) {
    String message = "Insert into " + table + " at " + address + " failed: " + deepest(cause);
    return new InsertFailedException(message, cause, willFailAgain(cause));
  }

  /** Says whether what ClickHouse was asked would fail again in the same way. */
  public static boolean willFailAgain(Throwable cause) {
    return ExceptionUtils.findThrowable(cause, ServerException.class)
        .map(e -> isLasting(e.getCode(), e.getTransportProtocolCode()))
        .orElse(false);
  }

  /** Whether a repetition would fail in the same way. */
  public boolean isLasting() {
    return lasting;
  }

  static boolean isLasting(int code, int httpStatus) {
    if (code > 0) {
      return LASTING_CODES.contains(code);
    }
    boolean client = httpStatus >= 400 && httpStatus < 500;
    return client && httpStatus != 408 && httpStatus != 429;
  }

  private static String deepest(Throwable cause) {
    Throwable deepest = cause;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    return deepest.getMessage() == null ? deepest.toString() : deepest.getMessage();
  }
}
