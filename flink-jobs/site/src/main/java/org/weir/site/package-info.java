/** Reads what the jobs and the analysis need of a site file. */
package org.weir.site;
