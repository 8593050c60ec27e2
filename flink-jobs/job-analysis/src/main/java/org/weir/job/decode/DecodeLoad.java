package org.weir.job.decode;

import org.weir.analysis.load.LoadBucket;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.job.control.JobSettings;
import org.weir.job.load.LoadInput;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireException;

/** Messages of weir.storage.load to inputs of the load join. */
public final class DecodeLoad extends DecodeFunction<StorageLoad, LoadInput> {

  private static final long serialVersionUID = 1L;

  public DecodeLoad() {
    super(StorageLoad.class, JobSettings.JOB);
  }

  @Override
  protected String clusterOf(StorageLoad load) {
    return load.getCluster();
  }

  @Override
  protected void accept(StorageLoad load, KafkaMessage from, Emissions<LoadInput> out)
      throws WireException {
    LoadInput input = LoadInput.of(load.getCluster(), load.getKind(), load.getSubject());
    input.bucket = LoadBucket.of(load);
    out.collect(input);
  }
}
