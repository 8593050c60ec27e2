package org.apache.flink.metrics.prometheus;

import io.prometheus.client.exporter.HTTPServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.util.NetUtils;

/**
 * Flink's Prometheus reporter on the loopback interface only.
 *
 * <p>The reporter that Flink ships binds the wildcard address and has no option for another one, while nothing of the
 * embedded stack may be reachable from outside. Lives in Flink's own package because the registry is visible only
 * there.
 */
public final class LoopbackPrometheusReporter extends AbstractPrometheusReporter {

  private final HTTPServer server;

  private LoopbackPrometheusReporter(String ports) {
    server = listenOnFirstFree(NetUtils.getPortRangeFromString(ports), ports);
  }

  private HTTPServer listenOnFirstFree(Iterator<Integer> candidates, String ports) {
    while (candidates.hasNext()) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), candidates.next());
      try {
        return new HTTPServer(address, registry);
      } catch (IOException taken) {
        log.debug("Cannot listen on {}: {}", address, taken.getMessage());
      }
    }
    throw new IllegalStateException("No free port for Prometheus metrics in " + ports);
  }

  @Override
  public void close() {
    server.stop();
    super.close();
  }

  /** Reads the reporter's only option, {@code port}: a port or a range such as 9249-9250. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new LoopbackPrometheusReporter(properties.getProperty("port", "9249"));
    }
  }
}
