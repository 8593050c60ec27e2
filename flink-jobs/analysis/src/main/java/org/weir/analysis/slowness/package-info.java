/** Decides what a run lost to I/O and whether it was slow. */
@NullMarked
package org.weir.analysis.slowness;

import org.jspecify.annotations.NullMarked;
