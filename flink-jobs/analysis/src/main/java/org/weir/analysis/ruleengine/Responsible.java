package org.weir.analysis.ruleengine;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a rule that holds explains a slow run with. */
public enum Responsible {
  @JsonProperty("application")
  APPLICATION,
  @JsonProperty("storage")
  STORAGE,
  /** It says that a run was slow, not why. */
  @JsonProperty("nobody")
  NOBODY
}
