package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Account;
import flexdp.document.DocumentNode;
import flexdp.failure.Rejection;
import flexdp.gateway.json.BalanceJson;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Balance;
import flexdp.policy.Policy;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.audit.AuditLog;
import flexdp.server.connection.ServerState;
import flexdp.server.engine.AdminApi;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.Response;
import flexdp.server.login.User;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What owners see and do: budgets, the record, what was measured, failures. */
final class OwnerRoutes {
  static final String ACCOUNTS =
      """
      {"accounts": [{"account": "table:trips", "charges": 3,
         "epsilon": {"spent": 0.3, "budget": 10, "largestNext": 9.7},
         "delta": {"spent": 0, "budget": 1e-8, "left": 1e-8},
         "composition": "basic", "answersLeft": 97}]}\
      """;

  private static final JsonField DATABASE =
      JsonField.optional("database", Kind.TEXT, "Which policy, where there are several.");
  private static final JsonField NOTE =
      JsonField.optional("note", Kind.TEXT, "Why, for the record.");

  private final ServerState serverState;

  OwnerRoutes(ServerState serverState) {
    this.serverState = serverState;
  }

  List<ApiRoute> all() {
    return List.of(
        ApiRoute.post(
                "/v1/analyze",
                Access.OWNER,
                "The analysis of a question with the private numbers.",
                List.of(
                    JsonField.required("sql", Kind.TEXT, "The question."),
                    DATABASE,
                    JsonField.optional("rules", Kind.TEXT, "flexdp or paper."),
                    JsonField.optional("distances", Kind.LIST, "At which to show the sensitivity."),
                    JsonField.optional("epsilon", Kind.NUMBER, "The price."),
                    JsonField.optional("delta", Kind.NUMBER, "The same for delta."),
                    JsonField.optional("mechanism", Kind.TEXT, "As in ask."),
                    JsonField.optional("bins", Kind.OBJECT, "As in ask.")),
                this::analyze)
            .example(
                "{\"sql\": \"SELECT COUNT(*) AS n FROM trips\", \"distances\": [0, 1]}",
                200,
                """
                {"id": null, "status": "accepted", "neighbors": "add-remove-one", "joins": 0,
                 "columns": [{"name": "n", "kind": "aggregate", "aggregate": "COUNT"}],
                 "aggregates": [{"column": "n", "part": "count", "aggregate": "COUNT",
                   "formula": "1", "elastic": {"0": 1, "1": 1}, "smooth": null,
                   "mechanism": "laplace", "noiseScale": 10.0, "epsilon": 0.1, "delta": 0}],
                 "labels": "none"}\
                """),
        ApiRoute.get("/v1/owner/budgets", Access.OWNER, "Every account.", this::budgets)
            .taking(DATABASE)
            .example("", 200, ACCOUNTS),
        ApiRoute.post(
                "/v1/owner/grants",
                Access.OWNER,
                "Add to an account's budget, on record.",
                List.of(
                    JsonField.required(
                        "account", Kind.TEXT, "table:NAME, people:NAME, analyst:NAME…"),
                    JsonField.optional("epsilon", Kind.NUMBER, "How much; 0 unless said."),
                    JsonField.optional("delta", Kind.NUMBER, "The same for delta."),
                    NOTE,
                    DATABASE),
                this::grant)
            .example(
                "{\"account\": \"table:trips\", \"epsilon\": 2, \"note\": \"for the report\"}",
                200,
                ACCOUNTS),
        ApiRoute.get("/v1/owner/audit", Access.OWNER, "The record, verified.", this::audit)
            .taking(DATABASE, JsonField.optional("limit", Kind.INTEGER, "How many events."))
            .example(
                "/v1/owner/audit?limit=5",
                "",
                200,
                """
                {"chain": {"ledger": "…", "entries": 40, "charges": 12, "grants": 1,
                   "adoptions": 0, "unsettled": 0, "outcomes": {"released": 11},
                   "first": "2026-05-01T12:00:00Z", "last": "2026-05-01T13:00:00Z", "head": "…"},
                 "events": [{"at": "2026-05-01T12:00:00Z", "event": "question", "user": "ann",
                   "address": "127.0.0.1", "database": "rides", "sql": "…",
                   "outcome": "answered"}]}\
                """),
        ApiRoute.get(
                "/v1/owner/metrics", Access.OWNER, "What was measured; private.", this::metrics)
            .taking(DATABASE)
            .example(
                "",
                200,
                """
                {"tables": [{"table": "trips", "protected": true, "freshness": "as measured",
                   "usable": true, "measured": true}]}\
                """),
        ApiRoute.get("/v1/owner/failures", Access.OWNER, "Questions that failed.", this::failures)
            .taking(DATABASE)
            .example(
                "",
                200,
                """
                {"analysts": [{"analyst": "ann", "recent": 1, "atMost": 3, "stopped": false}],
                 "questions": [{"at": "2026-05-01T12:00:00Z", "analyst": "ann", "sql": "…",
                   "outcome": "failed"}]}\
                """),
        ApiRoute.post(
                "/v1/owner/failures/clear",
                Access.OWNER,
                "Let what failed be tried again.",
                List.of(
                    JsonField.optional("analyst", Kind.TEXT, "Whose; everybody's unless said."),
                    NOTE,
                    DATABASE),
                this::clear)
            .example("{\"analyst\": \"ann\", \"note\": \"looked into\"}", 204, ""));
  }

  private Response analyze(ApiCall call) {
    AdminApi adminApi = call.offer().adminApi();
    try {
      return Response.text(200, Json.TYPE, adminApi.analyze(call.tree(Set.of("database"))));
    } catch (Rejection e) {
      ObjectNode verdict = Json.object().put("status", "rejected");
      verdict.setAll(Problems.fields(e));
      QuickFixes.add(
          verdict,
          e,
          call.fields().get("sql").text(),
          other -> AskRoutes.accepts(call.offer().engine(), call.name(), other));
      return Json.of(200, verdict);
    }
  }

  private Response budgets(ApiCall call) {
    String database = call.offer().engine().name();
    Set<String> analysts =
        serverState.served().get().users().all().stream()
            .filter(user -> user.right() == User.Right.ANALYST && user.mayAsk(database))
            .map(User::name)
            .collect(Collectors.toSet());
    return accounts(call, call.offer().adminApi().budgets(analysts));
  }

  private static Response accounts(ApiCall call, List<Balance> standings) {
    Policy policy = call.offer().engine().policy();
    return Json.of(200, BalanceJson.of(standings, InfoRoutes.usual(policy)));
  }

  private Response grant(ApiCall call) {
    BigDecimal epsilon = call.field("epsilon").map(DocumentNode::decimal).orElse(BigDecimal.ZERO);
    BigDecimal delta = call.field("delta").map(DocumentNode::delta).orElse(BigDecimal.ZERO);
    if (epsilon.signum() < 0 || epsilon.signum() + delta.signum() <= 0) {
      throw bad("a grant adds something: give epsilon, delta or both, above 0");
    }
    Account account = account(call);
    String note = call.field("note").map(DocumentNode::text).orElse("");
    Balance balance = call.offer().adminApi().grant(account, epsilon, delta, call.name(), note);
    record(call, "grant", account + " epsilon " + epsilon + " delta " + delta);
    return accounts(call, List.of(balance));
  }

  private static Account account(ApiCall call) {
    Policy policy = call.offer().engine().policy();
    try {
      Account account = Account.parse(call.fields().get("account").text());
      boolean known =
          switch (account) {
            case Account.Table table -> policy.table(table.name()).isPresent();
            case Account.People people -> policy.people().containsKey(people.name());
            case Account.Role ignored -> true;
            case Account.Analyst ignored -> true;
          };
      if (!known) {
        throw bad("the policy has no '" + account + "'");
      }
      return account;
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private static HttpRefusal bad(String message) {
    return HttpRefusal.of(400, "BAD_REQUEST", message);
  }

  private void record(ApiCall call, String event, String outcome) {
    String database = call.offer().engine().name();
    serverState.audit().record(event, call.name(), call.request().address(), database, "", outcome);
  }

  private Response audit(ApiCall call) {
    AdminApi adminApi = call.offer().adminApi();
    Audit audit = adminApi.audit();
    ObjectNode root = Json.object();
    ObjectNode chain = root.putObject("chain").put("ledger", adminApi.ledger());
    chain.put("entries", audit.entries()).put("charges", audit.charges());
    chain.put("grants", audit.grants()).put("adoptions", audit.adoptions());
    chain.put("unsettled", audit.unsettled());
    ObjectNode outcomes = chain.putObject("outcomes");
    audit.outcomes().forEach((outcome, count) -> outcomes.put(outcome.word(), count));
    chain.put("first", audit.first().toString()).put("last", audit.last().toString());
    chain.put("head", audit.head());
    ArrayNode events = root.putArray("events");
    List<String> open = call.databases();
    int limit = call.limit(100, 1_000);
    for (AuditLog.Event event : serverState.audit().latest(20_000)) {
      if (events.size() < limit
          && (event.database().isEmpty() || open.contains(event.database()))) {
        ObjectNode node = events.addObject().put("at", event.at().toString());
        node.put("event", event.event()).put("user", event.user());
        node.put("address", event.address()).put("database", event.database());
        node.put("sql", event.sql()).put("outcome", event.outcome());
      }
    }
    return Json.of(200, root);
  }

  private Response metrics(ApiCall call) {
    return Response.text(200, Json.TYPE, call.offer().adminApi().metrics());
  }

  private Response failures(ApiCall call) {
    AdminApi adminApi = call.offer().adminApi();
    ObjectNode root = Json.object();
    ArrayNode analysts = root.putArray("analysts");
    adminApi
        .failures()
        .forEach(
            (name, count) ->
                analysts
                    .addObject()
                    .put("analyst", name)
                    .put("recent", count.recent())
                    .put("atMost", count.atMost())
                    .put("stopped", count.stopped()));
    ArrayNode questions = root.putArray("questions");
    adminApi
        .failed()
        .forEach(
            f ->
                questions
                    .addObject()
                    .put("at", f.at().toString())
                    .put("analyst", f.analyst())
                    .put("sql", f.query())
                    .put("outcome", f.outcome().word()));
    return Json.of(200, root);
  }

  private Response clear(ApiCall call) {
    Optional<String> analyst = call.field("analyst").map(DocumentNode::text);
    String note = call.field("note").map(DocumentNode::text).orElse("");
    call.offer().adminApi().clearFailures(analyst, call.name(), note);
    record(call, "clear failures", analyst.orElse("everybody"));
    return Response.empty(204);
  }
}
