/** Reads what the jobs and the analysis need of a site file. */
@NullMarked
package org.weir.site;

import org.jspecify.annotations.NullMarked;
