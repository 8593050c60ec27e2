/** Adds up numbers in any order to the same bytes, and keeps them as bytes. */
@NullMarked
package org.weir.analysis.state;

import org.jspecify.annotations.NullMarked;
