/** Holds the newest documents of the control topics: site, rules, references. */
@NullMarked
package org.weir.flink.control;

import org.jspecify.annotations.NullMarked;
