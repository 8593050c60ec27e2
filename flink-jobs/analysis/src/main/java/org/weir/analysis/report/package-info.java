/** Writes what was found out about a run as JSON. */
@NullMarked
package org.weir.analysis.report;

import org.jspecify.annotations.NullMarked;
