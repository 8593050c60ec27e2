/** Holds the job's settings and the sites that it serves. */
@NullMarked
package org.weir.storage.control;

import org.jspecify.annotations.NullMarked;
