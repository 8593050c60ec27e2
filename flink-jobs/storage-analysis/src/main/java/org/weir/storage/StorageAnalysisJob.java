package org.weir.storage;

import static org.weir.flink.Streams.to;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.streaming.api.datastream.BroadcastStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.weir.flink.Streams;
import org.weir.flink.clickhouse.ClickHouseSink;
import org.weir.flink.clickhouse.Rows;
import org.weir.flink.clickhouse.SinkLimits;
import org.weir.flink.config.ConfigReader;
import org.weir.flink.config.Connections;
import org.weir.flink.control.ControlSnapshot;
import org.weir.flink.control.KafkaControlSnapshot;
import org.weir.flink.kafka.DeadLetters;
import org.weir.flink.kafka.KafkaMessage;
import org.weir.flink.kafka.KafkaOut;
import org.weir.flink.kafka.KafkaSinks;
import org.weir.flink.kafka.KafkaSources;
import org.weir.flink.kafka.Topics;
import org.weir.load.bucket.FilesystemLoad;
import org.weir.load.bucket.ServerBucket;
import org.weir.load.sample.Sample;
import org.weir.storage.control.Sites;
import org.weir.storage.control.StorageSettings;
import org.weir.storage.decode.DecodeJobsLive;
import org.weir.storage.decode.DecodeSamples;
import org.weir.storage.decode.DecodeTargetsLive;
import org.weir.storage.emit.EmitEvents;
import org.weir.storage.emit.EmitFilesystemLoad;
import org.weir.storage.emit.EmitServerLoad;
import org.weir.storage.emit.LoadEncoder;
import org.weir.storage.events.Event;
import org.weir.storage.hours.HourPart;
import org.weir.storage.hours.HourlyLoadFunction;
import org.weir.storage.load.FilesystemLoadFunction;
import org.weir.storage.load.ServerLoadFunction;
import org.weir.storage.silence.DevicePresence;
import org.weir.storage.silence.DeviceWatchFunction;
import org.weir.storage.silence.ExpectedServers;
import org.weir.storage.silence.ServerWatchFunction;
import org.weir.storage.silence.Sighting;
import org.weir.storage.trouble.FilesystemWatchFunction;
import org.weir.wire.DeviceSample;
import org.weir.wire.JobLive;
import org.weir.wire.TargetLive;

/**
 * Samples of storage servers to the load of devices, servers and file systems.
 *
 * <pre>
 * weir.device.sample -> decode -> rows of device_samples
 *                              -> server-load (by server) -> rows of server_load, device_load; weir.storage.load
 *                                   -> filesystem-load (by file system) -> rows of filesystem_load; weir.storage.load
 *                                   -> hourly-load (by server or file system) -> rows of *_load_hourly
 *                                   -> server-watch, device-watch, filesystem-watch
 *                                        -> rows of storage_events; weir.storage.event
 * weir.job.live -> decode -> rows of job_live
 * weir.target.live -> decode -> rows of target_live, target_io_sizes
 * weir.site (broadcast) -> server-load, filesystem-load
 * </pre>
 */
public final class StorageAnalysisJob {

  private StorageAnalysisJob() {}

  /** What the job reads. */
  record Sources(
      DataStream<KafkaMessage> samples,
      DataStream<KafkaMessage> jobsLive,
      DataStream<KafkaMessage> targetsLive,
      DataStream<KafkaMessage> sites,
      ControlSnapshot control) {}

  /** Where it writes: rows in bulk, few rows at a time, and messages. */
  record Sinks(
      Sink<Rows> bulk,
      Sink<Rows> results,
      Sink<KafkaOut> loads,
      Sink<KafkaOut> events,
      Sink<KafkaOut> deadLetters) {}

  public static void main(String[] args) throws Exception {
    ConfigReader config = ConfigReader.fromArguments(args, System.getenv());
    Connections connections = Connections.read(config);
    StorageSettings settings = StorageSettings.read(config);
    StreamExecutionEnvironment env = Streams.environment();
    config.check();
    defineWorkflow(env, kafka(env, connections), sinks(connections), settings);
    env.execute(StorageSettings.JOB);
  }

  static Sources kafka(StreamExecutionEnvironment env, Connections to) {
    return new Sources(
        Streams.data(env, to, group(), Topics.DEVICE_SAMPLE, DeviceSample.class, "samples"),
        Streams.data(env, to, group(), Topics.JOB_LIVE, JobLive.class, "jobs-live"),
        Streams.data(env, to, group(), Topics.TARGET_LIVE, TargetLive.class, "targets-live"),
        Streams.from(env, KafkaSources.control(to, group(), Topics.SITE), "sites")
            .setParallelism(1),
        new KafkaControlSnapshot(to, Topics.SITE));
  }

  private static String group() {
    return "weir-" + StorageSettings.JOB;
  }

  static Sinks sinks(Connections to) {
    return new Sinks(
        new ClickHouseSink(to.clickhouse(), SinkLimits.forBulk()),
        new ClickHouseSink(to.clickhouse(), SinkLimits.forResults()),
        KafkaSinks.topic(to, Topics.STORAGE_LOAD),
        KafkaSinks.topic(to, Topics.STORAGE_EVENT),
        KafkaSinks.topic(to, Topics.DEAD_LETTER));
  }

  /** The graph; a test passes bounded sources and collecting sinks. */
  static void defineWorkflow(
      StreamExecutionEnvironment env, Sources sources, Sinks sinks, StorageSettings settings) {
    BroadcastStream<KafkaMessage> sites = sources.sites().broadcast(Sites.DESCRIPTOR);
    SingleOutputStreamOperator<Sample> samples =
        sources.samples().process(new DecodeSamples()).uid("decode-samples").name("decode-samples");
    SingleOutputStreamOperator<ServerBucket> servers =
        samples
            .keyBy(Sample::serverKey)
            .connect(sites)
            .process(new ServerLoadFunction(sources.control(), settings))
            .uid("server-load")
            .name("server-load");
    SingleOutputStreamOperator<FilesystemLoad> filesystems =
        servers
            .getSideOutput(ServerLoadFunction.SHARES)
            .keyBy(ServerBucket::filesystemKey)
            .connect(sites)
            .process(new FilesystemLoadFunction(sources.control(), settings))
            .uid("filesystem-load")
            .name("filesystem-load");
    SingleOutputStreamOperator<Rows> serverRows =
        servers.process(new EmitServerLoad()).uid("emit-server-load").name("emit-server-load");
    SingleOutputStreamOperator<Rows> filesystemRows =
        filesystems
            .process(new EmitFilesystemLoad())
            .uid("emit-filesystem-load")
            .name("emit-filesystem-load");
    SingleOutputStreamOperator<Rows> hourRows =
        servers
            .getSideOutput(ServerLoadFunction.HOURS)
            .union(filesystemRows.getSideOutput(EmitFilesystemLoad.HOURS))
            .keyBy(HourPart::key)
            .process(new HourlyLoadFunction(settings))
            .uid("hourly-load")
            .name("hourly-load");

    SingleOutputStreamOperator<Rows> jobsLive =
        sources
            .jobsLive()
            .process(new DecodeJobsLive())
            .uid("decode-jobs-live")
            .name("decode-jobs-live");
    SingleOutputStreamOperator<Rows> targetsLive =
        sources
            .targetsLive()
            .process(new DecodeTargetsLive())
            .uid("decode-targets-live")
            .name("decode-targets-live");
    SingleOutputStreamOperator<Rows> eventRows =
        events(sources, sites, servers, filesystems, settings)
            .process(new EmitEvents())
            .uid("emit-events")
            .name("emit-events");

    // Most of all bytes: in a union with the live rows they would leave the task that decodes them.
    to(sinks.bulk(), samples.getSideOutput(DecodeSamples.ROWS), "land-samples");
    to(sinks.bulk(), jobsLive.union(targetsLive), "land-live");
    to(sinks.results(), serverRows.union(filesystemRows, hourRows, eventRows), "land-load");
    to(
        sinks.loads(),
        serverRows
            .getSideOutput(LoadEncoder.TAG)
            .union(filesystemRows.getSideOutput(LoadEncoder.TAG)),
        "publish-load");
    to(sinks.events(), eventRows.getSideOutput(EmitEvents.MESSAGES), "publish-events");
    to(
        sinks.deadLetters(),
        samples
            .getSideOutput(DeadLetters.TAG)
            .union(
                jobsLive.getSideOutput(DeadLetters.TAG),
                targetsLive.getSideOutput(DeadLetters.TAG)),
        "publish-dead-letters");
  }

  private static DataStream<Event> events(
      Sources sources,
      BroadcastStream<KafkaMessage> sites,
      SingleOutputStreamOperator<ServerBucket> servers,
      SingleOutputStreamOperator<FilesystemLoad> filesystems,
      StorageSettings settings) {
    DataStream<Sighting> expected =
        sources
            .sites()
            .process(new ExpectedServers())
            .uid("expected-servers")
            .name("expected-servers")
            .setParallelism(1);
    SingleOutputStreamOperator<Event> silentServers =
        servers
            .getSideOutput(ServerLoadFunction.SIGHTINGS)
            .union(expected)
            .keyBy(Sighting::key)
            .connect(sites)
            .process(new ServerWatchFunction(sources.control(), settings))
            .uid("server-watch")
            .name("server-watch");
    DataStream<Event> silentDevices =
        silentServers
            .getSideOutput(ServerWatchFunction.DEVICES)
            .keyBy(DevicePresence::key)
            .connect(sites)
            .process(new DeviceWatchFunction(sources.control(), settings))
            .uid("device-watch")
            .name("device-watch");
    DataStream<Event> troubles =
        filesystems
            .getSideOutput(FilesystemLoadFunction.VITALS)
            .keyBy(vitals -> vitals.cluster + "/" + vitals.filesystem)
            .connect(sites)
            .process(new FilesystemWatchFunction(sources.control(), settings))
            .uid("filesystem-watch")
            .name("filesystem-watch");
    return silentServers.union(silentDevices, troubles);
  }
}
