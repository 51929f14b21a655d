package flexdp.server.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The document of the API (OpenAPI 3.1), made from the table of routes that serves it. */
final class OpenApi {
  private static final ObjectMapper JSON = new ObjectMapper();

  private OpenApi() {}

  static ObjectNode of(List<ApiRoute> routes) {
    ObjectNode root = Json.object().put("openapi", "3.1.0");
    root.putObject("info")
        .put("title", "FlexDP")
        .put("version", "1")
        .put("description", "Private answers to SQL. Errors are problems of RFC 9457.");
    ObjectNode schemes = root.putObject("components").putObject("securitySchemes");
    schemes.putObject("token").put("type", "http").put("scheme", "bearer");
    schemes.putObject("session").put("type", "apiKey").put("in", "cookie").put("name", "flexdp");
    ObjectNode paths = root.putObject("paths");
    for (ApiRoute route : routes) {
      ObjectNode path = paths.withObject("/" + escaped(route.path()));
      operation(path.putObject(route.method().toLowerCase(java.util.Locale.ROOT)), route);
    }
    return root;
  }

  /** As a JSON pointer writes a name. */
  private static String escaped(String path) {
    return path.replace("~", "~0").replace("/", "~1");
  }

  private static void operation(ObjectNode node, ApiRoute route) {
    node.put("summary", route.summary());
    if (route.access() != ApiRoute.Access.ANYBODY) {
      ArrayNode either = node.putArray("security");
      either.addObject().putArray("token");
      either.addObject().putArray("session");
    }
    if (route.access() == ApiRoute.Access.OWNER) {
      node.put("description", "For owners.");
    }
    ArrayNode parameters = node.putArray("parameters");
    for (String part : route.path().split("/")) {
      if (part.startsWith("{")) {
        ObjectNode one = parameters.addObject();
        one.put("name", part.substring(1, part.length() - 1)).put("in", "path");
        one.put("required", true).putObject("schema").put("type", "string");
      }
    }
    for (JsonField field : route.query()) {
      ObjectNode one = parameters.addObject().put("name", field.name()).put("in", "query");
      field.schema(one.put("required", field.required()).putObject("schema"));
    }
    route.body().ifPresent(fields -> body(node.putObject("requestBody"), route, fields));
    responses(node.putObject("responses"), route);
    ArrayNode sent = node.putArray("x-examples");
    for (ApiRoute.Example example : route.examples()) {
      ObjectNode one = sent.addObject().put("target", example.target());
      if (!example.request().isEmpty()) {
        one.set("request", tree(example.request()));
      }
      one.put("status", example.status());
      if (example.response().startsWith("{")) {
        one.set("response", tree(example.response()));
      } else {
        one.put("response", example.response());
      }
    }
  }

  private static void body(ObjectNode node, ApiRoute route, List<JsonField> fields) {
    ObjectNode content = node.put("required", true).putObject("content").putObject(Json.TYPE);
    ObjectNode schema = content.putObject("schema").put("type", "object");
    schema.put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = schema.putArray("required");
    for (JsonField field : fields) {
      field.schema(properties.putObject(field.name()));
      if (field.required()) {
        required.add(field.name());
      }
    }
    ObjectNode examples = content.putObject("examples");
    for (ApiRoute.Example example : route.examples()) {
      if (!example.request().isEmpty()) {
        examples.putObject("example" + (examples.size() + 1)).set("value", tree(example.request()));
      }
    }
  }

  private static void responses(ObjectNode node, ApiRoute route) {
    for (ApiRoute.Example example : route.examples()) {
      ObjectNode one = node.withObject("/" + example.status());
      one.put("description", example.status() < 400 ? "Done." : "A problem.");
      if (!example.response().isEmpty()) {
        boolean json = example.response().startsWith("{");
        String type = !json ? "text/csv" : example.status() < 400 ? Json.TYPE : Problems.TYPE;
        ObjectNode examples = one.withObject("/content/" + escaped(type) + "/examples");
        ObjectNode value = examples.putObject("example" + (examples.size() + 1));
        if (json) {
          value.set("value", tree(example.response()));
        } else {
          value.put("value", example.response());
        }
      }
    }
    ObjectNode problem = node.putObject("default").put("description", "A problem (RFC 9457).");
    ObjectNode schema = problem.putObject("content").putObject(Problems.TYPE).putObject("schema");
    ObjectNode properties = schema.put("type", "object").putObject("properties");
    for (String text : List.of("type", "title", "detail", "code", "message", "hint")) {
      properties.putObject(text).put("type", "string");
    }
    for (String number : List.of("status", "line", "column")) {
      properties.putObject(number).put("type", "integer");
    }
  }

  private static com.fasterxml.jackson.databind.JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an example is no JSON: " + json, e);
    }
  }
}
