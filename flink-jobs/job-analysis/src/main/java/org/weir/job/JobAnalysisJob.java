package org.weir.job;

import static org.weir.flink.Streams.named;
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
import org.weir.job.assemble.Assemble;
import org.weir.job.assemble.LogPart;
import org.weir.job.baseline.BaselineJoin;
import org.weir.job.control.Control;
import org.weir.job.control.JobSettings;
import org.weir.job.decode.DecodeDeadLetters;
import org.weir.job.decode.DecodeLoad;
import org.weir.job.decode.DecodeLogs;
import org.weir.job.decode.DecodeManifests;
import org.weir.job.decode.DecodeSchedulerJobs;
import org.weir.job.join.AnswerToInput;
import org.weir.job.join.BaselineToInput;
import org.weir.job.join.JobInput;
import org.weir.job.join.JobJoin;
import org.weir.job.join.RunToInput;
import org.weir.job.load.LoadAnswer;
import org.weir.job.load.LoadInput;
import org.weir.job.load.LoadJoin;
import org.weir.job.load.LoadMerge;
import org.weir.job.load.LoadPart;
import org.weir.job.load.RequestToInput;
import org.weir.job.run.RunSummary;
import org.weir.wire.DarshanLogMessage;
import org.weir.wire.DeadLetter;
import org.weir.wire.JobManifest;
import org.weir.wire.SchedulerJob;
import org.weir.wire.StorageLoad;

/**
 * Logs, scheduler, manifests and load together to findings and verdicts.
 *
 * <pre>
 * weir.darshan.log -> decode-logs -> rows of the records
 *                       -> assemble (by log) -> rows of log_modules
 *                            -> load-join (by file system and by server) <- weir.storage.load
 *                                 -> load-merge (by log)
 *                            -> baseline-join (by application)
 *                                 -> job-join (by job id) <- load-merge
 * weir.scheduler.job -> decode-scheduler-jobs -> rows of scheduler_jobs, job-join
 * weir.job.manifest -> decode-manifests -> rows of job_manifests, job-join
 * job-join -> rows of runs, findings, job_results; weir.job.result
 * weir.dead-letter -> decode-dead-letters -> rows of dead_letters
 * weir.rules, weir.site, weir.reference (broadcast) -> decode-logs, assemble, job-join
 * </pre>
 */
public final class JobAnalysisJob {

  private JobAnalysisJob() {}

  /** What the job reads. */
  record Sources(
      DataStream<KafkaMessage> logs,
      DataStream<KafkaMessage> schedulerJobs,
      DataStream<KafkaMessage> manifests,
      DataStream<KafkaMessage> load,
      DataStream<KafkaMessage> deadLetters,
      DataStream<KafkaMessage> controls,
      ControlSnapshot control) {}

  /** Where it writes: rows in bulk, few rows at a time, and messages. */
  record Sinks(
      Sink<Rows> bulk, Sink<Rows> results, Sink<KafkaOut> jobResults, Sink<KafkaOut> deadLetters) {}

  public static void main(String[] args) throws Exception {
    ConfigReader config = ConfigReader.fromArguments(args, System.getenv());
    Connections connections = Connections.read(config);
    JobSettings settings = JobSettings.read(config);
    StreamExecutionEnvironment env = Streams.environment();
    config.check();
    defineWorkflow(env, kafka(env, connections), sinks(connections), settings);
    env.execute(JobSettings.JOB);
  }

  static Sources kafka(StreamExecutionEnvironment env, Connections to) {
    String[] controls = {Topics.SITE, Topics.RULES, Topics.REFERENCE};
    return new Sources(
        Streams.data(env, to, group(), Topics.DARSHAN_LOG, DarshanLogMessage.class, "logs"),
        Streams.data(env, to, group(), Topics.SCHEDULER_JOB, SchedulerJob.class, "scheduler-jobs"),
        Streams.data(env, to, group(), Topics.JOB_MANIFEST, JobManifest.class, "manifests"),
        Streams.data(env, to, group(), Topics.STORAGE_LOAD, StorageLoad.class, "load"),
        Streams.data(env, to, group(), Topics.DEAD_LETTER, DeadLetter.class, "dead-letters"),
        Streams.from(env, KafkaSources.control(to, group(), controls), "controls")
            .setParallelism(1),
        new KafkaControlSnapshot(to, controls));
  }

  private static String group() {
    return "weir-" + JobSettings.JOB;
  }

  static Sinks sinks(Connections to) {
    return new Sinks(
        new ClickHouseSink(to.clickhouse(), SinkLimits.forBulk()),
        new ClickHouseSink(to.clickhouse(), SinkLimits.forResults()),
        KafkaSinks.topic(to, Topics.JOB_RESULT),
        KafkaSinks.topic(to, Topics.DEAD_LETTER));
  }

  /** The graph; a test passes bounded sources and collecting sinks. */
  static void defineWorkflow(
      StreamExecutionEnvironment env, Sources sources, Sinks sinks, JobSettings settings) {
    BroadcastStream<KafkaMessage> controls = sources.controls().broadcast(Control.DESCRIPTOR);
    SingleOutputStreamOperator<LogPart> parts =
        named(
            sources.logs().connect(controls).process(new DecodeLogs(sources.control())),
            "decode-logs");
    SingleOutputStreamOperator<JobInput> submits =
        named(sources.schedulerJobs().process(new DecodeSchedulerJobs()), "decode-scheduler-jobs");
    SingleOutputStreamOperator<JobInput> manifests =
        named(sources.manifests().process(new DecodeManifests()), "decode-manifests");
    SingleOutputStreamOperator<LoadInput> load =
        named(sources.load().process(new DecodeLoad()), "decode-load");
    SingleOutputStreamOperator<Rows> letters =
        named(sources.deadLetters().process(new DecodeDeadLetters()), "decode-dead-letters");

    SingleOutputStreamOperator<RunSummary> assembled =
        named(
            parts
                .keyBy(part -> part.logId)
                .connect(controls)
                .process(new Assemble(sources.control(), settings)),
            "assemble");
    SingleOutputStreamOperator<RunSummary> runs =
        named(
            assembled
                .keyBy(run -> run.application == null ? run.logId : run.application)
                .process(new BaselineJoin(settings)),
            "baseline-join");
    SingleOutputStreamOperator<LoadAnswer> answers = joinLoad(assembled, load, settings);
    SingleOutputStreamOperator<Rows> results =
        joinJobs(runs, answers, submits, manifests, controls, sources.control(), settings);

    to(sinks.bulk(), parts.getSideOutput(DecodeLogs.ROWS), "land-records");
    to(
        sinks.results(),
        results.union(
            letters,
            assembled.getSideOutput(Assemble.ROWS),
            submits.getSideOutput(DecodeSchedulerJobs.ROWS),
            manifests.getSideOutput(DecodeManifests.ROWS)),
        "land-results");
    to(sinks.jobResults(), results.getSideOutput(JobJoin.RESULTS), "publish-job-results");
    to(
        sinks.deadLetters(),
        parts
            .getSideOutput(DeadLetters.TAG)
            .union(
                submits.getSideOutput(DeadLetters.TAG),
                manifests.getSideOutput(DeadLetters.TAG),
                load.getSideOutput(DeadLetters.TAG),
                letters.getSideOutput(DeadLetters.TAG)),
        "publish-dead-letters");
  }

  private static SingleOutputStreamOperator<LoadAnswer> joinLoad(
      SingleOutputStreamOperator<RunSummary> runs,
      DataStream<LoadInput> load,
      JobSettings settings) {
    DataStream<LoadInput> requests =
        named(runs.getSideOutput(Assemble.REQUESTS).map(new RequestToInput()), "request-load");
    SingleOutputStreamOperator<LoadPart> parts =
        named(
            load.union(requests).keyBy(input -> input.key).process(new LoadJoin(settings)),
            "load-join");
    return named(parts.keyBy(part -> part.logId).process(new LoadMerge(settings)), "load-merge");
  }

  private static SingleOutputStreamOperator<Rows> joinJobs(
      SingleOutputStreamOperator<RunSummary> runs,
      DataStream<LoadAnswer> answers,
      DataStream<JobInput> submits,
      DataStream<JobInput> manifests,
      BroadcastStream<KafkaMessage> controls,
      ControlSnapshot control,
      JobSettings settings) {
    DataStream<JobInput> runInputs = named(runs.map(new RunToInput()), "run-to-job");
    DataStream<JobInput> baselineInputs =
        named(
            runs.getSideOutput(BaselineJoin.ANSWERS).map(new BaselineToInput()), "baseline-to-job");
    DataStream<JobInput> loadInputs = named(answers.map(new AnswerToInput()), "load-to-job");
    return named(
        runInputs
            .union(baselineInputs, loadInputs, submits, manifests)
            .keyBy(input -> input.cluster + "/" + input.jobId)
            .connect(controls)
            .process(new JobJoin(control, settings)),
        "job-join");
  }
}
