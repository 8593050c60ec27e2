/** Declares features and holds their values, each with how far it can be trusted. */
@NullMarked
package org.weir.analysis.evidence;

import org.jspecify.annotations.NullMarked;
