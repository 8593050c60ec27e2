/** Holds everything that is known of a run from its log alone. */
package org.weir.analysis.run;
