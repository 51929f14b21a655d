package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Cost;
import flexdp.gateway.lines.StandingJson;
import flexdp.policy.Policy;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.door.Premises;
import flexdp.server.engine.Engine;
import flexdp.server.engine.RunningQuestions.Running;
import flexdp.server.http.Refusal;
import flexdp.server.http.Response;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** What may be asked, what is left, what was asked, and what is being answered. */
final class LookRoutes {
  private static final JsonField DATABASE =
      JsonField.optional("database", Kind.TEXT, "Which policy, where there are several.");

  private final Premises premises;
  private final Map<String, List<Suggestion>> suggestions;
  private final Map<String, Drawn> schemas = new ConcurrentHashMap<>();

  /** A schema that was drawn up from a policy. */
  private record Drawn(Policy policy, Tagged document) {}

  /**
   * @param suggestions by the name of the policy, instead of those that its words suggest
   */
  LookRoutes(Premises premises, Map<String, List<Suggestion>> suggestions) {
    this.premises = premises;
    this.suggestions = Map.copyOf(suggestions);
  }

  List<ApiRoute> all() {
    return List.of(
        ApiRoute.get("/v1/schema", Access.USER, "What may be asked; has an ETag.", this::schema)
            .taking(DATABASE)
            .example(
                "",
                200,
                """
                {"database": "rides", "neighbors": "add-remove-one",
                 "defaults": {"epsilon": 0.1, "delta": 1e-10}, "maxLabels": 100000,
                 "tables": [{"name": "trips", "protected": true, "unit": "row", "people": [],
                   "columns": [{"name": "status", "type": "varchar", "nullable": true,
                     "unique": false, "individual": false, "references": null, "range": null,
                     "labels": ["requested", "completed"], "moreLabels": false}],
                   "unique": []}],
                 "functions": ["count", "sum"],
                 "examples": [{"title": "How many trips?", "sql": "SELECT COUNT(*) FROM trips"}]}\
                """),
        ApiRoute.get("/v1/budget", Access.USER, "What is left for oneself.", this::budget)
            .taking(DATABASE)
            .example("", 200, OwnerRoutes.ACCOUNTS),
        ApiRoute.get("/v1/history", Access.USER, "What was asked, newest first.", this::history)
            .taking(
                DATABASE,
                JsonField.optional(
                    "limit", Kind.INTEGER, "How many; 100 unless said, 1000 at most."),
                JsonField.optional("before", Kind.INTEGER, "Only charges before this number."),
                JsonField.optional("analyst", Kind.TEXT, "Whose; for owners."))
            .example(
                "/v1/history?limit=10",
                "",
                200,
                """
                {"questions": [{"seq": 12, "at": "2026-05-01T12:00:00Z", "analyst": "ann",
                   "sql": "SELECT COUNT(*) FROM trips", "tables": ["trips"],
                   "mechanism": "laplace", "epsilon": 0.1, "delta": 0, "outcome": "released",
                   "repeat": false}], "next": null}\
                """),
        ApiRoute.get("/v1/questions", Access.USER, "What is being answered now.", this::running)
            .example(
                "",
                200,
                """
                {"questions": [{"id": "7", "clientId": "tab-1", "analyst": "ann",
                   "database": "rides", "sql": "SELECT COUNT(*) FROM trips",
                   "since": "2026-05-01T12:00:00Z", "door": "http"}]}\
                """),
        ApiRoute.delete(
                "/v1/questions/{id}",
                Access.USER,
                "Give up a question, by its number or by what one called it.",
                this::cancel)
            .example(
                "/v1/questions/none",
                "",
                404,
                """
                {"type": "urn:flexdp:problem:NOT_FOUND", "title": "Refused", "status": 404,
                 "detail": "…", "code": "NOT_FOUND", "message": "…"}\
                """));
  }

  private Response schema(Call call) {
    Engine engine = call.offer().engine();
    Policy policy = engine.policy();
    Drawn drawn =
        schemas.compute(
            engine.name(),
            (name, known) ->
                known != null && known.policy() == policy ? known : drawn(name, policy));
    return drawn.document().answer(call.request());
  }

  private Drawn drawn(String name, Policy policy) {
    List<Suggestion> shown = suggestions.getOrDefault(name, Suggestion.of(policy));
    return new Drawn(
        policy, Tagged.of(Json.TYPE, "private, no-cache", SchemaJson.of(name, policy, shown)));
  }

  private Response budget(Call call) {
    Engine engine = call.offer().engine();
    return Json.of(200, StandingJson.of(engine.budget(call.name()), usual(engine.policy())));
  }

  /** What one answer costs, to say how many are left. */
  static Cost usual(Policy policy) {
    return Cost.pure(policy.privacy().epsilon().orElse(new BigDecimal("0.1")));
  }

  private Response history(Call call) {
    return Json.of(200, new HistoryJson(premises.audit(), call).of(call.offer().engine()));
  }

  private Response running(Call call) {
    ObjectNode root = Json.object();
    ArrayNode list = root.putArray("questions");
    for (Running one : premises.running().all()) {
      if (mayTouch(call).test(one)) {
        ObjectNode node = list.addObject().put("id", String.valueOf(one.id()));
        one.tag().ifPresent(tag -> node.put("clientId", tag));
        node.put("analyst", one.analyst()).put("database", one.database());
        node.put("sql", one.sql()).put("since", one.since().toString()).put("door", one.door());
      }
    }
    return Json.of(200, root);
  }

  private static Predicate<Running> mayTouch(Call call) {
    return one ->
        one.analyst().equals(call.name())
            || call.caller().isOwner() && call.databases().contains(one.database());
  }

  private Response cancel(Call call) {
    String id = call.variables().get("id");
    Predicate<Running> meant =
        one ->
            id.equals(String.valueOf(one.id()))
                || one.analyst().equals(call.name()) && one.tag().filter(id::equals).isPresent();
    if (!premises.running().cancel(mayTouch(call).and(meant))) {
      throw Refusal.of(404, "NOT_FOUND", "no such question is being answered");
    }
    premises
        .audit()
        .record("cancel", call.name(), call.request().address(), "", "", "question " + id);
    return Response.empty(204);
  }
}
