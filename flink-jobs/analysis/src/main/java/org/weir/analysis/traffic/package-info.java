/** Says when a run moved its bytes, and on which devices they lie: what load is asked for. */
@NullMarked
package org.weir.analysis.traffic;

import org.jspecify.annotations.NullMarked;
