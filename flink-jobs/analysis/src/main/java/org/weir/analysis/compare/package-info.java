/** Compares a run with others and with its site: earlier runs, reference rates, what it cost. */
package org.weir.analysis.compare;
