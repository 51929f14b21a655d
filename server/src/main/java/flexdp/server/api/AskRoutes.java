package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.document.DocumentNode;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.json.AnswerJson;
import flexdp.query.DpQuery;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.connection.ServerState;
import flexdp.server.connection.Workers;
import flexdp.server.engine.Engine;
import flexdp.server.engine.QuerySettings;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.Response;
import flexdp.server.session.ErrorFields;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Asking, and what may be known before. */
final class AskRoutes {
  private static final String CSV = "text/csv; charset=utf-8; header=present";

  private final ServerState serverState;

  AskRoutes(ServerState serverState) {
    this.serverState = serverState;
  }

  List<ApiRoute> all() {
    List<JsonField> asking = new ArrayList<>(HttpQuestion.FIELDS);
    asking.add(JsonField.optional("intervals", Kind.BOOLEAN, "Error bars."));
    asking.add(JsonField.optional("format", Kind.TEXT, "json or csv."));
    asking.add(JsonField.optional("id", Kind.TEXT, "What to call it, to cancel it by."));
    return List.of(
        ApiRoute.post("/v1/ask", Access.USER, "One private answer.", asking, this::ask)
            .example(
                """
                {"sql": "SELECT status, COUNT(*) FROM trips GROUP BY status", "epsilon": 0.5,
                 "intervals": true}\
                """,
                200,
                """
                {"columns": [{"name": "status", "kind": "key"},
                             {"name": "count", "kind": "aggregate"}],
                 "rows": [["requested", 41], ["completed", 1041]],
                 "spent": {"epsilon": 0.5, "delta": 0}, "mechanism": "laplace", "repeat": false,
                 "intervals": [[null, {"low": 35, "high": 47}]]}\
                """)
            .example(
                "{\"sql\": \"SELECT COUNT(*) AS n FROM trips\", \"format\": \"csv\"}",
                200,
                "n\\n2017")
            .example(
                "{\"sql\": \"SELECT * FROM trips\"}",
                422,
                """
                {"type": "urn:flexdp:problem:RAW_ROWS", "title": "Rejected", "status": 422,
                 "detail": "…", "code": "RAW_ROWS", "message": "…", "hint": "…",
                 "line": 1, "column": 8}\
                """),
        ApiRoute.post(
                "/v1/explain",
                Access.USER,
                "Whether a question is accepted, its cost and its error; free.",
                HttpQuestion.FIELDS,
                this::explain)
            .example(
                "{\"sql\": \"SELECT COUNT(*) AS n FROM trips\", \"epsilon\": 0.1}",
                200,
                """
                {"status": "accepted", "columns": [{"name": "n", "kind": "aggregate",
                 "aggregate": "COUNT", "type": "bigint"}], "labels": "none",
                 "charged": ["trips"], "cost": {"epsilon": 0.1, "delta": 0},
                 "noise": [{"column": "n", "aggregate": "COUNT", "part": "count", "formula": "1",
                            "mechanism": "laplace", "epsilon": 0.1, "error": 30}],
                 "errors": [{"column": "n", "error": 30, "words": "± 30"}],
                 "rules": ["S-TABLE        table trips"]}\
                """)
            .example(
                "{\"sql\": \"SELECT COUNT(*) FROM trip\"}",
                200,
                """
                {"status": "rejected", "code": "UNKNOWN_TABLE", "message": "…", "hint": "…",
                 "line": 1, "column": 22, "from": 21, "to": 25,
                 "fixes": [{"title": "trips", "from": 21, "to": 25, "text": "trips"}]}\
                """));
  }

  private Response ask(ApiCall call) {
    Engine engine = call.offer().engine();
    boolean csv = wantsCsv(call);
    boolean intervals = call.field("intervals").map(DocumentNode::bool).orElse(false);
    String sql = call.fields().get("sql").text();
    String outcome = "INTERNAL";
    Workers.Waiting work = call.work(serverState, engine.name());
    Runnable ended =
        serverState
            .running()
            .begin(HttpQuestion.tag(call), call.name(), engine.name(), sql, "http", work::cancel);
    AnalystView view;
    try {
      view = work.await(cancellation -> engine.ask(HttpQuestion.of(call, engine), cancellation));
      outcome = view.repeat() && view.epsilon().signum() == 0 ? "repeat" : "answered";
    } catch (RuntimeException e) {
      outcome = ErrorFields.code(e);
      throw e;
    } finally {
      ended.run();
      serverState
          .audit()
          .record("question", call.name(), call.request().address(), engine.name(), sql, outcome);
    }
    Response response =
        csv
            ? Response.stream(CSV, out -> AnswerCsv.write(out, view))
                .with("FlexDP-Notes", AnswerJson.notes(view))
            : Response.stream(Json.TYPE, out -> AnswerJson.write(out, view, intervals));
    Response priced =
        view.rho()
            .map(rho -> response.with("FlexDP-Rho", Json.plain(rho).toPlainString()))
            .orElse(response);
    return priced
        .with("FlexDP-Epsilon", Json.plain(view.epsilon()).toPlainString())
        .with("FlexDP-Delta", Json.plain(view.delta()).toString())
        .with("FlexDP-Mechanism", view.mechanism())
        .with("FlexDP-Repeat", String.valueOf(view.repeat()));
  }

  /** Whether a text would be accepted; touches no data. */
  static boolean accepts(Engine engine, String analyst, String sql) {
    try {
      engine.columns(sql, List.of(), QuerySettings.of(analyst));
      return true;
    } catch (Failure e) {
      return false;
    }
  }

  private static boolean wantsCsv(ApiCall call) {
    if (call.field("format").isPresent()) {
      return call.fields().get("format").word(List.of("json", "csv")) == 1;
    }
    String accept =
        call.request().header("accept").orElse("*/*").toLowerCase(Locale.ROOT).replace(" ", "");
    if (accept.contains("json") || accept.contains("*/*") || accept.contains("application/*")) {
      return false;
    }
    if (accept.contains("text/csv") || accept.contains("text/*")) {
      return true;
    }
    throw HttpRefusal.of(406, "NOT_ACCEPTABLE", "answers are JSON or CSV");
  }

  /** Refusals are answers here: whoever types is told what is wrong, and nothing failed. */
  private Response explain(ApiCall call) {
    Engine engine = call.offer().engine();
    String sql = call.fields().get("sql").text();
    try {
      return call.work(serverState, engine.name())
          .await(
              () -> {
                QueryRequest ask = HttpQuestion.of(call, engine);
                ObjectNode verdict = ExplanationJson.of(engine.explain(ask));
                return Json.of(200, verdict.put("repeat", engine.isFree(ask)));
              });
    } catch (Rejection e) {
      ObjectNode verdict = Json.object().put("status", "rejected");
      verdict.setAll(Problems.fields(e));
      QuickFixes.add(verdict, e, sql, other -> accepts(engine, call.name(), other));
      return Json.of(200, verdict);
    } catch (DatabaseError | LedgerError e) {
      throw e;
    } catch (Failure e) {
      ObjectNode verdict = Json.object().put("status", "refused");
      verdict.setAll(Problems.fields(e));
      return Json.of(200, verdict);
    }
  }

  /** What an analyst may know before asking. */
  static final class ExplanationJson {
    private ExplanationJson() {}

    static ObjectNode of(Explanation e) {
      ObjectNode root = Json.object().put("status", "accepted");
      ArrayNode columns = root.putArray("columns");
      for (DpQuery.ResultColumn column : e.columns()) {
        ObjectNode node = columns.addObject();
        node.put("name", column.column().name());
        node.put("kind", column.kind().name().toLowerCase(Locale.ROOT));
        if (column.kind() == DpQuery.ResultColumn.Kind.AGGREGATE) {
          node.put("aggregate", column.aggregate());
        }
        node.put("type", column.column().type().toString());
      }
      root.put("labels", e.labels());
      ArrayNode tables = root.putArray("charged");
      e.tables().forEach(tables::add);
      if (!e.parts().isEmpty()) {
        ObjectNode parts = root.putObject("parts");
        e.parts().forEach((table, some) -> some.names().forEach(parts.withArray(table)::add));
      }
      root.putObject("cost")
          .put("epsilon", Json.plain(e.epsilon()))
          .put("delta", Json.plain(e.delta()));
      for (Explanation.ToFind range : e.ranges()) {
        ObjectNode node = root.withArray("ranges").addObject().put("of", range.of());
        node.put("finding", Json.plain(range.finding()));
        node.put("counting", Json.plain(range.counting())).put("words", range.words());
      }
      ArrayNode noise = root.putArray("noise");
      for (Explanation.Aggregate one : e.noise()) {
        ObjectNode node = noise.addObject();
        node.put("column", one.column().orElse(null));
        node.put("aggregate", one.aggregate()).put("part", one.part());
        node.put("formula", one.formula()).put("mechanism", one.mechanism().orElse(null));
        node.put("epsilon", Json.plain(one.epsilon()));
        one.error().ifPresent(error -> node.put("error", error));
      }
      ArrayNode errors = root.putArray("errors");
      for (Explanation.ColumnError one : e.errors()) {
        ObjectNode node = errors.addObject().put("column", one.column());
        one.error().ifPresent(error -> node.put("error", error));
        node.put("words", one.words());
        one.foretold().ifPresent(some -> foretold(node.putObject("foretold"), some));
      }
      if (!e.warnings().isEmpty()) {
        e.warnings().forEach(root.putArray("warnings")::add);
      }
      ArrayNode rules = root.putArray("rules");
      e.operators().forEach(rules::add);
      if (!e.hint().isEmpty()) {
        root.put("hint", e.hint());
      }
      return root;
    }

    private static void foretold(ObjectNode node, Explanation.Foretold some) {
      if (some.share().isPresent()) {
        node.put("noise", Json.plain(some.noise())).put("value", Json.plain(some.value()));
        node.put("share", Json.plain(some.share().get()));
      }
      if (some.cut().signum() > 0) {
        node.put("cut", Json.plain(some.cut()));
      }
      node.put("cells", some.cells());
      node.put("isNoise", !some.warning().isEmpty());
    }
  }

  /**
   * An answer as CSV (RFC 4180), row by row. NULL is an empty field, an empty text is written "". A
   * text that a spreadsheet would compute begins with an apostrophe. Where error bars were asked
   * for, each column that has some is followed by its ends.
   */
  static final class AnswerCsv {
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9.]+");

    private AnswerCsv() {}

    static void write(OutputStream out, AnalystView view) throws IOException {
      Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
      int columns = view.columns().size();
      boolean[] barred = new boolean[columns];
      for (int i = 0; i < columns; i++) {
        barred[i] = view.hasIntervals(i);
        String name = view.columns().get(i).column().name();
        writer.append(i == 0 ? "" : ",").append(quoted(name));
        if (barred[i]) {
          writer.append(',').append(quoted(name + "_low"));
          writer.append(',').append(quoted(name + "_high"));
        }
      }
      writer.append("\r\n");
      for (int r = 0; r < view.rows().size(); r++) {
        List<Object> row = view.rows().get(r);
        for (int i = 0; i < columns; i++) {
          writer.append(i == 0 ? "" : ",").append(field(row.get(i)));
          if (barred[i]) {
            Optional<AnalystView.Bar> bar = view.interval(r, i);
            writer.append(',').append(field(bar.map(AnalystView.Bar::low).orElse(null)));
            writer.append(',').append(field(bar.map(AnalystView.Bar::high).orElse(null)));
          }
        }
        writer.append("\r\n");
      }
      writer.flush();
    }

    private static String field(Object value) {
      return switch (value) {
        case null -> "";
        case BigDecimal number -> number.toPlainString();
        case LocalDateTime at -> at.toString().replace('T', ' ');
        case String text -> quoted(text);
        default -> value.toString();
      };
    }

    /**
     * Programs that show tables take a cell for a formula when it begins so, whoever wrote it: a
     * text that is no number gets an apostrophe before it.
     */
    private static String harmless(String text) {
      boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
      return formula && !NUMBER.matcher(text).matches() ? "'" + text : text;
    }

    private static String quoted(String written) {
      String text = harmless(written);
      boolean plain =
          !text.isEmpty()
              && text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
      return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
  }
}
