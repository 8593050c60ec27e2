/** Decides as a stream job which messages users get; the decisions are made in {@code alerts}. */
package org.weir.alerting;
