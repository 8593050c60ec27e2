package org.weir.analysis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * A year of repeated benchmarks on Cori and Mira, a row a run, with Darshan's sums and those of the
 * file servers in the same minutes: ../shared/data/joined, NERSC/tokio-abcutils.
 */
final class JoinedRuns {
  private static final Path DATA = Path.of("../../../shared/data/joined/tokio_abcutils");

  private JoinedRuns() {}

  /**
   * A run.
   *
   * @param cells column to text; empty where the row has none
   */
  record Row(String machine, Map<String, String> cells) {
    String text(String column) {
      String cell = cells.get(column);
      if (cell == null) {
        throw new IllegalArgumentException("no column is called " + column);
      }
      return cell;
    }

    /** NaN where the row has none. */
    double number(String column) {
      String cell = text(column);
      return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }

    /** Base name of the executable. */
    String exe() {
      return text("darshan_app").replaceAll(".*/", "");
    }

    long nprocs() {
      return (long) number("darshan_nprocs");
    }

    double bytesRead() {
      return number("darshan_tot_bytes_read_posix");
    }

    double bytesWritten() {
      return number("darshan_tot_bytes_written_posix");
    }

    /** No row has both. */
    double bytes() {
      return bytesRead() + bytesWritten();
    }

    boolean reads() {
      return bytesRead() > 0;
    }

    double mibPerSecond() {
      return number("darshan_agg_perf_by_slowest_posix");
    }

    /**
     * Of the time zone of the machine's clock, which the data do not tell; in order all the same.
     */
    long startSeconds() {
      return (long) number("darshan_start_time");
    }

    long wallSeconds() {
      return (long) number("darshan_walltime");
    }

    /** Where most of the bytes went: the mount, for the burst buffer that of the job. */
    String mount() {
      return text("darshan_biggest_%s_fs".formatted(reads() ? "read" : "write"));
    }

    double serverBytesRead() {
      return number("fs_tot_bytes_read");
    }

    double serverBytesWritten() {
      return number("fs_tot_bytes_written");
    }

    /** Whether there are sums of the file servers at all. */
    boolean hasServers() {
      return machine.equals("cori")
          ? !Double.isNaN(serverBytesRead())
          : number("fs_monitoring_samples") > 0;
    }

    /** What the servers moved in the run's direction, as a part of what the run moved. */
    double covered() {
      return (reads() ? serverBytesRead() : serverBytesWritten()) / bytes();
    }
  }

  static List<Row> cori() {
    return read("cori", "cori-summaries_2017-02-14-2018-02-15.csv.gz");
  }

  static List<Row> mira() {
    return read("mira", "mira-summaries_2017-02-14_2018-02-15.csv.gz");
  }

  /** Where the data are absent the test is skipped: they may not be part of the repository. */
  private static List<Row> read(String machine, String name) {
    Path file = DATA.resolve(name);
    assumeTrue(
        Files.exists(file), file + " is not there: a year of repeated benchmarks is not tested");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      List<String> names = new ArrayList<>(cells(lines.readLine()));
      List<Row> rows = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> values = cells(line);
        if (values.size() == names.size() + 1) {
          names.add(0, ""); // Cori's header lacks the name of the index, which Mira's has as empty
        }
        if (values.size() != names.size()) {
          throw new AssertionError(file + ": " + values.size() + " values in row " + rows.size());
        }
        Map<String, String> cells = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
          cells.put(names.get(i), values.get(i));
        }
        rows.add(new Row(machine, cells));
      }
      return rows;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** No value of these files is quoted. */
  private static List<String> cells(String line) {
    if (line.indexOf('"') >= 0) {
      throw new AssertionError("a quoted value: " + line);
    }
    return Arrays.asList(line.split(",", -1));
  }
}
