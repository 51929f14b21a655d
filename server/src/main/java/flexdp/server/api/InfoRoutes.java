package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Cost;
import flexdp.gateway.collect.RangeEnd;
import flexdp.gateway.json.BalanceJson;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.audit.AuditLog;
import flexdp.server.connection.ServerState;
import flexdp.server.engine.Charge;
import flexdp.server.engine.Engine;
import flexdp.server.engine.RunningQuestions.Running;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.Response;
import flexdp.sql.function.FunctionCatalog;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** What may be asked, what is left, what was asked, and what is being answered. */
final class InfoRoutes {
  private static final JsonField DATABASE =
      JsonField.optional("database", Kind.TEXT, "Which policy, where there are several.");

  private final ServerState serverState;
  private final Map<String, List<Suggestion>> suggestions;
  private final Map<String, Drawn> schemas = new ConcurrentHashMap<>();

  /** A schema that was drawn up from a policy. */
  private record Drawn(Policy policy, CachedDocument document) {}

  /**
   * @param suggestions by the name of the policy, instead of those that its words suggest
   */
  InfoRoutes(ServerState serverState, Map<String, List<Suggestion>> suggestions) {
    this.serverState = serverState;
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

  private Response schema(ApiCall call) {
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
        policy,
        CachedDocument.of(Json.TYPE, "private, no-cache", SchemaJson.of(name, policy, shown)));
  }

  private Response budget(ApiCall call) {
    Engine engine = call.offer().engine();
    return Json.of(200, BalanceJson.of(engine.budget(call.name()), usual(engine.policy())));
  }

  /** What one answer costs, to say how many are left. */
  static Cost usual(Policy policy) {
    return Cost.pure(policy.privacy().epsilon().orElse(new BigDecimal("0.1")));
  }

  private Response history(ApiCall call) {
    return Json.of(200, new HistoryJson(serverState.audit(), call).of(call.offer().engine()));
  }

  private Response running(ApiCall call) {
    ObjectNode root = Json.object();
    ArrayNode list = root.putArray("questions");
    for (Running one : serverState.running().all()) {
      if (mayTouch(call).test(one)) {
        ObjectNode node = list.addObject().put("id", String.valueOf(one.id()));
        one.tag().ifPresent(tag -> node.put("clientId", tag));
        node.put("analyst", one.analyst()).put("database", one.database());
        node.put("sql", one.sql()).put("since", one.since().toString()).put("door", one.door());
      }
    }
    return Json.of(200, root);
  }

  private static Predicate<Running> mayTouch(ApiCall call) {
    return one ->
        one.analyst().equals(call.name())
            || call.caller().isOwner() && call.databases().contains(one.database());
  }

  private Response cancel(ApiCall call) {
    String id = call.variables().get("id");
    Predicate<Running> meant =
        one ->
            id.equals(String.valueOf(one.id()))
                || one.analyst().equals(call.name()) && one.tag().filter(id::equals).isPresent();
    if (!serverState.running().cancel(mayTouch(call).and(meant))) {
      throw HttpRefusal.of(404, "NOT_FOUND", "no such question is being answered");
    }
    serverState
        .audit()
        .record("cancel", call.name(), call.request().address(), "", "", "question " + id);
    return Response.empty(204);
  }

  /** What may be asked: the policy, of which nothing is secret, as the console shows it. */
  static final class SchemaJson {
    private static final int MOST_LABELS = 1_000;
    private static final List<String> AGGREGATES =
        List.of("count", "sum", "avg", "min", "max", "median", "stddev", "variance");

    private SchemaJson() {}

    static ObjectNode of(String database, Policy policy, List<Suggestion> suggestions) {
      ObjectNode root = Json.object().put("database", database);
      root.put("neighbors", policy.privacy().neighbors().word());
      ObjectNode defaults = root.putObject("defaults");
      defaults.put("epsilon", policy.privacy().epsilon().map(Json::plain).orElse(null));
      defaults.put("delta", policy.privacy().delta().map(Json::plain).orElse(null));
      root.put("maxLabels", policy.privacy().maxLabels());
      ArrayNode tables = root.putArray("tables");
      policy.tables().values().forEach(table -> table(tables.addObject(), table));
      ArrayNode functions = root.putArray("functions");
      AGGREGATES.forEach(functions::add);
      FunctionCatalog.names().forEach(functions::add);
      ArrayNode examples = root.putArray("examples");
      suggestions.forEach(s -> examples.addObject().put("title", s.title()).put("sql", s.sql()));
      return root;
    }

    private static void table(ObjectNode node, Table table) {
      node.put("name", table.name()).put("protected", table.isProtected());
      List<String> people =
          table.units().stream()
              .filter(PrivacyUnit.Person.class::isInstance)
              .map(PrivacyUnit::name)
              .toList();
      node.put("unit", table.isPublic() ? "none" : people.isEmpty() ? "row" : "people");
      ArrayNode kinds = node.putArray("people");
      people.forEach(kinds::add);
      ArrayNode columns = node.putArray("columns");
      for (ColumnSpec column : table.columns()) {
        column(columns.addObject(), table, column);
      }
      ArrayNode unique = node.putArray("unique");
      table.uniqueKeys().stream()
          .filter(key -> key.size() > 1)
          .forEach(key -> key.stream().sorted().forEach(unique.addArray()::add));
    }

    private static void column(ObjectNode node, Table table, ColumnSpec column) {
      node.put("name", column.name()).put("type", column.type().toString());
      node.put("nullable", column.nullable());
      node.put("unique", table.uniqueKeys().contains(Set.of(column.name())));
      node.put("individual", column.individual());
      node.put(
          "references", column.references().map(r -> r.table() + "." + r.column()).orElse(null));
      if (column.range().isPresent()) {
        node.putArray("range")
            .add(Json.value(RangeEnd.of(column.range().get().low(), column.type())))
            .add(Json.value(RangeEnd.of(column.range().get().high(), column.type())));
      } else {
        node.putNull("range");
      }
      if (column.domain().isPresent()) {
        List<Object> domain = column.domain().get();
        ArrayNode labels = node.putArray("labels");
        domain.stream().limit(MOST_LABELS).map(Json::value).forEach(labels::add);
        node.put("moreLabels", domain.size() > MOST_LABELS);
      } else {
        node.putNull("labels");
        node.put("moreLabels", false);
      }
    }
  }

  /**
   * What was asked: the charges of the ledger, and between them the repeats that were free, which
   * only the door knows.
   */
  static final class HistoryJson {
    private final AuditLog audit;
    private final ApiCall call;

    HistoryJson(AuditLog audit, ApiCall call) {
      this.audit = audit;
      this.call = call;
    }

    private record Line(Instant at, ObjectNode node) {}

    ObjectNode of(Engine engine) {
      Optional<String> whose =
          call.caller().isOwner() ? call.query("analyst") : Optional.of(call.name());
      int limit = call.limit(100, 1_000);
      long before = call.number("before").orElse(Long.MAX_VALUE);
      List<Charge> charges = engine.history(whose).stream().filter(c -> c.seq() < before).toList();
      List<Charge> shown = charges.subList(Math.max(0, charges.size() - limit), charges.size());
      List<Line> lines = new ArrayList<>();
      shown.forEach(c -> lines.add(line(c, engine.policy())));
      Instant from = charges.size() > limit ? shown.getFirst().at() : Instant.MIN;
      Instant to = before == Long.MAX_VALUE ? Instant.MAX : last(shown);
      repeats(engine.name(), whose, from, to, limit).forEach(lines::add);
      lines.sort(Comparator.comparing(Line::at).reversed());
      ObjectNode root = Json.object();
      ArrayNode list = root.putArray("questions");
      lines.forEach(line -> list.add(line.node()));
      if (charges.size() > limit) {
        root.put("next", shown.getFirst().seq());
      } else {
        root.putNull("next");
      }
      return root;
    }

    private static Instant last(List<Charge> shown) {
      return shown.isEmpty() ? Instant.MIN : shown.getLast().at();
    }

    /** The ledger has tables by the names of the database; a policy's word says more. */
    private static String word(String table, Policy policy) {
      String last = table.replaceFirst("(?s)^.*\\.\"([^\"]+)\"$", "$1");
      return policy.tables().containsKey(last) ? last : table;
    }

    private static Line line(Charge charge, Policy policy) {
      ObjectNode node = Json.object().put("seq", charge.seq()).put("at", charge.at().toString());
      node.put("analyst", charge.analyst()).put("sql", charge.query());
      ArrayNode tables = node.putArray("tables");
      charge.tables().stream().map(t -> word(t, policy)).sorted().forEach(tables::add);
      node.put("mechanism", charge.mechanism());
      node.put("epsilon", Json.plain(charge.epsilon())).put("delta", Json.plain(charge.delta()));
      node.put("outcome", charge.outcome()).put("repeat", charge.tables().isEmpty());
      return new Line(charge.at(), node);
    }

    private List<Line> repeats(
        String database, Optional<String> whose, Instant from, Instant to, int limit) {
      List<Line> lines = new ArrayList<>();
      for (AuditLog.Event event : audit.latest(10_000)) {
        boolean meant =
            event.outcome().equals("repeat")
                && event.database().equals(database)
                && whose.map(event.user()::equals).orElse(true)
                && event.at().isAfter(from)
                && event.at().isBefore(to);
        if (meant && lines.size() < limit) {
          ObjectNode node = Json.object().putNull("seq").put("at", event.at().toString());
          node.put("analyst", event.user()).put("sql", event.sql());
          node.putArray("tables");
          node.putNull("mechanism").put("epsilon", BigDecimal.ZERO).put("delta", BigDecimal.ZERO);
          node.put("outcome", "released").put("repeat", true);
          lines.add(new Line(event.at(), node));
        }
      }
      return lines;
    }
  }
}
