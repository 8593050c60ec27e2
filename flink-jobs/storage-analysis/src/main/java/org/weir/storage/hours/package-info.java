/** Adds buckets up to hours. */
@NullMarked
package org.weir.storage.hours;

import org.jspecify.annotations.NullMarked;
