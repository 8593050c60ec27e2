package org.weir.flink.kafka.limit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.DefaultRecord;
import org.apache.kafka.common.record.DefaultRecordBatch;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.ByteUtils;
import org.apache.kafka.common.utils.CloseableIterator;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.weir.flink.kafka.KafkaMessage;

/** Reads batches with Kafka's own class as this module changes it. */
class RecordSizeLimitTest {

  private static final long FIRST_OFFSET = 4_000;
  private static final int MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource({"zstd, 64", "gzip, 64", "lz4, 64", "snappy, 64", "zstd, 2047", "lz4, 600"})
  void aBombIsReadInLittleMemoryAndItsNeighborsAreUnharmed(String codec, int mib)
      throws IOException {
    ByteBuffer batch = batchWith(codec, mib * MIB);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    List<KafkaMessage> messages = read(batch);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 * MIB);

    assertThat(messages).extracting(message -> message.offset).containsExactly(4000L, 4001L, 4002L);
    assertThat(messages).extracting(message -> message.key).containsExactly("a", "b", "c");
    assertThat(messages.get(0).value).asString(UTF_8).isEqualTo("before");
    assertThat(messages.get(2).value).asString(UTF_8).isEqualTo("after");
    assertThat(messages.get(0).refused).isNull();
    assertThat(messages.get(1).refused).endsWith("bytes when unpacked, expected at most 2097152");
    assertThat(messages.get(1).value).hasSize(64 * 1024).containsOnly(0);
    assertThat(messages.get(1).sentAt).isEqualTo(1_700_000_000_001_000L);
  }

  @Test
  void theLargestSoundMessageIsWhole() throws IOException {
    List<KafkaMessage> messages = read(batchWith("zstd", 1 << 20));
    assertThat(messages.get(1).refused).isNull();
    assertThat(messages.get(1).value).hasSize(1 << 20);
  }

  /** Three records, the second with a value of so many zeros, which are never held at once. */
  private static ByteBuffer batchWith(String codec, int zeros) throws IOException {
    CompressionType type = CompressionType.forName(codec);
    ByteBufferOutputStream batch = new ByteBufferOutputStream(1 << 20);
    batch.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
    try (DataOutputStream out =
        new DataOutputStream(
            Compression.of(type).build().wrapForOutput(batch, RecordBatch.MAGIC_VALUE_V2))) {
      writeSmall(out, 0, "a", "before");
      ByteUtils.writeVarint(1 + 1 + 1 + 2 + ByteUtils.sizeOfVarint(zeros) + zeros + 1, out);
      out.write(0);
      ByteUtils.writeVarlong(1, out);
      ByteUtils.writeVarint(1, out);
      ByteUtils.writeVarint(1, out);
      out.write('b');
      ByteUtils.writeVarint(zeros, out);
      byte[] chunk = new byte[MIB];
      for (int i = 0; i < zeros / MIB; i++) {
        out.write(chunk);
      }
      ByteUtils.writeVarint(0, out);
      writeSmall(out, 2, "c", "after");
    }
    ByteBuffer written = batch.buffer();
    int size = written.position();
    written.flip();
    DefaultRecordBatch.writeHeader(
        written,
        FIRST_OFFSET,
        2,
        size,
        RecordBatch.MAGIC_VALUE_V2,
        type,
        TimestampType.CREATE_TIME,
        1_700_000_000_000L,
        1_700_000_000_002L,
        RecordBatch.NO_PRODUCER_ID,
        RecordBatch.NO_PRODUCER_EPOCH,
        RecordBatch.NO_SEQUENCE,
        false,
        false,
        false,
        RecordBatch.NO_PARTITION_LEADER_EPOCH,
        3);
    written.position(0);
    return written;
  }

  private static void writeSmall(DataOutputStream out, int number, String key, String value)
      throws IOException {
    DefaultRecord.writeTo(
        out,
        number,
        number,
        ByteBuffer.wrap(key.getBytes(UTF_8)),
        ByteBuffer.wrap(value.getBytes(UTF_8)),
        new Header[0]);
  }

  /** As Kafka's consumer does it. */
  private static List<KafkaMessage> read(ByteBuffer batch) {
    List<KafkaMessage> messages = new ArrayList<>();
    for (RecordBatch each : MemoryRecords.readableRecords(batch).batches()) {
      each.ensureValid();
      try (CloseableIterator<Record> records = each.streamingIterator(BufferSupplier.create())) {
        records.forEachRemaining(record -> messages.add(KafkaMessage.of(consumed(record))));
      }
    }
    return messages;
  }

  private static ConsumerRecord<byte[], byte[]> consumed(Record record) {
    byte[] key = Utils.toNullableArray(record.key());
    byte[] value = Utils.toNullableArray(record.value());
    return new ConsumerRecord<>(
        "topic",
        0,
        record.offset(),
        record.timestamp(),
        TimestampType.CREATE_TIME,
        key.length,
        value.length,
        key,
        value,
        new RecordHeaders(record.headers()),
        Optional.empty());
  }
}
