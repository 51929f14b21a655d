package flexdp.server.api;

import flexdp.server.http.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Something that can be done over HTTP: what serves it, and what the document says of it.
 *
 * @param path with variables in braces
 * @param query parameters that it takes; others are refused
 * @param body fields that it takes; others are refused. None where there is no body
 */
record ApiRoute(
    String method,
    String path,
    Access access,
    String summary,
    List<JsonField> query,
    Optional<List<JsonField>> body,
    List<Example> examples,
    Deed deed) {
  /** Who may. */
  enum Access {
    ANYBODY,
    USER,
    OWNER
  }

  /** Does it. */
  @FunctionalInterface
  interface Deed {
    Response of(ApiCall call);
  }

  /**
   * A request and what comes back. The tests send each and compare the shapes.
   *
   * @param target the path with its variables, and the query
   * @param request JSON; empty without a body
   * @param response JSON or text; empty without a body
   */
  record Example(String target, String request, int status, String response) {}

  static ApiRoute get(String path, Access access, String summary, Deed deed) {
    return new ApiRoute("GET", path, access, summary, List.of(), Optional.empty(), List.of(), deed);
  }

  static ApiRoute delete(String path, Access access, String summary, Deed deed) {
    return new ApiRoute(
        "DELETE", path, access, summary, List.of(), Optional.empty(), List.of(), deed);
  }

  static ApiRoute post(
      String path, Access access, String summary, List<JsonField> body, Deed deed) {
    return new ApiRoute(
        "POST", path, access, summary, List.of(), Optional.of(body), List.of(), deed);
  }

  ApiRoute taking(JsonField... parameters) {
    return new ApiRoute(method, path, access, summary, List.of(parameters), body, examples, deed);
  }

  /** An example at the route's own path. */
  ApiRoute example(String request, int status, String response) {
    return example(path, request, status, response);
  }

  ApiRoute example(String target, String request, int status, String response) {
    List<Example> more = new ArrayList<>(examples);
    more.add(new Example(target, request.strip(), status, response.strip()));
    return new ApiRoute(method, path, access, summary, query, body, List.copyOf(more), deed);
  }

  /** The variables of a path that this route is for. */
  Optional<Map<String, String>> match(List<String> segments, String whole) {
    if (path.indexOf('{') < 0) {
      return path.equals(whole) ? Optional.of(Map.of()) : Optional.empty();
    }
    List<String> parts = List.of(path.substring(1).split("/"));
    if (parts.size() != segments.size()) {
      return Optional.empty();
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (part.startsWith("{")) {
        variables.put(part.substring(1, part.length() - 1), segments.get(i));
      } else if (!part.equals(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(variables);
  }
}
