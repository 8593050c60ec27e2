/**
 * Judges a run: its findings, how severe they are, and who is at fault. Whether a run is slow is
 * decided in {@code org.weir.analysis.slowness.Slowness}.
 *
 * <p>Entry: {@link org.weir.analysis.judge.RunJudgement}.
 */
@NullMarked
package org.weir.analysis.judge;

import org.jspecify.annotations.NullMarked;
