package org.weir.flink.config;

import java.util.List;

/** A configuration that cannot be used; the message lists everything that is wrong with it. */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ConfigException(String file, List<String> problems) {
    super("Configuration " + file + " cannot be used:\n  " + String.join("\n  ", problems));
  }
}
