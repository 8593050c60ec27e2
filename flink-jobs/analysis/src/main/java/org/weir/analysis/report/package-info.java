/** Writes what was found out about a run as JSON. */
package org.weir.analysis.report;
