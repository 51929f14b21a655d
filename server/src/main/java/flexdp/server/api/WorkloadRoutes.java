package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.document.DocumentNode;
import flexdp.failure.Rejection;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.json.AnswerJson;
import flexdp.gateway.json.AskRequest;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.connection.ServerState;
import flexdp.server.connection.Workers;
import flexdp.server.engine.Engine;
import flexdp.server.http.Response;
import flexdp.server.session.ErrorFields;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Many statements that are asked together, at one price. */
final class WorkloadRoutes {
  private static final Set<String> DOOR = Set.of("database", "intervals", "id");

  private final ServerState serverState;

  WorkloadRoutes(ServerState serverState) {
    this.serverState = serverState;
  }

  List<ApiRoute> all() {
    List<JsonField> fields = new ArrayList<>();
    fields.add(JsonField.required("workload", Kind.LIST, "The statements."));
    HttpQuestion.FIELDS.stream()
        .filter(f -> Set.of("database", "epsilon", "delta", "mechanism").contains(f.name()))
        .forEach(fields::add);
    fields.add(JsonField.optional("strategy", Kind.TEXT, "auto, even or mwem."));
    List<JsonField> asking = new ArrayList<>(fields);
    asking.add(JsonField.optional("intervals", Kind.BOOLEAN, "Error bars."));
    asking.add(JsonField.optional("id", Kind.TEXT, "What to call it, to cancel it by."));
    String two =
        """
        {"workload": ["SELECT status, COUNT(*) AS n FROM trips GROUP BY status",
                      "SELECT payment, COUNT(*) AS n FROM trips GROUP BY payment"],
         "epsilon": 0.5}\
        """;
    return List.of(
        ApiRoute.post(
                "/v1/workload", Access.USER, "Private answers at one price.", asking, this::ask)
            .example(
                two,
                200,
                """
                {"answers": [{"columns": [{"name": "status", "kind": "key"},
                                          {"name": "n", "kind": "aggregate"}],
                              "rows": [["requested", 41]]}],
                 "spent": {"epsilon": 0.5, "delta": 0}}\
                """),
        ApiRoute.post(
                "/v1/workload/explain",
                Access.USER,
                "What is measured together, and how wrong each answer will be; free.",
                fields,
                this::explain)
            .example(
                two,
                200,
                """
                {"status": "accepted", "cost": {"epsilon": 0.5, "delta": 0}, "charged": ["trips"],
                 "frames": [{"measured": "…", "questions": 2, "cuboids": [{"keys": ["status"],
                   "cells": 4, "epsilon": 0.25, "scale": 4}]}],
                 "questions": [{"statement": 1, "aggregate": "COUNT", "frame": 1, "error": 12,
                   "alone": 15}]}\
                """));
  }

  private record Asking(Workload workload, QueryRequest ask) {}

  private static Asking asking(ApiCall call) {
    Object tree = call.tree(DOOR);
    QueryRequest ask = AskRequest.read(tree, HttpQuestion.usual(call));
    boolean intervals = call.field("intervals").map(DocumentNode::bool).orElse(false);
    return new Asking(AskRequest.workload(tree).orElseThrow(), ask.withIntervals(intervals));
  }

  private Response ask(ApiCall call) {
    Engine engine = call.offer().engine();
    String text = call.fields().get("workload").list().size() + " statements";
    Workers.Waiting work = call.work(serverState, engine.name());
    Runnable ended =
        serverState
            .running()
            .begin(HttpQuestion.tag(call), call.name(), engine.name(), text, "http", work::cancel);
    String outcome = "INTERNAL";
    try {
      Asking asked = asking(call);
      WorkloadView view =
          work.await(cancellation -> engine.ask(asked.workload(), asked.ask(), cancellation));
      outcome = "answered";
      String json = AnswerJson.of(view, asked.ask().intervals());
      return Response.text(200, Json.TYPE, json);
    } catch (RuntimeException e) {
      outcome = ErrorFields.code(e);
      throw e;
    } finally {
      ended.run();
      serverState
          .audit()
          .record("workload", call.name(), call.request().address(), engine.name(), text, outcome);
    }
  }

  private Response explain(ApiCall call) {
    Engine engine = call.offer().engine();
    try {
      Asking asked = asking(call);
      return Json.of(
          200,
          json(
              call.work(serverState, engine.name())
                  .await(() -> engine.explain(asked.workload(), asked.ask()))));
    } catch (Rejection e) {
      ObjectNode verdict = Json.object().put("status", "rejected");
      return Json.of(200, verdict.setAll(Problems.fields(e)));
    }
  }

  private static ObjectNode json(WorkloadExplanation explanation) {
    ObjectNode root = Json.object().put("status", "accepted");
    root.putObject("cost")
        .put("epsilon", Json.plain(explanation.epsilon()))
        .put("delta", Json.plain(explanation.delta()));
    root.put("repeat", explanation.repeat());
    explanation.charged().forEach(root.putArray("charged")::add);
    ArrayNode frames = root.putArray("frames");
    for (WorkloadExplanation.Frame frame : explanation.frames()) {
      ObjectNode node = frames.addObject().put("measured", frame.measured());
      ArrayNode cuboids = node.put("questions", frame.questions()).putArray("cuboids");
      for (WorkloadExplanation.Cuboid cuboid : frame.cuboids()) {
        ObjectNode one = cuboids.addObject();
        cuboid.keys().forEach(one.putArray("keys")::add);
        one.put("cells", cuboid.cells()).put("epsilon", cuboid.epsilon());
        one.put("scale", cuboid.scale());
      }
    }
    ArrayNode questions = root.putArray("questions");
    for (WorkloadExplanation.Question one : explanation.questions()) {
      ObjectNode node = questions.addObject().put("statement", one.statement());
      node.put("aggregate", one.aggregate()).put("frame", one.frame());
      number(node, "error", one.error());
      number(node, "alone", one.alone());
    }
    if (!explanation.warnings().isEmpty()) {
      explanation.warnings().forEach(root.putArray("warnings")::add);
    }
    return root;
  }

  private static void number(ObjectNode node, String name, Optional<BigDecimal> value) {
    node.put(name, value.orElse(null));
  }
}
