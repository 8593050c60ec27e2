package org.weir.storage.decode;

import org.apache.flink.util.OutputTag;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.kafka.DecodeFunction;
import org.weir.flink.kafka.Emissions;
import org.weir.flink.kafka.EventTime;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.load.sample.Sample;
import org.weir.load.sample.SampleReader;
import org.weir.storage.control.StorageSettings;
import org.weir.wire.DeviceSample;
import org.weir.wire.WireException;

/**
 * Decodes messages of weir.device.sample to samples; their rows leave on a side output of their
 * own.
 */
public final class DecodeSamples extends DecodeFunction<DeviceSample, Sample> {

  public static final OutputTag<Rows> ROWS = new OutputTag<>("sample-rows") {};

  private static final long serialVersionUID = 1L;

  public DecodeSamples() {
    super(DeviceSample.class, StorageSettings.JOB);
  }

  @Override
  protected String clusterOf(DeviceSample message) {
    return message.getCluster();
  }

  @Override
  protected void accept(DeviceSample message, KafkaMessage from, Emissions<Sample> out)
      throws WireException {
    Sample sample = SampleReader.read(message, from.sentAt);
    EventTime.check(SampleReader.describe(message) + ": time", message.getTime(), from);
    out.output(ROWS, SampleRows.of(message, from.sentAt));
    out.collect(sample);
  }
}
