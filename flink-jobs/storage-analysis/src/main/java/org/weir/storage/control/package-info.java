/** Holds the job's settings and the sites that it serves. */
package org.weir.storage.control;
