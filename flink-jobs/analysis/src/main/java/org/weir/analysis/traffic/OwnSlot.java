package org.weir.analysis.traffic;

/**
 * Bytes that a run itself moved on its file system in one stretch of time.
 *
 * @param fromSeconds after the run's start
 * @param toSeconds after the run's start
 */
public record OwnSlot(
    double fromSeconds, double toSeconds, double bytesRead, double bytesWritten) {}
