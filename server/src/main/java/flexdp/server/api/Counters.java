package flexdp.server.api;

import flexdp.server.http.Response;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

  /** Health as Prometheus reads it: numbers that every analyst may know. */
  record HealthText(StringBuilder text) {
    void add(Health health) {
      family("flexdp_connections", "Clients that are connected.", Map.of("", health.connections()));
      Map<String, Number> reached = new TreeMap<>();
      health.databases().forEach((name, up) -> reached.put(label("database", name), up ? 1 : 0));
      family("flexdp_database_up", "Whether the database of a policy can be reached.", reached);
      Map<String, Number> taking = new TreeMap<>();
      health
          .ledgers()
          .forEach((name, fault) -> taking.put(label("database", name), fault.isEmpty() ? 1 : 0));
      family("flexdp_ledger_up", "Whether the ledger of a policy can take charges.", taking);
      Map<String, Number> used = new TreeMap<>();
      health.reloads().forEach((what, ok) -> used.put(label("what", what), ok ? 1 : 0));
      family(
          "flexdp_reload_ok", "Whether what is configured now is what is used; 0: refused.", used);
      Optional<Instant> end = health.certificate();
      if (end.isPresent()) {
        family(
            "flexdp_certificate_expiry_time_seconds",
            "When the certificate ends.",
            Map.of("", end.get().getEpochSecond()));
      }
      Map<String, Number> policies = new TreeMap<>();
      Map<String, Number> measured = new TreeMap<>();
      health
          .used()
          .forEach(
              (name, files) -> {
                String database = label("database", name);
                policies.put(database + "," + label("file", files.policy()), 1);
                files.measured().ifPresent(at -> measured.put(database, at.getEpochSecond()));
              });
      family("flexdp_policy_info", "The hash of the policy's file that is used.", policies);
      family(
          "flexdp_metrics_time_seconds",
          "When the data were measured whose metrics are used.",
          measured);
      Map<String, Number> left = new LinkedHashMap<>();
      Map<String, Number> allowed = new LinkedHashMap<>();
      for (Health.Left one : health.budgets()) {
        String labels = label("database", one.database()) + "," + label("account", one.account());
        left.put(labels, one.left());
        allowed.put(labels, one.allowed());
      }
      family("flexdp_budget_left_epsilon", "What is left of the budget now.", left);
      family("flexdp_budget_epsilon", "The budget, grants included.", allowed);
    }

    private static String label(String name, String value) {
      String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
      return name + "=\"" + escaped + "\"";
    }

    private void family(String name, String help, Map<String, ? extends Number> values) {
      if (values.isEmpty()) {
        return;
      }
      text.append("# HELP ").append(name).append(' ').append(help).append('\n');
      text.append("# TYPE ").append(name).append(" gauge\n");
      values.forEach(
          (labels, value) ->
              text.append(name)
                  .append(labels.isEmpty() ? "" : "{" + labels + "}")
                  .append(' ')
                  .append(value)
                  .append('\n'));
    }
  }
}
