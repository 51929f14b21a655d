package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.failure.Rejection;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.lines.AnswerJson;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.door.Premises;
import flexdp.server.door.Workers;
import flexdp.server.engine.Asking;
import flexdp.server.engine.Engine;
import flexdp.server.http.Refusal;
import flexdp.server.http.Response;
import flexdp.server.session.ErrorFields;
import flexdp.tree.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Asking, and what may be known before. */
final class AskRoutes {
  private static final String CSV = "text/csv; charset=utf-8; header=present";

  private final Premises premises;

  AskRoutes(Premises premises) {
    this.premises = premises;
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

  private Response ask(Call call) {
    Engine engine = call.offer().engine();
    boolean csv = wantsCsv(call);
    boolean intervals = call.field("intervals").map(Node::bool).orElse(false);
    String sql = call.fields().get("sql").text();
    String outcome = "INTERNAL";
    Workers.Waiting work = call.work(premises, engine.name());
    Runnable ended =
        premises
            .running()
            .begin(HttpQuestion.tag(call), call.name(), engine.name(), sql, "http", work::cancel);
    AnalystView view;
    try {
      view = work.await(stop -> engine.ask(HttpQuestion.of(call, engine), stop));
      outcome = view.repeat() && view.epsilon().signum() == 0 ? "repeat" : "answered";
    } catch (RuntimeException e) {
      outcome = ErrorFields.code(e);
      throw e;
    } finally {
      ended.run();
      premises
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
      engine.columns(sql, List.of(), Asking.of(analyst));
      return true;
    } catch (Failure e) {
      return false;
    }
  }

  private static boolean wantsCsv(Call call) {
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
    throw Refusal.of(406, "NOT_ACCEPTABLE", "answers are JSON or CSV");
  }

  /** Refusals are answers here: whoever types is told what is wrong, and nothing failed. */
  private Response explain(Call call) {
    Engine engine = call.offer().engine();
    String sql = call.fields().get("sql").text();
    try {
      return call.work(premises, engine.name())
          .await(
              () -> {
                Ask ask = HttpQuestion.of(call, engine);
                ObjectNode verdict = ExplanationJson.of(engine.explain(ask));
                return Json.of(200, verdict.put("repeat", engine.isFree(ask)));
              });
    } catch (Rejection e) {
      ObjectNode verdict = Json.object().put("status", "rejected");
      verdict.setAll(Problems.fields(e));
      Fixes.add(verdict, e, sql, other -> accepts(engine, call.name(), other));
      return Json.of(200, verdict);
    } catch (DatabaseError | LedgerError e) {
      throw e;
    } catch (Failure e) {
      ObjectNode verdict = Json.object().put("status", "refused");
      verdict.setAll(Problems.fields(e));
      return Json.of(200, verdict);
    }
  }
}
