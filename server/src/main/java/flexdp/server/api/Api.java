package flexdp.server.api;

import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.TextFiles;
import flexdp.server.connection.ServerState;
import flexdp.server.http.Handler;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.HttpRequest;
import flexdp.server.http.Response;
import flexdp.server.session.SqlError;
import java.nio.charset.CharacterCodingException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Brings requests to their routes, after all that is the same for each of them. */
public final class Api implements Handler {
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "DELETE");

  private static final Pattern JSON =
      Pattern.compile("application/json\\s*(;\\s*charset\\s*=\\s*\"?utf-8\"?\\s*)?");

  private final ServerState serverState;
  private final RequestAuthentication authentication;
  private final List<ApiRoute> routes;
  private final Counters counters;

  Api(
      ServerState serverState,
      RequestAuthentication authentication,
      List<ApiRoute> routes,
      Counters counters) {
    this.serverState = serverState;
    this.authentication = authentication;
    this.routes = List.copyOf(routes);
    this.counters = counters;
  }

  private record Matched(ApiRoute route, Map<String, String> variables) {}

  @Override
  public Response handle(HttpRequest request) {
    try {
      return served(request);
    } catch (Failure e) {
      return Problems.of(e);
    } catch (SqlError e) {
      return Problems.of(Problems.of(e));
    }
  }

  private Response served(HttpRequest request) {
    authentication.requireOwnName(request);
    Matched matched = route(request);
    ApiRoute route = matched.route();
    counters.request(route);
    boolean changes = !route.method().equals("GET");
    if (route.path().startsWith("/v1")) {
      authentication.requireSameSite(request);
    }
    ServerState.Served served = serverState.served().get();
    Optional<Caller> caller =
        route.path().startsWith("/v1") || route.path().equals("/metrics")
            ? authentication.caller(request, served)
            : Optional.empty();
    if (route.access() != ApiRoute.Access.ANYBODY) {
      if (caller.isEmpty()) {
        throw RequestAuthentication.notKnown("you are not signed in");
      }
      if (changes) {
        authentication.requireRepeated(request, caller.get());
      }
      if (route.access() == ApiRoute.Access.OWNER && !caller.get().isOwner()) {
        throw HttpRefusal.of(403, "NOT_OWNER", "this is for the owner");
      }
    }
    requireKnown(request.target().query().keySet(), route.query());
    Map<String, DocumentNode> fields = fields(request, route);
    return route
        .deed()
        .of(
            new ApiCall(
                request,
                served,
                caller,
                matched.variables(),
                fields,
                () -> authentication.present(request, serverState.served().get().users())));
  }

  private Matched route(HttpRequest request) {
    if (!METHODS.contains(request.method())) {
      throw HttpRefusal.of(501, "NOT_IMPLEMENTED", "there is no such method here");
    }
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    Set<String> allowed = new TreeSet<>();
    String whole = request.target().path();
    for (ApiRoute route : routes) {
      Optional<Map<String, String>> variables = route.match(request.target().segments(), whole);
      if (variables.isPresent() && route.method().equals(method)) {
        return new Matched(route, variables.get());
      }
      variables.ifPresent(ignored -> allowed.add(route.method()));
    }
    if (allowed.isEmpty()) {
      throw HttpRefusal.of(404, "NOT_FOUND", "there is nothing at this path");
    }
    throw HttpRefusal.of(405, "METHOD_NOT_ALLOWED", "this path takes another method")
        .with("Allow", String.join(", ", allowed));
  }

  private static void requireKnown(Set<String> given, List<JsonField> known) {
    for (String name : given) {
      if (known.stream().noneMatch(f -> f.name().equals(name))) {
        throw HttpRefusal.of(400, "BAD_REQUEST", "the path takes no such parameter");
      }
    }
  }

  private static Map<String, DocumentNode> fields(HttpRequest request, ApiRoute route) {
    if (route.body().isEmpty()) {
      if (request.body().length > 0) {
        throw HttpRefusal.of(400, "BAD_REQUEST", "this request takes no body");
      }
      return Map.of();
    }
    requireJson(request);
    DocumentNode root = DocumentNode.root(tree(request.body()), Code.BAD_REQUEST);
    List<JsonField> known = route.body().get();
    Map<String, DocumentNode> all =
        root.fields(known.stream().map(JsonField::name).collect(Collectors.toSet()));
    Map<String, DocumentNode> fields = new LinkedHashMap<>();
    all.forEach(
        (name, node) -> {
          if (!node.isNull()) {
            fields.put(name, node);
          }
        });
    known.stream().filter(JsonField::required).forEach(f -> root.required(fields, f.name()));
    return fields;
  }

  private static void requireJson(HttpRequest request) {
    String type = request.header("content-type").orElse("").toLowerCase(Locale.ROOT);
    if (!JSON.matcher(type).matches()) {
      throw HttpRefusal.of(
          415, "UNSUPPORTED_MEDIA_TYPE", "a body is JSON", "Send Content-Type: application/json");
    }
    if (!request.header("content-encoding").orElse("identity").equals("identity")) {
      throw HttpRefusal.of(415, "UNSUPPORTED_MEDIA_TYPE", "a body is not compressed");
    }
  }

  private static Object tree(byte[] body) {
    try {
      return JsonText.tree(TextFiles.decode(body), Code.BAD_REQUEST);
    } catch (CharacterCodingException e) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "the body is not UTF-8 text");
    }
  }

  @Override
  public Response refused(HttpRefusal refusal) {
    return Problems.of(refusal);
  }

  @Override
  public void failed(Throwable thrown) {
    serverState.log().failure("request", thrown);
  }
}
