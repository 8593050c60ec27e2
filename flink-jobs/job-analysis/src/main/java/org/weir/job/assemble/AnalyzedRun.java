package org.weir.job.assemble;

import java.util.List;
import java.util.Map;
import org.weir.analysis.compare.Application;
import org.weir.analysis.compare.EarlierRun;
import org.weir.analysis.features.FeatureComputer;
import org.weir.analysis.features.RunFeaturesBytes;
import org.weir.analysis.load.LoadState;
import org.weir.analysis.load.LoadSummary;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.run.RunFeatures;
import org.weir.job.load.LoadRequest;
import org.weir.job.run.LoadFacts;
import org.weir.job.run.RunSummary;
import org.weir.site.Site;
import org.weir.wire.LogHeader;

/**
 * Holds a run as its log alone shows it.
 *
 * @param requests for the load beside it; none if it moved nothing on a file system of the site
 */
record AnalyzedRun(RunSummary summary, List<LoadRequest> requests) {

  static AnalyzedRun of(AssembledLog log, Site site) {
    RunFeatures features =
        FeatureComputer.compute(log.header(), log.end(), log.batchesMissing(), log.sums(), site);
    RunSummary summary = summary(log, features);
    LoadSummary waiting = LoadWindow.of(features, site).summarize(Map.of(), false);
    summary.load = LoadFacts.of(waiting, false);
    List<LoadWindow> windows =
        LoadWindow.all(features, site).stream().filter(w -> !w.own().isEmpty()).toList();
    boolean requests = waiting.state() == LoadState.WAITING;
    return new AnalyzedRun(summary, requests ? LoadRequest.all(summary, windows, site) : List.of());
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
    run.endTime = Math.max(header.getStartTime(), header.getEndTime());
    run.supersedes = header.getSupersedes();
    run.features = RunFeaturesBytes.write(features);
    run.comparable = EarlierRun.of(run.logId, features);
    run.application =
        run.comparable == null
            ? null
            : Application.key(run.cluster, run.uid, run.exe, run.exeHash, features);
    run.batchesAnalyzed = log.batches();
    run.batchesExpected = log.batchesExpected();
    run.siteRevision = log.siteRevision();
    run.origin = log.origin();
    run.sentAt = log.sentAt();
    return run;
  }
}
