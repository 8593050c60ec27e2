package org.weir.flink.testing;

import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.weir.flink.kafka.KafkaMessage;

/** A stream that gives nothing and never ends, so that timers go on after the other sources. */
public final class NeverEnding implements GeneratorFunction<Long, KafkaMessage> {

  private static final long serialVersionUID = 1L;

  @Override
  public KafkaMessage map(Long index) throws InterruptedException {
    // Until the job is cancelled.
    new CountDownLatch(1).await();
    return null;
  }

  /** Such a stream, of parallelism one. */
  public static DataStream<KafkaMessage> stream(StreamExecutionEnvironment env) {
    return env.fromSource(
            new DataGeneratorSource<>(
                new NeverEnding(), Long.MAX_VALUE, TypeInformation.of(KafkaMessage.class)),
            WatermarkStrategy.noWatermarks(),
            "never-ending")
        .uid("never-ending")
        .setParallelism(1);
  }
}
