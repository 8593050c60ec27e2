package org.weir.storage;

import java.util.HashMap;
import java.util.Map;

/** The servers' shares of one bucket of a file system, as held in state. */
public final class FilesystemBucket {

  public Map<String, FilesystemShare> shares = new HashMap<>();

  /** Whether it has been emitted: from then on each change is emitted again. */
  public boolean emitted;

  public FilesystemBucket() {}
}
