package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.document.DocumentNode;
import flexdp.server.api.ApiRoute.Access;
import flexdp.server.api.JsonField.Kind;
import flexdp.server.connection.ServerState;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.Response;
import flexdp.server.login.User;
import flexdp.server.login.UsersFile;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Who may log in. Secrets are shown once, when they are made. */
final class UserRoutes {
  private final ServerState serverState;
  private final UsersFile users;
  private final Runnable reload;

  /**
   * @param reload takes what was changed at once
   */
  UserRoutes(ServerState serverState, UsersFile users, Runnable reload) {
    this.serverState = serverState;
    this.users = users;
    this.reload = reload;
  }

  List<ApiRoute> all() {
    return List.of(
        ApiRoute.get("/v1/owner/users", Access.OWNER, "Who may log in.", this::list)
            .example(
                "",
                200,
                """
                {"users": [{"name": "ann", "right": "analyst", "databases": [], "password": true,
                   "tokens": ["notebook"]}]}\
                """),
        ApiRoute.post(
                "/v1/owner/users",
                Access.OWNER,
                "Add a user; the password is shown once.",
                List.of(
                    JsonField.required("name", Kind.TEXT, "1 to 63 characters, no white space."),
                    JsonField.optional("right", Kind.TEXT, "analyst (unless said) or owner."),
                    JsonField.optional("databases", Kind.LIST, "Which policies; all unless said.")),
                this::add)
            .example(
                "{\"name\": \"cy\", \"right\": \"analyst\", \"databases\": [\"rides\"]}",
                201,
                "{\"name\": \"cy\", \"password\": \"…\"}"),
        ApiRoute.post(
                "/v1/owner/users/{name}/password",
                Access.OWNER,
                "Give a user another password.",
                List.of(),
                this::password)
            .example(
                "/v1/owner/users/cy/password",
                "{}",
                200,
                "{\"name\": \"cy\", \"password\": \"…\"}"),
        ApiRoute.post(
                "/v1/owner/users/{name}/tokens",
                Access.OWNER,
                "Make a token for a program; it is shown once.",
                List.of(JsonField.required("name", Kind.TEXT, "What to call it.")),
                this::token)
            .example(
                "/v1/owner/users/cy/tokens",
                "{\"name\": \"notebook\"}",
                201,
                "{\"name\": \"notebook\", \"token\": \"fdp.…\"}"),
        ApiRoute.delete(
                "/v1/owner/users/{name}/tokens/{token}",
                Access.OWNER,
                "Revoke a token.",
                this::revoke)
            .example("/v1/owner/users/cy/tokens/notebook", "", 204, ""),
        ApiRoute.delete("/v1/owner/users/{name}", Access.OWNER, "Remove a user.", this::remove)
            .example("/v1/owner/users/cy", "", 204, ""));
  }

  /** Users may ask about any policy, so only who owns all of them may make some. */
  private static void requireAll(ApiCall call) {
    if (!call.caller().user().databases().isEmpty()) {
      throw HttpRefusal.of(403, "NOT_OWNER", "users belong to the owner of all databases");
    }
  }

  private Response list(ApiCall call) {
    requireAll(call);
    ObjectNode root = Json.object();
    ArrayNode list = root.putArray("users");
    for (User user : users.read().all()) {
      ObjectNode node = list.addObject().put("name", user.name());
      node.put("right", user.right().name().toLowerCase(Locale.ROOT));
      ArrayNode databases = node.putArray("databases");
      user.databases().stream().sorted().forEach(databases::add);
      node.put("password", user.secrets().containsKey(User.PASSWORD));
      ArrayNode tokens = node.putArray("tokens");
      user.secrets().keySet().stream()
          .filter(name -> !name.equals(User.PASSWORD))
          .sorted()
          .forEach(tokens::add);
    }
    return Json.of(200, root);
  }

  private Response add(ApiCall call) {
    requireAll(call);
    String name = call.fields().get("name").text();
    int right = call.field("right").map(n -> n.word(List.of("analyst", "owner"))).orElse(0);
    Set<String> databases = new HashSet<>();
    call.field("databases")
        .map(DocumentNode::list)
        .orElse(List.of())
        .forEach(n -> databases.add(n.text()));
    String password =
        users.add(name, right == 1 ? User.Right.OWNER : User.Right.ANALYST, databases);
    done(call, "user added", name);
    return Json.of(201, Json.object().put("name", name).put("password", password));
  }

  private Response password(ApiCall call) {
    requireAll(call);
    String name = named(call);
    String password = users.password(name);
    done(call, "password changed", name);
    return Json.of(200, Json.object().put("name", name).put("password", password));
  }

  private Response token(ApiCall call) {
    requireAll(call);
    String name = call.fields().get("name").text();
    String token = users.token(named(call), name);
    done(call, "token made", named(call) + " " + name);
    return Json.of(201, Json.object().put("name", name).put("token", token));
  }

  private Response revoke(ApiCall call) {
    requireAll(call);
    users.revoke(named(call), call.variables().get("token"));
    done(call, "token revoked", named(call) + " " + call.variables().get("token"));
    return Response.empty(204);
  }

  private Response remove(ApiCall call) {
    requireAll(call);
    if (named(call).equals(call.name())) {
      throw HttpRefusal.of(409, "YOURSELF", "an owner does not remove herself");
    }
    users.remove(named(call));
    done(call, "user removed", call.variables().get("name"));
    return Response.empty(204);
  }

  /** Whom the path means; 404 for nobody. */
  private String named(ApiCall call) {
    String name = call.variables().get("name");
    if (users.read().user(name).isEmpty()) {
      throw HttpRefusal.of(404, "NOT_FOUND", "there is no such user");
    }
    return name;
  }

  private void done(ApiCall call, String event, String whom) {
    reload.run();
    serverState.audit().record(event, call.name(), call.request().address(), "", "", whom);
  }
}
