package org.weir.load.gather;

import java.util.HashMap;
import java.util.Map;

/** Which servers' shares of one bucket of a file system there are, as held in state. */
public final class FilesystemBucket {

  /** By server: samples behind its share. */
  public Map<String, Long> samples = new HashMap<>();

  /** Whether it has been emitted: from then on each change is emitted again. */
  public boolean emitted;

  public FilesystemBucket() {}
}
