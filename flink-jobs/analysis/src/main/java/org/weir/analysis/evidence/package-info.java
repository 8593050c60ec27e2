/** Declares features and holds their values, each with how far it can be trusted. */
package org.weir.analysis.evidence;
