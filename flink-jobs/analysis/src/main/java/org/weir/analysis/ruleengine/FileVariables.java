package org.weir.analysis.ruleengine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.weir.analysis.run.RunFile;

/** What the {@code files} of an advice can read of one file, all doubles. */
final class FileVariables {
  static final Map<String, ToDoubleFunction<RunFile>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("file_shared", file -> file.sharing().equals("shared") ? 1 : 0);
    ALL.put("file_bytes_read", RunFile::bytesRead);
    ALL.put("file_bytes_written", RunFile::bytesWritten);
    ALL.put("file_extent_bytes", RunFile::extentBytes);
    ALL.put("file_requests", RunFile::requests);
    ALL.put("file_small_requests", RunFile::smallRequests);
    ALL.put("file_independent_operations", RunFile::independentOperations);
    ALL.put("file_collective_operations", RunFile::collectiveOperations);
    ALL.put("file_stripe_count", RunFile::stripeCount);
    ALL.put("file_stripe_size_bytes", RunFile::stripeSizeBytes);
  }

  private FileVariables() {}
}
