/** Adds buckets up to hours. */
package org.weir.storage.hours;
