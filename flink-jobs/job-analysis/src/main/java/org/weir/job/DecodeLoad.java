package org.weir.job;

import org.apache.flink.util.Collector;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.wire.StorageLoad;

/**
 * Messages of weir.storage.load to inputs of the load join. Load of single servers is passed over:
 * runs ask for the load of their file system, and state that nobody asks for costs.
 */
final class DecodeLoad extends DecodeFunction<StorageLoad, LoadInput> {

  private static final long serialVersionUID = 1L;

  DecodeLoad() {
    super(StorageLoad.class, JobAnalysisJob.NAME);
  }

  @Override
  protected String clusterOf(StorageLoad load) {
    return load.getCluster();
  }

  @Override
  protected void accept(
      StorageLoad load, KafkaMessage from, Context context, Collector<LoadInput> out) {
    if (load.getKind().equals("filesystem")) {
      LoadInput input = new LoadInput();
      input.cluster = load.getCluster();
      input.filesystem = load.getSubject();
      input.bucket = LoadBucket.of(load);
      out.collect(input);
    }
  }
}
