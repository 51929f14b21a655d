package flexdp.server.api;

import flexdp.document.DocumentNode;
import flexdp.server.connection.ServerState;
import flexdp.server.connection.Workers;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.HttpRequest;
import flexdp.server.login.User;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A request on its way to what does it, everything about it checked.
 *
 * @param variables of the path
 * @param fields of the body; those that are null are left out
 * @param present whoever calls, by what is known of users when it is asked for
 */
record ApiCall(
    HttpRequest request,
    ServerState.Served served,
    Optional<Caller> somebody,
    Map<String, String> variables,
    Map<String, DocumentNode> fields,
    Supplier<Optional<User>> present) {
  /** Whoever calls; routes for anybody have none. */
  Caller caller() {
    return somebody.orElseThrow();
  }

  String name() {
    return caller().user().name();
  }

  /** Work for the caller, who may lose the right to it while it waits or runs. */
  Workers.Waiting work(ServerState serverState, String database) {
    return serverState.workers().waiting(name(), () -> requirePresent(database));
  }

  private void requirePresent(String database) {
    User.Right right = caller().user().right();
    if (present.get().filter(u -> u.right() == right && u.mayAsk(database)).isEmpty()) {
      throw RequestAuthentication.notKnown("what you signed in with is no longer valid");
    }
  }

  Optional<String> query(String name) {
    return Optional.ofNullable(request.target().query().get(name));
  }

  Optional<DocumentNode> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** The fields as a tree again, without some. */
  Map<String, Object> tree(Set<String> without) {
    Map<String, Object> tree = new HashMap<>();
    fields.forEach(
        (name, node) -> {
          if (!without.contains(name)) {
            tree.put(name, node.raw());
          }
        });
    return tree;
  }

  /** The policies that the caller may ask about. */
  List<String> databases() {
    return served.offers().keySet().stream().filter(caller().user()::mayAsk).sorted().toList();
  }

  /** The policy that is meant: the one that is named, or the only one. */
  ServerState.Offer offer() {
    Optional<String> named = query("database").or(() -> field("database").map(DocumentNode::text));
    List<String> open = databases();
    if (named.isEmpty() && open.size() != 1) {
      throw HttpRefusal.of(
          400,
          "BAD_REQUEST",
          open.isEmpty() ? "there is no database for you" : "which database is not said",
          open.isEmpty() ? "" : "Name one: " + String.join(", ", open));
    }
    String name = named.orElseGet(open::getFirst);
    if (!open.contains(name)) {
      throw HttpRefusal.of(404, "NOT_FOUND", "there is no such database");
    }
    return served.offers().get(name);
  }

  /** A number of things to show. */
  int limit(int usual, int most) {
    return (int) Math.max(1, Math.min(most, number("limit").orElse((long) usual)));
  }

  Optional<Long> number(String parameter) {
    return query(parameter)
        .map(
            text -> {
              if (!text.matches("[0-9]{1,15}")) {
                throw HttpRefusal.of(400, "BAD_REQUEST", parameter + " is a whole number");
              }
              return Long.parseLong(text);
            });
  }
}
