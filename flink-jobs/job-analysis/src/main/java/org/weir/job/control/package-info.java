/** Holds the job's settings, and the sites, rules and references that it judges by. */
package org.weir.job.control;
