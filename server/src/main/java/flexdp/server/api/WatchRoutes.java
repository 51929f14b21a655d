package flexdp.server.api;

import flexdp.document.DocumentNode;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.WatchPeriod;
import flexdp.gateway.api.WatchView.WatchOrder;
import flexdp.gateway.api.Workload;
import flexdp.gateway.json.AskRequest;
import flexdp.gateway.json.WatchJson;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.connection.ServerState;
import flexdp.server.engine.Engine;
import flexdp.server.http.Response;
import flexdp.server.session.ErrorFields;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Numbers that are compared with a threshold: many once, or one again and again. */
final class WatchRoutes {
  private static final JsonField DATABASE =
      JsonField.optional("database", Kind.TEXT, "Which policy, where there are several.");
  private static final JsonField EPSILON =
      JsonField.optional("epsilon", Kind.NUMBER, "The price; otherwise the policy's.");
  private static final JsonField ABOVE =
      JsonField.required("above", Kind.NUMBER, "What is compared with.");
  private static final JsonField HITS =
      JsonField.optional("hits", Kind.INTEGER, "After how many above it stops; 1 unless said.");
  private static final String WATCH =
      """
      {"watches": [{"name": "cancelled", "state": "armed", "sql": "SELECT …", "above": 1000,
        "every": "week", "hits": 1, "armed": "…", "spent": {"epsilon": 0.1, "delta": 0},
        "turns": []}]}\
      """;

  private final ServerState serverState;

  WatchRoutes(ServerState serverState) {
    this.serverState = serverState;
  }

  List<ApiRoute> all() {
    return List.of(
        ApiRoute.post(
                "/v1/workload/above",
                Access.USER,
                "Which of many numbers are above a threshold, at one price.",
                List.of(
                    JsonField.required("workload", Kind.LIST, "The statements, a number each."),
                    ABOVE,
                    HITS,
                    EPSILON,
                    DATABASE),
                this::above)
            .example(
                """
                {"workload": ["SELECT COUNT(*) FROM trips WHERE status = 'cancelled'"],
                 "above": 1000000, "hits": 1, "epsilon": 0.1}\
                """,
                200,
                """
                {"answers": [{"statement": 1, "above": false}],
                 "spent": {"epsilon": 0.1, "delta": 0}, "mechanism": "sparse"}\
                """),
        ApiRoute.post(
                "/v1/watches",
                Access.USER,
                "Arm a watch; it is charged in full.",
                List.of(
                    JsonField.required("name", Kind.TEXT, "What to call it."),
                    JsonField.required("sql", Kind.TEXT, "One number; :now begins the period."),
                    ABOVE,
                    HITS,
                    JsonField.required("every", Kind.TEXT, "hour, day, week or month."),
                    EPSILON,
                    DATABASE),
                this::add)
            .example(
                """
                {"name": "cancelled", "sql": "SELECT COUNT(*) FROM trips WHERE status = 'cancelled'",
                 "above": 1000, "every": "week", "epsilon": 0.1}\
                """,
                201,
                WATCH),
        ApiRoute.get("/v1/watches", Access.USER, "The watches, and what they found.", this::list)
            .taking(DATABASE)
            .example("", 200, WATCH),
        ApiRoute.post(
                "/v1/watches/run",
                Access.USER,
                "Let the watches look whose turn it is.",
                List.of(
                    JsonField.optional("name", Kind.TEXT, "One of them; all unless said."),
                    DATABASE),
                this::run)
            .example("{\"name\": \"none-of-this-name\"}", 400, "{\"code\": \"BAD_REQUEST\"}"),
        ApiRoute.delete(
                "/v1/watches/{name}",
                Access.USER,
                "Close a watch; what it cost stays spent.",
                this::remove)
            .taking(DATABASE)
            .example("/v1/watches/cancelled", "", 200, WATCH));
  }

  private Response above(ApiCall call) {
    Object tree = call.tree(Set.of("database", "above", "hits"));
    Workload workload = AskRequest.workload(tree).orElseThrow();
    QueryRequest ask = AskRequest.read(tree, HttpQuestion.usual(call));
    ThresholdQuery above = threshold(call);
    return answered(
        call,
        "above",
        workload.statements().size() + " statements",
        200,
        () -> WatchJson.of(call.offer().engine().ask(workload, ask, above)));
  }

  private static ThresholdQuery threshold(ApiCall call) {
    Optional<DocumentNode> hits = call.field("hits");
    return new ThresholdQuery(
        call.fields().get("above").decimal(),
        hits.map(n -> n.integer().min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue()).orElse(1));
  }

  private Response add(ApiCall call) {
    QueryRequest ask =
        AskRequest.read(
            call.tree(Set.of("database", "above", "hits", "name", "every")),
            HttpQuestion.usual(call));
    WatchOrder order =
        new WatchOrder(
            call.fields().get("name").text(),
            ask.sql(),
            threshold(call),
            WatchPeriod.parse(call.fields().get("every").text()));
    return answered(
        call,
        "watch-add",
        ask.sql(),
        201,
        () -> engine(call).watching(w -> WatchJson.of(List.of(w.add(order, ask)))));
  }

  private Response list(ApiCall call) {
    return text(200, engine(call).watching(w -> WatchJson.of(w.list(call.name()))));
  }

  private Response run(ApiCall call) {
    Optional<String> name = call.field("name").map(DocumentNode::text);
    return answered(
        call,
        "watch-run",
        name.orElse(""),
        200,
        () -> engine(call).watching(w -> WatchJson.of(w.run(call.name(), name))));
  }

  private Response remove(ApiCall call) {
    String name = call.variables().get("name");
    return answered(
        call,
        "watch-remove",
        name,
        200,
        () -> engine(call).watching(w -> WatchJson.of(List.of(w.remove(call.name(), name)))));
  }

  private static Engine engine(ApiCall call) {
    return call.offer().engine();
  }

  /** Done by the workers, and on the audit's record. */
  private Response answered(
      ApiCall call, String event, String what, int status, Supplier<String> work) {
    String outcome = "INTERNAL";
    try {
      String json = call.work(serverState, engine(call).name()).await(cancellation -> work.get());
      outcome = "answered";
      return text(status, json);
    } catch (RuntimeException e) {
      outcome = ErrorFields.code(e);
      throw e;
    } finally {
      serverState
          .audit()
          .record(event, call.name(), call.request().address(), engine(call).name(), what, outcome);
    }
  }

  private static Response text(int status, String json) {
    return Response.text(status, Json.TYPE, json);
  }
}
