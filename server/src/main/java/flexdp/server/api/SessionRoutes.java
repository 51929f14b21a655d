package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.http.Response;
import flexdp.server.login.Sessions;
import flexdp.server.login.User;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Signing in and out, and who one is. */
final class SessionRoutes {
  private final RequestAuthentication authentication;

  SessionRoutes(RequestAuthentication authentication) {
    this.authentication = authentication;
  }

  List<ApiRoute> all() {
    return List.of(
        ApiRoute.get("/v1/session", Access.ANYBODY, "Who is signed in.", this::who)
            .example("", 200, "{\"user\": null}"),
        ApiRoute.post(
                "/v1/session",
                Access.ANYBODY,
                "Sign in; sets the cookie of the session.",
                List.of(
                    JsonField.required("user", Kind.TEXT, "The name."),
                    JsonField.required("password", Kind.TEXT, "The password, or a token.")),
                this::signIn)
            .example(
                "{\"user\": \"ann\", \"password\": \"correct-horse\"}",
                200,
                """
                {"user": "ann", "right": "analyst", "databases": ["rides"], "csrf": "Zx0…",
                 "expires": "2026-05-01T12:00:00Z"}\
                """),
        ApiRoute.delete("/v1/session", Access.USER, "Sign out.", this::signOut)
            .example("", 204, ""));
  }

  private Response who(ApiCall call) {
    ObjectNode node = Json.object();
    if (call.somebody().isEmpty()) {
      return Json.of(200, node.putNull("user"));
    }
    return Json.of(200, described(node, call.caller().user(), call, call.caller().session()));
  }

  private Response signIn(ApiCall call) {
    Sessions.Opened opened =
        authentication.signIn(
            call.request(),
            call.served(),
            call.fields().get("user").text(),
            call.fields().get("password").text());
    User user = opened.session().secret().user();
    Caller caller = new Caller(user, Optional.of(opened.session()));
    ApiCall known =
        new ApiCall(
            call.request(),
            call.served(),
            Optional.of(caller),
            call.variables(),
            call.fields(),
            call.present());
    return Json.of(200, described(Json.object(), user, known, caller.session()))
        .with("Set-Cookie", authentication.cookie(call.request(), Optional.of(opened.cookie())));
  }

  private static ObjectNode described(
      ObjectNode node, User user, ApiCall call, Optional<Sessions.Session> session) {
    node.put("user", user.name());
    node.put("right", user.right().name().toLowerCase(Locale.ROOT));
    var databases = node.putArray("databases");
    call.databases().forEach(databases::add);
    session.ifPresent(s -> node.put("csrf", s.csrf()).put("expires", s.expires().toString()));
    return node;
  }

  private Response signOut(ApiCall call) {
    authentication.signOut(call.request());
    return Response.empty(204)
        .with("Set-Cookie", authentication.cookie(call.request(), Optional.empty()))
        .with("Clear-Site-Data", "\"cache\"");
  }
}
