package flexdp.server.api;

import flexdp.server.http.Response;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What Prometheus may read without a login: how often each route was called. Calls are counted when
 * they begin and whatever comes of them, since how a question ends and how long it takes can depend
 * on the data.
 */
final class Counters {
  private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();
  private final Instant begun = Clock.systemUTC().instant();

  void request(ApiRoute route) {
    String labels = "method=\"" + route.method() + "\",route=\"" + route.path() + "\"";
    requests.computeIfAbsent(labels, l -> new LongAdder()).increment();
  }

  Response prometheus(Health health) {
    StringBuilder text = new StringBuilder();
    text.append("# HELP flexdp_http_requests_total Requests by route, counted when they begin.\n");
    text.append("# TYPE flexdp_http_requests_total counter\n");
    requests.forEach(
        (labels, count) ->
            text.append("flexdp_http_requests_total{")
                .append(labels)
                .append("} ")
                .append(count.sum())
                .append('\n'));
    text.append("# HELP flexdp_start_time_seconds When the server was started.\n");
    text.append("# TYPE flexdp_start_time_seconds gauge\n");
    text.append("flexdp_start_time_seconds ").append(begun.getEpochSecond()).append('\n');
    new HealthText(text).add(health);
    return Response.text(200, "text/plain; version=0.0.4; charset=utf-8", text.toString());
  }
}
