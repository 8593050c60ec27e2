package org.weir.analysis.ruleengine;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a rule's condition is evaluated of. */
public enum Scope {
  @JsonProperty("run")
  RUN,
  /** Each listed file system by itself; the rule holds for the run if it holds for one. */
  @JsonProperty("filesystem")
  FILESYSTEM
}
