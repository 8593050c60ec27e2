/** Adds up numbers in any order to the same bytes, and keeps them as bytes. */
package org.weir.analysis.state;
