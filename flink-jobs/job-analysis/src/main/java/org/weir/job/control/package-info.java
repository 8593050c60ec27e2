/** Holds the job's settings, and the sites, rules and references that it judges by. */
@NullMarked
package org.weir.job.control;

import org.jspecify.annotations.NullMarked;
