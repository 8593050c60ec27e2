/** Holds the newest documents of the control topics: site, rules, references. */
package org.weir.flink.control;
