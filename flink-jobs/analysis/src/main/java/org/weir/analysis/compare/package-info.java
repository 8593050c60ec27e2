/**
 * Compares a run with earlier runs of its application, and completes its features for the rules.
 */
@NullMarked
package org.weir.analysis.compare;

import org.jspecify.annotations.NullMarked;
