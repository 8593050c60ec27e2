/** Finds servers and devices that report no more. */
@NullMarked
package org.weir.storage.silence;

import org.jspecify.annotations.NullMarked;
