package org.weir.job;

import java.util.Map;
import org.weir.analysis.Application;
import org.weir.analysis.EarlierRun;
import org.weir.analysis.LoadWindow;
import org.weir.analysis.RunFeatures;
import org.weir.analysis.Site;
import org.weir.wire.LogHeader;

/**
 * A run as its log alone tells it.
 *
 * @param ask for the load beside it; null if it moved nothing on a file system of the site
 */
record AnalysedRun(RunSummary summary, LoadAsk ask) {

  static AnalysedRun of(AssembledLog log, Site site) {
    RunFeatures features =
        RunFeatures.of(log.header(), log.end(), log.batchesMissing(), log.sums(), site);
    LoadWindow window = LoadWindow.of(features, site);
    RunSummary summary = summary(log, features);
    summary.load = LoadFacts.of(window.summarise(Map.of(), false), false);
    boolean asks = window.filesystem() != null && !window.own().isEmpty();
    return new AnalysedRun(
        summary, asks ? LoadAsk.of(summary, window, sampleInterval(window, site)) : null);
  }

  private static RunSummary summary(AssembledLog log, RunFeatures features) {
    LogHeader header = log.header();
    RunSummary run = new RunSummary();
    run.cluster = header.getCluster();
    run.logId = log.logId();
    run.jobId = header.getJobId();
    run.uid = header.getUid();
    run.ownerUid = header.getOwnerUid();
    run.ownerCheck = header.getOwnerCheck();
    run.fileName = header.getFileName();
    run.exe = header.getExe();
    run.exeHash = header.getExeHash();
    run.logVersion = header.getLogVersion();
    run.startTime = header.getStartTime();
    run.endTime = header.getEndTime();
    run.supersedes = header.getSupersedes();
    run.features = features.withoutSlots().toBytes();
    run.comparable = EarlierRun.of(run.logId, features);
    run.application =
        run.comparable == null
            ? null
            : Application.key(run.cluster, run.uid, run.exe, run.exeHash, features);
    run.batchesAnalysed = log.batches();
    run.batchesExpected = log.batchesExpected();
    run.origin = log.origin();
    run.sentAt = log.sentAt();
    return run;
  }

  private static double sampleInterval(LoadWindow window, Site site) {
    Site.FileSystem filesystem = site.fileSystem(window.filesystem());
    return site.servers().stream()
        .filter(s -> filesystem != null && filesystem.devices().containsKey(s.name()))
        .mapToDouble(Site.Server::sampleIntervalSeconds)
        .max()
        .orElse(0);
  }
}
