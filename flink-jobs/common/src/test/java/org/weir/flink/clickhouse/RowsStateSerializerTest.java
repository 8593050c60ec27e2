package org.weir.flink.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.flink.connector.base.sink.writer.BufferedRequestState;
import org.apache.flink.connector.base.sink.writer.RequestEntryWrapper;
import org.apache.flink.types.PojoTestUtils;
import org.junit.jupiter.api.Test;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;

class RowsStateSerializerTest {

  @Test
  void whatWaitsComesBackAsItWas() throws Exception {
    Rows rows = new Rows("t", "c", new String[] {"a", "b"}, 3, 9, new byte[] {1, 2, 3});
    RowsStateSerializer serializer = new RowsStateSerializer();
    byte[] bytes =
        serializer.serialize(
            new BufferedRequestState<>(List.of(new RequestEntryWrapper<>(rows, 3))));
    Rows read =
        serializer
            .deserialize(serializer.getVersion(), bytes)
            .getBufferedRequestEntries()
            .get(0)
            .getRequestEntry();
    assertThat(read).usingRecursiveComparison().isEqualTo(rows);
  }

  @Test
  void whatTravelsNeedsNoKryo() {
    PojoTestUtils.assertSerializedAsPojoWithoutKryo(Rows.class);
    PojoTestUtils.assertSerializedAsPojoWithoutKryo(KafkaMessage.class);
    PojoTestUtils.assertSerializedAsPojoWithoutKryo(KafkaOut.class);
  }
}
