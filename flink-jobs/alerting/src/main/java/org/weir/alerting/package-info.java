/** Decides as a stream job which messages users get; the decisions are made in {@code alerts}. */
@NullMarked
package org.weir.alerting;

import org.jspecify.annotations.NullMarked;
