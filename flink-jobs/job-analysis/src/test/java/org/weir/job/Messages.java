package org.weir.job;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.Topics;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.Identity;
import org.weir.wire.JobManifest;
import org.weir.wire.LogBatch;
import org.weir.wire.LogEnd;
import org.weir.wire.LogHeader;
import org.weir.wire.ModuleEnd;
import org.weir.wire.ModuleHeader;
import org.weir.wire.PackedColumns;
import org.weir.wire.Published;
import org.weir.wire.SchedulerJob;
import org.weir.wire.StorageLoad;
import org.weir.wire.WireCodec;

/** Messages of a small center for tests. Times in seconds, counted from {@link #T0}. */
public final class Messages {

  public static final String CLUSTER = "c";
  public static final long JOB_ID = 42;

  /** 2026-01-01 00:00:00 UTC. */
  public static final long T0 = 1_767_225_600L;

  public static final String JOB_UID = Identity.jobUid(CLUSTER, JOB_ID, null, T0);

  /** Buckets of one second; every run over nothing is slow. */
  public static final String SITE =
      "{\"cluster\":\"c\",\"load_bucket_seconds\":1,\"slow_threshold_seconds\":1,"
          + "\"slow_threshold_share\":0.05,\"cores_per_node\":{\"default\":4},"
          + "\"servers\":[{\"name\":\"s\",\"sample_interval_seconds\":1}],"
          + "\"file_systems\":[{\"id\":\"fs\",\"kind\":\"lustre\",\"mount_prefixes\":[\"/fs\"],"
          + "\"devices\":{\"s\":[\"d\"]},\"peak_mib_per_second\":{\"1\":1000}}]}";

  /** Another mount of it, where no log of this center has files. */
  public static final String SITE_ELSEWHERE = SITE.replace("[\"/fs\"]", "[\"/elsewhere\"]");

  public static final String RULES =
      "{\"id\":\"default\",\"rules\":[{\"id\":\"many_opens\",\"title\":\"Many opens\","
          + "\"condition\":\"opens > 100\",\"evidence\":[\"opens\"],\"advice\":[\"open_less\"]}]}";

  private Messages() {}

  public static List<KafkaMessage> control() {
    return List.of(site(1, SITE), published(Topics.RULES, "default", 1, RULES));
  }

  public static KafkaMessage site(int revision, String content) {
    return published(Topics.SITE, CLUSTER, revision, content);
  }

  public static KafkaMessage published(String topic, String id, int revision, String content) {
    return message(topic, new Published(id, revision, content));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  public static KafkaMessage message(String topic, SpecificRecordBase record) {
    byte[] value = ((WireCodec) WireCodec.of((Class) record.getClass())).encode(record);
    return new KafkaMessage(topic, 0, 0, micros(100), value);
  }

  public static long micros(double seconds) {
    return T0 * 1_000_000L + Math.round(seconds * 1e6);
  }

  /** Header, one batch for each number of opens, end. The run lasts from second 10 to 20. */
  public static List<KafkaMessage> log(String logId, long... opens) {
    List<KafkaMessage> parts = new ArrayList<>();
    parts.add(part(logId, header(null)));
    for (int i = 0; i < opens.length; i++) {
      parts.add(part(logId, batch(i, opens[i])));
    }
    parts.add(part(logId, end(opens.length)));
    return parts;
  }

  public static KafkaMessage part(String logId, Object body) {
    return message(Topics.DARSHAN_LOG, new DarshanLogMessage(logId, "live", body));
  }

  public static LogHeader header(String supersedes) {
    return LogHeader.newBuilder()
        .setCluster(CLUSTER)
        .setJobId(JOB_ID)
        .setUid(1000)
        .setOwnerUid(1000L)
        .setOwnerCheck("strict")
        .setFileName("a.darshan")
        .setExe("app")
        .setExeHash("0")
        .setNprocs(4)
        .setStartTime(micros(10))
        .setEndTime(micros(20))
        .setRunTimeSeconds(10)
        .setLogVersion("3.41")
        .setMetadata(Map.of())
        .setMounts(List.of())
        .setModules(List.of(new ModuleHeader("POSIX", 4, false, 100L)))
        .setSupersedes(supersedes)
        .build();
  }

  /** One file that rank 0 wrote a MiB to, from second 2 to 4 of the run. */
  public static LogBatch batch(int number, long opens) {
    return LogBatch.newBuilder()
        .setCluster(CLUSTER)
        .setJobId(JOB_ID)
        .setStartTime(micros(10))
        .setModule("POSIX")
        .setModuleVersion(4)
        .setNumber(number)
        .setRows(1)
        .setRecordIds(PackedColumns.pack(number + 1L))
        .setRanks(PackedColumns.pack(0L))
        .setNames(List.of("/fs/file" + number))
        .setIntNames(List.of("POSIX_OPENS", "POSIX_WRITES", "POSIX_BYTES_WRITTEN"))
        .setInts(PackedColumns.pack(opens, 1L, 1L << 20))
        .setFloatNames(
            List.of(
                "POSIX_F_WRITE_START_TIMESTAMP",
                "POSIX_F_WRITE_END_TIMESTAMP",
                "POSIX_F_WRITE_TIME",
                "POSIX_F_READ_TIME",
                "POSIX_F_META_TIME"))
        .setFloats(PackedColumns.pack(2.0, 4.0, 2.0, 0.0, 0.0))
        .build();
  }

  public static LogEnd end(int batches) {
    return new LogEnd(
        batches,
        List.of(new ModuleEnd("POSIX", "complete", (long) batches, (long) batches, null)),
        null);
  }

  /** The job runs from second 5; its rank says how far it is. */
  public static KafkaMessage submit(int rank) {
    return message(Topics.SCHEDULER_JOB, schedulerJob(rank));
  }

  public static SchedulerJob schedulerJob(int rank) {
    return SchedulerJob.newBuilder()
        .setCluster(CLUSTER)
        .setJobId(JOB_ID)
        .setJobUid(JOB_UID)
        .setJobDisplayId("42")
        .setUser("ann")
        .setUid(1000L)
        .setAccount("proj")
        .setPartition("batch")
        .setJobName("job")
        .setState(rank == 3 ? "COMPLETED" : rank == 2 ? "RUNNING" : "PENDING")
        .setStateRank(rank)
        .setSubmitTime(micros(0))
        .setStartTime(rank >= 2 ? micros(5) : null)
        .setEndTime(rank == 3 ? micros(30) : null)
        .setNodes(1)
        .setNodeList("n1")
        .setVersion(T0 + 10L * rank)
        .setOrigin("live")
        .build();
  }

  public static KafkaMessage manifest(boolean isFinal, String... logIds) {
    return message(
        Topics.JOB_MANIFEST,
        new JobManifest(CLUSTER, JOB_ID, JOB_UID, micros(40), isFinal, List.of(logIds), "live"));
  }

  /** One second of the file system, in which others wrote a GiB. */
  public static KafkaMessage load(long second, long closedUntil) {
    return message(Topics.STORAGE_LOAD, storageLoad(second, closedUntil));
  }

  /** The same of its server, whose device d wrote so much and was so busy; c idled. */
  public static KafkaMessage serverLoad(
      long second, long closedUntil, int samples, double bytes, double util) {
    StorageLoad load = storageLoad(second, closedUntil);
    load.setKind("server");
    load.setSubject("s");
    load.setVersion(samples);
    load.setDeviceIds(List.of("c", "d"));
    load.setDeviceColumns(List.of("bytes_read", "bytes_written", "util"));
    load.setDeviceValues(PackedColumns.pack(0.0, 0.0, 0.0, bytes, 0.0, util));
    return message(Topics.STORAGE_LOAD, load);
  }

  public static StorageLoad storageLoad(long second, long closedUntil) {
    return StorageLoad.newBuilder()
        .setCluster(CLUSTER)
        .setKind("filesystem")
        .setSubject("fs")
        .setBucketStart(micros(second))
        .setBucketSeconds(1)
        .setBytesRead(0)
        .setBytesWritten(1L << 30)
        .setReads(0)
        .setWrites(1024)
        .setUtilMean(0.9)
        .setUtilP95(0.9)
        .setUtilMax(0.95)
        .setReadWaitSeconds(0)
        .setWriteWaitSeconds(0)
        .setClosedUntil(micros(closedUntil))
        .setServersReported(1)
        .setServersExpected(1)
        .setVersion(1)
        .setDeviceIds(List.of())
        .setDeviceColumns(List.of())
        .setDeviceValues(ByteBuffer.allocate(0))
        .setOrigin("live")
        .build();
  }
}
