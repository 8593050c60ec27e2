/** Finds hot devices and saturated file systems. */
@NullMarked
package org.weir.storage.trouble;

import org.jspecify.annotations.NullMarked;
