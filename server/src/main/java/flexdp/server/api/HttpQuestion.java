package flexdp.server.api;

import flexdp.document.DocumentNode;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.json.AskRequest;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.engine.Engine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A question as a request has it; who asks is never the request's to say. */
final class HttpQuestion {
  /** What every question may say. */
  static final List<JsonField> FIELDS =
      List.of(
          JsonField.required("sql", Kind.TEXT, "The question."),
          JsonField.optional("database", Kind.TEXT, "Which policy, where there are several."),
          JsonField.optional("epsilon", Kind.NUMBER, "The price; otherwise the policy's."),
          JsonField.optional("delta", Kind.NUMBER, "The same for delta."),
          JsonField.optional(
              "within", Kind.ANY, "An error instead of epsilon: 100, \"5%\", \"n=100\"."),
          JsonField.optional(
              "noiseLimit", Kind.TEXT, "Refuse where more noise is foretold, as in \"100%\"."),
          JsonField.optional(
              "mechanism", Kind.TEXT, "auto, laplace, lomax, flex, released, gaussian."),
          JsonField.optional(
              "propose", Kind.TEXT, "Guessed max frequencies, tested first: trips.driver_id=300."),
          JsonField.optional(
              "ranges", Kind.TEXT, "Where no range is declared: auto, declared or find."),
          JsonField.optional("parameters", Kind.OBJECT, "Values of :name or $1 in the question."),
          JsonField.optional(
              "bins", Kind.OBJECT, "Labels: {\"columns\": [...], \"rows\": [[...]]}."),
          JsonField.optional(
              "fresh", Kind.BOOLEAN, "Pay for a new answer even if one was released."));

  private static final Set<String> DOOR = Set.of("database", "intervals", "format", "id");

  private HttpQuestion() {}

  static QueryRequest of(ApiCall call, Engine engine) {
    Map<String, Object> tree = call.tree(DOOR);
    QueryRequest request = AskRequest.read(tree, usual(call));
    Map<String, Object> values = AskRequest.values(tree);
    QueryRequest bound = values.isEmpty() ? request : engine.parse(request, values);
    return bound.withIntervals(call.field("intervals").map(DocumentNode::bool).orElse(false));
  }

  /** What a question is like that says nothing. */
  static QueryRequest usual(ApiCall call) {
    return new QueryRequest("", QueryOptions.DEFAULT, call.name(), Set.of(), false);
  }

  static Optional<String> tag(ApiCall call) {
    return call.field("id")
        .map(
            node -> {
              if (node.text().length() > 64) {
                throw node.error("has at most 64 characters");
              }
              return node.text();
            });
  }
}
