package org.weir.analysis.traffic;

/**
 * A device that a run's bytes on one file system went through.
 *
 * @param server that samples it
 * @param id of the device
 * @param share the most of those bytes that can have gone through it, 0 to 1
 * @param placed the share is its own: with the other placed devices it holds all those bytes
 */
public record OwnDevice(String server, String id, double share, boolean placed) {}
