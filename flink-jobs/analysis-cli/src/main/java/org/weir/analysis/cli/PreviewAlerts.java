package org.weir.analysis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.weir.alerts.AlertRecords;
import org.weir.alerts.Desk;
import org.weir.alerts.HeapMemory;
import org.weir.alerts.JobFacts;
import org.weir.alerts.Outcome;
import org.weir.alerts.Wish;
import org.weir.alerts.policy.Policy;
import org.weir.alerts.policy.PolicyReader;
import org.weir.analysis.report.Json;
import org.weir.wire.Alert;
import org.weir.wire.Control;
import org.weir.wire.JobResult;
import org.weir.wire.WireCodec;
import org.weir.wire.WireException;

/**
 * Decides by a site file which messages users would have got of past results.
 *
 * <p>Input, in the order of time: frames ({@link Frames}) of 8 bytes of UTC milliseconds at which
 * it was published, and a message of weir.job.result or weir.control; one without a message lets
 * time pass. Output, a JSON object a line: {@code time, cluster, user} and {@code alert}, the
 * base64 of a message of weir.alert, or {@code unit, held, node_hours_lost}; of a message that
 * cannot be read {@code time} and {@code refused}, the reason.
 */
final class PreviewAlerts {

  private static final Set<Long> RESULTS = WireCodec.fingerprints("JobResult");

  private final Policy policy;
  private final PrintStream out;
  private final WireCodec<JobResult> results = WireCodec.of(JobResult.class);
  private final WireCodec<Control> controls = WireCodec.of(Control.class);
  private final WireCodec<Alert> alerts = WireCodec.of(Alert.class);
  private final Map<String, Seat> seats = new HashMap<>();

  /** Desks by when they have to decide; one whose time has changed stands there again. */
  private final PriorityQueue<Due> waiting = new PriorityQueue<>();

  private record Seat(String cluster, String user, Desk desk) {}

  private record Due(long time, Seat seat) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.compare(time, other.time);
    }
  }

  private PreviewAlerts(Policy policy, PrintStream out) {
    this.policy = policy;
    this.out = out;
  }

  static int run(Object site, InputStream in, PrintStream out) throws IOException {
    new PreviewAlerts(PolicyReader.read(Json.write(site)), out).run(new Frames(in, Long.BYTES));
    return 0;
  }

  private void run(Frames frames) throws IOException {
    for (byte[] frame = frames.next(); frame != null; frame = frames.next()) {
      long time = ByteBuffer.wrap(frame).getLong();
      byte[] message = Arrays.copyOfRange(frame, Long.BYTES, frame.length);
      pass(time);
      if (message.length > 0) {
        take(message, time);
      }
    }
  }

  private void take(byte[] message, long time) {
    Instant now = Instant.ofEpochMilli(time);
    try {
      if (RESULTS.contains(WireCodec.fingerprint(message).orElse(0))) {
        take(results.decode(message), time, now);
      } else {
        take(controls.decode(message), now);
      }
    } catch (WireException | IllegalArgumentException e) {
      out.println(Json.write(Map.of("time", time, "refused", e.getMessage())));
    }
  }

  private void take(JobResult result, long time, Instant now) {
    if (result.getUser() != null) {
      Seat seat = seat(result.getCluster(), result.getUser());
      print(seat, seat.desk.take(JobFacts.of(result), time, now), time);
      await(seat);
    }
  }

  private void take(Control control, Instant now) {
    Wish wish = Wish.of(control);
    if (wish != null) {
      seat(control.getCluster(), control.getUser()).desk.take(wish, now);
    }
  }

  private Seat seat(String cluster, String user) {
    return seats.computeIfAbsent(
        cluster + "/" + user,
        key -> new Seat(cluster, user, new Desk(cluster, user, policy, new HeapMemory())));
  }

  private void await(Seat seat) {
    Long next = seat.desk.nextDue();
    if (next != null) {
      waiting.add(new Due(next, seat));
    }
  }

  private void pass(long until) {
    while (!waiting.isEmpty() && waiting.peek().time <= until) {
      Due due = waiting.remove();
      print(due.seat, due.seat.desk.decide(Instant.ofEpochMilli(due.time)), due.time);
      Long next = due.seat.desk.nextDue();
      if (next != null && next > due.time) {
        waiting.add(new Due(next, due.seat));
      }
    }
  }

  private void print(Seat seat, List<Outcome> outcomes, long time) {
    for (Outcome outcome : outcomes) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("time", time);
      json.put("cluster", seat.cluster);
      json.put("user", seat.user);
      if (outcome instanceof Outcome.Message message) {
        Alert alert = AlertRecords.of(message, seat.cluster, seat.user, policy.mode(), time);
        json.put("alert", Base64.getEncoder().encodeToString(alerts.encode(alert)));
      } else if (outcome instanceof Outcome.Held held) {
        json.put("unit", held.unit());
        json.put("held", held.reason().text());
        json.put("node_hours_lost", held.nodeHoursLost());
      } else {
        continue;
      }
      out.println(Json.write(json));
    }
  }
}
